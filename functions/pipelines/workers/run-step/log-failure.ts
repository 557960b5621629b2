import {
  attemptPrefix,
  type StepError,
  StepLog,
  type StoredStep,
} from '../../../../shared/domains/pipelines/store/index.ts';
import type { Worker } from './attempt.ts';

/** Logs the failure of an attempt whose worker has crashed; the last lines of that worker may be missing. */
export async function logFailure(worker: Worker, step: StoredStep, error: StepError): Promise<void> {
  const log = new StepLog(worker.objects, attemptPrefix(step), {
    mask: (text) => text,
    now: worker.context.now,
    report: worker.report,
    part: 'lost',
  });
  log.write('error', `Failed with ${error.code}: ${error.message}`);
  await log.flush();
}
