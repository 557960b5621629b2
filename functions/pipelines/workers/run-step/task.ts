import type { StepJob } from '../../../../shared/domains/pipelines/store/index.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { workInContainer } from './work-in-container.ts';
import { openWorker } from './worker.ts';

/** The program of the container: works on the step that the step machine has started it for, and ends. */

const log = createLogger('run-step');
const { job, execution } = JSON.parse(environment('STEP_EVENT')) as { job: StepJob; execution: string };
log.appendKeys({ workspaceId: job.workspaceId, runId: job.runId, index: job.index });
const worker = openWorker({ engine: 'container' }, (error) => log.error('an attempt failed unexpectedly', { error }));
try {
  await workInContainer(worker, job, execution);
  process.exit(0);
} catch (error) {
  log.error('a step failed unexpectedly', { error: error as Error });
  process.exit(1);
}
