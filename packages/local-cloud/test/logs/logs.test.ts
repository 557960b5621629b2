import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CloudWatchLogsClient,
  CreateLogGroupCommand,
  CreateLogStreamCommand,
  DeleteLogGroupCommand,
  DescribeLogGroupsCommand,
  DescribeLogStreamsCommand,
  FilterLogEventsCommand,
  GetLogEventsCommand,
  ListTagsForResourceCommand,
  PutLogEventsCommand,
  PutRetentionPolicyCommand,
  TagResourceCommand,
  UntagResourceCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allowEverything } from '../../core/access/authorizer.ts';
import { ManualClock } from '../../core/clock.ts';
import { Faults } from '../../core/faults.ts';
import { Front } from '../../core/front.ts';
import { createLogs, type Logs } from '../../services/logs/logs.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let clock: ManualClock;
let dataDir: string;
let front: Front;
let logs: Logs;
let client: CloudWatchLogsClient;

function open(): Logs {
  const opened = createLogs({
    region: 'us-east-1',
    accountId: '000000000000',
    dataDir,
    clock,
    faults: new Faults(),
    authorizer: allowEverything,
    random: Math.random,
    endpoint: () => '',
    log: () => {},
  });
  front.add(opened);
  return opened;
}

beforeEach(async () => {
  clock = new ManualClock();
  dataDir = mkdtempSync(join(tmpdir(), 'logs-'));
  front = new Front();
  logs = open();
  const port = await front.listen(0);
  client = new CloudWatchLogsClient({
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
});

afterEach(async () => {
  client.destroy();
  await logs.close();
  await front.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const lines = (...messages: string[]) =>
  messages.map((message, index) => ({ timestamp: clock.now() + index, message }));

async function filter(filterPattern?: string): Promise<(string | undefined)[]> {
  const { events } = await client.send(
    new FilterLogEventsCommand({ logGroupName: '/g', ...(filterPattern && { filterPattern }) }),
  );
  return (events ?? []).map((event) => event.message);
}

describe('log groups and streams', () => {
  it('are created, described and deleted', async () => {
    await client.send(new CreateLogGroupCommand({ logGroupName: '/aws/lambda/a', tags: { team: 'x' } }));
    await client.send(new CreateLogGroupCommand({ logGroupName: '/aws/lambda/b' }));
    await client.send(new PutRetentionPolicyCommand({ logGroupName: '/aws/lambda/a', retentionInDays: 7 }));
    await client.send(new CreateLogStreamCommand({ logGroupName: '/aws/lambda/a', logStreamName: 's' }));

    const { logGroups } = await client.send(new DescribeLogGroupsCommand({ logGroupNamePrefix: '/aws/lambda/' }));
    expect(logGroups).toEqual([
      expect.objectContaining({
        logGroupName: '/aws/lambda/a',
        retentionInDays: 7,
        arn: 'arn:aws:logs:us-east-1:000000000000:log-group:/aws/lambda/a:*',
      }),
      expect.objectContaining({ logGroupName: '/aws/lambda/b' }),
    ]);
    const { logStreams } = await client.send(new DescribeLogStreamsCommand({ logGroupName: '/aws/lambda/a' }));
    expect(logStreams).toEqual([expect.objectContaining({ logStreamName: 's' })]);

    await client.send(new DeleteLogGroupCommand({ logGroupName: '/aws/lambda/a' }));
    await expect(client.send(new DescribeLogStreamsCommand({ logGroupName: '/aws/lambda/a' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'The specified log group does not exist.',
    });
  });

  it('reject existing, unknown and unsupported ones', async () => {
    await client.send(new CreateLogGroupCommand({ logGroupName: '/g' }));
    await expect(client.send(new CreateLogGroupCommand({ logGroupName: '/g' }))).rejects.toMatchObject({
      name: 'ResourceAlreadyExistsException',
    });
    await expect(client.send(new CreateLogGroupCommand({ logGroupName: '/h', kmsKeyId: 'k' }))).rejects.toThrow(
      /kmsKeyId/,
    );
    await expect(
      client.send(new PutRetentionPolicyCommand({ logGroupName: '/g', retentionInDays: 2 })),
    ).rejects.toMatchObject({ name: 'InvalidParameterException' });
  });

  it('carry tags', async () => {
    const resourceArn = 'arn:aws:logs:us-east-1:000000000000:log-group:/g';
    await client.send(new CreateLogGroupCommand({ logGroupName: '/g', tags: { a: '1' } }));
    await client.send(new TagResourceCommand({ resourceArn, tags: { b: '2' } }));
    await client.send(new UntagResourceCommand({ resourceArn, tagKeys: ['a'] }));
    expect((await client.send(new ListTagsForResourceCommand({ resourceArn }))).tags).toEqual({ b: '2' });
  });
});

describe('log events', () => {
  it('are read back in order, page by page in both directions', async () => {
    logs.append('/g', 's', lines('1', '2', '3', '4', '5'));
    const read = (input: { nextToken?: string | undefined; startFromHead?: boolean }) =>
      client.send(new GetLogEventsCommand({ logGroupName: '/g', logStreamName: 's', limit: 2, ...input }));
    const first = await read({ startFromHead: true });
    const second = await read({ nextToken: first.nextForwardToken });
    const third = await read({ nextToken: second.nextForwardToken });
    const end = await read({ nextToken: third.nextForwardToken });
    const back = await read({ nextToken: third.nextBackwardToken });
    const pages = [first, second, third, end, back].map((page) => page.events?.map((event) => event.message));
    expect(pages).toEqual([['1', '2'], ['3', '4'], ['5'], [], ['3', '4']]);
    expect(end.nextForwardToken).toBe(third.nextForwardToken);
    expect((await read({})).events?.map((event) => event.message)).toEqual(['4', '5']);
  });

  it('put over the wire must be in order and not too old', async () => {
    await client.send(new CreateLogGroupCommand({ logGroupName: '/g' }));
    await client.send(new CreateLogStreamCommand({ logGroupName: '/g', logStreamName: 's' }));
    const put = (...timestamps: number[]) =>
      client.send(
        new PutLogEventsCommand({
          logGroupName: '/g',
          logStreamName: 's',
          logEvents: timestamps.map((timestamp) => ({ timestamp, message: 'm' })),
        }),
      );
    const now = clock.now();
    await expect(put(now, now - 1)).rejects.toMatchObject({ name: 'InvalidParameterException' });
    expect((await put(now - 15 * DAY_MS, now)).rejectedLogEventsInfo).toEqual({ tooOldLogEventEndIndex: 1 });
    expect(await filter()).toEqual(['m']);
  });

  it('are found by terms', async () => {
    logs.append('/g', 's', lines('ERROR not found', 'ERROR timeout', 'INFO found', 'WARN slow'));
    expect(await filter('ERROR')).toEqual(['ERROR not found', 'ERROR timeout']);
    expect(await filter('"not found"')).toEqual(['ERROR not found']);
    expect(await filter('ERROR -timeout')).toEqual(['ERROR not found']);
    expect(await filter('?WARN ?INFO')).toEqual(['INFO found', 'WARN slow']);
  });

  it('are found by conditions on their JSON', async () => {
    const events = [
      { level: 'ERROR', ms: 5, at: { path: '/a/b' } },
      { level: 'INFO', ms: 50, user: null },
      { level: 'ERROR', ms: 500 },
    ];
    logs.append('/g', 's', lines(...events.map((event) => JSON.stringify(event)), 'ERROR as text'));
    const found = async (pattern: string) => (await filter(pattern)).map((message) => JSON.parse(message ?? '').ms);
    expect(await found('{ $.level = "ERROR" }')).toEqual([5, 500]);
    expect(await found('{ $.level = ERROR && $.ms >= 100 }')).toEqual([500]);
    expect(await found('{ ($.ms < 10) || ($.user IS NULL) }')).toEqual([5, 50]);
    expect(await found('{ $.at.path = "/a/*" }')).toEqual([5]);
    expect(await found('{ $.at NOT EXISTS }')).toEqual([50, 500]);
    await expect(filter('{ $.a = }')).rejects.toMatchObject({ name: 'InvalidParameterException' });
  });

  it('are removed when their retention is over', async () => {
    logs.append('/g', 's', lines('old'));
    await client.send(new PutRetentionPolicyCommand({ logGroupName: '/g', retentionInDays: 1 }));
    await clock.advance(DAY_MS / 2);
    logs.append('/g', 's', lines('young'));
    await clock.advance(DAY_MS / 2 + 1);
    expect(await filter()).toEqual(['young']);
    const { logStreams } = await client.send(new DescribeLogStreamsCommand({ logGroupName: '/g' }));
    expect(logStreams).toHaveLength(1);
  });

  it('survive a restart', async () => {
    logs.append('/g', 's', lines('kept'));
    await logs.close();
    logs = open();
    expect(await filter()).toEqual(['kept']);
  });
});
