import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { BriefCache } from '../storage/cache.ts';
import { companyKey, type Key } from '../storage/keys.ts';
import type { Table } from '../storage/table.ts';

export const DEFAULT_RETENTION_DAYS = 365;
export const MIN_RETENTION_DAYS = 90;
export const MAX_RETENTION_DAYS = 3_650;

const TRUST_MS = 5_000;
const caches = new WeakMap<Table, BriefCache<number>>();

export const auditSettingsKey = (companyId: string): Key => companyKey(companyId, 'AUDIT-SETTINGS');

/** How long the company keeps entries. Each entry carries its end, so the setting is read with the writes. */
export function retentionDaysOf(table: Table, companyId: string): Promise<number> {
  let cache = caches.get(table);
  if (!cache) {
    cache = new BriefCache({ ttlMs: TRUST_MS });
    caches.set(table, cache);
  }
  return cache.get(companyId, table.now().getTime(), async () => {
    const found = await table.db.send(
      new GetCommand({ TableName: table.name, Key: auditSettingsKey(companyId), ConsistentRead: true }),
    );
    return (found.Item?.retentionDays as number | undefined) ?? DEFAULT_RETENTION_DAYS;
  });
}
