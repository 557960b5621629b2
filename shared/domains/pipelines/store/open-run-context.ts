import { environment } from '../../../platform/http/open-group.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { dagStore } from './dag-store.ts';
import { launcher } from './launcher.ts';
import type { RunContext } from './run-store.ts';
import { startLimitsFrom } from './start-limit-settings.ts';
import { workQueue } from './work-queue.ts';

/** The dependencies of run processing, from the environment of a function or a container. */
export function openRunContext(table: Table, objects: ObjectStore): RunContext {
  return {
    table,
    dags: dagStore(table, objects),
    queue: workQueue(environment('WORK_QUEUE_URL')),
    launcher: launcher({ run: environment('RUN_MACHINE_ARN'), step: environment('STEP_MACHINE_ARN') }),
    startLimits: startLimitsFrom(process.env),
    now: table.now,
    random: Math.random,
  };
}
