import { randomUUID } from 'node:crypto';
import { AwsError } from '../../../core/aws-error.ts';
import type { Clock } from '../../../core/clock.ts';
import type { SqsPort, StreamsPort } from '../../../core/ports.ts';
import type { RestRoute } from '../../../core/rest-json.ts';
import { mappingArn, type Place } from '../arns.ts';
import { invalidParameter } from '../control/checks.ts';
import { page } from '../control/page.ts';
import type { Target } from '../model.ts';
import type { FunctionStore } from '../store.ts';
import type { Mapping, MappingStore } from './mapping.ts';
import {
  describeMapping,
  initialMapping,
  MAPPING_MEMBERS,
  MAPPING_STRUCTURES,
  type MappingInput,
  withInput,
} from './mapping-input.ts';
import type { Pollers } from './pollers.ts';

interface Deps {
  place: Place;
  clock: Clock;
  functions: FunctionStore;
  mappings: MappingStore;
  pollers: Pollers;
  sqs: SqsPort;
  streams: StreamsPort;
}

/** Create, Get, Update, Delete and ListEventSourceMapping(s). */
export function mappingRoutes({ place, clock, functions, mappings, pollers, sqs, streams }: Deps): RestRoute[] {
  const describe = (mapping: Mapping, state = mapping.enabled ? 'Enabled' : 'Disabled') =>
    describeMapping(mapping, mappingArn(place, mapping.uuid), state, pollers.lastResult(mapping.uuid));

  async function checkSource(mapping: Mapping, target: Target): Promise<void> {
    if (mapping.source !== 'sqs') return;
    const attributes = await sqs.attributes(mapping.eventSourceArn);
    if (!attributes) {
      throw invalidParameter(
        'Error occurred while ReceiveMessage. SQS Error Code: AWS.SimpleQueueService.NonExistentQueue. SQS Error Message: The specified queue does not exist.',
      );
    }
    const visibility = Number(attributes.VisibilityTimeout);
    const timeout = target.version.timeoutSeconds;
    if (visibility < timeout) {
      throw invalidParameter(
        `Queue visibility timeout: ${visibility} seconds is less than Function timeout: ${timeout} seconds`,
      );
    }
  }

  async function create(input: MappingInput & { EventSourceArn?: string; FunctionName: string }) {
    const { EventSourceArn, FunctionName } = input;
    if (!EventSourceArn) throw invalidParameter('Event source ARN is required.');
    const target = functions.resolve(FunctionName);
    const mapping = withInput(
      initialMapping({
        uuid: randomUUID(),
        eventSourceArn: EventSourceArn,
        functionArn: target.invokedArn,
        lastModified: clock.now(),
      }),
      input,
    );
    if (mapping.source === 'dynamodb' && input.StartingPosition === undefined) {
      throw invalidParameter(
        "1 validation error detected: Value null at 'startingPosition' failed to satisfy constraint: Member must not be null.",
      );
    }
    await checkSource(mapping, target);
    const same = mappings
      .all()
      .find((each) => each.eventSourceArn === EventSourceArn && each.functionArn === mapping.functionArn);
    if (same) {
      throw new AwsError(
        'ResourceConflictException',
        `The event source arn (" ${EventSourceArn} ") and function (" ${target.record.name} ") provided mapping already exists. Please update or delete the existing mapping with UUID ${same.uuid}`,
        { status: 409 },
      );
    }
    const fromNowOn = mapping.source === 'dynamodb' && mapping.startingPosition === 'LATEST';
    mappings.create(mapping, fromNowOn ? streams.latest(EventSourceArn) : undefined);
    await pollers.restart(mapping.uuid);
    return describe(mapping, 'Creating');
  }

  async function update(input: MappingInput & { UUID: string; FunctionName?: string }) {
    const current = mappings.get(input.UUID);
    const target = functions.resolve(input.FunctionName ?? current.functionArn);
    const mapping = { ...withInput(current, input), functionArn: target.invokedArn, lastModified: clock.now() };
    await checkSource(mapping, target);
    mappings.replace(mapping);
    void pollers.restart(mapping.uuid);
    return describe(mapping, 'Updating');
  }

  function remove({ UUID }: { UUID: string }) {
    const mapping = mappings.get(UUID);
    mappings.delete(UUID);
    void pollers.restart(UUID);
    return describe(mapping, 'Deleting');
  }

  function list(input: { EventSourceArn?: string; FunctionName?: string; Marker?: string; MaxItems?: number }) {
    const functionArn = input.FunctionName && functions.resolve(input.FunctionName).invokedArn;
    const found = mappings
      .all()
      .filter((each) => (input.EventSourceArn ?? each.eventSourceArn) === each.eventSourceArn)
      .filter((each) => (functionArn ?? each.functionArn) === each.functionArn);
    return page(
      'EventSourceMappings',
      found.map((mapping) => describe(mapping)),
      input,
    );
  }

  const path = '/2015-03-31/event-source-mappings';
  const one = `${path}/{UUID}`;
  return [
    {
      operation: 'CreateEventSourceMapping',
      method: 'POST',
      path,
      status: 202,
      members: [...MAPPING_MEMBERS, 'EventSourceArn', 'FunctionName', 'StartingPosition', 'Tags'],
      structures: MAPPING_STRUCTURES,
      run: create,
    },
    {
      operation: 'ListEventSourceMappings',
      method: 'GET',
      path,
      status: 200,
      members: ['EventSourceArn', 'FunctionName', 'Marker', 'MaxItems'],
      run: list,
    },
    {
      operation: 'GetEventSourceMapping',
      method: 'GET',
      path: one,
      status: 200,
      members: ['UUID'],
      run: ({ UUID }: { UUID: string }) => describe(mappings.get(UUID)),
    },
    {
      operation: 'UpdateEventSourceMapping',
      method: 'PUT',
      path: one,
      status: 202,
      members: [...MAPPING_MEMBERS, 'UUID', 'FunctionName'],
      structures: MAPPING_STRUCTURES,
      run: update,
    },
    { operation: 'DeleteEventSourceMapping', method: 'DELETE', path: one, status: 202, members: ['UUID'], run: remove },
  ];
}
