import { AppError } from '../../../../platform/errors/app-error.ts';
import type { Explorer } from '../explorer.ts';
import { LineageGraph, type ObjectLineage } from '../graph.ts';
import { type LineageRef, type LineageType, refKey } from '../types.ts';
import { distinctParts, isSamePart, type ObjectPart, type PartRef, partKey } from './types.ts';

interface ColumnQuery {
  start: LineageRef;
  column: string;
  direction: 'up' | 'down' | 'both';
  depth: number;
}

/**
 * What one column of an object is made of, and what is made of it. Columns that decide which rows an object has, but no
 * values, lead to the object and no further. Throws `LINEAGE_COLUMN_NOT_FOUND`.
 */
export async function columnLineage(
  explorer: Explorer,
  { start, column, direction, depth }: ColumnQuery,
): Promise<ObjectLineage> {
  const part = await findPart(explorer, start, column);
  const walk = new ColumnWalk(explorer);
  await walk.add(part, 0);
  if (direction !== 'down') await walk.go(part, depth, -1);
  if (direction !== 'up') await walk.go(part, depth, 1);
  return walk.graph.result();
}

/** The part with the id or, if that is unique, the name. */
export async function findPart(explorer: Explorer, { type, id }: LineageRef, column: string): Promise<PartRef> {
  const { parts } = await explorer.partsOf({ type, id });
  const named = parts.filter(({ name }) => isSamePart(name, column));
  const found = parts.find((each) => isSamePart(each.id, column)) ?? (named.length === 1 ? named[0] : undefined);
  if (found) return { type, id, part: found.id };
  // The columns of such an object are known only by their uses.
  if (isKnownByUses(type)) return { type, id, part: column };
  throw new AppError('LINEAGE_COLUMN_NOT_FOUND');
}

class ColumnWalk {
  readonly graph = new LineageGraph();
  readonly #explorer: Explorer;

  constructor(explorer: Explorer) {
    this.#explorer = explorer;
  }

