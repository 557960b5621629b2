import { type CardDeps, LIVE_CARD_MAX_AGE_SECONDS } from '../shared/domains/cards/index.ts';
import { type DashboardStore, dashboardStore, dashboardVersions } from '../shared/domains/dashboards/index.ts';
import { grantReader } from '../shared/domains/grants/index.ts';
import { metricRepository } from '../shared/domains/metrics/index.ts';
import { sourceTables } from '../shared/domains/models/index.ts';
import { openQueries } from '../shared/domains/queries/index.ts';
import { savedQueryRepository } from '../shared/domains/saved-queries/index.ts';
import { environment, type OpenGroup } from '../shared/platform/http/open-group.ts';
import { objectStore } from '../shared/platform/objects/object-store.ts';

/** What the functions that read cards of dashboards need. */
export function openCards(group: OpenGroup): CardDeps & { store: DashboardStore } {
  const { table } = group;
  const queries = openQueries(group);
  return {
    ...queries,
    liveMaxAgeSeconds: LIVE_CARD_MAX_AGE_SECONDS,
    definitions: queries.rights.definitions,
    readTables: sourceTables(table, objectStore(environment('DATA_BUCKET'))),
    savedQueries: savedQueryRepository(table).queries,
    metrics: metricRepository(table),
    store: dashboardStore(table),
    versions: dashboardVersions(table),
    grantOf: grantReader(table, 'dashboard'),
  };
}
