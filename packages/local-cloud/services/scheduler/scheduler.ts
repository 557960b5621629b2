import { join } from 'node:path';
import { accessCheck } from '../../core/access/authorizer.ts';
import { openDatabase } from '../../core/database.ts';
import type { EventsPort, LambdaPort, SqsPort, StatesPort } from '../../core/ports.ts';
import { RestJson, refuseRest } from '../../core/rest-json.ts';
import type { CloudContext, LocalService } from '../../core/service.ts';
import { schedulerRequests } from '../../iam/requests/events.ts';
import { Courier } from '../events/delivery/courier.ts';
import { DELIVERIES_SCHEMA, Journal } from '../events/delivery/journal.ts';
import { Targets } from '../events/delivery/targets.ts';
import { faultErrors, restErrors } from './errors.ts';
import { Firing, withAttemptNumber } from './firing.ts';
import { groupRoutes, scheduleRoutes } from './schedule-routes.ts';
import { SCHEDULES_SCHEMA, Schedules } from './schedules.ts';

export type Scheduler = LocalService;

export interface SchedulerPorts {
  lambda: LambdaPort;
  sqs: SqsPort;
  states: StatesPort;
  /** Required for event buses as targets. */
  events?: EventsPort;
}

/** EventBridge Scheduler on this machine: one-time and recurring schedules in any time zone. */
export function createScheduler(context: CloudContext, ports: SchedulerPorts): Scheduler {
  const database = openDatabase(join(context.dataDir, 'scheduler.sqlite'), SCHEDULES_SCHEMA + DELIVERIES_SCHEMA);
  const schedules = new Schedules(database, context.clock.now());
  const journal = new Journal(database);
  const targets = new Targets('scheduler', ports);
  const courier = new Courier({
    service: 'scheduler',
    context,
    journal,
    targets,
    sqs: ports.sqs,
    payloadOf: withAttemptNumber,
  });
  const firing = new Firing({ context, database, schedules, journal, courier });
  const deps = { context, schedules, firing, targets };
  const api = new RestJson({
    name: 'scheduler',
    routes: [...scheduleRoutes(deps), ...groupRoutes(deps)],
    query: {
      clientToken: { member: 'ClientToken', type: 'text' },
      groupName: { member: 'GroupName', type: 'text' },
      ScheduleGroup: { member: 'GroupName', type: 'text' },
      MaxResults: { member: 'MaxResults', type: 'number' },
    },
    errors: restErrors,
    checkAccess: accessCheck(context, schedulerRequests, 403),
    faults: { context, errors: faultErrors },
  });
  // The services behind the targets may not exist yet.
  queueMicrotask(() => courier.wake());

  return {
    signingName: 'scheduler',
    refuse: refuseRest(restErrors),
    handle: (request, response) => api.answer(request, response),
    async close() {
      firing.close();
      await courier.close();
      database.close();
    },
  };
}
