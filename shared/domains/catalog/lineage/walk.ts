import { isPermitted } from '../../../platform/auth/permissions.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { withBatchedReads } from '../../../platform/storage/batched-reads.ts';
import { columnLineage } from './columns/walk.ts';
import { distinct, Explorer } from './explorer.ts';
import { LineageGraph, type ObjectLineage } from './graph.ts';
import type { Sight } from './kinds.ts';
import { type LineageRef, refKey } from './types.ts';
import { type LineageDeps, workspaceParts } from './workspace-parts.ts';

/** Reads at the same time become one. */
const AT_ONCE = 100;

export interface LineageQuery {
  start: LineageRef;
  /** The id or name of a column of the start, of which alone the lineage is wanted. */
  column?: string;
  direction: 'up' | 'down' | 'both';
  /** How many steps away from the start. */
  depth: number;
}

export function sightOf(deps: LineageDeps, reader: Principal): Sight {
  const { checkProduct } = deps;
  const table = withBatchedReads(deps.table);
  return {
    table,
    reader,
    parts: workspaceParts({ ...deps, table }, reader.workspaceId),
    checkProduct,
    now: table.now(),
  };
}

/** Editors know that rows flow through objects that they do not see, but not through which ones. */
function explorerOf(sight: Sight): Explorer {
  const { reader } = sight;
  if (!isPermitted('catalog:write', reader)) return new Explorer(sight);
  const all = { ...sight, reader: { ...reader, role: 'admin', scope: null } as const, checkProduct: async () => {} };
  return new Explorer(sight, new Explorer(all));
}

/**
 * What an object is made of, and what is made of it. Objects that the reader may not see are absent. So is all that is
 * reached through them alone, unless the reader is an editor. Undefined if the reader does not see the start. Throws
 * `LINEAGE_COLUMN_NOT_FOUND`.
 */
export async function objectLineage(
  deps: LineageDeps,
  reader: Principal,
  { start, column, direction, depth }: LineageQuery,
): Promise<ObjectLineage | undefined> {
  const explorer = explorerOf(sightOf(deps, reader));
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
        const direct = await this.#neighbours(ref, step);
        for (const each of await this.#connect(ref, direct, step * distance)) next.set(refKey(each), each);
        const beyond = await this.#explorer.beyondHidden(ref, step);
        for (const each of await this.#connect(ref, beyond, step * distance, 'hidden')) next.set(refKey(each), each);
      });
      layer = [...next.values()].filter((each) => !visited.has(refKey(each)));
      for (const each of layer) visited.add(refKey(each));
    }
  }

  /** Adds the edges between an object and its neighbours. Returns those that are in the graph. */
  async #connect(ref: LineageRef, neighbours: readonly LineageRef[], distance: number, via?: 'hidden') {
    const added: LineageRef[] = [];
    await inParallel(AT_ONCE, neighbours, async (neighbour) => {
      if (!(await this.add(neighbour, distance))) return;
      const [from, to] = distance > 0 ? [ref, neighbour] : [neighbour, ref];
      this.graph.addEdge(from, to, undefined, via);
      added.push(neighbour);
    });
    return added;
  }

  async #neighbours(ref: LineageRef, step: 1 | -1): Promise<readonly LineageRef[]> {
    if (step === 1) return this.#explorer.dependentsOf(ref);
    return distinct((await this.#explorer.originsOf(ref)).refs);
  }
}
