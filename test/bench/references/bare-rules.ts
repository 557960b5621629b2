import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { inParallel } from '../../../shared/platform/concurrency/in-parallel.ts';
import { workspaceKey } from '../../../shared/platform/storage/keys.ts';
import { openTable } from '../../../shared/platform/storage/table.ts';

/**
 * What storing the results of rules costs without a platform: for each rule, a bare process reads its state and
 * replaces it on the condition that the rule exists. Arguments: the endpoint, the table, the workspace, the ids of the
 * rules with commas. Prints the milliseconds.
 */
const [endpoint = '', tableName = '', workspaceId = '', ids = ''] = process.argv.slice(2);
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const table = openTable(tableName, new DynamoDBClient({ endpoint, region: 'us-east-1', credentials }));
const AT_ONCE = 8;

async function evaluate(id: string): Promise<void> {
  const Key = workspaceKey(workspaceId, `BARE-STATE#${id}`, 'all');
  await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  const evaluatedAt = new Date().toISOString();
  const state = { state: 'ok', health: 'ok', value: 1, earlier: [1, 1, 1], changedAt: evaluatedAt };
  await table.db.send(
    new TransactWriteCommand({
      TransactItems: [
        {
          ConditionCheck: {
            TableName: table.name,
            Key: workspaceKey(workspaceId, 'ALERT', id),
            ConditionExpression: 'attribute_exists(pk)',
          },
        },
        { Put: { TableName: table.name, Item: { ...Key, evaluatedAt, groups: { '=': state } } } },
      ],
    }),
  );
}

const rules = ids.split(',');
// The first requests open connections.
await inParallel(AT_ONCE, rules.slice(0, AT_ONCE), evaluate);
const startedAt = performance.now();
await inParallel(AT_ONCE, rules, evaluate);
console.log(JSON.stringify(performance.now() - startedAt));
