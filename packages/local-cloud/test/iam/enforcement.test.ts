import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { GetQueueUrlCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AssemblyRejected } from '../../assembly/plan.ts';
import { LocalCloud } from '../../cloud.ts';
import type { AccessReport } from '../../iam/iam.ts';
import { clientOptions, writeAssembly } from '../assembly/support/assembly.ts';

const root = mkdtempSync(join(tmpdir(), 'enforcement-'));
const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/items';
const CALLER = 'arn:aws:sts::000000000000:assumed-role/worker/worker';

let cloud: LocalCloud;
let count = 0;
let worker: ReturnType<typeof clientOptions>;

/** Deploys a worker whose role has these statements, beside a table, a bucket and a queue. */
async function deploy(
  statements: object[],
  more: Record<string, object> = {},
  without: readonly string[] = [],
): Promise<void> {
  count += 1;
  const folder = join(root, `assembly-${count}`);
  const Resources = {
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: {
        RoleName: 'worker',
        AssumeRolePolicyDocument: {
          Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
        },
        Policies: [{ PolicyName: 'inline', PolicyDocument: { Statement: statements } }],
      },
    },
    Worker: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        FunctionName: 'worker',
        Code: { S3Bucket: 'assets', S3Key: 'worker.zip' },
        Handler: 'index.handler',
        Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
        Runtime: 'nodejs24.x',
      },
    },
    Items: {
      Type: 'AWS::DynamoDB::GlobalTable',
      Properties: {
        TableName: 'items',
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'due', AttributeType: 'S' },
        ],
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'byDue',
            KeySchema: [{ AttributeName: 'due', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
        Replicas: [{ Region: 'us-east-1' }],
      },
    },
    Files: { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'files' } },
    Jobs: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'jobs' } },
    ...more,
  };
  const handler = `export const handler = async () => ({
    accessKeyId: process.env.AWS_ACCESS_KEY_ID,
    secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY,
    sessionToken: process.env.AWS_SESSION_TOKEN,
  });`;
  for (const id of without) delete (Resources as Record<string, object>)[id];
  writeAssembly(folder, { app: { Resources } }, { 'worker.zip': { 'index.mjs': handler } });
  await cloud.deploy(folder);
}

const allow = (Action: string | string[], Resource: string | string[]) => ({ Effect: 'Allow', Action, Resource });

