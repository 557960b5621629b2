import { readTriggers, type TriggerRecord } from '../../../../shared/domains/pipelines/store/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { PipelineRepository } from '../repository.ts';

export async function listTriggers(
  deps: { table: Table; pipelines: PipelineRepository },
  query: { workspaceId: string; id: string; limit: number },
): Promise<{ items: TriggerRecord[] }> {
  const { workspaceId, id, limit } = query;
  if (!(await deps.pipelines.get(workspaceId, id))) throw new AppError('PIPELINE_NOT_FOUND');
  return { items: await readTriggers(deps.table, { workspaceId, pipelineId: id }, limit) };
}
