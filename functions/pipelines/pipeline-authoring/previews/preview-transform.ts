import type { PortabilityIssue } from '../../../../shared/data/trino/portability-issues.ts';
import type { EngineFunction, TableInput } from '../../../../shared/domains/engine/index.ts';
import {
  type CheckDeps,
  type DefinitionEngine,
  validDefinition,
} from '../../../../shared/domains/pipelines/checks/index.ts';
import {
  type CompiledStep,
  compileStep,
  type Dag,
  type ReferenceValues,
  type Step,
  secretNamesOf,
} from '../../../../shared/domains/pipelines/definition/index.ts';
import {
  assertMaySeeRows,
  type CodeCall,
  codeCallOf,
  lastInputsOf,
  type ShownRowsDeps,
} from '../../../../shared/domains/pipelines/runs/index.ts';
import { openSecrets } from '../../../../shared/domains/warehouse/secrets/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { maskedJson, masker } from '../../../../shared/platform/crypto/masking.ts';
import type { SecretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { JsonText } from '../../../../shared/platform/http/json-text.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { didYouMean } from '../../../../shared/platform/text/nearest.ts';
import { tablesOf, toWireValue, valuesOfRun } from '../last-run.ts';
import { loadStatement } from '../load-statement.ts';

const PREVIEW_TIMEOUT_MS = 10_000;
/** Code computes for two seconds at most; on a busy machine, its sandbox and it may have to wait for the rest. */
const CODE_PREVIEW_TIMEOUT_MS = 20_000;
const PREVIEW_BYTES = 2 * 1024 * 1024;

interface Deps extends CheckDeps, ShownRowsDeps {
  table: Table;
  engine: EngineFunction & DefinitionEngine;
  box: SecretBox;
  now(): Date;
}

/**
 * Previews a step on the outputs of the last run, without reading sources or loading anything. Throws
 * `STEP_WITHOUT_PREVIEW`, `NO_RUN_DATA`, `RLS_RAW_SQL`, `PREVIEW_FAILED` and, for a given definition,
 * `PIPELINE_DAG_INVALID`.
 */
export async function previewTransform(
  deps: Deps,
  command: { principal: Principal; id: string; stepId: string; dag?: Dag; limit: number },
): Promise<JsonText> {
  const { principal, id: pipelineId, stepId } = command;
  const { workspaceId } = principal;
  const pipeline = await deps.pipelines.get(workspaceId, pipelineId);
  if (!pipeline) throw new AppError('PIPELINE_NOT_FOUND');
  const saved = await deps.dags.get(workspaceId, pipeline.dagHash);
  const dag = command.dag ? await validDefinition(deps, pipeline, command.dag, { saved, ignoresColumns: true }) : saved;
  const step = previewable(dag, stepId);
  const last = await lastInputsOf(deps.table, { workspaceId, pipelineId }, dag, step, deps.now());
  if (!last) throw new AppError('NO_RUN_DATA');
  const ofRun = await deps.dags.get(workspaceId, last.run.dagHash);
  await assertMaySeeRows(deps, principal, [saved, dag, ofRun]);

  const tables = await tablesOf(deps, last);
  const values = await valuesOfRun(deps.table, dag, blocksOf(dag, step), last.run);
  const limits = { limit: command.limit, maxBytes: PREVIEW_BYTES, timeoutMs: PREVIEW_TIMEOUT_MS };
  const about = { stepId, basedOnRunId: last.run.id, upstreamMode: 'last_run' };
  if (step.type === 'transform_code') {
    const itemIndex = blocksOf(dag, step).length > 0 ? 0 : null;
    const secrets = await secretsOf(deps, workspaceId, step);
    const call = callOf(step, { ...values, secrets }, { run: last.run, itemIndex });
    const trial = { input: tables[0]!, ...limits, timeoutMs: CODE_PREVIEW_TIMEOUT_MS };
    const { rowsJson, ...shown } = await runCode(deps.engine, call, trial, Object.values(secrets));
    return JsonText.of({ ...about, sql: null, ...shown, athena: null }, { rows: rowsJson });
  }
  const { params, ...compiled } = compiledStep(step, tables, values);
  const answer = await deps.engine
    .query({ ...compiled, params: params.map(toWireValue), tables, ...limits })
    .catch((cause) => failPreview(cause));
  const { rowCount, truncated, columns, rowsJson } = answer;
  const athena = step.type === 'transform_sql' ? await movesToAthena(deps.engine, step, tables, values) : null;
  return JsonText.of({ ...about, sql: compiled.sql, columns, rowCount, truncated, athena }, { rows: rowsJson });
}

/**
 * Checks a step whose statement has just run, so it is valid. Null when the engine had no time: the preview is useful
 * without it.
 */
async function movesToAthena(
  engine: DefinitionEngine,
  { config }: Step,
  tables: readonly TableInput[],
  values: ReferenceValues,
): Promise<{ moves: boolean; sql: string | null; reasons: PortabilityIssue[] } | null> {
  const inputs = Object.fromEntries(tables.map(({ name, columns }) => [name, columns]));
  const answer = await engine.portable({ config, inputs, values }).catch((cause: unknown) => {
    if (cause instanceof AppError) return null;
    throw cause;
  });
  if (!answer) return null;
  return answer.moves
    ? { moves: true, sql: answer.sql, reasons: [] }
    : { moves: false, sql: null, reasons: answer.reasons };
}

function compiledStep(step: Step, tables: readonly TableInput[], values: ReferenceValues): CompiledStep {
  if (step.type === 'load') return { sql: loadStatement(step), params: [] };
  const columns = Object.fromEntries(tables.map((table) => [table.name, table.columns]));
  const compilation = compileStep(step, columns, values)!;
  if (!compilation.ok) throw new AppError('PREVIEW_FAILED', { errors: compilation.issues });
  return compilation.compiled;
}

function callOf(...given: Parameters<typeof codeCallOf>): CodeCall {
  try {
    return codeCallOf(...given);
  } catch (cause) {
    if (!(cause instanceof DataError)) throw cause;
    const errors = [{ pointer: '/stepId', code: cause.code, message: cause.message }];
    throw new AppError('PREVIEW_FAILED', { errors });
  }
}

interface CodeTrial {
  input: TableInput;
  limit: number;
  maxBytes: number;
  timeoutMs: number;
}

/** The secrets that a run of the step would get. Throws `PREVIEW_FAILED` when one was deleted since the last save. */
async function secretsOf(deps: Deps, workspaceId: string, step: Step): Promise<Record<string, string>> {
  const { values, missing } = await openSecrets(deps, workspaceId, secretNamesOf(step));
  if (missing.length === 0) return values;
  const errors = missing.map((name) => ({
    pointer: '/stepId',
    code: 'SECRET_NOT_FOUND',
    message: `The workspace has no secret "${name}".`,
  }));
  throw new AppError('PREVIEW_FAILED', { errors });
}

/**
 * Runs code in the sandbox. Values of `env` are masked in errors and log lines; secrets are masked in the rows too,
 * which the caller sees.
 */
async function runCode(
  engine: EngineFunction,
  { output, ...call }: CodeCall,
  trial: CodeTrial,
  secrets: readonly string[],
) {
  const masked = masker([...secrets, ...Object.values(call.context.env)]);
  const answer = await engine
    .runCode({ ...call, ...(output ? { output } : {}), ...trial })
    .catch((cause) => failPreview(cause, masked));
  const { columns, rowCount, truncated, rowsJson } = answer;
  const lines = answer.lines.map(({ level, message }) => ({ level, message: masked(message) }));
  const shownRows = secrets.length > 0 ? maskedJson(rowsJson, masker(secrets)) : rowsJson;
  return { columns, rowCount, truncated, lines, rowsJson: shownRows };
}

function previewable(dag: Dag, stepId: string): Step {
  const step = dag.steps.find(({ id }) => id === stepId);
  const rejection = (message: string) =>
    new AppError('STEP_WITHOUT_PREVIEW', { errors: [{ pointer: '/stepId', code: 'STEP_WITHOUT_PREVIEW', message }] });
  if (!step) {
    const ids = dag.steps.map(({ id }) => id);
    throw rejection(`Unknown step "${stepId}"${didYouMean(stepId, ids)}`);
  }
  if (step.type === 'extract') {
    throw rejection('Extract steps have no preview, because previews do not read sources; preview a later step.');
  }
  return step;
}

const blocksOf = (dag: Dag, step: Step) => (dag.forEach ?? []).filter(({ steps }) => steps.includes(step.id));

/** Throws every failure of the step itself as `PREVIEW_FAILED`, with the message of the engine or the sandbox. */
function failPreview(cause: unknown, masked: (text: string) => string = String): never {
  if (!(cause instanceof AppError) || cause.code === 'SERVICE_BUSY') throw cause;
  const issues = cause.errors.length > 0 ? cause.errors : [cause];
  throw new AppError('PREVIEW_FAILED', {
    // The cause is logged, so it is masked too.
    cause: masked(String(cause)),
    detail: masked(cause.message),
    errors: issues.map(({ code, message, ...place }) => ({
      pointer: '/stepId',
      code,
      message: masked(message),
      ...('position' in place && place.position ? { position: place.position } : {}),
    })),
  });
}
