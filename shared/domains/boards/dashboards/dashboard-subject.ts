import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { grantReader } from '../../tenancy/grants/index.ts';
import type { SubjectKind, SubjectPart } from '../../tenancy/subjects/index.ts';
import { publishedFor, seenDashboard } from './reader.ts';
import { dashboardRepository } from './repository.ts';
import type { CardRecord } from './schemas.ts';
import { sightOf } from './sight.ts';
import { dashboardStore } from './store.ts';
import { dashboardVersions } from './versions.ts';

/** Dashboards, whose parts are their cards. */
export const DASHBOARD_SUBJECT: SubjectKind = {
  type: 'dashboard',
  read: { permission: 'dashboards:read' },
  partTypes: ['card'],
  present: (table, workspaceId, dashboardId) => dashboardStore(table).presentItem({ workspaceId, dashboardId }),

  async find(table, reader, id) {
    const [record, grant] = await Promise.all([
      dashboardRepository(table).get(reader.workspaceId, id),
      grantReader(table, 'dashboard')(reader, id),
    ]);
    const sight = record?.deletedAt === null ? sightOf({ ...reader, scope: null }, record, grant) : undefined;
    if (!record || !sight) return undefined;
    // Readers know it by the name that was published.
    const { name } = sight.seesDraft ? record : (record.published ?? record);
    const { ownerId } = record;
    return { type: 'dashboard', id, name, path: `/d/${id}`, mayEdit: sight.permission === 'editor', ownerId };
  },

  async parts(table, reader, id) {
    const cards = await seenCards(table, reader, id);
    return cards.map(partOf);
  },
};

/** The cards that a member sees, of the draft or of what was published; none of a dashboard that they may not see. */
export async function seenCards(table: Table, principal: Principal, id: string): Promise<readonly CardRecord[]> {
  const grantOf = grantReader(table, 'dashboard');
  try {
    const { state, sight } = await seenDashboard({ store: dashboardStore(table), grantOf }, { principal, id });
    return ((await publishedFor({ versions: dashboardVersions(table) }, state, sight)) ?? state).cards;
  } catch (error) {
    if (error instanceof AppError && error.code === 'DASHBOARD_NOT_FOUND') return [];
    throw error;
  }
}

function partOf({ id, title, chartSpec, savedQueryId }: CardRecord): SubjectPart {
  const saved = savedQueryId === null ? undefined : ({ kind: 'savedQuery', id: savedQueryId } as const);
  const source = chartSpec?.query.source ?? saved;
  return { type: 'card', id, name: title, ...(source && { source }) };
}
