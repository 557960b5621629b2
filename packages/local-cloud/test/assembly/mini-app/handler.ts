import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

/** Follows commands over HTTP, and records every other event in the table. */

const dynamodb = new DynamoDBClient();
const sqs = new SQSClient();
const s3 = new S3Client({ forcePathStyle: true });
const states = new SFNClient();
const { TABLE, QUEUE_URL, BUCKET, MACHINE_ARN, VERSION } = process.env;

interface Order {
  id: string;
  text: string;
}

interface AnyEvent {
  httpMethod?: string;
  body?: string;
  pathParameters?: { proxy: string };
  Records?: {
    eventSource: string;
    body: string;
    dynamodb: { NewImage: { pk: { S: string }; text: { S: string } } };
  }[];
  fromMachine?: Order;
  fromSchedule?: Order;
}

export async function handler(event: AnyEvent): Promise<unknown> {
  if (event.httpMethod === 'GET') return read(event.pathParameters?.proxy ?? '');
  if (event.httpMethod) return act(JSON.parse(event.body ?? '{}'));
  if (event.fromMachine) return note(`machine:${event.fromMachine.id}`, event.fromMachine.text);
  if (event.fromSchedule) return note(`schedule:${event.fromSchedule.id}`, event.fromSchedule.text);
  for (const record of event.Records ?? []) {
    if (record.eventSource === 'aws:dynamodb') {
      const { pk, text } = record.dynamodb.NewImage;
      await note(`stream:${pk.S}`, text.S);
      continue;
    }
    const body = JSON.parse(record.body);
    if (body['detail-type']) await note(`event:${body.detail.object.key}`, body['detail-type']);
    else await note(`queue:${body.id}`, body.text);
  }
  return { batchItemFailures: [] };
}

async function act({ action, id, text }: Order & { action: string }): Promise<object> {
  if (action === 'note') await note(id, text);
  if (action === 'send') {
    await sqs.send(new SendMessageCommand({ QueueUrl: QUEUE_URL, MessageBody: JSON.stringify({ id, text }) }));
  }
  if (action === 'put') await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: id, Body: text }));
  if (action === 'run') {
    const input = JSON.stringify({ id, text });
    await states.send(new StartExecutionCommand({ stateMachineArn: MACHINE_ARN, input }));
  }
  return reply(202, { version: VERSION });
}

async function read(id: string): Promise<object> {
  const { Item } = await dynamodb.send(new GetItemCommand({ TableName: TABLE, Key: { pk: { S: id } } }));
  return Item ? reply(200, { text: Item.text?.S }) : reply(404, {});
}

async function note(id: string, text: string): Promise<void> {
  await dynamodb.send(new PutItemCommand({ TableName: TABLE, Item: { pk: { S: id }, text: { S: text } } }));
}

function reply(statusCode: number, body: object): object {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
