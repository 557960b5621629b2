import { type ResourceType, recorded } from '../resource-type.ts';
import { text } from '../shapes.ts';
import * as buckets from './bucket.ts';
import * as containers from './container.ts';
import { eventRule } from './event-rule.ts';
import { eventSourceMapping } from './event-source-mapping.ts';
import * as identity from './identity.ts';
import * as functions from './lambda-function.ts';
import * as logs from './log-group.ts';
import * as monitoring from './monitoring.ts';
import * as networks from './network.ts';
import { parameter } from './parameter.ts';
import * as queues from './queue.ts';
import * as restApi from './rest-api.ts';
import * as schedules from './schedule.ts';
import { stateMachine } from './state-machine.ts';
import { globalTable } from './table.ts';

const metadata = recorded('AWS::CDK::Metadata', { properties: { Analytics: text } });

/** Every supported resource type. */
export const resourceTypes: ReadonlyMap<string, ResourceType> = new Map(
  [
    ...Object.values(buckets),
    ...Object.values(containers),
    ...Object.values(functions),
    ...Object.values(identity),
    ...Object.values(logs),
    ...Object.values(monitoring),
    ...Object.values(networks),
    ...Object.values(queues),
    ...Object.values(restApi),
    ...Object.values(schedules),
    eventRule,
    eventSourceMapping,
    globalTable,
    metadata,
    parameter,
    stateMachine,
  ].map((type) => [type.type, type]),
);
