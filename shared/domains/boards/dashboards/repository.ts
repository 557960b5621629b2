import { auditedRecords } from '../../../platform/audit/records.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { guardingCertification } from '../../tenancy/certifications/index.ts';
import { recordKey } from './keys.ts';
import type { DashboardRecord } from './records.ts';

export type DashboardRepository = Collection<DashboardRecord>;

/** The records of dashboards, without their texts and parts. A deleted one gives its name free. */
export const dashboardRepository = (table: Table): DashboardRepository =>
  collection<DashboardRecord>(table, {
    entity: 'dashboard',
    versioned: true,
    key: (workspaceId, dashboardId) => recordKey({ workspaceId, dashboardId }),
    unique: {
      of: ({ id, name, deletedAt }) => (deletedAt === null ? name : `deleted dashboard ${id}`),
      taken: 'DASHBOARD_NAME_TAKEN',
    },
    logs: guardingCertification<DashboardRecord>(
      table,
      { type: 'dashboard', meaning: ({ published }) => published?.meaning },
      auditedRecords<DashboardRecord>(table, {
        subject: 'dashboard',
        name: ({ name }) => name,
        members: {
          name: 'shown',
          description: 'shown',
          stage: 'shown',
          isPublished: 'shown',
          published: ({ version }) => ({ version }),
          deletedAt: 'shown',
        },
      }),
    ),
  });
