import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CREATED_AT, IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const given = {
  name: 'Europe',
  state: { pageId: 'overview', filters: { [IDS.filter]: ['eu'] } },
  isDefault: true,
  isPersonal: true,
};
const bookmark = {
  id: IDS.bookmark,
  dashboardId: IDS.dashboard,
  ...given,
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

export const examples: ExamplesOf<typeof routes> = {
  listDashboardBookmarks: { reply: { items: [bookmark], total: 1 } },
  createDashboardBookmark: { request: given, reply: bookmark },
  updateDashboardBookmark: {
    request: { isDefault: false },
    reply: { ...bookmark, isDefault: false, revision: 2 },
  },
  deleteDashboardBookmark: {},
};
