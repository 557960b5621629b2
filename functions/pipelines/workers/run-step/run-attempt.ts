import { randomUUID } from 'node:crypto';
import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import { withGuardedEngine } from '../../../../shared/data/duckdb/guarded-engine.ts';
import type { EngineUse } from '../../../../shared/data/duckdb/warm-pool.ts';
import type { SampledResult } from '../../../../shared/data/quality/gate-result.ts';
import {
  bytesOf,
  COMPUTE_SIZES,
  chooseCompute,
  DEFAULT_COMPUTE,
  isSameCompute,
  type StepCompute,
  type StepErrorCode,
  type StepType,
  timeoutSecondsOf,
} from '../../../../shared/domains/pipelines/definition/index.ts';
import type { StepResult } from '../../../../shared/domains/pipelines/runs/index.ts';
import { attemptPrefix, type StepError, StepLog } from '../../../../shared/domains/pipelines/store/index.ts';
import { HiddenTexts, maskedJson } from '../../../../shared/platform/crypto/masking.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { DataError, type DataErrorCode } from '../../../../shared/platform/errors/data-error.ts';
import { ObjectMissing } from '../../../../shared/platform/objects/object-missing.ts';
import { takeOutput } from './athena/take-output.ts';
import {
  type Attempt,
  type AttemptLog,
  engineResources,
  lockedFor,
  MEMORY_MB,
  type RunStepType,
  StepFailure,
  unlockedFor,
} from './attempt.ts';
import { crash } from './crash-report.ts';
import { extract } from './extract.ts';
import { withFusedInputs } from './fused-inputs.ts';
import { checkOutput, GateFailure } from './gates.ts';
import { load } from './load.ts';
import { route } from './route.ts';
import { withSkippedInputs } from './skipped-columns.ts';
import { transformCode } from './transform-code.ts';
import { transformSql } from './transform-sql.ts';
import type { UnsettledEnds } from './unsettled-ends.ts';
import { watch } from './watch.ts';

const TYPES: Record<StepType, RunStepType> = {
  extract,
  transform_sql: transformSql,
  transform_code: transformCode,
  route,
  load,
};

/** A step that locks its engine and has at most this much input gets one thread. */
const MAX_LIGHT_BYTES = 64 * 1024;

/** They lock their engine before the author's text runs. */
const LOCKING: ReadonlySet<StepType> = new Set(['transform_sql', 'route']);

export type Outcome =
  | { kind: 'succeeded'; result: StepResult; log: AttemptLog }
  | { kind: 'failed'; error: StepError; gates?: readonly SampledResult[] };

/** Runs one attempt and logs at least its start and its end. Never throws for a failed step. */
export async function runAttempt(
  parts: Omit<Attempt, 'prefix' | 'engine' | 'signal' | 'log' | 'hide' | 'hideFromLog' | 'die'> & {
    notes: readonly string[];
    unsettled: UnsettledEnds;
  },
): Promise<Outcome> {
  const { worker, stored, step, unsettled } = parts;
  const controller = new AbortController();
  const { signal } = controller;
  const secrets = new HiddenTexts();
  const hidden = new HiddenTexts();
  const onAthena = worker.compute.engine === 'athena';
  // As long as its beginning is not stored, another worker may make the same attempt.
  const isLate = unsettled.isOpen();
  const prefix = isLate ? `${attemptPrefix(stored)}/${randomUUID()}` : attemptPrefix(stored);
  const log = new StepLog(worker.objects, attemptPrefix(stored), {
    mask: (text) => hidden.mask(text),
    now: worker.context.now,
    report: worker.report,
    ...(isLate ? { mayStore: async () => (await unsettled.store()) === undefined } : {}),
    ...(onAthena ? { part: 'rows' } : {}),
  });
  if (onAthena) log.write('info', 'Athena finished the query.');
  else log.write('info', `Attempt ${stored.attempt} of ${step.type} step ${step.id} begins.`);
  const timeoutSeconds = timeoutSecondsOf(step);
  const needs = { requested: parts.run.computeSize, seconds: timeoutSeconds, inputBytes: bytesOf(parts.inputs) };
  const { reason, ...compute } = chooseCompute(needs, worker.extra);
  if (!onAthena && !isSameCompute(compute, DEFAULT_COMPUTE))
    log.write('info', `${describeCompute(compute)}: ${reason}.`);
  for (const note of parts.notes) log.write('info', note);
  const job = { workspaceId: stored.workspaceId, runId: stored.runId, epoch: stored.epoch, index: stored.index };
  let engine: Engine | undefined;
  const { stepId, item, attempt } = stored;
  const watched = {
    stepId,
    item,
    attempt,
    execution: stored.holder!,
    timeoutSeconds,
    unsettled,
    percent: () => engine?.percent(),
  };
  const stop = watch(worker.context, job, watched, log, controller);
  let outcome: Exclude<Outcome, { kind: 'succeeded' }> | { kind: 'succeeded'; result: StepResult };
  try {
    if (!onAthena) await worker.checkAllowance(stored.workspaceId);
    const resources = engineResources(worker, useOf(parts, onAthena));
    const die = (reason: DataError) => void crash(worker, stored, stepErrorOf(reason, signal), () => unsettled.store());
    const limits = { timeoutMs: timeoutSeconds * 1000, signal, die };
    // Reads and writes of the bucket end when the attempt is stopped.
    const { objects, cache } = worker;
    const stoppable = { ...worker, objects: objects.within(signal), cache: cache.within(signal) };
    const own: Omit<Attempt, 'engine'> = {
      ...parts,
      prefix,
      worker: stoppable,
      signal,
      die,
      log: (level, message) => log.write(level, message),
      hide: (secret) => {
        secrets.add(secret);
        hidden.add(secret);
      },
      hideFromLog: (text) => hidden.add(text),
    };
    const inputs = await withFusedInputs(own, await withSkippedInputs(own));
    const result = await withGuardedEngine(resources, limits, async (opened) => {
      engine = opened;
      // The next light step, here or in the next call, would wait for a new engine longer than it works.
      worker.engines?.prepare();
      try {
        const whole: Attempt = { ...own, inputs, engine };
        const done = await (onAthena ? takeOutput(whole) : TYPES[step.type](whole));
        return step.type === 'load' ? done : await checkOutput(whole, done);
      } finally {
        // The engine reports no further progress of this step.
        engine = undefined;
      }
    });
    outcome = {
      kind: 'succeeded',
      result: { ...result, ...(result.gates ? { gates: masked(result.gates, hidden, secrets) } : {}) },
    };
    log.write('info', `Succeeded: ${result.rowsIn} rows in, ${result.rowsOut} rows out, ${result.bytesOut} bytes.`);
  } catch (thrown) {
    const { code, message } = stepErrorOf(thrown, signal);
    if (code === 'INTERNAL') worker.report(thrown as Error);
    outcome = { kind: 'failed', error: { code, message: hidden.mask(message) } };
    if (thrown instanceof GateFailure) outcome.gates = masked(thrown.gates, hidden, secrets);
    log.write('error', `Failed with ${code}: ${message}`);
  } finally {
    stop();
  }
  if (outcome.kind === 'succeeded') {
    return { ...outcome, log: { text: await log.whole(), store: () => log.flush() } };
  }
  await log.flush();
  return outcome;
}

