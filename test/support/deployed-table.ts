import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { openTable, type Table } from '../../shared/platform/storage/table.ts';

/** The developer's credentials of the local cloud: everything is allowed. */
export const LOCAL = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

const tables = new Map<string, Promise<Table>>();

/** The table of the deployment at the endpoint. */
export function deployedTable(endpoint: string): Promise<Table> {
  const table = tables.get(endpoint) ?? open(endpoint);
  tables.set(endpoint, table);
  return table;
}

async function open(endpoint: string): Promise<Table> {
  const client = new DynamoDBClient({ endpoint, ...LOCAL });
  const { TableNames } = await client.send(new ListTablesCommand({}));
  return openTable(TableNames!.find((name) => name.startsWith('AnalyticsData'))!, client);
}
