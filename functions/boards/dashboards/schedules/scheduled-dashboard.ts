import { hasRows, namedCard, queryOf, wantedCards } from '../../../../shared/domains/boards/cards/index.ts';
import { type DashboardState, editedDashboard } from '../../../../shared/domains/boards/dashboards/index.ts';
import {
  type DashboardSchedule,
  hasFilters,
  type ObjectNamed,
  type ScheduledObject,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import type { Issue } from '../../../../shared/platform/errors/app-error.ts';
import type { DashboardDeps } from '../use-cases/context.ts';

/** The draft as its schedules need it. Throws `DASHBOARD_NOT_FOUND`. */
export async function scheduledDashboard(
  deps: Pick<DashboardDeps, 'store'>,
  named: ObjectNamed,
): Promise<ScheduledObject<DashboardSchedule>> {
  const state = await editedDashboard(deps, named);
  const hasPage = (pageId: string | null) => pageId === null || state.pages.some(({ id }) => id === pageId);
  return {
    presentItem: deps.store.presentItem({ workspaceId: named.principal.workspaceId, dashboardId: named.id }),
    issues: ({ pageId, filters }, before) => [
      ...filterIssues(filters, state),
      // An unchanged page may have been deleted since the last change.
      ...(pageId === before?.pageId || hasPage(pageId)
        ? []
        : [{ pointer: '/pageId', code: 'UNKNOWN', message: 'is not a page of the dashboard' }]),
    ],
    stopReason(schedule) {
      if (!hasPage(schedule.pageId)) return 'PAGE_DELETED';
      return hasFilters(state, schedule) ? null : 'FILTER_DELETED';
    },
    sources({ pageId }) {
      const cards = pageId !== null && hasPage(pageId) ? wantedCards(state, { pageId }) : state.cards;
      return cards.filter(hasRows).map((card) => ({ name: namedCard(card), source: queryOf(card).source }));
    },
  };
}

function filterIssues(given: DashboardSchedule['filters'], { filters }: DashboardState): Issue[] {
  const known = new Set(filters.map(({ id }) => id));
  return given.flatMap(({ filterId, fieldId }, index): Issue[] => {
    const pointer = `/filters/${index}`;
    if ((filterId === undefined) === (fieldId === undefined))
      return [{ pointer, code: 'REQUIRED', message: 'needs either `filterId` or `fieldId`' }];
    if (filterId === undefined || known.has(filterId)) return [];
    return [{ pointer: `${pointer}/filterId`, code: 'UNKNOWN', message: 'is not a filter of the dashboard' }];
  });
}
