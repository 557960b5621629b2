import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  GetItemCommand,
  ListTablesCommand,
  ListTagsOfResourceCommand,
  PutItemCommand,
  QueryCommand,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, engineStarters } from './engines.ts';
import { keeps } from './known-differences.ts';
import { type LocalDynamoDb, startDynamoDb } from './local-dynamodb.ts';
import { createSampleTable, person, put, rejection } from './sample-table.ts';

describe.each(engineStarters)('tables on %s', (name, start) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await start();
  });
  afterAll(() => engine.close());

  const promise = (title: string, check: () => Promise<void>) => {
    if (keeps(name, title)) it(title, check);
  };
  const describeTable = async (table: string) =>
    (await engine.client.send(new DescribeTableCommand({ TableName: table }))).Table;

  promise('describes a table as it was created', async () => {
    const table = await createSampleTable(engine.client, {
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      DeletionProtectionEnabled: true,
    });
    expect(await describeTable(table)).toMatchObject({
      TableName: table,
      TableStatus: 'ACTIVE',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byTeam',
          IndexStatus: 'ACTIVE',
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['label'] },
        },
      ],
      LocalSecondaryIndexes: [{ IndexName: 'byAge', Projection: { ProjectionType: 'KEYS_ONLY' } }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      DeletionProtectionEnabled: true,
    });
  });

  promise('rejects deletion of a protected table, and deletes it once the protection is off', async () => {
    const table = await createSampleTable(engine.client, { DeletionProtectionEnabled: true });
    const deletion = () => engine.client.send(new DeleteTableCommand({ TableName: table }));
    expect(await rejection(deletion())).toEqual({
      name: 'ValidationException',
      message:
        'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    });
    await engine.client.send(new UpdateTableCommand({ TableName: table, DeletionProtectionEnabled: false }));
    await deletion();
    expect(await rejection(engine.client.send(new DescribeTableCommand({ TableName: table })))).toEqual({
      name: 'ResourceNotFoundException',
      message: `Requested resource not found: Table: ${table} not found`,
    });
    const list = await engine.client.send(new ListTablesCommand({}));
    expect(list.TableNames).not.toContain(table);
  });

  promise('fills a new index with existing items, and drops an old one', async () => {
    const table = await createSampleTable(engine.client);
    await put(
      engine.client,
      table,
      person('Oslo', 1, { colour: { S: 'red' } }),
      person('Oslo', 2),
      person('Rome', 1, { colour: { S: 'red' } }),
    );
    await engine.client.send(
      new UpdateTableCommand({
        TableName: table,
        AttributeDefinitions: [{ AttributeName: 'colour', AttributeType: 'S' }],
        GlobalSecondaryIndexUpdates: [
          {
            Create: {
              IndexName: 'byColour',
              KeySchema: [{ AttributeName: 'colour', KeyType: 'HASH' }],
              Projection: { ProjectionType: 'ALL' },
            },
          },
        ],
      }),
    );
    const query = () =>
      engine.client.send(
        new QueryCommand({
          TableName: table,
          IndexName: 'byColour',
          KeyConditionExpression: 'colour = :red',
          ExpressionAttributeValues: { ':red': { S: 'red' } },
        }),
      );
    await put(engine.client, table, person('Oslo', 3, { colour: { S: 'red' } }));
    expect((await query()).Count).toBe(3);
    await engine.client.send(
      new UpdateTableCommand({
        TableName: table,
        GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byColour' } }],
      }),
    );
    expect((await rejection(query())).message).toBe('The table does not have the specified index: byColour');
    const defined = (await describeTable(table))?.AttributeDefinitions?.map(({ AttributeName }) => AttributeName);
    expect(defined).not.toContain('colour');
  });

  promise('enables and disables time to live once', async () => {
    const table = await createSampleTable(engine.client);
    const set = (Enabled: boolean) =>
      engine.client.send(
        new UpdateTimeToLiveCommand({
          TableName: table,
          TimeToLiveSpecification: { Enabled, AttributeName: 'expiresAt' },
        }),
      );
    const status = async () =>
      (await engine.client.send(new DescribeTimeToLiveCommand({ TableName: table }))).TimeToLiveDescription;
    expect(await status()).toEqual({ TimeToLiveStatus: 'DISABLED' });
    await set(true);
    expect(await status()).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expiresAt' });
    expect(await rejection(set(true))).toMatchObject({ message: 'TimeToLive is already enabled' });
    await set(false);
    expect(await rejection(set(false))).toMatchObject({ message: 'TimeToLive is already disabled' });
  });

  promise('records point-in-time recovery', async () => {
    const table = await createSampleTable(engine.client);
    const status = async () =>
      (await engine.client.send(new DescribeContinuousBackupsCommand({ TableName: table })))
        .ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus;
    expect(await status()).toBe('DISABLED');
    await engine.client.send(
      new UpdateContinuousBackupsCommand({
        TableName: table,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
    );
    expect(await status()).toBe('ENABLED');
  });

  promise('keeps the tags of a table', async () => {
    const table = await createSampleTable(engine.client, { Tags: [{ Key: 'team', Value: 'data' }] });
    const ResourceArn = (await describeTable(table))?.TableArn;
    await engine.client.send(new TagResourceCommand({ ResourceArn, Tags: [{ Key: 'stage', Value: 'test' }] }));
    await engine.client.send(new UntagResourceCommand({ ResourceArn, TagKeys: ['team'] }));
    const { Tags } = await engine.client.send(new ListTagsOfResourceCommand({ ResourceArn }));
    expect(Tags).toEqual([{ Key: 'stage', Value: 'test' }]);
  });

  const base = {
    TableName: 'rejected',
    BillingMode: 'PAY_PER_REQUEST' as const,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' as const }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
  };
  it.each([
    [
      { TableName: 'x' },
      "Value 'x' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3",
    ],
    [
      { ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } },
      'One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
    ],
    [
      { KeySchema: [{ AttributeName: 'pk', KeyType: 'RANGE' as const }] },
      'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
    ],
    [
      { GlobalSecondaryIndexes: [] },
      'One or more parameter values were invalid: List of GlobalSecondaryIndexes is empty',
    ],
  ])('rejects an invalid table (%#)', async (input, message) => {
    expect(await rejection(engine.client.send(new CreateTableCommand({ ...base, ...input })))).toEqual({
      name: 'ValidationException',
      message,
    });
  });

  promise('rejects unknown table settings by name', async () => {
    const rejected = engine.client.send(
      new CreateTableCommand({ ...base, WarmThroughput: { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 4_000 } }),
    );
    expect(await rejection(rejected)).toEqual({
      name: 'UnsupportedOperationException',
      message: 'The local cloud does not support the parameter WarmThroughput of CreateTable (dynamodb).',
    });
  });
});

describe('DynamoDB after a restart', () => {
  let db: LocalDynamoDb;
  beforeAll(async () => {
    db = await startDynamoDb();
  });
  afterAll(() => db.close());

  it('has its tables, settings, items, index entries and tokens', async () => {
    const table = await createSampleTable(db.client, { Tags: [{ Key: 'a', Value: 'b' }] });
    await put(db.client, table, person('Oslo', 1, { team: { S: 'red' }, age: { N: '1' } }));
    const before = await db.client.send(new DescribeTableCommand({ TableName: table }));
    db = await db.restart();
    const after = await db.client.send(new DescribeTableCommand({ TableName: table }));
    expect(after.Table).toEqual(before.Table);
    expect((await db.client.send(new GetItemCommand({ TableName: table, Key: person('Oslo', 1) }))).Item).toBeDefined();
    const found = await db.client.send(
      new QueryCommand({
        TableName: table,
        IndexName: 'byTeam',
        KeyConditionExpression: 'team = :red',
        ExpressionAttributeValues: { ':red': { S: 'red' } },
      }),
    );
    expect(found.Count).toBe(1);
  });

  it.each([
    ['Expected', { Expected: { a: { Exists: false } } }],
    ['ConditionalOperator', { ConditionalOperator: 'AND' as const }],
  ])('rejects the legacy parameter %s by name', async (parameter, input) => {
    const rejected = db.client.send(new PutItemCommand({ TableName: 'any', Item: person('Oslo', 1), ...input }));
    expect(await rejection(rejected)).toEqual({
      name: 'UnsupportedOperationException',
      message: `The local cloud does not support the legacy parameter ${parameter} of PutItem (dynamodb).`,
    });
  });
});
