import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { refreshKey } from './keys.ts';
import type { AlertRecord } from './records.ts';

/** The least time between two evaluations of a rule after new versions. */
export const REFRESH_GAP_MS = 5 * 60_000;

const KEPT_SECONDS = 24 * 60 * 60;

/** An evaluation of a rule after a new version. */
export interface Refresh {
  at: string;
  /** Whether it was left to a later time, at which it reads every version until then. */
  isPlanned: boolean;
}

/** When rules are evaluated after new versions. */
export interface Refreshes {
  /** The last one of each rule, by the id of the rule. */
  read(alerts: readonly AlertRecord[]): Promise<ReadonlyMap<string, Refresh>>;
  /** Returns false if the last one is not the one that was read, because another worker was faster. */
  set(alert: AlertRecord, before: Refresh | undefined, next: Refresh): Promise<boolean>;
}

export function refreshTimes(table: Table): Refreshes {
  const keyOf = ({ workspaceId, id: alertId }: AlertRecord) => refreshKey({ workspaceId, alertId });
  return {
    async read(alerts) {
      const items = await readItems(table, alerts.map(keyOf));
      return new Map(items.map(({ alertId, at, isPlanned }) => [alertId as string, { at, isPlanned } as Refresh]));
    },

    set(alert, before, next) {
      const expiresAt = Math.ceil(Date.parse(next.at) / 1000) + KEPT_SECONDS;
      const Item = { ...keyOf(alert), entity: 'alert-refresh', alertId: alert.id, ...next, expiresAt };
      const condition = before
        ? {
            ConditionExpression: '#at = :before',
            ExpressionAttributeNames: { '#at': 'at' },
            ExpressionAttributeValues: { ':before': before.at },
          }
        : { ConditionExpression: 'attribute_not_exists(pk)' };
      return ifHolds(table.db.send(new PutCommand({ TableName: table.name, Item, ...condition })));
    },
  };
}
