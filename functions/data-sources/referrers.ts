import type { ObjectStore } from '../../shared/objects/object-store.ts';
import { dagStore } from '../../shared/pipelines/dag-store.ts';
import { pipelineRepository } from '../../shared/pipelines/pipeline-store.ts';
import type { Table } from '../../shared/storage/table.ts';
import type { FindReferrers } from './use-cases/delete-data-source.ts';

/** Looks through the pipelines of the workspace: deleting a source is rare, and an index would be kept on every save. */
export function pipelineReferrers(table: Table, objects: ObjectStore): FindReferrers {
  const pipelines = pipelineRepository(table);
  const dags = dagStore(table, objects);
  return async (workspaceId, sourceId) => {
    const found: Awaited<ReturnType<FindReferrers>> = [];
    for (let offset = 0; ; offset += 200) {
      const page = await pipelines.list(workspaceId, { limit: 200, offset });
      const definitions = await dags.getMany(
        workspaceId,
        page.items.map(({ dagHash }) => dagHash),
      );
      for (const { id, name, dagHash } of page.items) {
        const steps = definitions.get(dagHash)?.steps ?? [];
        if (steps.some(({ config }) => config.sourceId === sourceId)) found.push({ type: 'pipeline', id, name });
      }
      if (offset + 200 >= page.total) return found;
    }
  };
}
