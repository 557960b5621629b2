import { setTimeout as wait } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  type RunContext,
  type StepError,
  type StoredStep,
  stepKey,
} from '../../../../shared/domains/pipelines/store/index.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import type { Worker } from './attempt.ts';

/** How long a process that must end may take to store its crash report. */
const MAX_MS = 2_000;

/**
 * Stores a crash report for `recover`, then kills the process, because its work cannot be stopped in another way.
 * `begin` stores that the attempt has begun.
 */
export async function crash(
  worker: Worker,
  step: StoredStep,
  error: StepError,
  begin: () => Promise<unknown>,
): Promise<void> {
  const write = begin().then(() => writeCrashReport(worker.context, step, error));
  await Promise.race([write, wait(MAX_MS)]).catch(() => undefined);
  worker.endProcess();
}

/** Stores the error of an attempt with its step, unless the attempt has ended. */
export async function writeCrashReport(context: RunContext, step: StoredStep, error: StepError): Promise<void> {
  const { workspaceId, runId, index, attempt, epoch } = step;
  const update = updateOf(
    context.table,
    stepKey(workspaceId, runId, index),
    { set: { crashReport: error } },
    { equals: { status: 'running', attempt, epoch } },
  );
  await context.table.db.send(new UpdateCommand(update));
}
