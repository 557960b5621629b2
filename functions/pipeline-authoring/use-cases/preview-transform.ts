import type { EngineFunction } from '../../../shared/engine-function/client.ts';
import { AppError } from '../../../shared/errors/app-error.ts';
import { JsonText } from '../../../shared/http/json-text.ts';
import { compileStep } from '../../../shared/pipelines/compile-step.ts';
import type { Dag, Step } from '../../../shared/pipelines/dag.ts';
import { type CheckDeps, soundDefinition } from '../../../shared/pipelines/definition-faults.ts';
import { lastInputsOf } from '../../../shared/pipelines/last-outputs.ts';
import type { Table } from '../../../shared/storage/table.ts';
import { overTheWire, tablesOf, valuesOfRun } from '../last-run.ts';

const PREVIEW_TIMEOUT_MS = 10_000;
const PREVIEW_BYTES = 2 * 1024 * 1024;

interface Deps extends CheckDeps {
  table: Table;
  engine: EngineFunction;
  now(): Date;
}

/**
 * The rows that a step would make of what the last run has left: sources are not read and loads are not done. Throws
 * `STEP_WITHOUT_PREVIEW`, `NO_RUN_DATA`, `PREVIEW_FAILED` and, for a given definition, `PIPELINE_DAG_INVALID`.
 */
export async function previewTransform(
  deps: Deps,
  command: { workspaceId: string; id: string; stepId: string; dag?: Dag; limit: number },
): Promise<JsonText> {
  const { workspaceId, id: pipelineId, stepId } = command;
  const pipeline = await deps.pipelines.get(workspaceId, pipelineId);
  if (!pipeline) throw new AppError('PIPELINE_NOT_FOUND');
  const saved = await deps.dags.get(workspaceId, pipeline.dagHash);
  const dag = command.dag ? await soundDefinition(deps, pipeline, command.dag, saved) : saved;
  const step = previewable(dag, stepId);
  const last = await lastInputsOf(deps.table, { workspaceId, pipelineId }, dag, step, deps.now());
  if (!last) throw new AppError('NO_RUN_DATA');

  const tables = tablesOf(last.inputs);
  const columns = Object.fromEntries(tables.map((table) => [table.name, table.columns]));
  const made = compileStep(step, columns, await valuesOfRun(deps.table, dag, blocksOf(dag, step), last.run))!;
  if (!made.ok) throw new AppError('PREVIEW_FAILED', { errors: made.faults });
  const { sql, params } = made.compiled;
  const answer = await deps.engine
    .query({
      sql,
      params: params.map(overTheWire),
      tables,
      limit: command.limit,
      maxBytes: PREVIEW_BYTES,
      timeoutMs: PREVIEW_TIMEOUT_MS,
    })
    .catch(asPreviewFault);
  const { rowCount, truncated, rowsJson } = answer;
  const about = { basedOnRunId: last.run.id, upstreamMode: 'last_run' };
  return JsonText.of({ stepId, sql, columns: answer.columns, rowCount, truncated, ...about }, { rows: rowsJson });
}

function previewable(dag: Dag, stepId: string): Step {
  const step = dag.steps.find(({ id }) => id === stepId);
  const refused = (message: string) =>
    new AppError('STEP_WITHOUT_PREVIEW', { errors: [{ pointer: '/stepId', code: 'STEP_WITHOUT_PREVIEW', message }] });
  if (!step) throw refused(`there is no step ${stepId}`);
  if (step.type !== 'transform_sql' && step.type !== 'route') throw refused(`${step.type} steps have no preview`);
  return step;
}

const blocksOf = (dag: Dag, step: Step) => (dag.forEach ?? []).filter(({ steps }) => steps.includes(step.id));

/** Whatever the statement itself cannot do is told as one thing, with the engine's own words. */
function asPreviewFault(cause: unknown): never {
  if (!(cause instanceof AppError) || cause.code === 'SERVICE_BUSY') throw cause;
  throw new AppError('PREVIEW_FAILED', {
    cause,
    detail: cause.message,
    errors: [{ pointer: '/stepId', code: cause.code, message: cause.message }],
  });
}
