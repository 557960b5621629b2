import { type ShownRowsDeps, tablesHiddenInSteps } from '../../../../shared/domains/pipelines/runs/index.ts';
import {
  type DagStore,
  type GateEvaluation,
  type GateHealth,
  readEvaluations,
  readGateHealth,
  runRepository,
} from '../../../../shared/domains/pipelines/store/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { PipelineRepository } from '../repository.ts';

interface Deps extends ShownRowsDeps {
  table: Table;
  dags: DagStore;
  pipelines: PipelineRepository;
  now(): Date;
}

/** Samples are data: callers who may not run queries, or not see all rows, get the results without them. */
export async function listGateEvaluations(
  deps: Deps,
  query: { principal: Principal; id: string; limit: number },
): Promise<{ items: GateEvaluation[] }> {
  const { principal, id, limit } = query;
  const { workspaceId } = principal;
  const pipeline = await deps.pipelines.get(workspaceId, id);
  if (!pipeline) throw new AppError('PIPELINE_NOT_FOUND');
  const items = await readEvaluations(deps.table, { workspaceId, pipelineId: id }, limit);
  const sampled = items.flatMap(({ sample, runId }) => (sample ? [runId] : []));
  const mayReadRows = isPermitted('query:run', principal) && (await seesRuns(deps, principal, sampled));
  return { items: mayReadRows ? items : items.map((item) => ({ ...item, sample: null })) };
}

/** A run has the definition of its start, which may read other tables than that of now. */
async function seesRuns(deps: Deps, principal: Principal, runIds: readonly string[]): Promise<boolean> {
  const { workspaceId } = principal;
  const wanted = [...new Set(runIds)];
  const runs = await runRepository(deps.table).getMany(workspaceId, wanted);
  if (runs.length < wanted.length) return false;
  const hashes = [...new Set(runs.map(({ dagHash }) => dagHash))];
  const dags = await Promise.all(hashes.map((hash) => deps.dags.get(workspaceId, hash)));
  return (await tablesHiddenInSteps(deps, principal, dags)).length === 0;
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
