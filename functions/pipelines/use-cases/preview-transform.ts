import type { EngineFunction } from '../../../shared/engine-function/client.ts';
import type { BoundParameter } from '../../../shared/engine-function/protocol.ts';
import { AppError } from '../../../shared/errors/app-error.ts';
import { JsonText } from '../../../shared/http/json-text.ts';
import { compileStep } from '../../../shared/pipelines/compile-step.ts';
import type { Dag, Step } from '../../../shared/pipelines/dag.ts';
import { type LastInputs, lastInputsOf } from '../../../shared/pipelines/last-outputs.ts';
import { itemsOf } from '../../../shared/pipelines/plan.ts';
import type { StoredRun } from '../../../shared/pipelines/records.ts';
import type { ParameterValue, ReferenceValues } from '../../../shared/pipelines/references.ts';
import { readTriggerInput } from '../../../shared/pipelines/trigger-input.ts';
import type { Table } from '../../../shared/storage/table.ts';
import { type CheckDeps, refuseFaultyDag } from '../definition.ts';

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
  if (command.dag) await refuseFaultyDag(deps, pipeline, command.dag);
  const dag = command.dag ?? (await deps.dags.get(workspaceId, pipeline.dagHash));
  const step = previewable(dag, stepId);
  const last = await lastInputsOf(deps.table, { workspaceId, pipelineId }, dag, step, deps.now());
  if (!last) throw new AppError('NO_RUN_DATA');

  const tables = tablesOf(last.inputs);
  const columns = Object.fromEntries(tables.map((table) => [table.name, table.columns]));
  const made = compileStep(step, columns, await valuesOf(deps.table, dag, step, last.run))!;
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

const tablesOf = (inputs: LastInputs['inputs']) =>
  Object.entries(inputs).map(([name, outputs]) => ({
    name,
    columns: outputs[0]!.columns,
    files: outputs.flatMap(({ files }) => files),
  }));

/** What references stand for: as in the run, and for what it did not have, the defaults of the definition. */
async function valuesOf(table: Table, dag: Dag, step: Step, run: StoredRun): Promise<ReferenceValues> {
  const brought = await readTriggerInput(table, run.workspaceId, run.id);
  const params = Object.fromEntries(
    (dag.parameters ?? []).map(({ name, default: fallback }) => [
      name,
      run.parameters[name] ?? (fallback as ParameterValue | undefined) ?? null,
    ]),
  );
  const block = dag.forEach?.find(({ steps }) => steps.includes(step.id));
  const [item] = block ? itemsOf(block, params) : [];
  const { id, logicalDate, intervalStart, intervalEnd } = run;
  return {
    params,
    run: { id, logicalDate, intervalStart, intervalEnd },
    forEach: block ? { [block.id]: { item: item ?? '', index: 0 } } : {},
    trigger: { body: brought.body ?? null, files: brought.files ?? null, upstreamRunId: run.trigger.upstreamRunId },
  };
}

/** Bound values are texts, numbers and lists of them; an integer that JSON has no number for goes as text. */
function overTheWire(value: unknown): BoundParameter {
  return typeof value === 'bigint' ? { type: 'integer', text: String(value) } : (value as BoundParameter);
}

/** Whatever the statement itself cannot do is told as one thing, with the engine's own words. */
function asPreviewFault(cause: unknown): never {
  if (!(cause instanceof AppError) || cause.code === 'SERVICE_BUSY') throw cause;
  throw new AppError('PREVIEW_FAILED', {
    cause,
    detail: cause.message,
    errors: [{ pointer: '/stepId', code: cause.code, message: cause.message }],
  });
}
