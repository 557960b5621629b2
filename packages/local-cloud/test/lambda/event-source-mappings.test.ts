import {
  DeleteEventSourceMappingCommand,
  GetEventSourceMappingCommand,
  ListEventSourceMappingsCommand,
  ListTagsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCloud, type TestCloud } from './support/cloud.ts';
import { map, recorder } from './support/mapped-functions.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startCloud();
});
afterAll(() => cloud.close());

describe('event source mappings', () => {
  it('are described, listed, changed, disabled and deleted', async () => {
    const queue = cloud.queues.create('managed');
    await cloud.create('managed', recorder());
    const created = await map(cloud, {
      FunctionName: 'managed',
      EventSourceArn: queue,
      BatchSize: 5,
      Tags: { team: 'a' },
    });
    const { UUID } = created;
    expect(created).toMatchObject({
      State: 'Creating',
      BatchSize: 5,
      FunctionArn: expect.stringMatching(/:function:managed$/),
    });
    await expect(map(cloud, { FunctionName: 'managed', EventSourceArn: queue })).rejects.toMatchObject({
      name: 'ResourceConflictException',
    });

    const tags = await cloud.client.send(new ListTagsCommand({ Resource: created.EventSourceMappingArn }));
    expect(tags.Tags).toEqual({ team: 'a' });

    await cloud.client.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: false, BatchSize: 7 }));
    const listed = await cloud.client.send(new ListEventSourceMappingsCommand({ FunctionName: 'managed' }));
    expect(listed.EventSourceMappings).toEqual([expect.objectContaining({ UUID, State: 'Disabled', BatchSize: 7 })]);
    await cloud.queues.send({ queueArn: queue, body: 'waits' });
    await cloud.client.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: true }));
    await cloud.queues.untilSize(queue, 0);

    await cloud.client.send(new DeleteEventSourceMappingCommand({ UUID }));
    await expect(cloud.client.send(new GetEventSourceMappingCommand({ UUID }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});
