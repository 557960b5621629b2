import { join } from 'node:path';
import { accessCheck } from '../../core/access/authorizer.ts';
import { AwsError } from '../../core/aws-error.ts';
import { openDatabase } from '../../core/database.ts';
import { answerJson, type JsonOperations, refuseJson } from '../../core/json-protocol.ts';
import { type FaultErrors, type Operation, rejectUnknownMembers, withFaults } from '../../core/operations.ts';
import type { EventsPort, LambdaPort, SqsPort, StatesPort } from '../../core/ports.ts';
import type { CloudContext, LocalService } from '../../core/service.ts';
import { eventsRequests } from '../../iam/requests/events.ts';
import { Bus } from './bus.ts';
import { Courier } from './delivery/courier.ts';
import { DELIVERIES_SCHEMA, Journal } from './delivery/journal.ts';
import { Targets } from './delivery/targets.ts';
import { eventDocument } from './event.ts';
import { putEvents, readWholeEvent } from './put-events.ts';
import { compilePattern, RuleOperations } from './rule-operations.ts';
import { RULES_SCHEMA, Rules } from './rules.ts';
import { ScheduledRules } from './scheduled-rules.ts';
import { targetOperations } from './target-operations.ts';

export interface Events extends LocalService, EventsPort {}

export interface EventsPorts {
  lambda: LambdaPort;
  sqs: SqsPort;
  states: StatesPort;
}

const faultErrors: FaultErrors = {
  throttled: () => new AwsError('ThrottlingException', 'Rate exceeded'),
  internal: () => new AwsError('InternalException', 'This exception occurs due to unexpected causes.', { status: 500 }),
};

/** Amazon EventBridge on this machine: the default bus, its rules with patterns and schedules, and their targets. */
export function createEvents(context: CloudContext, ports: EventsPorts): Events {
  const database = openDatabase(join(context.dataDir, 'events.sqlite'), RULES_SCHEMA + DELIVERIES_SCHEMA);
  const rules = new Rules(database);
  const journal = new Journal(database);
  const targets = new Targets('events', ports);
  const courier = new Courier({ service: 'events', context, journal, targets, sqs: ports.sqs });
  const bus = new Bus({ context, database, rules, journal, courier });
  const scheduled = new ScheduledRules(context, rules, bus);
  const table: Record<string, Operation> = {
    PutEvents: putEvents(context, bus),
    ...new RuleOperations(context, rules, bus, scheduled).table(),
    ...targetOperations(context, rules, targets),
    TestEventPattern: {
      members: ['EventPattern', 'Event'],
      run: ({ EventPattern, Event }) => ({ Result: compilePattern(EventPattern).matches(readWholeEvent(Event)) }),
    },
  };
  const operations: JsonOperations = Object.fromEntries(
    Object.entries(table).map(([name, operation]) => [
      name,
      (input: object) => {
        rejectUnknownMembers('events', name, input, operation.members, operation.structures);
        const place = { service: 'events', operation: name, resource: operation.resource?.(input) };
        return withFaults(context, place, faultErrors, () => operation.run(input));
      },
    ]),
  );
  // The services behind the targets may not exist yet.
  queueMicrotask(() => courier.wake());

  const checkAccess = accessCheck(context, eventsRequests);

  return {
    signingName: 'events',
    refuse: refuseJson('1.1'),
    handle: (request, response) =>
      answerJson({ name: 'events', version: '1.1', operations, checkAccess }, request, response),

    async publish(events, caller) {
      // A service publishes its own events without permission.
      if (caller.type !== 'service') await checkAccess(caller, 'PutEvents', { Entries: events });
      bus.accept(events.map((event) => eventDocument(context, event)));
    },

    async close() {
      scheduled.close();
      await courier.close();
      database.close();
    },
  };
}