function useOf({ run, step, inputs }: Pick<Attempt, 'run' | 'step' | 'inputs'>, onAthena: boolean): EngineUse {
  if (!LOCKING.has(step.type) || onAthena) return unlockedFor(run);
  // A statement without inputs generates its rows, possibly many. A pipeline that sets a compute size expects long
  // work.
  const bytes = bytesOf(inputs);
  return lockedFor(run, !run.computeSize && bytes > 0 && bytes <= MAX_LIGHT_BYTES);
}

/** Logged only for a compute that differs from the default. */
function describeCompute(compute: Exclude<StepCompute, { engine: 'athena' }>): string {
  if (compute.engine === 'container') return `It runs in a container with ${MEMORY_MB} MB of memory`;
  return `It has ${COMPUTE_SIZES[compute.size]} MB of memory`;
}

/** Gate results without the secrets that the step used. */
function masked(gates: readonly SampledResult[], hidden: HiddenTexts, secrets: HiddenTexts): SampledResult[] {
  return gates.map(({ message, sample, ...gate }) => ({
    ...gate,
    message: message === null ? null : hidden.mask(message),
    sample: sample && { ...sample, rows: maskedRows(sample.rows, secrets) },
  }));
}

const maskedRows = (rows: unknown[][], secrets: HiddenTexts): unknown[][] =>
  JSON.parse(maskedJson(JSON.stringify(rows), (text) => secrets.mask(text)));

const CODES: Partial<Record<DataErrorCode, StepErrorCode>> = {
  SQL_PARSE: 'SQL_ERROR',
  SQL_NOT_READ_ONLY: 'SQL_ERROR',
  SQL_ERROR: 'SQL_ERROR',
  QUERY_TIMEOUT: 'TIMEOUT',
  TIMEOUT: 'TIMEOUT',
  OUT_OF_MEMORY: 'OUT_OF_MEMORY',
  RESULT_TOO_LARGE: 'RESULT_TOO_LARGE',
  FILE_UNREADABLE: 'SCHEMA_MISMATCH',
  SCHEMA_MISMATCH: 'SCHEMA_MISMATCH',
  VALUES_LOST: 'VALUES_LOST',
  CONNECTION_FAILED: 'CONNECTION_FAILED',
  AUTH_FAILED: 'AUTH_FAILED',
  PERMISSION_DENIED: 'PERMISSION_DENIED',
  ADDRESS_BLOCKED: 'PERMISSION_DENIED',
  NOT_FOUND: 'NOT_FOUND',
};

const MAX_REPORTED_ISSUES = 20;

/** Lists every issue, so that one change of the pipeline can fix them all. */
function messageOf({ message, issues }: DataError): string {
  if (issues.length < 2) return message;
  const rest = issues.length - MAX_REPORTED_ISSUES;
  const sentences = issues.slice(0, MAX_REPORTED_ISSUES).map((issue) => issue.message);
  return [...sentences, ...(rest > 0 ? [`And ${rest} more.`] : [])].join(' ');
}

/** The error that the author of the pipeline reads; internal errors show only their name. */
export function stepErrorOf(thrown: unknown, signal?: AbortSignal): StepError {
  const reason = signal?.aborted ? signal.reason : thrown;
  if (reason instanceof StepFailure) return reason.toJSON();
  if (reason instanceof DataError) return { code: CODES[reason.code] ?? 'INTERNAL', message: messageOf(reason) };
  if (reason instanceof AppError && reason.code === 'ALLOWANCE_EXHAUSTED') {
    return { code: 'ALLOWANCE_EXHAUSTED', message: reason.message };
  }
  if (reason instanceof ObjectMissing) {
    return { code: 'NOT_FOUND', message: 'A file that the step reads was deleted or replaced.' };
  }
  return { code: 'INTERNAL', message: `Something went wrong on our side (${(reason as Error)?.name ?? 'unknown'}).` };
}
