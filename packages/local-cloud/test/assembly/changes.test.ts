import { CloudWatchLogsClient, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  GetQueueAttributesCommand,
  ListQueuesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientOptions, type Deployment, startDeployment } from './support/assembly.ts';

let deployment: Deployment;

beforeEach(async () => {
  deployment = await startDeployment();
});
afterEach(() => deployment.close());

const parameter = (Value: unknown, more: object = {}) => ({
  Type: 'AWS::SSM::Parameter',
  Properties: { Type: 'String', Value, ...more },
});
const queue = (Properties: object = {}) => ({ Type: 'AWS::SQS::Queue', Properties });
const table = (Properties: object = {}, Replica: object = {}) => ({
  Type: 'AWS::DynamoDB::GlobalTable',
  DeletionPolicy: 'Retain',
  Properties: {
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    Replicas: [{ Region: { Ref: 'AWS::Region' }, ...Replica }],
    ...Properties,
  },
});

async function attributesOf(queueUrl: string | undefined) {
  const sqs = new SQSClient(clientOptions(deployment.cloud));
  const reply = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }));
  sqs.destroy();
  return reply.Attributes;
}

async function queueUrls(): Promise<string[]> {
  const sqs = new SQSClient(clientOptions(deployment.cloud));
  const reply = await sqs.send(new ListQueuesCommand({}));
  sqs.destroy();
  return reply.QueueUrls ?? [];
}

describe('deploying again', () => {
  it('does nothing without changes, also after a restart', async () => {
    const stacks = {
      Same: {
        Resources: {
          Table: table(),
          Queue: queue(),
          Parameter: parameter({ 'Fn::GetAtt': ['Table', 'Arn'] }),
        },
        Outputs: { Url: { Value: { Ref: 'Queue' } } },
      },
    };
    const first = await deployment.deploy(stacks);
    expect(first.changed.map(({ logicalId, action }) => [logicalId, action])).toEqual([
      ['Table', 'created'],
      ['Queue', 'created'],
      ['Parameter', 'created'],
    ]);
    expect(await deployment.deploy(stacks)).toEqual({ outputs: first.outputs, changed: [] });

    await deployment.restart({ samePort: true });
    expect(deployment.cloud.outputs).toEqual(first.outputs);
    expect((await deployment.deploy(stacks)).changed).toEqual([]);
  });

  it('updates queue URLs, and resources that contain them, after a change of port', async () => {
    const stacks = {
      App: {
        Resources: { Queue: queue(), Url: parameter({ Ref: 'Queue' }), Other: parameter('x') },
        Outputs: { Url: { Value: { 'Fn::GetAtt': ['Url', 'Value'] } } },
      },
    };
    await deployment.deploy(stacks);
    await deployment.restart();
    const { outputs, changed } = await deployment.deploy(stacks);

    expect(outputs.App?.Url).toBe(`${deployment.cloud.endpoint}/000000000000/App-Queue`);
    expect(changed.map(({ logicalId }) => logicalId)).toEqual(['Queue', 'Url']);
  });

  it('changes resources in place and resets removed properties to their defaults', async () => {
    const stack = (properties: object) => ({
      Resources: {
        Dead: queue(),
        Queue: queue(properties),
        Policy: {
          Type: 'AWS::SQS::QueuePolicy',
          Properties: { Queues: [{ Ref: 'Queue' }], PolicyDocument: { Version: '2012-10-17', Statement: [] } },
        },
      },
      Outputs: { Url: { Value: { Ref: 'Queue' } } },
    });
    const redrive = { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 3 };
    const { outputs } = await deployment.deploy({ App: stack({ DelaySeconds: 5, RedrivePolicy: redrive }) });
    const url = outputs.App?.Url;
    const before = await attributesOf(url);
    expect(before).toMatchObject({ DelaySeconds: '5', Policy: '{"Version":"2012-10-17","Statement":[]}' });
    expect(JSON.parse(before?.RedrivePolicy ?? '')).toEqual({
      deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:App-Dead',
      maxReceiveCount: 3,
    });

    const { changed } = await deployment.deploy({ App: stack({ VisibilityTimeout: 60 }) });
    expect(changed.map(({ logicalId, action }) => [logicalId, action])).toEqual([['Queue', 'updated']]);
    const after = await attributesOf(url);
    expect(after).toMatchObject({ DelaySeconds: '0', VisibilityTimeout: '60' });
    expect(after?.RedrivePolicy).toBeUndefined();
  });

  it('removes resources missing from the template in dependency order, except retained ones', async () => {
    await deployment.deploy({
      App: {
        Resources: {
          Queue: queue(),
          Kept: { ...queue(), DeletionPolicy: 'Retain' },
          Parameter: parameter({ Ref: 'Queue' }),
          Logs: { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: 30 } },
        },
      },
    });
    const { changed } = await deployment.deploy({ App: { Resources: { Other: parameter('x') } } });

    expect(changed.map(({ logicalId, action }) => [logicalId, action])).toEqual([
      ['Other', 'created'],
      ['Logs', 'deleted'],
      ['Parameter', 'deleted'],
      ['Queue', 'deleted'],
    ]);
    expect((await queueUrls()).map((url) => url.split('/').at(-1))).toEqual(['App-Kept']);
    const logs = new CloudWatchLogsClient(clientOptions(deployment.cloud));
    expect((await logs.send(new DescribeLogGroupsCommand({}))).logGroups).toEqual([]);
    logs.destroy();
    const ssm = new SSMClient(clientOptions(deployment.cloud));
    await expect(ssm.send(new GetParameterCommand({ Name: 'App-Parameter' }))).rejects.toMatchObject({
      name: 'ParameterNotFound',
    });
    ssm.destroy();
  });

  it('replaces a resource without data when a fixed property changes', async () => {
    await deployment.deploy({ App: { Resources: { Parameter: parameter('a', { Name: '/old' }) } } });
    const { changed } = await deployment.deploy({
      App: { Resources: { Parameter: parameter('a', { Name: '/new' }) } },
    });

    expect(changed).toEqual([
      { stack: 'App', logicalId: 'Parameter', type: 'AWS::SSM::Parameter', action: 'replaced' },
    ]);
    const ssm = new SSMClient(clientOptions(deployment.cloud));
    expect((await ssm.send(new GetParameterCommand({ Name: '/new' }))).Parameter?.Value).toBe('a');
    await expect(ssm.send(new GetParameterCommand({ Name: '/old' }))).rejects.toMatchObject({
      name: 'ParameterNotFound',
    });
    ssm.destroy();
  });

  it('rejects moving a name from one logical id to another, which would delete the named resource', async () => {
    await deployment.deploy({ App: { Resources: { Old: queue({ QueueName: 'named' }) } } });
    await expect(
      deployment.deploy({ App: { Resources: { New: queue({ QueueName: 'named' }) } } }),
    ).rejects.toMatchObject({ problems: ['App/New.Properties.QueueName: the name named belongs to App/Old'] });
    expect(await queueUrls()).toHaveLength(1);
  });

  it('continues where a rejected value stopped it', async () => {
    const stack = (DelaySeconds: number) => ({
      App: {
        Resources: { First: parameter('a'), Queue: queue({ DelaySeconds }), Last: parameter({ Ref: 'Queue' }) },
      },
    });
    await expect(deployment.deploy(stack(10_000))).rejects.toThrow('App/Queue');
    const { changed } = await deployment.deploy(stack(1));
    expect(changed.map(({ logicalId }) => logicalId)).toEqual(['Queue', 'Last']);
  });
});

