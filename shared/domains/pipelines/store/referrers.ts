import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { Step } from '../definition/index.ts';
import { dagStore } from './dag-store.ts';
import { pipelineRepository } from './pipeline-store.ts';

/** A pipeline that refers to the resource in question. */
export interface PipelineReferrer {
  type: 'pipeline';
  id: string;
  name: string;
}

/**
 * The pipelines of a workspace with a step that `refers`. Reads all pipelines: deletes are rare, and an index would
 * cost a write on every save.
 */
export async function findReferringPipelines(
  table: Table,
  objects: ObjectStore,
  workspaceId: string,
  refers: (step: Step) => boolean,
): Promise<PipelineReferrer[]> {
  const pipelines = pipelineRepository(table);
  const dags = dagStore(table, objects);
  const found: PipelineReferrer[] = [];
  for (let offset = 0; ; offset += 200) {
    const page = await pipelines.list(workspaceId, { limit: 200, offset });
    const definitions = await dags.getMany(
      workspaceId,
      page.items.map(({ dagHash }) => dagHash),
    );
    for (const { id, name, dagHash } of page.items) {
      if (definitions.get(dagHash)?.steps.some(refers)) found.push({ type: 'pipeline', id, name });
    }
    if (offset + 200 >= page.total) return found;
  }
}
