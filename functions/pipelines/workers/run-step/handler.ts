import type { ComputeSize } from '../../../../shared/domains/pipelines/definition/index.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import type { Answer } from './answer.ts';
import type { Hold } from './athena/hold.ts';
import { answerEvent, type StepEvent } from './step-event.ts';
import { openWorker } from './worker.ts';

/** A later step of the chain would have too little of the function's time left. */
const MAX_CHAIN_MS = 30_000;

const log = createLogger('run-step');
const worker = openWorker({ engine: 'function', size: environment('COMPUTE_SIZE') as ComputeSize }, (error) =>
  log.error('an attempt failed unexpectedly', { error }),
);

/** Driven by the step machine (`step-machine.ts`). */
export async function handler(event: StepEvent): Promise<Answer | Hold> {
  const { job } = event;
  log.appendKeys({ workspaceId: job.workspaceId, runId: job.runId, index: job.index });
  if (event.op === 'recover' && event.crash.Error) {
    log.warn('a worker crashed', { compute: event.compute, crash: event.crash });
  }
  const startedAt = performance.now();
  if (event.op === 'execute') worker.engines?.prepare();
  return answerEvent(worker, event, () => performance.now() - startedAt < MAX_CHAIN_MS);
}
