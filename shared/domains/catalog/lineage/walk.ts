import type { Principal } from '../../../platform/auth/principal.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { possibleDependents } from './dependents.ts';
import { LINEAGE_KINDS, maySee, type Sight } from './kinds.ts';
import { type LineageObject, type LineageRef, type Origins, refKey } from './types.ts';
import { type LineageDeps, workspaceParts } from './workspace-parts.ts';

export const MAX_LINEAGE_NODES = 2000;
export const MAX_LINEAGE_DEPTH = 10;
const AT_ONCE = 16;

export interface LineageQuery {
  start: LineageRef;
  direction: 'up' | 'down' | 'both';
  /** How many steps away from the start. */
  depth: number;
}

export interface LineageNode extends LineageObject {
  /** Negative for what the start is made of, positive for what is made of it. */
  distance: number;
  /** Whether all of its origins are known. */
  isComplete: boolean;
}

export interface LineageEdge {
  from: LineageRef;
  to: LineageRef;
}

export interface ObjectLineage {
  nodes: LineageNode[];
  edges: LineageEdge[];
  isTruncated: boolean;
}

/**
 * What an object is made of, and what is made of it. Objects that the reader may not see are absent, with all that is
 * reached through them alone. Undefined if the reader does not see the start.
 */
export async function objectLineage(
  deps: LineageDeps,
  reader: Principal,
  { start, direction, depth }: LineageQuery,
): Promise<ObjectLineage | undefined> {
  const { table, checkProduct } = deps;
  const parts = workspaceParts(deps, reader.workspaceId);
  const sight: Sight = { table, reader, parts, checkProduct, now: table.now() };
  const walk = new Walk(sight);
  if (!(await walk.add(start, 0))) return undefined;
  if (direction !== 'down') await walk.go(start, depth, -1);
  if (direction !== 'up') await walk.go(start, depth, 1);
  return walk.result();
}

class Walk {
  readonly #sight: Sight;
  readonly #seen = new Map<string, Promise<LineageObject | undefined>>();
  readonly #origins = new Map<string, Promise<Origins>>();
  readonly #nodes = new Map<string, LineageNode>();
  readonly #edges = new Map<string, LineageEdge>();
  #isTruncated = false;

  constructor(sight: Sight) {
    this.#sight = sight;
  }

  /** Whether the reader sees the object, and there is room for it. */
  async add(ref: LineageRef, distance: number): Promise<boolean> {
    const key = refKey(ref);
    if (this.#nodes.has(key)) return true;
    if (this.#isTruncated) return false;
    const found = await this.#see(ref);
    if (!found) return false;
    const { isComplete } = await this.#originsOf(ref);
    if (this.#nodes.has(key)) return true;
    if (this.#nodes.size >= MAX_LINEAGE_NODES) {
      this.#isTruncated = true;
      return false;
    }
    this.#nodes.set(key, { ...found, distance, isComplete });
    return true;
  }

  async go(start: LineageRef, depth: number, step: 1 | -1): Promise<void> {
    const visited = new Set([refKey(start)]);
    let layer = [start];
    for (let distance = 1; distance <= depth && layer.length > 0 && !this.#isTruncated; distance += 1) {
      const next = new Map<string, LineageRef>();
      await inParallel(AT_ONCE, layer, async (ref) => {
        for (const neighbour of await this.#neighbours(ref, step)) {
          if (!(await this.add(neighbour, step * distance))) continue;
          const edge = step === 1 ? { from: ref, to: neighbour } : { from: neighbour, to: ref };
          this.#edges.set(`${refKey(edge.from)} ${refKey(edge.to)}`, edge);
          if (!visited.has(refKey(neighbour))) next.set(refKey(neighbour), neighbour);
        }
      });
      for (const key of next.keys()) visited.add(key);
      layer = [...next.values()];
    }
  }

  /** In an order that does not depend on what was read first. */
  result(): ObjectLineage {
    const order = (a: LineageRef, b: LineageRef) => (refKey(a) < refKey(b) ? -1 : 1);
    return {
      nodes: [...this.#nodes.values()].sort((a, b) => a.distance - b.distance || order(a, b)),
      edges: [...this.#edges.values()].sort((a, b) => order(a.from, b.from) || order(a.to, b.to)),
      isTruncated: this.#isTruncated,
    };
  }

  async #neighbours(ref: LineageRef, step: 1 | -1): Promise<readonly LineageRef[]> {
    if (step === -1) return distinct((await this.#originsOf(ref)).refs);
    const key = refKey(ref);
    const dependents: LineageRef[] = [];
    await inParallel(AT_ONCE, distinct(await possibleDependents(this.#sight, ref)), async (candidate) => {
      // Origins are read only of what the reader sees.
      if (!(await this.#see(candidate))) return;
      const { refs } = await this.#originsOf(candidate);
      if (refs.some((each) => refKey(each) === key)) dependents.push(candidate);
    });
    return dependents;
  }

  #see(ref: LineageRef): Promise<LineageObject | undefined> {
    return memo(this.#seen, ref, async () => {
      if (!(await maySee(this.#sight, ref.type))) return undefined;
      const found = await LINEAGE_KINDS[ref.type].find(this.#sight, ref.id);
      return found && { type: ref.type, id: ref.id, ...found };
    });
  }

  #originsOf(ref: LineageRef): Promise<Origins> {
    return memo(this.#origins, ref, () => LINEAGE_KINDS[ref.type].origins(this.#sight, ref.id));
  }
}

const distinct = (refs: readonly LineageRef[]) => [...new Map(refs.map((ref) => [refKey(ref), ref])).values()];

function memo<T>(known: Map<string, Promise<T>>, ref: LineageRef, read: () => Promise<T>): Promise<T> {
  const key = refKey(ref);
  const found = known.get(key) ?? read();
  known.set(key, found);
  return found;
}
