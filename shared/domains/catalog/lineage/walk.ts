import type { Principal } from '../../../platform/auth/principal.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { columnLineage } from './columns/walk.ts';
import { distinct, Explorer } from './explorer.ts';
import { LineageGraph, type ObjectLineage } from './graph.ts';
import type { Sight } from './kinds.ts';
import { type LineageRef, refKey } from './types.ts';
import { type LineageDeps, workspaceParts } from './workspace-parts.ts';

const AT_ONCE = 16;

export interface LineageQuery {
  start: LineageRef;
  /** The id or name of a column of the start, of which alone the lineage is wanted. */
  column?: string;
  direction: 'up' | 'down' | 'both';
  /** How many steps away from the start. */
  depth: number;
}

export function sightOf(deps: LineageDeps, reader: Principal): Sight {
  const { table, checkProduct } = deps;
  return { table, reader, parts: workspaceParts(deps, reader.workspaceId), checkProduct, now: table.now() };
}

/**
 * What an object is made of, and what is made of it. Objects that the reader may not see are absent, with all that is
 * reached through them alone. Undefined if the reader does not see the start. Throws `LINEAGE_COLUMN_NOT_FOUND`.
 */
export async function objectLineage(
  deps: LineageDeps,
  reader: Principal,
  { start, column, direction, depth }: LineageQuery,
): Promise<ObjectLineage | undefined> {
  const explorer = new Explorer(sightOf(deps, reader));
  if (!(await explorer.see(start))) return undefined;
  if (column !== undefined) return columnLineage(explorer, { start, column, direction, depth });
  const walk = new Walk(explorer);
  await walk.add(start, 0);
  if (direction !== 'down') await walk.go(start, depth, -1);
  if (direction !== 'up') await walk.go(start, depth, 1);
  return walk.graph.result();
}

class Walk {
  readonly graph = new LineageGraph();
  readonly #explorer: Explorer;

  constructor(explorer: Explorer) {
    this.#explorer = explorer;
  }

  /** Whether the reader sees the object, and there is room for it. */
  async add(ref: LineageRef, distance: number): Promise<boolean> {
    if (this.graph.has(ref)) return true;
    if (this.graph.isTruncated) return false;
    const found = await this.#explorer.see(ref);
    if (!found) return false;
    const { isComplete } = await this.#explorer.originsOf(ref);
    return this.graph.addNode(found, { distance, isComplete });
  }

  async go(start: LineageRef, depth: number, step: 1 | -1): Promise<void> {
    const visited = new Set([refKey(start)]);
    let layer = [start];
    for (let distance = 1; distance <= depth && layer.length > 0 && !this.graph.isTruncated; distance += 1) {
      const next = new Map<string, LineageRef>();
      await inParallel(AT_ONCE, layer, async (ref) => {
        for (const neighbour of await this.#neighbours(ref, step)) {
          if (!(await this.add(neighbour, step * distance))) continue;
          if (step === 1) this.graph.addEdge(ref, neighbour);
          else this.graph.addEdge(neighbour, ref);
          if (!visited.has(refKey(neighbour))) next.set(refKey(neighbour), neighbour);
        }
      });
      for (const key of next.keys()) visited.add(key);
      layer = [...next.values()];
    }
  }

  async #neighbours(ref: LineageRef, step: 1 | -1): Promise<readonly LineageRef[]> {
    if (step === 1) return this.#explorer.dependentsOf(ref);
    return distinct((await this.#explorer.originsOf(ref)).refs);
  }
}
