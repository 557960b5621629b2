import { attemptPrefix, type StepError, StepLog, type StoredStep } from '../../../../shared/domains/pipelines/index.ts';
import type { Worker } from './attempt.ts';

/** Writes into the log of an attempt that it failed where nobody works on it: a dead worker's last lines may be missing, this is not. */
export async function noteFailure(worker: Worker, step: StoredStep, error: StepError): Promise<void> {
  const log = new StepLog(worker.objects, attemptPrefix(step), {
    mask: (text) => text,
    now: worker.context.now,
    report: worker.report,
    part: 'lost',
  });
  log.write('error', `Failed with ${error.code}: ${error.message}`);
  await log.flush();
}
