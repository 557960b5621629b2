import { type CardDeps, LIVE_CARD_MAX_AGE_SECONDS } from '../../../shared/domains/boards/cards/index.ts';
import {
  type DashboardStore,
  dashboardStore,
  dashboardVersions,
} from '../../../shared/domains/boards/dashboards/index.ts';
import { deprecatedSources } from '../../../shared/domains/tenancy/certifications/index.ts';
import { grantReader } from '../../../shared/domains/tenancy/grants/index.ts';
import type { OpenGroup } from '../../../shared/platform/http/open-group.ts';
import type { NoticeDeps } from './card-results.ts';
import { openCharts } from './open-charts.ts';

/** What the functions that read cards of dashboards need. */
export function openCards(group: OpenGroup): CardDeps & NoticeDeps & { store: DashboardStore } {
  const { table } = group;
  return {
    ...openCharts(group),
    liveMaxAgeSeconds: LIVE_CARD_MAX_AGE_SECONDS,
    store: dashboardStore(table),
    versions: dashboardVersions(table),
    grantOf: grantReader(table, 'dashboard'),
    deprecatedSources: deprecatedSources.bind(undefined, table),
  };
}
