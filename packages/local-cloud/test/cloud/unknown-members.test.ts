import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as logs from '@aws-sdk/client-cloudwatch-logs';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as streams from '@aws-sdk/client-dynamodb-streams';
import * as events from '@aws-sdk/client-eventbridge';
import * as lambda from '@aws-sdk/client-lambda';
import * as scheduler from '@aws-sdk/client-scheduler';
import * as ses from '@aws-sdk/client-sesv2';
import * as states from '@aws-sdk/client-sfn';
import * as sqs from '@aws-sdk/client-sqs';
import * as ssm from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClients, destroyClients } from '../../assembly/clients.ts';
import { LocalCloud } from '../../cloud.ts';
import { signedFetch } from '../../testing/signed-request.ts';
import { type Operation, operationsOf, withMemberEverywhere } from './request-shapes.ts';

const TABLE = 'existing';
const UNKNOWN = 'NobodyKnowsThis';

let folder: string;
let cloud: LocalCloud;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cloud-'));
  cloud = await LocalCloud.open({ dataDir: folder, port: 0 });
  const clients = createClients(cloud.endpoint, 'us-east-1');
  await clients.dynamodb.send(
    new dynamodb.CreateTableCommand({
      ...{ TableName: TABLE, BillingMode: 'PAY_PER_REQUEST' },
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );
  await clients.sqs.send(new sqs.CreateQueueCommand({ QueueName: 'q' }));
  await clients.events.send(new events.PutRuleCommand({ Name: 'r', ScheduleExpression: 'rate(1 day)' }));
  await clients.logs.send(new logs.CreateLogGroupCommand({ logGroupName: 'g' }));
  await clients.logs.send(new logs.CreateLogStreamCommand({ logGroupName: 'g', logStreamName: 's' }));
  await clients.ssm.send(new ssm.PutParameterCommand({ Name: '/p', Value: 'v', Type: 'String' }));
  destroyClients(clients);
});
afterAll(async () => {
  await cloud.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Service {
  name: string;
  client: object;
  signing: string;
  /** The service's name in the JSON protocol; REST services have none. */
  target?: string;
}

const services: Service[] = [
  { name: 'DynamoDB', client: dynamodb, signing: 'dynamodb', target: 'DynamoDB_20120810' },
  { name: 'DynamoDB Streams', client: streams, signing: 'dynamodb', target: 'DynamoDBStreams_20120810' },
  { name: 'SQS', client: sqs, signing: 'sqs', target: 'AmazonSQS' },
  { name: 'Step Functions', client: states, signing: 'states', target: 'AWSStepFunctions' },
  { name: 'EventBridge', client: events, signing: 'events', target: 'AWSEvents' },
  { name: 'CloudWatch Logs', client: logs, signing: 'logs', target: 'Logs_20140328' },
  { name: 'Systems Manager', client: ssm, signing: 'ssm', target: 'AmazonSSM' },
  { name: 'Lambda', client: lambda, signing: 'lambda' },
  { name: 'Scheduler', client: scheduler, signing: 'scheduler' },
  { name: 'SES', client: ses, signing: 'ses' },
];

async function send(service: Service, operation: Operation, body: unknown): Promise<string> {
  const { method, path } = service.target === undefined ? operation.http : { method: 'POST', path: '/' };
  const query = method === 'GET' ? `?${new URLSearchParams(body as Record<string, string>)}` : '';
  const reply = await signedFetch(cloud.endpoint, {
    ...{ service: service.signing, method, path: `${path}${query}` },
    headers: { ...(service.target !== undefined && { 'x-amz-target': `${service.target}.${operation.name}` }) },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  });
  return `${reply.status} ${await reply.text()}`;
}

const item = { id: { S: '1' } };
const index = {
  IndexName: 'by-name',
  KeySchema: [{ AttributeName: 'name', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'ALL' },
};
const queue = 'http://127.0.0.1/000000000000/q';
const expression = { TableName: TABLE, Key: item, ConditionExpression: 'attribute_exists(id)' };
const machine = {
  roleArn: 'arn:aws:iam::000000000000:role/r',
  definition: '{"QueryLanguage":"JSONata","StartAt":"a","States":{"a":{"Type":"Succeed"}}}',
  loggingConfiguration: {
    level: 'OFF',
    destinations: [{ cloudWatchLogsLogGroup: { logGroupArn: 'arn:aws:logs:us-east-1:000000000000:log-group:g:*' } }],
  },
  tracingConfiguration: { enabled: false },
  encryptionConfiguration: { type: 'AWS_OWNED_KEY' },
};
const configuration = {
  ...{ Runtime: 'nodejs24.x', Handler: 'index.handler', Role: 'arn:aws:iam::000000000000:role/r' },
  Environment: { Variables: {} },
  TracingConfig: { Mode: 'PassThrough' },
  EphemeralStorage: { Size: 512 },
  SnapStart: { ApplyOn: 'None' },
  LoggingConfig: { LogFormat: 'JSON' },
};
const destinations = { OnSuccess: {}, OnFailure: { Destination: 'arn:aws:sqs:us-east-1:000000000000:q' } };
const mapping = {
  FilterCriteria: { Filters: [{ Pattern: '{}' }] },
  ScalingConfig: { MaximumConcurrency: 2 },
  DestinationConfig: destinations,
};
const schedule = {
  ScheduleExpression: 'rate(1 day)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: {
    Arn: 'arn:aws:sqs:us-east-1:000000000000:q',
    RetryPolicy: { MaximumRetryAttempts: 1 },
    DeadLetterConfig: { Arn: 'arn:aws:sqs:us-east-1:000000000000:d' },
    SqsParameters: { MessageGroupId: 'g' },
    EventBridgeParameters: { DetailType: 'd', Source: 's' },
  },
};
const messageAttributes = { a: { DataType: 'String', StringValue: 'b' } };

/** Requests with every supported structure; an empty request is enough for operations not named here. */
const requests: Record<string, Record<string, object>> = {
  DynamoDB: {
    CreateTable: {
      TableName: 'things',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [{ ...index, ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } }],
      LocalSecondaryIndexes: [index],
      ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
      StreamSpecification: { StreamEnabled: false },
      SSESpecification: { Enabled: false },
      Tags: [{ Key: 'a', Value: 'b' }],
    },
    UpdateTable: {
      TableName: TABLE,
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
      GlobalSecondaryIndexUpdates: [{ Create: index }],
      StreamSpecification: { StreamEnabled: false },
    },
    UpdateTimeToLive: { TableName: TABLE, TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } },
    UpdateContinuousBackups: {
      TableName: TABLE,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    },
    TagResource: { ResourceArn: 'arn', Tags: [{ Key: 'a', Value: 'b' }] },
    BatchGetItem: { RequestItems: { [TABLE]: { Keys: [item] } } },
    BatchWriteItem: { RequestItems: { [TABLE]: [{ PutRequest: { Item: item } }] } },
    TransactGetItems: { TransactItems: [{ Get: { TableName: TABLE, Key: item } }] },
    TransactWriteItems: { TransactItems: [{ ConditionCheck: expression }] },
  },
  SQS: {
    SendMessage: { QueueUrl: queue, MessageBody: 'b', MessageAttributes: messageAttributes },
    SendMessageBatch: {
      QueueUrl: queue,
      Entries: [{ Id: '1', MessageBody: 'b', MessageAttributes: messageAttributes }],
    },
    DeleteMessageBatch: { QueueUrl: queue, Entries: [{ Id: '1', ReceiptHandle: 'r' }] },
    ChangeMessageVisibilityBatch: { QueueUrl: queue, Entries: [{ Id: '1', ReceiptHandle: 'r', VisibilityTimeout: 0 }] },
  },
  'Step Functions': {
    CreateStateMachine: { name: 'm', tags: [{ key: 'a', value: 'b' }], ...machine },
    UpdateStateMachine: { stateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:m', ...machine },
    TagResource: {
      resourceArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:m',
      tags: [{ key: 'a', value: 'b' }],
    },
  },
  EventBridge: {
    PutEvents: { Entries: [{ Source: 's', DetailType: 'd', Detail: '{}' }] },
    PutTargets: {
      Rule: 'r',
      Targets: [
        {
          Id: '1',
          Arn: 'arn:aws:sqs:us-east-1:000000000000:q.fifo',
          InputTransformer: { InputTemplate: '{}' },
          SqsParameters: { MessageGroupId: 'g' },
          DeadLetterConfig: { Arn: 'arn:aws:sqs:us-east-1:000000000000:d' },
          RetryPolicy: { MaximumRetryAttempts: 1 },
        },
      ],
    },
  },
  Lambda: {
    CreateFunction: { ...configuration, Code: { S3Bucket: 'b', S3Key: 'k' } },
    UpdateFunctionConfiguration: configuration,
    CreateEventSourceMapping: mapping,
    UpdateEventSourceMapping: mapping,
    PutFunctionEventInvokeConfig: { DestinationConfig: destinations },
    UpdateFunctionEventInvokeConfig: { DestinationConfig: destinations },
  },
  SES: {
    SendEmail: {
      FromEmailAddress: 'a@example.com',
      Destination: { ToAddresses: ['b@example.com'] },
      Content: { Simple: { Subject: { Data: 's' }, Body: { Text: { Data: 't' }, Html: { Data: 'h' } } } },
    },
  },
  Scheduler: { CreateSchedule: schedule, UpdateSchedule: schedule },
  'CloudWatch Logs': {
    PutLogEvents: { logGroupName: 'g', logStreamName: 's', logEvents: [{ timestamp: 1, message: 'm' }] },
  },
  'Systems Manager': {
    PutParameter: { Name: '/p', Value: 'v', Type: 'String', Tags: [{ Key: 'a', Value: 'b' }] },
    AddTagsToResource: { ResourceType: 'Parameter', ResourceId: '/p', Tags: [{ Key: 'a', Value: 'b' }] },
  },
};

describe.each(services)('$name', (service) => {
  it('rejects an unknown member by name, in every structure of every operation', async () => {
    const operations = operationsOf(service.client);
    expect(operations.length).toBeGreaterThan(0);
    const ignored: string[] = [];
    for (const operation of operations) {
      const request = requests[service.name]?.[operation.name] ?? {};
      for (const [path, changed] of withMemberEverywhere(operation.input, request, UNKNOWN)) {
        const reply = await send(service, operation, changed);
        const rejected = /^4/.test(reply) && (reply.includes(UNKNOWN) || reply.includes('the operation'));
        if (!rejected) ignored.push(`${operation.name}${path}: ${reply}`);
      }
    }
    expect(ignored).toEqual([]);
  });
});

describe('S3', () => {
  it('rejects an unknown element by name, in every document', async () => {
    const unknown = `<${UNKNOWN}>x</${UNKNOWN}>`;
    const call = async (method: string, path: string, body: string) => {
      const reply = await signedFetch(cloud.endpoint, { service: 's3', method, path: `/documents${path}`, body });
      return { status: reply.status, text: await reply.text() };
    };
    await call('PUT', '', '');
    await call('PUT', '/key', 'content');
    const { text } = await call('POST', '/key?uploads', '');
    const uploadId = /<UploadId>([^<]+)/.exec(text)?.[1];
    const documents = [
      ['PUT', '', `<CreateBucketConfiguration>${unknown}</CreateBucketConfiguration>`],
      ['POST', '?delete', `<Delete>${unknown}<Object><Key>key</Key></Object></Delete>`],
      ['POST', '?delete', `<Delete><Object><Key>key</Key>${unknown}</Object></Delete>`],
      ['PUT', '/key?tagging', `<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value>${unknown}</Tag></TagSet></Tagging>`],
      [
        ...(['POST', `/key?uploadId=${uploadId}`] as const),
        `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>e</ETag>${unknown}</Part></CompleteMultipartUpload>`,
      ],
      ['PUT', '?versioning', `<VersioningConfiguration>${unknown}</VersioningConfiguration>`],
      ...['cors:CORSConfiguration', 'lifecycle:LifecycleConfiguration', 'notification:NotificationConfiguration'].map(
        (each) => {
          const [subresource, root] = each.split(':');
          return ['PUT', `?${subresource}`, `<${root}>${unknown}</${root}>`] as const;
        },
      ),
    ] as const;
    for (const [method, path, body] of documents) {
      expect(await call(method, path, body), `${method} ${path} ${body}`).toMatchObject({
        ...{ status: 501, text: expect.stringContaining(UNKNOWN) },
      });
    }
  });
});