  /** Whether the reader sees the object, and there is room for it. */
  async add(ref: PartRef, distance: number): Promise<boolean> {
    if (!(await this.#addObject(ref, distance))) return false;
    if (ref.part === null) return true;
    const { parts } = await this.#explorer.partsOf(ref);
    const found = parts.find(({ id }) => isSamePart(id, ref.part));
    this.graph.addColumn(ref, found ?? { id: ref.part, name: ref.part });
    return true;
  }

  async #addObject(ref: LineageRef, distance: number): Promise<boolean> {
    if (this.graph.has(ref)) return true;
    if (this.graph.isTruncated) return false;
    const found = await this.#explorer.see(ref);
    if (!found) return false;
    const { unknown } = await this.#explorer.partsOf(ref);
    return this.graph.addNode(found, { distance, isComplete: unknown.length === 0 });
  }

  /** Steps within an object, such as from a field to a measure, add no distance. */
  async go(start: PartRef, depth: number, step: 1 | -1): Promise<void> {
    const visited = new Set([partKey(start)]);
    let layer = [start];
    for (let distance = 1; distance <= depth && layer.length > 0 && !this.graph.isTruncated; distance += 1) {
      const next: PartRef[] = [];
      for (let index = 0; index < layer.length; index += 1) {
        const ref = layer[index]!;
        const found = step === 1 ? await this.#down(ref, distance) : await this.#up(ref, -distance);
        for (const neighbour of found) {
          if (visited.has(partKey(neighbour))) continue;
          visited.add(partKey(neighbour));
          (refKey(neighbour) === refKey(ref) ? layer : next).push(neighbour);
        }
      }
      layer = next;
    }
  }

  async #up(ref: PartRef, distance: number): Promise<PartRef[]> {
    const { parts, deciding, unknown } = await this.#explorer.partsOf(ref);
    const found: PartRef[] = [];
    for (const part of parts.filter(({ id }) => isSamePart(id, ref.part))) {
      for (const input of part.inputs) {
        for (const { origin, via } of await this.#originsOf(ref, input)) {
          if (!(await this.add(origin, distance))) continue;
          this.graph.addEdge(origin, ref, { from: origin.part, to: part.id }, via);
          found.push(origin);
        }
      }
    }
    for (const input of deciding) {
      for (const { origin, via } of await this.#originsOf(ref, input)) {
        if (await this.add(origin, distance)) this.graph.addEdge(origin, ref, { from: origin.part, to: null }, via);
      }
    }
    for (const origin of unknown) if (await this.#addObject(origin, distance)) this.graph.addEdge(origin, ref);
    return found;
  }

  /** The visible parts that an input of `ref` names, or from which hidden objects compute it. */
  async #originsOf(ref: LineageRef, input: PartRef): Promise<{ origin: PartRef; via?: 'hidden' }[]> {
    if (!(await this.#explorer.isHidden(input))) return (await this.#presentParts(input)).map((origin) => ({ origin }));
    const origins: PartRef[] = [];
    const hidden = new Map([[partKey(input), input]]);
    for (const each of hidden.values()) {
      const { parts, unknown } = await this.#explorer.partsOfHidden(each);
      if (unknown.length > 0) this.graph.markIncomplete(ref);
      const named = each.part === null ? parts : parts.filter(({ id }) => isSamePart(id, each.part));
      for (const next of named.flatMap(({ inputs }) => inputs)) {
        if (!(await this.#explorer.isHidden(next)))
          origins.push(...(await this.#presentParts(withoutForeignName(next))));
        else if (!hidden.has(partKey(next))) hidden.set(partKey(next), next);
      }
    }
    return distinctParts(origins).map((origin) => ({ origin, via: 'hidden' }));
  }

  /** The parts that an origin names; none of those that do not exist any more, or of an object that is hidden. */
  async #presentParts({ part, ...ref }: PartRef): Promise<PartRef[]> {
    if (!(await this.#explorer.see(ref))) return [];
    const { parts } = await this.#explorer.partsOf(ref);
    if (parts.length === 0) return [{ ...ref, part }];
    const named = part === null ? parts : parts.filter(({ id }) => isSamePart(id, part));
    return named.map(({ id }) => ({ ...ref, part: id }));
  }

  async #down(ref: PartRef, distance: number): Promise<PartRef[]> {
    const found: PartRef[] = [];
    const follow = async (source: PartRef, dependents: readonly LineageRef[], via?: 'hidden') => {
      for (const dependent of dependents) {
        const { parts, deciding, unknown } = await this.#explorer.partsOf(dependent);
        const made: ObjectPart[] = parts.filter(({ inputs }) => inputs.some(isUseOf(source)));
        for (const { id } of made) {
          const next = { type: dependent.type, id: dependent.id, part: id };
          if (!(await this.add(next, distance))) continue;
          this.graph.addEdge(ref, next, { from: ref.part, to: id }, via);
          found.push(next);
        }
        if (deciding.some(isUseOf(source)) && (await this.#addObject(dependent, distance)))
          this.graph.addEdge(ref, dependent, { from: ref.part, to: null }, via);
        if (unknown.some((each) => refKey(each) === refKey(source)) && (await this.#addObject(dependent, distance)))
          this.graph.addEdge(ref, dependent, undefined, via);
      }
    };
    await follow(ref, [...within(ref), ...(await this.#explorer.dependentsOf(ref))]);
    for (const source of await this.#hiddenPartsMadeOf(ref))
      await follow(source, await this.#explorer.dependentsOf(source), 'hidden');
    return found;
  }

  /** The parts of hidden objects that are computed from a part, directly or through other hidden ones. */
  async #hiddenPartsMadeOf(ref: PartRef): Promise<PartRef[]> {
    const reached = new Map([[partKey(ref), ref]]);
    for (const each of reached.values()) {
      const own = each === ref ? [] : within(each);
      for (const { type, id } of [...own, ...(await this.#explorer.hiddenNext(each, 1))]) {
        const { parts } = await this.#explorer.partsOfHidden({ type, id });
        for (const part of parts.filter(({ inputs }) => inputs.some(isUseOf(each)))) {
          const next = { type, id, part: part.id };
          if (!reached.has(partKey(next))) reached.set(partKey(next), next);
        }
      }
    }
    return [...reached.values()].slice(1);
  }
}

/** Parts of a model are computed from others of it. */
const within = ({ type, id }: LineageRef): LineageRef[] => (type === 'model' ? [{ type, id }] : []);

const isUseOf = (ref: PartRef) => (input: PartRef) =>
  refKey(input) === refKey(ref) && (input.part === null || isSamePart(input.part, ref.part));

const isKnownByUses = (type: LineageType): boolean => type === 'source' || type === 'cdc-stream';

/** A hidden object must not show which columns it reads of an object whose columns are known only by their uses. */
const withoutForeignName = (ref: PartRef): PartRef => (isKnownByUses(ref.type) ? { ...ref, part: null } : ref);
