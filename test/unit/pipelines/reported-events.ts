import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { RunSetup } from './run-setup.ts';

/** The details of the events of one name that wait in the outbox of the setup's workspace. */
export async function reportedEvents(setup: RunSetup, event: string): Promise<Record<string, unknown>[]> {
  const found = await setup.context.table.db.send(
    new QueryCommand({
      TableName: 'table',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': `W#${setup.workspaceId}#OUTBOX` },
    }),
  );
  const items = (found.Items ?? []).filter((item) => item.event === event);
  return items.map(({ data }) => data as Record<string, unknown>);
}
