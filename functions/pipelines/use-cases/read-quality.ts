import {
  type GateEvaluation,
  type GateHealth,
  readEvaluations,
  readGateHealth,
} from '../../../shared/domains/pipelines/index.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';
import type { PipelineRepository } from '../repository.ts';

interface Deps {
  table: Table;
  pipelines: PipelineRepository;
  now(): Date;
}

/** Samples are data: callers who may not run queries get the results without them. */
export async function listGateEvaluations(
  deps: Deps,
  query: { workspaceId: string; id: string; limit: number; mayReadRows: boolean },
): Promise<{ items: GateEvaluation[] }> {
  const { workspaceId, id, limit, mayReadRows } = query;
  if (!(await deps.pipelines.get(workspaceId, id))) throw new AppError('PIPELINE_NOT_FOUND');
  const items = await readEvaluations(deps.table, { workspaceId, pipelineId: id }, limit);
  return { items: mayReadRows ? items : items.map((item) => ({ ...item, sample: null })) };
}

export async function summarizeGates(
  deps: Deps,
  query: { workspaceId: string; days: number },
): Promise<{ items: GateHealth[] }> {
  const since = new Date(deps.now().getTime() - (query.days - 1) * 86_400_000);
  const healths = await readGateHealth(deps.table, query.workspaceId, since);
  const names = await deps.pipelines.names(query.workspaceId, [...healths.keys()]);
  const items = [...names].map(([id, name]) => ({ ...healths.get(id)!, name }));
  return { items: items.sort((one, other) => (one.name < other.name ? -1 : 1)) };
}
