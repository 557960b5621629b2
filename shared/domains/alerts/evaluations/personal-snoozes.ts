import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { readItems } from '../../../platform/storage/read-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { snoozeKey } from '../rules/index.ts';

interface Place {
  workspaceId: string;
  id: string;
}

const keyOf = ({ workspaceId, id: alertId }: Place, userId: string) => snoozeKey({ workspaceId, alertId }, userId);

/** Until when a person hears nothing of the rule; null ends it. */
export async function snoozeForPerson(table: Table, alert: Place, userId: string, until: string | null): Promise<void> {
  const expiresAt = Math.ceil((until === null ? table.now().getTime() : Date.parse(until)) / 1000);
  const Item = { ...keyOf(alert, userId), entity: 'alert-snooze', userId, until, expiresAt };
  await table.db.send(new PutCommand({ TableName: table.name, Item }));
}

/** Until when each of the people has snoozed the rule, by user id. */
export async function snoozesOf(
  table: Table,
  alert: Place,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const items = await readItems(
    table,
    userIds.map((userId) => keyOf(alert, userId)),
  );
  return new Map(items.flatMap(({ userId, until }) => (until === null ? [] : [[userId as string, until as string]])));
}

/** Those who have not snoozed the rule at the instant. */
export async function awakeAmong(
  table: Table,
  alert: Place,
  userIds: readonly string[],
  at: string,
): Promise<string[]> {
  const snoozes = await snoozesOf(table, alert, userIds);
  return userIds.filter((userId) => (snoozes.get(userId) ?? '') <= at);
}
