import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { admissionKey } from '../../../shared/domains/pipelines/store/run-keys.ts';
import { workspaceKey } from '../../../shared/platform/storage/keys.ts';
import { openTable } from '../../../shared/platform/storage/table.ts';

/**
 * What reading costs without a platform: an HTTP server that does the same reads with the same SDK and answers what it
 * found. Arguments: the endpoint, the table, the workspace. Prints its address.
 */
const [endpoint = '', tableName = '', workspaceId = ''] = process.argv.slice(2);
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const table = openTable(tableName, new DynamoDBClient({ endpoint, region: 'us-east-1', credentials }));

const READS: Record<string, (id: string) => Promise<unknown>> = {
  /** A webhook and its health. */
  async webhooks(id) {
    const { pk, sk } = workspaceKey(workspaceId, 'WEBHOOK', id);
    const { Items = [] } = await table.db.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :beginning)',
        ExpressionAttributeValues: { ':pk': pk, ':beginning': sk },
        ConsistentRead: true,
      }),
    );
    if (!Items[0]) throw new Error(`there is no webhook ${id}`);
    return Items[0];
  },
  async pipelines(id) {
    const pipeline = await get('PIPELINE', id);
    const reply = await table.db.send(
      new BatchGetCommand({
        RequestItems: { [table.name]: { Keys: [admissionKey(workspaceId, id)], ConsistentRead: true } },
      }),
    );
    return { ...pipeline, admission: reply.Responses?.[table.name]?.[0] };
  },
};

const server = createServer(async (request, response) => {
  const [, area = '', id = ''] = (request.url ?? '').split('/');
  const body = Buffer.from(JSON.stringify(await READS[area]!(id)));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

async function get(area: string, id: string): Promise<Record<string, unknown>> {
  const key = workspaceKey(workspaceId, area, id);
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }));
  if (!Item) throw new Error(`there is no ${area} ${id}`);
  return Item;
}
