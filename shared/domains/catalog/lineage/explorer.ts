import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { PART_KINDS } from './columns/kinds.ts';
import type { ObjectParts } from './columns/types.ts';
import { possibleDependents } from './dependents.ts';
import { LINEAGE_KINDS, maySee, type Sight } from './kinds.ts';
import { type LineageObject, type LineageRef, type Origins, refKey } from './types.ts';

/** Reads at the same time become one. */
const AT_ONCE = 100;

/** What one reader sees of the objects of a workspace and of their uses. Each is read once. */
export class Explorer {
  readonly #sight: Sight;
  /** For readers who may know that hidden objects are in between: sees all that exists in the workspace. */
  readonly #beyond: Explorer | undefined;
  readonly #candidates = new Map<string, Promise<readonly LineageRef[]>>();
  readonly #seen = new Map<string, Promise<LineageObject | undefined>>();
  readonly #origins = new Map<string, Promise<Origins>>();
  readonly #dependents = new Map<string, Promise<readonly LineageRef[]>>();
  readonly #parts = new Map<string, Promise<ObjectParts>>();

  constructor(sight: Sight, beyond?: Explorer) {
    this.#sight = sight;
    this.#beyond = beyond;
  }

  /** Undefined if the object does not exist for the reader. */
  see(ref: LineageRef): Promise<LineageObject | undefined> {
    return memo(this.#seen, ref, async () => {
      if (!(await maySee(this.#sight, ref.type))) return undefined;
      const found = await LINEAGE_KINDS[ref.type].find(this.#sight, ref.id);
      return found && { type: ref.type, id: ref.id, ...found };
    });
  }

  /** To be asked only of what the reader sees. */
  originsOf(ref: LineageRef): Promise<Origins> {
    return memo(this.#origins, ref, () => LINEAGE_KINDS[ref.type].origins(this.#sight, ref.id));
  }

  /** The objects that are made of this one, as far as the reader sees them. */
  dependentsOf(ref: LineageRef): Promise<readonly LineageRef[]> {
    return memo(this.#dependents, ref, async () => {
      const key = refKey(ref);
      const dependents: LineageRef[] = [];
      await inParallel(AT_ONCE, await this.#candidatesOf(ref), async (candidate) => {
        // Origins are read only of what the reader sees.
        if (!(await this.see(candidate))) return;
        const { refs } = await this.originsOf(candidate);
        if (refs.some((each) => refKey(each) === key)) dependents.push(candidate);
      });
      return dependents;
    });
  }

  #candidatesOf(ref: LineageRef): Promise<readonly LineageRef[]> {
    return memo(this.#candidates, ref, async () => distinct(await possibleDependents(this.#sight, ref)));
  }

  /** Whether the object exists hidden from a reader who may know that something is there. */
  async isHidden(ref: LineageRef): Promise<boolean> {
    return this.#beyond !== undefined && !(await this.see(ref)) && (await this.#beyond.see(ref)) !== undefined;
  }

  /** The hidden objects that an object is made of (-1), or that are made of it (1). */
  async hiddenNext(ref: LineageRef, step: 1 | -1): Promise<LineageRef[]> {
    const beyond = this.#beyond;
    if (!beyond) return [];
    const isSeen = (await this.see(ref)) !== undefined;
    const next =
      step === 1 ? await this.#candidatesOf(ref) : distinct((await (isSeen ? this : beyond).originsOf(ref)).refs);
    const hidden: LineageRef[] = [];
    await inParallel(AT_ONCE, next, async (each) => {
      if (!(await this.isHidden(each))) return;
      const isMade = async () => (await beyond.originsOf(each)).refs.some((origin) => refKey(origin) === refKey(ref));
      if (step === -1 || (await isMade())) hidden.push(each);
    });
    return hidden;
  }

  /**
   * The visible objects that rows reach through hidden ones alone. What a visible object is made of is known as far as
   * its reader knows it.
   */
  async beyondHidden(start: LineageRef, step: 1 | -1): Promise<LineageRef[]> {
    const found = new Map<string, LineageRef>();
    const hidden = await this.hiddenNext(start, step);
    const visited = new Set(hidden.map(refKey));
    for (const each of hidden) {
      for (const next of await this.hiddenNext(each, step)) {
        if (visited.has(refKey(next))) continue;
        visited.add(refKey(next));
        hidden.push(next);
      }
      for (const end of await this.#visibleNext(each, step)) found.set(refKey(end), end);
    }
    found.delete(refKey(start));
    return [...found.values()];
  }

  async #visibleNext(hidden: LineageRef, step: 1 | -1): Promise<readonly LineageRef[]> {
    if (step === 1) return this.dependentsOf(hidden);
    const { refs } = await this.#beyond!.originsOf(hidden);
    const seen = await Promise.all(refs.map(async (ref) => ((await this.see(ref)) ? [ref] : [])));
    return seen.flat();
  }

  /** Of an object that `isHidden`. */
  partsOfHidden(ref: LineageRef): Promise<ObjectParts> {
    return this.#beyond!.partsOf(ref);
  }

  /** The same rule as for origins. */
  partsOf(ref: LineageRef): Promise<ObjectParts> {
    return memo(this.#parts, ref, () => PART_KINDS[ref.type](this.#sight, ref.id));
  }
}

export const distinct = (refs: readonly LineageRef[]) => [...new Map(refs.map((ref) => [refKey(ref), ref])).values()];

function memo<T>(known: Map<string, Promise<T>>, ref: LineageRef, read: () => Promise<T>): Promise<T> {
  const key = refKey(ref);
  const found = known.get(key) ?? read();
  known.set(key, found);
  return found;
}
