import type { CurrentUses, ReferrerKind } from '../../../platform/storage/referrers.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { recordKey } from './keys.ts';
import type { DashboardRecord } from './records.ts';
import { dashboardPlaceOf, dashboardStore } from './store.ts';
import { usesIn } from './uses-in.ts';
import { dashboardVersions } from './versions.ts';

/**
 * Dashboards use what their draft shows, and what their readers see. A deleted one uses nothing until it is restored.
 */
export const DASHBOARD_USES: ReferrerKind = {
  type: 'dashboard',

  async read(table, workspaceId, dashboardId): Promise<CurrentUses | undefined> {
    const place = { workspaceId, dashboardId };
    const store = dashboardStore(table);
    const state = await store.read(place);
    if (!state) return undefined;
    const { record, body, cards, content } = state;
    const unchanged = [store.unchangedItem(place, content), sameRevision(table, record)];
    if (record.deletedAt !== null) return { name: record.name, uses: [], unchanged };
    const published =
      record.isPublished && record.published
        ? await dashboardVersions(table).read(place, record.published.version)
        : undefined;
    const uses = [...usesIn({ ...body, cards }), ...(published ? usesIn(published) : [])];
    return { name: record.name, uses, unchanged };
  },
};

function sameRevision(table: Table, record: DashboardRecord): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: recordKey(dashboardPlaceOf(record)),
      ConditionExpression: 'revision = :seen',
      ExpressionAttributeValues: { ':seen': record.revision },
    },
  };
}
