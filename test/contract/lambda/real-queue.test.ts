import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { CreateEventSourceMappingCommand, CreateFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../../../infra/local/core/clock.ts';
import { Faults } from '../../../infra/local/core/faults.ts';
import { Front } from '../../../infra/local/core/front.ts';
import { createLambda, type Lambda } from '../../../infra/local/services/lambda/lambda.ts';
import { createLogs, type Logs } from '../../../infra/local/services/logs/logs.ts';
import { createSqs, type Sqs } from '../../../infra/local/services/sqs/sqs.ts';
import { ROLE } from './support/cloud.ts';
import { eventually } from './support/eventually.ts';
import { MemoryStreams } from './support/memory-streams.ts';
import { zip } from './support/zip.ts';

let root: string;
let clock: ManualClock;
let front: Front;
let sqs: Sqs;
let logs: Logs;
let lambda: Lambda;
let queues: SQSClient;
let functions: LambdaClient;
let reader: CloudWatchLogsClient;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'lambda-sqs-'));
  clock = new ManualClock();
  front = new Front();
  const port = await front.listen(0);
  const endpoint = `http://127.0.0.1:${port}`;
  const context = (service: string) => {
    const dataDir = join(root, service);
    mkdirSync(dataDir);
    const faults = new Faults();
    return {
      region: 'us-east-1',
      accountId: '000000000000',
      dataDir,
      clock,
      faults,
      random: Math.random,
      endpoint: () => endpoint,
      log: () => {},
    };
  };
  sqs = createSqs(context('sqs'));
  logs = createLogs(context('logs'));
  lambda = createLambda(context('lambda'), { sqs, streams: new MemoryStreams(), logs, codeSource: async () => root });
  for (const service of [sqs, logs, lambda]) front.add(service);
  const options = {
    region: 'us-east-1',
    endpoint,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  };
  queues = new SQSClient(options);
  functions = new LambdaClient(options);
  reader = new CloudWatchLogsClient(options);
});
afterEach(async () => {
  await lambda.close();
  await sqs.close();
  await logs.close();
  queues.destroy();
  functions.destroy();
  reader.destroy();
  await front.close();
  rmSync(root, { recursive: true, force: true });
});

/** A queue consumer that fails every message after making it visible again in `seconds`, through the SDK. */
async function failingConsumer(seconds: number): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { SQSClient, ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
        const client = new SQSClient({});
        export const handler = async ({ Records }) => {
          for (const { receiptHandle } of Records) {
            await client.send(new ChangeMessageVisibilityCommand({ QueueUrl: process.env.QUEUE_URL, ReceiptHandle: receiptHandle, VisibilityTimeout: ${seconds} }));
          }
          return { batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })) };
        };`,
      resolveDir: import.meta.dirname,
      loader: 'js',
    },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
  });
  return zip({ 'index.cjs': outputFiles[0]?.text ?? '' });
}

it('a function sets the backoff of its own messages, and what keeps failing goes to the dead-letter queue', async () => {
  const create = async (QueueName: string, Attributes: Record<string, string> = {}) => {
    const { QueueUrl } = await queues.send(new CreateQueueCommand({ QueueName, Attributes }));
    const reply = await queues.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
    return { url: QueueUrl as string, arn: reply.Attributes?.QueueArn as string };
  };
  const dead = await create('dead');
  const redrive = JSON.stringify({ deadLetterTargetArn: dead.arn, maxReceiveCount: 2 });
  const work = await create('work', { RedrivePolicy: redrive, VisibilityTimeout: '60' });
  await functions.send(
    new CreateFunctionCommand({
      FunctionName: 'consumer',
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      Role: ROLE,
      MemorySize: 512,
      Timeout: 30,
      Environment: { Variables: { QUEUE_URL: work.url } },
      Code: { ZipFile: await failingConsumer(5) },
    }),
  );
  await functions.send(
    new CreateEventSourceMappingCommand({
      FunctionName: 'consumer',
      EventSourceArn: work.arn,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    }),
  );
  const attempts = async () => {
    const { events } = await reader.send(
      new FilterLogEventsCommand({ logGroupName: '/aws/lambda/consumer', filterPattern: 'REPORT' }),
    );
    return events?.length;
  };
  await queues.send(new SendMessageCommand({ QueueUrl: work.url, MessageBody: 'try me' }));
  await eventually(attempts).toBe(1);
  await clock.advance(4_000);
  expect(await attempts()).toBe(1);
  await clock.advance(1_000);
  await eventually(attempts).toBe(2);
  await clock.advance(5_000);
  const { Messages } = await queues.send(new ReceiveMessageCommand({ QueueUrl: dead.url }));
  expect(Messages?.map((message) => message.Body)).toEqual(['try me']);
});
