import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { expect, inject, it } from 'vitest';
import { AUDIT_ACTIONS } from '../../shared/platform/audit/actions.ts';
import { LOCAL } from '../support/api.ts';
import { STEADY_DEPLOYMENTS } from '../support/setup/ask.ts';

/** Runs after every API test: an action that no test has brought into the log is not yet a promise. */
it('every action of the audit log was logged', async () => {
  const logged = new Set<string>();
  for (const deployment of STEADY_DEPLOYMENTS) for (const action of await loggedIn(deployment)) logged.add(action);
  expect(AUDIT_ACTIONS.filter((action) => !logged.has(action))).toEqual([]);
});

async function loggedIn(deployment: string): Promise<Set<string>> {
  const reply = await fetch(`${inject('sharedSetup')}/deployments/${deployment}`);
  const { endpoint } = (await reply.json()) as { endpoint: string };
  const client = new DynamoDBClient({ endpoint, ...LOCAL });
  const { TableNames } = await client.send(new ListTablesCommand({}));
  const TableName = TableNames!.find((name) => name.startsWith('AnalyticsData'))!;
  const logged = new Set<string>();
  const entries = {
    TableName,
    FilterExpression: 'entity = :audit',
    ExpressionAttributeValues: { ':audit': 'audit' },
    ProjectionExpression: '#action',
    ExpressionAttributeNames: { '#action': 'action' },
  };
  for await (const page of paginateScan({ client: DynamoDBDocumentClient.from(client) }, entries)) {
    for (const { action } of page.Items ?? []) logged.add(action as string);
  }
  return logged;
}
