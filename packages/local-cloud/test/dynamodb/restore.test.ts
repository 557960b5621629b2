import {
  DeleteItemCommand,
  DescribeTableCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  RestoreTableToPointInTimeCommand,
  UpdateContinuousBackupsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ManualClock } from '../../core/clock.ts';
import { type LocalDynamoDb, startDynamoDb } from './local-dynamodb.ts';
import { createSampleTable, person, put, rejection } from './sample-table.ts';

let db: LocalDynamoDb;
const clock = new ManualClock();
beforeAll(async () => {
  db = await startDynamoDb({ clock });
});
afterAll(() => db.close());

const SECOND = 1000;
const describeTable = async (TableName: string) =>
  (await db.client.send(new DescribeTableCommand({ TableName }))).Table;
const restore = (SourceTableName: string, TargetTableName: string, at?: number) =>
  db.client.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName,
      TargetTableName,
      ...(at === undefined ? { UseLatestRestorableTime: true } : { RestoreDateTime: new Date(at) }),
    }),
  );

async function recoverableTable(settings = {}): Promise<string> {
  const table = await createSampleTable(db.client, settings);
  await db.client.send(
    new UpdateContinuousBackupsCommand({
      TableName: table,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  );
  return table;
}

it('restores items and indexes to a moment, and no settings', async () => {
  const table = await recoverableTable({
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    DeletionProtectionEnabled: true,
  });
  const anna = person('oslo', 1, { team: { S: 'red' }, age: { N: '30' } });
  const bo = person('oslo', 2, { team: { S: 'red' }, age: { N: '40' } });
  await put(db.client, table, anna, bo);
  await clock.advance(SECOND);
  const moment = clock.now();
  await clock.advance(SECOND);
  await put(db.client, table, { ...anna, team: { S: 'blue' } }, { ...anna, team: { S: 'green' } });
  await db.client.send(new DeleteItemCommand({ TableName: table, Key: { pk: bo.pk!, sk: bo.sk! } }));
  await put(db.client, table, person('oslo', 3));

  await restore(table, `${table}-then`, moment);
  await restore(table, `${table}-now`);
  const reds = async (TableName: string) =>
    (
      await db.client.send(
        new QueryCommand({
          TableName,
          IndexName: 'byTeam',
          KeyConditionExpression: 'team = :red',
          ExpressionAttributeValues: { ':red': { S: 'red' } },
        }),
      )
    ).Count;
  expect(await reds(`${table}-then`)).toBe(2);
  expect(await reds(`${table}-now`)).toBe(0);
  const restored = await describeTable(`${table}-then`);
  expect(restored).toMatchObject({ TableStatus: 'ACTIVE', ItemCount: 2, DeletionProtectionEnabled: false });
  expect(restored?.StreamSpecification).toBeUndefined();
  expect(await describeTable(`${table}-now`)).toMatchObject({ ItemCount: 2 });
  expect(await describeTable(table)).toMatchObject({ ItemCount: 2, DeletionProtectionEnabled: true });
  const Key = { pk: anna.pk!, sk: anna.sk! };
  expect((await db.client.send(new GetItemCommand({ TableName: `${table}-then`, Key }))).Item).toEqual(anna);
  await db.client.send(new PutItemCommand({ TableName: `${table}-then`, Item: person('rome', 1) }));
  expect(await describeTable(table)).toMatchObject({ ItemCount: 2 });
});

it('rejects what it cannot restore', async () => {
  const unprepared = await createSampleTable(db.client);
  expect(await rejection(restore(unprepared, 'x-y-z'))).toMatchObject({
    name: 'PointInTimeRecoveryUnavailableException',
  });
  expect(await rejection(restore('no-such-table', 'x-y-z'))).toMatchObject({ name: 'TableNotFoundException' });
  const table = await recoverableTable();
  expect(await rejection(restore(table, table))).toMatchObject({ name: 'TableAlreadyExistsException' });
  await clock.advance(SECOND);
  for (const at of [clock.now() - SECOND, clock.now() + 60 * SECOND]) {
    expect(await rejection(restore(table, 'x-y-z', at))).toMatchObject({ name: 'InvalidRestoreTimeException' });
  }
});