describe('a table', () => {
  const stack = (definition: object) => ({ Data: { Resources: { Table: definition } } });

  it('gains and loses indexes, stream, expiry and protection without losing its items', async () => {
    await deployment.deploy(stack(table()));
    const dynamodb = new DynamoDBClient(clientOptions(deployment.cloud));
    const TableName = 'Data-Table';
    const Key = { pk: { S: 'kept' } };
    await dynamodb.send(new PutItemCommand({ TableName, Item: Key }));

    const index = {
      IndexName: 'byOwner',
      KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    };
    const rich = table(
      {
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'owner', AttributeType: 'S' },
        ],
        GlobalSecondaryIndexes: [index],
        StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      },
      { DeletionProtectionEnabled: true, GlobalSecondaryIndexes: [{ IndexName: 'byOwner' }] },
    );
    await deployment.deploy(stack(rich));
    expect((await dynamodb.send(new DescribeTableCommand({ TableName }))).Table).toMatchObject({
      GlobalSecondaryIndexes: [index],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      DeletionProtectionEnabled: true,
      LatestStreamArn: expect.stringContaining(':table/Data-Table/stream/'),
    });
    expect((await dynamodb.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription).toMatchObject({
      AttributeName: 'expiresAt',
    });

    await deployment.deploy(stack(table()));
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
    expect(Table?.GlobalSecondaryIndexes ?? []).toEqual([]);
    expect(Table?.DeletionProtectionEnabled).toBe(false);
    expect((await dynamodb.send(new GetItemCommand({ TableName, Key }))).Item).toEqual(Key);
    dynamodb.destroy();
  });

  it('is never replaced: another key is rejected before any change', async () => {
    await deployment.deploy(stack(table()));
    const other = table({
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    });
    await expect(
      deployment.deploy({ Data: { Resources: { Table: other, Parameter: parameter('never') } } }),
    ).rejects.toMatchObject({
      problems: [
        'Data/Table.Properties.KeySchema: changing it would replace Data-Table and lose what is stored there; give the new resource another logical id',
      ],
    });
    await expect(deployment.deploy(stack(queue()))).rejects.toThrow('its type cannot change');
    expect((await deployment.deploy(stack(table()))).changed).toEqual([]);
  });
});

describe('the data of resources', () => {
  it('survives a restart', async () => {
    const { outputs } = await deployment.deploy({
      App: { Resources: { Queue: queue() }, Outputs: { Url: { Value: { Ref: 'Queue' } } } },
    });
    const send = async (command: SendMessageCommand | ReceiveMessageCommand) => {
      const sqs = new SQSClient(clientOptions(deployment.cloud));
      const reply = await sqs.send(command as ReceiveMessageCommand);
      sqs.destroy();
      return reply;
    };
    await send(new SendMessageCommand({ QueueUrl: outputs.App?.Url, MessageBody: 'kept' }));
    await deployment.restart();
    const { Messages } = await send(new ReceiveMessageCommand({ QueueUrl: outputs.App?.Url }));
    expect(Messages).toMatchObject([{ Body: 'kept' }]);
  });
});
