import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { workspaceKey } from '../../../shared/platform/storage/keys.ts';
import type { Api } from '../api.ts';

const HOUR_SECONDS = 3600;
type Area = 'LINK-QUERIES' | 'LINK-DRAWINGS';

/** A test may pass the end of an hour. */
function keysOf(api: Api, area: Area, linkId: string) {
  const now = Math.floor(Date.now() / 1000);
  const hour = now - (now % HOUR_SECONDS);
  return [hour - HOUR_SECONDS, hour, hour + HOUR_SECONDS].map((each) =>
    workspaceKey(api.workspaceId, `${area}#${each}`, linkId),
  );
}

/** As if the readers of the link had used so much of what it has in this hour. */
export async function setUsed(api: Api, area: Area, linkId: string, used: number): Promise<void> {
  for (const key of keysOf(api, area, linkId))
    await api.table.db.send(new PutCommand({ TableName: api.table.name, Item: { ...key, used } }));
}

/** How much the readers of the link have used in the last hours. */
export async function usedBy(api: Api, area: Area, linkId: string): Promise<number> {
  let sum = 0;
  for (const Key of keysOf(api, area, linkId)) {
    const { Item } = await api.table.db.send(new GetCommand({ TableName: api.table.name, Key, ConsistentRead: true }));
    sum += (Item?.used as number | undefined) ?? 0;
  }
  return sum;
}
