import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { PART_KINDS } from './columns/kinds.ts';
import type { ObjectParts } from './columns/types.ts';
import { possibleDependents } from './dependents.ts';
import { LINEAGE_KINDS, maySee, type Sight } from './kinds.ts';
import { type LineageObject, type LineageRef, type Origins, refKey } from './types.ts';

const AT_ONCE = 16;

/** What one reader sees of the objects of a workspace and of their uses. Each is read once. */
export class Explorer {
  readonly #sight: Sight;
  readonly #seen = new Map<string, Promise<LineageObject | undefined>>();
  readonly #origins = new Map<string, Promise<Origins>>();
  readonly #dependents = new Map<string, Promise<readonly LineageRef[]>>();
  readonly #parts = new Map<string, Promise<ObjectParts>>();

  constructor(sight: Sight) {
    this.#sight = sight;
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
      await inParallel(AT_ONCE, distinct(await possibleDependents(this.#sight, ref)), async (candidate) => {
        // Origins are read only of what the reader sees.
        if (!(await this.see(candidate))) return;
        const { refs } = await this.originsOf(candidate);
        if (refs.some((each) => refKey(each) === key)) dependents.push(candidate);
      });
      return dependents;
    });
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
