import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { dashboardRepository, type EndedDashboard } from '../../boards/dashboards/index.ts';
import { type EndedReport, reportRepository } from '../../boards/reports/index.ts';
import { endFollows } from '../../delivery/notifications/index.ts';
import type { EndedObject } from '../../tenancy/grants/index.ts';
import type { CommentPlace } from './keys.ts';
import { endComments } from './store.ts';

/** An object that people could comment on, and that nothing else is kept of. */
export type EndedSubject = { kind: 'subject'; workspaceId: string; type: string; id: string };

/** What people have added to an object that has ended. */
export const endSubject = async (table: Table, place: CommentPlace, isOver: () => boolean): Promise<boolean> =>
  (await endComments(table, place, isOver)) && endFollows(table, place, isOver);

/** The comments on an object end with it, and so do its followers. */
export const subjectCleanUps: readonly [
  CleanUp<EndedSubject>,
  CleanUp<EndedObject>,
  CleanUp<EndedDashboard>,
  CleanUp<EndedReport>,
] = [
  {
    kind: 'subject',
    remove: (table, { workspaceId, type, id }, isOver) => endSubject(table, { workspaceId, type, id }, isOver),
  },
  {
    kind: 'object',
    remove: (table, { workspaceId, objectType: type, objectId: id }, isOver) =>
      endSubject(table, { workspaceId, type, id }, isOver),
  },
  {
    kind: 'dashboard',
    async remove(table, { workspaceId, dashboardId: id }, isOver) {
      // It was restored, or only a generation of its parts has ended.
      if (await dashboardRepository(table).get(workspaceId, id)) return true;
      return endSubject(table, { workspaceId, type: 'dashboard', id }, isOver);
    },
  },
  {
    kind: 'report',
    async remove(table, { workspaceId, reportId: id }, isOver) {
      if (await reportRepository(table).get(workspaceId, id)) return true;
      return endSubject(table, { workspaceId, type: 'report', id }, isOver);
    },
  },
];
