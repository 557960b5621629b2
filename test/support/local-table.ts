import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { LocalCloud } from '../../packages/local-cloud/index.ts';
import { inProcess } from '../../packages/local-cloud/testing/index.ts';
import { openTable, type Table } from '../../shared/platform/storage/table.ts';
import { type Crash, dyingAt } from './crash.ts';

export const LOCAL_ACCESS = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

const clientOf = ({ endpoint, services }: LocalCloud) =>
  new DynamoDBClient({ endpoint, ...LOCAL_ACCESS, ...inProcess(services.aws.dynamodb) });

/** The one table as the stack has it, under the name `table`, on a local cloud. */
export async function createLocalTable(cloud: LocalCloud): Promise<void> {
  const db = clientOf(cloud);
  const index = (name: string, hash: string, range: string) => ({
    IndexName: name,
    KeySchema: [
      { AttributeName: hash, KeyType: 'HASH' as const },
      { AttributeName: range, KeyType: 'RANGE' as const },
    ],
    Projection: { ProjectionType: 'KEYS_ONLY' as const },
  });
  await db.send(
    new CreateTableCommand({
      TableName: 'table',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', 'collection', 'position', 'due', 'dueAt'].map((name) => ({
        AttributeName: name,
        AttributeType: 'S' as const,
      })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [index('byCollection', 'collection', 'position'), index('byDue', 'due', 'dueAt')],
    }),
  );
  db.destroy();
}

/** A client of that table whose process dies when `crash` says so, on a machine with this clock. */
export function openCrashingTable(cloud: LocalCloud, crash: Crash = () => undefined, ownMs = Date.now): Table {
  const table = openTable('table', clientOf(cloud), ownMs);
  table.db.middlewareStack.add(dyingAt(crash), { step: 'initialize' });
  return table;
}

export interface LocalTable {
  readonly cloud: LocalCloud;
  /** A client of the table, whose process dies when `crash` says so. */
  open(crash?: Crash): Table;
}

/** The table for all tests of a file, in a folder that goes away with it; there before the first test. */
export function useLocalTable(): LocalTable {
  let cloud: LocalCloud;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'analytics-table-'));
    cloud = await LocalCloud.open({ dataDir: folder, port: 0 });
    await createLocalTable(cloud);
  });
  afterAll(async () => {
    await cloud.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get cloud() {
      return cloud;
    },
    open: (crash) => openCrashingTable(cloud, crash),
  };
}
