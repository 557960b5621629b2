import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { directoryKey, userRecordKey } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { itemsBelow } from '../../../shared/platform/storage/query-items.ts';
import { readItems } from '../../../shared/platform/storage/read-items.ts';
import { openTable } from '../../../shared/platform/storage/table.ts';
import { transact } from '../../../shared/platform/storage/transact.ts';

/**
 * What a directory costs without a platform, by the same SDK on the same table. Arguments: the endpoint, the table, and
 * either `write` with a number of users and of clients, or `list` with a company and a page size. Prints the
 * milliseconds.
 */
const [endpoint = '', tableName = '', task = '', ...rest] = process.argv.slice(2);
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const table = openTable(tableName, new DynamoDBClient({ endpoint, region: 'us-east-1', credentials }));

/**
 * The account, its profile, two unique names, its place in the list, the membership of two sides and the entry of the
 * audit log.
 */
const ITEMS_PER_USER = 8;

const startedAt = performance.now();
if (task === 'write') await write(Number(rest[0]), Number(rest[1]));
else await list(rest[0]!, Number(rest[1]));
console.log(JSON.stringify({ ms: performance.now() - startedAt }));

async function write(users: number, clients: number): Promise<void> {
  let left = users;
  const client = async () => {
    while (left-- > 0) {
      const id = crypto.randomUUID();
      const items = Array.from({ length: ITEMS_PER_USER }, (_, index) => ({
        Put: {
          TableName: table.name,
          Item: { pk: `BENCH#${id}`, sk: String(index), userName: `${id}@example.com`, text: 'x'.repeat(200) },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      }));
      await transact(table, items);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

async function list(companyId: string, pageSize: number): Promise<void> {
  const { pk } = directoryKey(companyId, '', '');
  const ids = await Array.fromAsync(itemsBelow(table, { pk, sk: '' }), ({ userId }) => userId as string);
  for (let start = 0; start < ids.length; start += pageSize) {
    const users = await readItems(table, ids.slice(start, start + pageSize).map(userRecordKey));
    JSON.stringify(users);
  }
}
