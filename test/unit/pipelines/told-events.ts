import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { RunPlane } from './run-plane.ts';

/** What the events of one name tell that wait in the outbox of the plane's workspace. */
export async function toldEvents(plane: RunPlane, event: string): Promise<Record<string, unknown>[]> {
  const found = await plane.context.table.db.send(
    new QueryCommand({
      TableName: 'table',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': `W#${plane.workspaceId}#OUTBOX` },
    }),
  );
  const items = (found.Items ?? []).filter((item) => item.event === event);
  return items.map(({ data }) => data as Record<string, unknown>);
}
