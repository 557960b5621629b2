import { withoutSample } from '../../../data/quality/gate-result.ts';
import { MAX_REPORTED_CHANGES } from '../../../data/tables/schema-change.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import type { RunJob, StepJob, StepState } from '../store/index.ts';
import { keptLog, LEASE_MS, stepKey } from '../store/index.ts';
import type { AttemptEnd, EndedAttempt } from './attempt-end.ts';

/** The update that begins an attempt: only one worker succeeds with it. */
export function beginItem(
  table: Table,
  job: StepJob,
  from: { states: readonly StepState[]; attempt: number },
  begin: { holder: string; at: Date },
): TransactItem {
  return {
    Update: updateOf(
      table,
      stepKey(job.workspaceId, job.runId, job.index),
      {
        set: {
          status: 'running',
          attempt: from.attempt + 1,
          holder: begin.holder,
          startedAt: begin.at.toISOString(),
          leaseUntil: new Date(begin.at.getTime() + LEASE_MS).toISOString(),
        },
        remove: ['pending', 'nextRetryAt', 'error', 'gates', 'expectedAt', 'noWorkerSince', 'startsLost'],
      },
      { equals: { epoch: job.epoch, attempt: from.attempt }, oneOf: { status: from.states } },
    ),
  };
}

/**
 * Succeeds only while the attempt is the step's current one; part of every transaction that commits an attempt's work.
 */
export function fenceItem(table: Table, job: StepJob, attempt: number): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: stepKey(job.workspaceId, job.runId, job.index),
      ConditionExpression: '#status = :running AND #attempt = :attempt AND #epoch = :epoch',
      ExpressionAttributeNames: { '#status': 'status', '#attempt': 'attempt', '#epoch': 'epoch' },
      ExpressionAttributeValues: { ':running': 'running', ':attempt': attempt, ':epoch': job.epoch },
    },
  };
}

/** The update that ends an attempt. `begins`: nothing of the attempt is stored yet, and this update begins it too. */
export function endItem(
  table: Table,
  job: RunJob,
  { step, end, gates, log, billed }: EndedAttempt,
  at: Date,
  begins: boolean,
): TransactItem {
  const attempt = begins ? { attempt: step.attempt, startedAt: step.startedAt } : {};
  const from = begins ? { status: 'pending', attempt: step.attempt - 1 } : { status: 'running', attempt: step.attempt };
  return {
    Update: updateOf(
      table,
      stepKey(job.workspaceId, job.runId, step.index),
      {
        set: {
          ...attempt,
          ...stateAfter(end, at),
          ...(gates && gates.length > 0 ? { gates: gates.map(withoutSample) } : {}),
          ...(log === undefined ? {} : keptLog(step.attempt, log)),
        },
        add: { executionSeconds: billed ? secondsOf(step, at) : 0 },
        // A step before its first attempt has only this.
        remove: begins ? ['pending'] : ['holder', 'leaseUntil', 'crashReport'],
      },
      { equals: { ...from, epoch: job.epoch } },
    ),
  };
}

/** How long an attempt took. */
export const secondsOf = ({ startedAt }: EndedAttempt['step'], at: Date): number =>
  Math.max(0, (at.getTime() - Date.parse(startedAt!)) / 1000);

function stateAfter(end: AttemptEnd, at: Date): Record<string, unknown> {
  const over = { finishedAt: at.toISOString() };
  switch (end.kind) {
    case 'succeeded': {
      const { output, rowsIn, rowsOut, bytesOut, moved, schemaChanges, writtenFor } = end.result;
      return {
        status: 'succeeded',
        ...over,
        output,
        rowsIn,
        rowsOut,
        bytesOut,
        rowsMoved: moved?.rows,
        bytesMoved: moved?.bytes,
        schemaChanges: schemaChanges?.length ? schemaChanges.slice(0, MAX_REPORTED_CHANGES) : undefined,
        writtenFor,
      };
    }
    case 'retry':
      return { status: 'waiting', error: end.error, nextRetryAt: end.at.toISOString() };
    case 'failed':
      return { status: 'failed', ...over, error: end.error };
    case 'cancelled':
      return { status: 'cancelled', ...over };
  }
}
