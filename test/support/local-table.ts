import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { openTable, type Table } from '../../shared/storage/table.ts';
import { type Crash, dyingAt } from './crash.ts';

export const LOCAL_ACCESS = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

/** The one table as the stack has it, under the name `table`, on a local cloud. */
export async function createLocalTable(endpoint: string): Promise<void> {
  const db = new DynamoDBClient({ endpoint, ...LOCAL_ACCESS });
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

/** A client of that table whose process dies when `crash` says so. */
export function openCrashingTable(endpoint: string, crash: Crash): Table {
  const table = openTable('table', new DynamoDBClient({ endpoint, ...LOCAL_ACCESS }));
  table.db.middlewareStack.add(dyingAt(crash), { step: 'initialize' });
  return table;
}
