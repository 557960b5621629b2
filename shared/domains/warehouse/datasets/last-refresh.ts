import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ChangedValues } from '../../../data/files/changed-values.ts';
import { Id, Nullable, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { JobError } from '../../../platform/jobs/record.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';

export const LastRefresh = Type.Object(
  {
    status: StringEnum(['succeeded', 'failed', 'cancelled']),
    at: Timestamp,
    error: Nullable(JobError),
    jobId: Id,
    version: Type.Optional(Type.Integer({ description: 'The version that a successful refresh has added.' })),
    changedValues: Type.Optional(
      Type.Array(ChangedValues, {
        description: 'The columns with values that could not be kept exactly; absent if all values were.',
      }),
    ),
  },
  { $id: 'DatasetLastRefresh', description: 'How the last refresh ended.' },
);
export type LastRefresh = Static<typeof LastRefresh>;

export const lastRefreshKey = (workspaceId: string, datasetId: string): Key =>
  workspaceKey(workspaceId, `DATASET#${datasetId}`, 'LAST-REFRESH');

/** Written with the end of a refresh. A separate item, so that a failed refresh does not change the dataset. */
export function lastRefreshItem(
  table: Table,
  dataset: { workspaceId: string; id: string },
  last: LastRefresh,
): TransactItem {
  const Item = { ...lastRefreshKey(dataset.workspaceId, dataset.id), entity: 'dataset-last-refresh', ...last };
  return { Put: { TableName: table.name, Item } };
}

export function removeLastRefreshItem(table: Table, workspaceId: string, datasetId: string): TransactItem {
  return { Delete: { TableName: table.name, Key: lastRefreshKey(workspaceId, datasetId) } };
}

/** How the last refresh of each of up to 200 datasets ended, by dataset id; absent for a dataset without a refresh. */
export async function readLastRefreshes(
  table: Table,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, LastRefresh>> {
  const found = new Map<string, LastRefresh>();
  for (let start = 0; start < ids.length; start += 100) {
    let keys = ids.slice(start, start + 100).map((id) => lastRefreshKey(workspaceId, id));
    while (keys.length > 0) {
      const reply = await table.db.send(
        new BatchGetCommand({ RequestItems: { [table.name]: { Keys: keys, ConsistentRead: true } } }),
      );
      for (const item of reply.Responses?.[table.name] ?? []) {
        const { pk, sk: _sk, entity: _entity, ...last } = item as LastRefresh & Key & { entity: string };
        found.set(pk.split('#')[3]!, last);
      }
      keys = (reply.UnprocessedKeys?.[table.name]?.Keys ?? []) as Key[];
    }
  }
  return found;
}
