import { idFrom } from '../../../platform/storage/ids.ts';
import type { ShownPermission } from '../../tenancy/grants/index.ts';
import type { Dag } from '../definition/index.ts';
import { WRITTEN_REASONS } from '../definition/index.ts';
import type { Pipeline, Run, StepRun, StoredPipeline, StoredRun, StoredStep } from '../store/index.ts';
import { nextRunAt } from '../store/index.ts';
import type { Admission } from './admission.ts';
import { statusOfState } from './step-events.ts';

/** Stored pipelines, runs and steps as the API shows them. */
export function toPipeline(
  stored: StoredPipeline,
  parts: { dag: Dag; admission: Admission; latestRuns: readonly StoredRun[]; permission: ShownPermission; now: Date },
): Pipeline {
  const { dag, admission, permission, now } = parts;
  const latestRuns = parts.latestRuns.map(({ id, status, trigger, startedAt, finishedAt }) => ({
    id,
    status,
    trigger,
    startedAt,
    finishedAt,
  }));
  const { webhookToken: _token, failureMail, ...shown } = stored;
  return {
    ...shown,
    dag,
    schedule: stored.schedule && {
      ...stored.schedule,
      nextRunAt: nextRunAt(stored, now)?.toISOString() ?? null,
    },
    failureRecipients: [...(failureMail?.userIds ?? [])],
    latestRun: latestRuns[0] ?? null,
    latestRuns,
    activeRuns: admission.running.length,
    queuedRuns: admission.waiting.length + (admission.backfill?.waiting.length ?? 0),
    permission,
  };
}

export function toRun(stored: StoredRun, admission: Admission | undefined): Run {
  const {
    seq: _seq,
    cancelRequestedAt: _cancel,
    admittedAt: _admitted,
    queuedAt: _queued,
    startsAtOnce: _startsAtOnce,
    replaces: _replaces,
    fromStep: _fromStep,
    computeSize: _size,
    backfillDate: _date,
    planVersion: _planVersion,
    isListed: _isListed,
    ...run
  } = stored;
  // A retried day of a backfill waits among the other runs.
  const lines = [admission?.waiting ?? [], admission?.backfill?.waiting ?? []];
  const position = run.status === 'queued' ? Math.max(...lines.map((line) => line.indexOf(run.id))) + 1 : 0;
  return {
    ...run,
    fullRefresh: run.fullRefresh ?? null,
    queuePosition: position > 0 ? position : null,
    waitingFor: position > 0 ? 'a free slot of the pipeline' : null,
    durationMs: run.startedAt && run.finishedAt ? Date.parse(run.finishedAt) - Date.parse(run.startedAt) : null,
  };
}

export function toStepRun(step: StoredStep): StepRun {
  const { watermark, ports } = step.output ?? {};
  return {
    id: idFrom('step-run', step.runId, step.index),
    runId: step.runId,
    stepId: step.stepId,
    type: step.type!,
    item: step.item,
    itemIndex: step.itemIndex,
    status: statusOfState(step.status),
    attempt: step.attempt,
    maxAttempts: step.maxAttempts,
    nextRetryAt: step.nextRetryAt ?? null,
    skipReason: step.skipReason,
    startedAt: step.startedAt ?? null,
    finishedAt: step.finishedAt ?? null,
    rowsIn: step.rowsIn ?? null,
    rowsOut: step.rowsOut ?? null,
    bytesOut: step.bytesOut ?? null,
    ports: ports ? Object.fromEntries(Object.entries(ports).map(([port, { rows }]) => [port, rows])) : null,
    watermark: watermark ? { from: watermark.from, to: watermark.to } : null,
    gates: step.gates ?? [],
    schemaChanges: step.schemaChanges ?? [],
    materialization: materializationOf(step),
    error: step.error ?? null,
    deliveryGuarantee: step.type === 'load' ? (step.deliveryGuarantee ?? 'effectively_once') : null,
  };
}

function materializationOf({ output, writtenFor }: StoredStep): StepRun['materialization'] {
  if (output?.fused) {
    const { into } = output.fused;
    return { written: false, into, reason: `Only the step ${into} reads the rows.` };
  }
  if (!writtenFor) return null;
  return { written: true, into: null, reason: `The rows are written, because ${WRITTEN_REASONS[writtenFor]}.` };
}
