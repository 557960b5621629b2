import { environment } from '../../../shared/http/open-group.ts';
import { objectStore } from '../../../shared/objects/object-store.ts';
import { createLogger } from '../../../shared/observability/logger.ts';
import { dagStore } from '../../../shared/pipelines/dag-store.ts';
import { launcher } from '../../../shared/pipelines/launcher.ts';
import type { RunContext } from '../../../shared/pipelines/run-store.ts';
import { workQueue } from '../../../shared/pipelines/work-queue.ts';
import { openTable } from '../../../shared/storage/table.ts';
import { announceDue } from './announce-due.ts';
import { careForRuns } from './care-for-runs.ts';

const log = createLogger('schedule-tick');
const table = openTable(environment('TABLE_NAME'));
const context: RunContext = {
  table,
  dags: dagStore(table, objectStore(environment('DATA_BUCKET'))),
  launcher: launcher({ run: environment('RUN_MACHINE_ARN'), step: environment('STEP_MACHINE_ARN') }),
  now: () => new Date(),
  random: Math.random,
};
const queue = workQueue(environment('WORK_QUEUE_URL'));

/** Once a minute: the schedules of the minute to come, then the runs that nobody has moved for a while. */
export async function handler(): Promise<void> {
  const failures = [
    ...(await announceDue(context, queue, (failure) => log.error('a schedule could not be announced', { ...failure }))),
    ...(await careForRuns(context, (failure) => log.error('a run could not be looked after', { ...failure }))),
  ];
  if (failures.length > 0)
    throw new Error(`${failures.length} items of the tick failed; the next one comes back to them`);
}
