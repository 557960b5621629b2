import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import { card, dashboardPage, filter } from './example-parts.ts';
import type * as routes from './routes.ts';

const summary = {
  id: IDS.dashboard,
  workspaceId: IDS.workspace,
  name: 'Sales',
  description: 'Revenue by region and month',
  ownerId: IDS.user,
  stage: 'production',
  isPublished: true,
  publishedVersion: 1,
  publishedAt: CHANGED_AT,
  publishedBy: IDS.user,
  hasUnpublishedChanges: false,
  counts: { pages: 1, cards: 1, filters: 1 },
  deletedAt: null,
  deletedBy: null,
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CHANGED_AT,
  revision: 2,
};
const texts = { layout: '{"columns":24}', theme: null, filterState: null, timezone: 'Europe/Berlin' };
const dashboard = { ...summary, ...texts };
export const details = { ...dashboard, pages: [dashboardPage], cards: [card], filters: [filter] };

const viewerMeta = { permission: 'editor', via: 'owner', isShared: false, canExport: true, canShare: true };

const draft = {
  ...dashboard,
  stage: 'draft',
  isPublished: false,
  publishedVersion: null,
  publishedAt: null,
  publishedBy: null,
  hasUnpublishedChanges: true,
  counts: { pages: 0, cards: 0, filters: 0 },
  updatedAt: CREATED_AT,
  revision: 1,
};

export const examples: ExamplesOf<typeof routes> = {
  listDashboards: { reply: page([summary]) },
  pageDashboards: { reply: { items: [{ ...summary, viewerMeta }], total: 1, nextCursor: null } },
  createDashboard: {
    request: { name: 'Sales', description: 'Revenue by region and month', layout: '{"columns":24}' },
    reply: draft,
  },
  getDashboard: { reply: { ...details, viewerMeta } },
  updateDashboard: { request: { stage: 'review' }, reply: { ...draft, stage: 'review', revision: 2 } },
  deleteDashboard: {},
  deleteDashboards: {
    request: { ids: [IDS.dashboard] },
    reply: { deleted: [IDS.dashboard], notFound: [], forbidden: [] },
  },
  restoreDashboard: { request: {}, reply: dashboard },
  duplicateDashboard: {
    reply: { ...draft, name: 'Copy of Sales', pages: [], cards: [], filters: [] },
  },
};