/** Runs a call as the worker; returns `ok` or the error. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'ok',
    (error: Error & { $metadata?: { httpStatusCode?: number } }) => ({
      name: error.name,
      status: error.$metadata?.httpStatusCode,
      message: error.message,
    }),
  );
}

function denied(action: string, resource: string, { name = 'AccessDeniedException', status = 400 } = {}): object {
  return {
    name,
    status,
    message: `User: ${CALLER} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
  };
}

beforeAll(async () => {
  cloud = await LocalCloud.open({ dataDir: join(root, 'data'), port: 0 });
  await deploy([]);
  const lambda = new LambdaClient(clientOptions(cloud));
  const { Payload } = await lambda.send(new InvokeCommand({ FunctionName: 'worker' }));
  lambda.destroy();
  worker = { ...clientOptions(cloud), credentials: JSON.parse(Payload!.transformToString()) };
});
afterAll(async () => {
  await cloud.close();
  rmSync(root, { recursive: true, force: true });
});

describe('a role', () => {
  const key = { pk: { S: 'a' } };

  it('may do in DynamoDB what its policies allow, item by item of a transaction and index by index', async () => {
    await deploy([allow(['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem'], TABLE)]);
    const db = new DynamoDBClient(worker);
    const query = (IndexName?: string, name = 'pk') =>
      db.send(
        new QueryCommand({
          TableName: 'items',
          ...(IndexName && { IndexName }),
          KeyConditionExpression: `${name} = :v`,
          ExpressionAttributeValues: { ':v': { S: 'a' } },
        }),
      );
    expect(await outcome(db.send(new GetItemCommand({ TableName: 'items', Key: key })))).toBe('ok');
    expect(await outcome(query())).toBe('ok');
    expect(await outcome(query('byDue', 'due'))).toEqual(denied('dynamodb:Query', `${TABLE}/index/byDue`));
    const put = { Put: { TableName: 'items', Item: key } };
    const update = {
      Update: {
        TableName: 'items',
        Key: key,
        UpdateExpression: 'SET a = :a',
        ExpressionAttributeValues: { ':a': { N: '1' } },
      },
    };
    expect(await outcome(db.send(new PutItemCommand({ TableName: 'items', Item: key })))).toEqual(
      denied('dynamodb:PutItem', TABLE),
    );
    expect(await outcome(db.send(new TransactWriteItemsCommand({ TransactItems: [update] })))).toBe('ok');
    const both = { TransactItems: [update, { Put: { ...put.Put, Item: { pk: { S: 'b' } } } }] };
    expect(await outcome(db.send(new TransactWriteItemsCommand(both)))).toEqual(denied('dynamodb:PutItem', TABLE));
    db.destroy();
  });

  it('learns from S3 whether an object exists only if it may list the bucket', async () => {
    const s3 = new S3Client({ ...worker, forcePathStyle: true });
    const form = { name: 'AccessDenied', status: 403 };
    const get = () => outcome(s3.send(new GetObjectCommand({ Bucket: 'files', Key: 'in/a' })));
    await deploy([allow('s3:GetObject', 'arn:aws:s3:::files/in/*')]);
    expect(await get()).toEqual(denied('s3:ListBucket', 'arn:aws:s3:::files', form));
    await deploy([
      allow(['s3:GetObject', 's3:DeleteObject'], 'arn:aws:s3:::files/in/*'),
      { ...allow('s3:ListBucket', 'arn:aws:s3:::files'), Condition: { StringLike: { 's3:prefix': 'in/*' } } },
      allow('s3:ListBucket', 'arn:aws:s3:::other'),
    ]);
    const list = (Prefix: string) => outcome(s3.send(new ListObjectsV2Command({ Bucket: 'files', Prefix })));
    expect(await list('in/')).toBe('ok');
    expect(await list('out/')).toEqual(denied('s3:ListBucket', 'arn:aws:s3:::files', form));
    const put = (Key: string) => outcome(s3.send(new PutObjectCommand({ Bucket: 'files', Key, Body: 'x' })));
    expect(await put('in/a')).toEqual(denied('s3:PutObject', 'arn:aws:s3:::files/in/a', form));
    const { Deleted, Errors } = await s3.send(
      new DeleteObjectsCommand({ Bucket: 'files', Delete: { Objects: [{ Key: 'in/a' }, { Key: 'out/a' }] } }),
    );
    expect(Deleted).toEqual([{ Key: 'in/a' }]);
    expect(Errors).toMatchObject([{ Key: 'out/a', Code: 'AccessDenied' }]);
    s3.destroy();
  });

  it('needs a grant for queues and functions, which their own policies can give too', async () => {
    const queue = 'arn:aws:sqs:us-east-1:000000000000:jobs';
    const operator = new SQSClient(clientOptions(cloud));
    const { QueueUrl } = await operator.send(new GetQueueUrlCommand({ QueueName: 'jobs' }));
    operator.destroy();
    const sqs = new SQSClient(worker);
    const send = () => outcome(sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' })));
    const lambda = new LambdaClient(worker);
    const invoke = () => outcome(lambda.send(new InvokeCommand({ FunctionName: 'worker' })));
    const self = 'arn:aws:lambda:us-east-1:000000000000:function:worker';

    await deploy([]);
    expect(await send()).toEqual(denied('sqs:SendMessage', queue, { name: 'AccessDenied', status: 403 }));
    expect(await invoke()).toEqual(denied('lambda:InvokeFunction', self, { status: 403 }));

    await deploy([allow('lambda:InvokeFunction', self)], {
      Policy: {
        Type: 'AWS::SQS::QueuePolicy',
        Properties: {
          Queues: [{ Ref: 'Jobs' }],
          PolicyDocument: {
            Statement: [{ ...allow('sqs:SendMessage', queue), Principal: { AWS: { 'Fn::GetAtt': ['Role', 'Arn'] } } }],
          },
        },
      },
    });
    expect(await send()).toBe('ok');
    expect(await invoke()).toBe('ok');
    sqs.destroy();
    lambda.destroy();
  });
});

it('denies everything to the sessions of a role that a deployment has removed', async () => {
  const db = new DynamoDBClient(worker);
  const read = () => outcome(db.send(new GetItemCommand({ TableName: 'items', Key: { pk: { S: 'a' } } })));
  await deploy([allow('dynamodb:GetItem', TABLE)]);
  expect(await read()).toBe('ok');
  await deploy([], {}, ['Role', 'Worker']);
  expect(await read()).toEqual(denied('dynamodb:GetItem', TABLE));
  await deploy([allow('dynamodb:GetItem', TABLE)]);
  expect(await read()).toBe('ok');
  db.destroy();
});

it('rejects a policy with a condition that it does not know before anything changes', async () => {
  const strange = { ...allow('dynamodb:GetItem', TABLE), Condition: { StringEquals: { 'dynamodb:LeadingKeys': 'a' } } };
  const rejection = await deploy([strange]).catch((error: unknown) => error);
  expect(rejection).toBeInstanceOf(AssemblyRejected);
  expect((rejection as AssemblyRejected).problems).toEqual([
    'app/Role.Properties.Policies[0].PolicyDocument: the local cloud does not support the condition key dynamodb:LeadingKeys',
  ]);
});

it('reports each grant with the request that needed it, and each denied request', async () => {
  await deploy([allow(['dynamodb:GetItem', 'dynamodb:Scan'], TABLE)]);
  const db = new DynamoDBClient(worker);
  await db.send(new GetItemCommand({ TableName: 'items', Key: { pk: { S: 'a' } } }));
  db.destroy();
  const report = (await (await fetch(`${cloud.endpoint}/_local/access`)).json()) as AccessReport;
  const grant = (action: string) => ({ policy: 'app/Role/inline', statement: 0, action, resource: TABLE });
  expect(report.grants).toEqual([
    {
      ...grant('dynamodb:GetItem'),
      neededBy: { principal: CALLER, action: 'dynamodb:GetItem', resource: TABLE },
    },
    grant('dynamodb:Scan'),
  ]);
  expect(report.denials).toContainEqual({
    principal: CALLER,
    action: 'dynamodb:PutItem',
    resource: TABLE,
    reason: 'because no identity-based policy allows the dynamodb:PutItem action',
    times: 2,
  });
});
