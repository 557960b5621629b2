import { CreateTableCommand, DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { CreateEventSourceMappingCommand, CreateFunctionCommand } from '@aws-sdk/client-lambda';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { zip } from '../../testing/zip.ts';
import { ROLE } from './support/cloud.ts';
import { eventually } from './support/eventually.ts';
import { startRealCloud } from './support/real-cloud.ts';

let cloud: Awaited<ReturnType<typeof startRealCloud>>;
beforeEach(async () => {
  cloud = await startRealCloud();
});
afterEach(() => cloud.close());

const createFunction = (FunctionName: string, file: Record<string, string>, variables: Record<string, string> = {}) =>
  cloud.clients.functions.send(
    new CreateFunctionCommand({
      FunctionName,
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      Role: ROLE,
      MemorySize: 512,
      Timeout: 30,
      Environment: { Variables: variables },
      Code: { ZipFile: zip(file) },
    }),
  );

async function createQueue(QueueName: string, Attributes: Record<string, string> = {}) {
  const { queues } = cloud.clients;
  const { QueueUrl } = await queues.send(new CreateQueueCommand({ QueueName, Attributes }));
  const reply = await queues.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  return { url: QueueUrl as string, arn: reply.Attributes?.QueueArn as string };
}

/** A queue consumer that fails every message after making it visible again in five seconds, through the SDK. */
async function failingConsumer(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { SQSClient, ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
        const client = new SQSClient({});
        export const handler = async ({ Records }) => {
          for (const { receiptHandle: ReceiptHandle } of Records) {
            await client.send(new ChangeMessageVisibilityCommand({ QueueUrl: process.env.QUEUE_URL, ReceiptHandle, VisibilityTimeout: 5 }));
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
  return outputFiles[0]?.text ?? '';
}

it('a function sets the backoff of its own messages, and messages that keep failing go to the dead-letter queue', async () => {
  const { queues, functions } = cloud.clients;
  const dead = await createQueue('dead');
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: dead.arn, maxReceiveCount: 2 });
  const work = await createQueue('work', { RedrivePolicy, VisibilityTimeout: '60' });
  await createFunction('consumer', { 'index.cjs': await failingConsumer() }, { QUEUE_URL: work.url });
  await functions.send(
    new CreateEventSourceMappingCommand({
      FunctionName: 'consumer',
      EventSourceArn: work.arn,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    }),
  );
  const attempts = async () => (await cloud.logged('consumer', 'REPORT')).length;
  await queues.send(new SendMessageCommand({ QueueUrl: work.url, MessageBody: 'try me' }));
  await eventually(() => attempts().catch(() => 0)).toBe(1);
  await cloud.clock.advance(4_000);
  expect(await attempts()).toBe(1);
  await cloud.clock.advance(1_000);
  await eventually(attempts).toBe(2);
  await cloud.clock.advance(5_000);
  const { Messages } = await queues.send(new ReceiveMessageCommand({ QueueUrl: dead.url }));
  expect(Messages?.map((message) => message.Body)).toEqual(['try me']);
});

it('changes of a table reach a function in order and filtered, as records of its stream', async () => {
  const { tables, functions } = cloud.clients;
  const { TableDescription } = await tables.send(
    new CreateTableCommand({
      TableName: 'items',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
  );
  const EventSourceArn = TableDescription?.LatestStreamArn as string;
  const put = (pk: string, value: string) =>
    tables.send(new PutItemCommand({ TableName: 'items', Item: { pk: { S: pk }, value: { S: value } } }));
  await createFunction('reader', {
    'index.mjs': `export const handler = async ({ Records }) => {
      for (const { eventName, eventSourceARN, dynamodb } of Records)
        console.log('SEEN ' + JSON.stringify([eventName, eventSourceARN, dynamodb.Keys.pk.S, dynamodb.OldImage?.value.S, dynamodb.NewImage?.value.S]));
    };`,
  });
  await put('OUTBOX#1', 'before');
  await functions.send(
    new CreateEventSourceMappingCommand({
      FunctionName: 'reader',
      EventSourceArn,
      StartingPosition: 'LATEST',
      FilterCriteria: { Filters: [{ Pattern: '{"dynamodb":{"Keys":{"pk":{"S":[{"prefix":"OUTBOX#"}]}}}}' }] },
    }),
  );
  await put('OUTBOX#1', 'after');
  await put('ORDER#1', 'ignored');
  await put('OUTBOX#2', 'new');
  await tables.send(new DeleteItemCommand({ TableName: 'items', Key: { pk: { S: 'OUTBOX#2' } } }));
  const seen = async () => {
    const lines = await cloud.logged('reader', 'SEEN').catch(() => []);
    return lines.map((line) => JSON.parse(line.slice(line.indexOf('SEEN ') + 5)));
  };
  await eventually(seen).toEqual([
    ['MODIFY', EventSourceArn, 'OUTBOX#1', 'before', 'after'],
    ['INSERT', EventSourceArn, 'OUTBOX#2', null, 'new'],
    ['REMOVE', EventSourceArn, 'OUTBOX#2', 'new', null],
  ]);
});
