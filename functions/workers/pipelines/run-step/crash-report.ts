import { setTimeout as wait } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  type RunContext,
  type StepError,
  type StoredStep,
  stepKey,
} from '../../../../shared/domains/pipelines/index.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import type { Worker } from './attempt.ts';

/** How long a process that must end may take to store why. */
const MAX_MS = 2_000;

/** Ends the process, whose work cannot be stopped in another way; whoever clears up finds what the attempt has failed with. */
export async function dieOf(worker: Worker, step: StoredStep, error: StepError): Promise<void> {
  await Promise.race([writeCrashReport(worker.context, step, error), wait(MAX_MS)]).catch(() => undefined);
  worker.endProcess();
}

/** Keeps with the step what its attempt has failed with, unless the attempt is over. */
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
