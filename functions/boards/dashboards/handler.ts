import {
  checkChart,
  type ProtectedDeps,
  type ReadingCard,
  roleOf,
  tablesOfCard,
} from '../../../shared/domains/boards/charts/index.ts';
import {
  bookmarkRepository,
  dashboardRepository,
  dashboardStore,
  dashboardVersions,
} from '../../../shared/domains/boards/dashboards/index.ts';
import { DASHBOARDS, type DashboardSchedule } from '../../../shared/domains/boards/delivery-schedules/index.ts';
import { themeRepository } from '../../../shared/domains/boards/themes/index.ts';
import { engineFunction } from '../../../shared/domains/engine/index.ts';
import { publishCheck } from '../../../shared/domains/quality/index.ts';
import { blendRepository } from '../../../shared/domains/semantics/blends/index.ts';
import { metricRepository } from '../../../shared/domains/semantics/metrics/index.ts';
import { modelRepository, sourceTables, withCurrentColumns } from '../../../shared/domains/semantics/models/index.ts';
import { describeDatasetStatement, findLiveSource } from '../../../shared/domains/semantics/queries/index.ts';
import { rightsDeps } from '../../../shared/domains/semantics/row-rights/index.ts';
import { sampleValues, savedQueryRepository } from '../../../shared/domains/semantics/saved-queries/index.ts';
import { grantCheck, grantReader, grantsTo, objectGrants } from '../../../shared/domains/tenancy/grants/index.ts';
import { listMembers, mayExport, readWorkspace } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { datasetRepository } from '../../../shared/domains/warehouse/datasets/index.ts';
import { dataSourceRepository } from '../../../shared/domains/warehouse/sources/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { bind, bindPublic } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { cleanUpItem } from '../../../shared/platform/storage/clean-ups.ts';
import { showingDefinitions } from '../../catalog/common/showing-definitions.ts';
import { openDeliveries } from '../../delivery/schedules/open-deliveries.ts';
import * as accessRoutes from './access/routes.ts';
import { findCandidates, grantAccess, listAccess, revokeAccess, setAccess } from './access/use-cases.ts';
import * as bookmarkRoutes from './bookmarks/routes.ts';
import { createBookmark, deleteBookmark, listBookmarks, updateBookmark } from './bookmarks/use-cases.ts';
import * as fileRoutes from './files/routes.ts';
import { exportDashboard, type FileDeps, importDashboard } from './files/use-cases.ts';
import { createCard, deleteCard, reorderCards, updateCard, updateCards } from './parts/cards.ts';
import { createFilter, deleteFilter, updateFilter } from './parts/filters.ts';
import { createPage, deletePage, reorderPages, updatePage } from './parts/pages.ts';
import * as partRoutes from './parts/routes.ts';
import * as routes from './routes.ts';
import * as scheduleRoutes from './schedules/routes.ts';
import { scheduledDashboard } from './schedules/scheduled-dashboard.ts';
import { cardChecks } from './use-cases/check-cards.ts';
import type { DashboardDeps } from './use-cases/context.ts';
import { deleteDashboard, deleteDashboards, restoreDashboard } from './use-cases/delete-dashboard.ts';
import { duplicateDashboard } from './use-cases/duplicate-dashboard.ts';
import { listDashboards, pageDashboards } from './use-cases/list-dashboards.ts';
import { publishDashboard } from './use-cases/publish.ts';
import { listCards, listFilters, listPages } from './use-cases/read-parts.ts';
import { createDashboard, getDashboard, updateDashboard } from './use-cases/save-dashboard.ts';
import { getVersion, listVersions, restoreVersion } from './use-cases/versions.ts';
import * as versionRoutes from './versions/routes.ts';

const group = openGroup('dashboards');
const { table, now } = group;

const rights = rightsDeps(table, now);
const sources = dataSourceRepository(table);
const { queries: savedQueries } = savedQueryRepository(table);
const engine = engineFunction(environment('ENGINE_FUNCTION'));
const charts: ProtectedDeps = {
  engine,
  rights,
  definitions: rights.definitions,
  live: { find: (workspaceId, sourceId) => findLiveSource(sources, workspaceId, sourceId) },
  readTables: sourceTables(table, objectStore(environment('DATA_BUCKET'))),
  datasets: datasetRepository(table),
  savedQueries,
  metrics: metricRepository(table),
  blends: blendRepository(table),
  now,
};

/** Describing the rows of a chart reads none. */
const CHECK_TIMEOUT_MS = 10_000;

const knownQueries = async (workspaceId: string, ids: readonly string[]) =>
  new Set((await savedQueries.getMany(workspaceId, ids)).map(({ id }) => id));

const describing = { datasets: charts.datasets, rights, engine };

/** Undefined for a query of a data source, whose columns only running it can tell. */
async function queryColumns(principal: Principal, id: string) {
  const { workspaceId } = principal;
  const saved = await savedQueries.get(workspaceId, id);
  if (!saved || saved.sourceId !== null) return undefined;
  const { sql, datasetIds, params } = saved;
  const statement = { workspaceId, principal, sql, params: sampleValues(params), ...(datasetIds && { datasetIds }) };
  const { columns } = await describeDatasetStatement(describing, statement);
  return columns.map(({ name, type }) => ({ name, type, role: roleOf(type) }));
}

async function cardQuality(workspaceId: string) {
  const check = await publishCheck({ table, now }, workspaceId);
  return async (card: ReadingCard) =>
    check && (await tablesOfCard(charts, workspaceId, card)).map(check).find((message) => message !== undefined);
}

const deps: DashboardDeps = {
  table,
  dashboards: dashboardRepository(table),
  store: dashboardStore(table),
  versions: dashboardVersions(table),
  bookmarks: bookmarkRepository(table),
  grants: objectGrants(table),
  cursors: group.cursors,
  grantsTo: (principal) => grantsTo(table, principal, 'dashboard'),
  grantOf: grantReader(table, 'dashboard'),
  checkCards: cardChecks({
    chartCheck: () => {
      const current = { ...charts, definitions: withCurrentColumns(charts.definitions, charts.readTables) };
      return (principal, spec) => checkChart(current, spec, { principal, timeoutMs: CHECK_TIMEOUT_MS });
    },
    queryColumns,
    savedQueries: knownQueries,
    quality: cardQuality,
  }),
  mayExport: (principal) => mayExport({ workspace: (id) => readWorkspace(table, id) }, principal),
  members: (workspaceId) => listMembers(table, workspaceId),
  savedQueries: knownQueries,
  cleanUpItem: (ended, at) => cleanUpItem(table, ended, at),
  now,
};

const files: FileDeps = {
  ...deps,
  sources: {
    definitions: charts.definitions,
    lists: {
      model: modelRepository(table),
      dataset: datasetRepository(table),
      savedQuery: savedQueries,
      metric: metricRepository(table),
      blend: blendRepository(table),
      theme: themeRepository(table),
    },
  },
};

const deliveries = openDeliveries<DashboardSchedule>(group, {
  ...{ kind: DASHBOARDS, charts },
  object: (named) => scheduledDashboard(deps, named),
});

export const handler = endpointGroup(
  [
    bind(routes.listDashboards, ({ principal, query }) => listDashboards(deps, principal, query)),
    bind(routes.pageDashboards, ({ principal, query }) => pageDashboards(deps, principal, query)),
    bind(routes.createDashboard, ({ principal, body, newId: id }) =>
      createDashboard(deps, { id, principal, dashboard: body }),
    ),
    bind(routes.getDashboard, ({ principal, params: { id }, query: { include } }) =>
      getDashboard(deps, { principal, id, include }),
    ),
    bind(routes.updateDashboard, ({ principal, params: { id }, body: change, newId: requestId }) =>
      updateDashboard(deps, { principal, id, change, requestId }),
    ),
    bind(routes.deleteDashboard, ({ principal, params: { id } }) => deleteDashboard(deps, { principal, id })),
    bind(routes.deleteDashboards, ({ principal, body: { ids } }) => deleteDashboards(deps, principal, ids)),
    bind(routes.restoreDashboard, ({ principal, params: { id }, body }) =>
      restoreDashboard(deps, { principal, id, ...body }),
    ),
    bind(routes.duplicateDashboard, ({ principal, params: { id }, newId }) =>
      duplicateDashboard(deps, { principal, id, newId }),
    ),

    bind(fileRoutes.exportDashboardFile, ({ principal, params: { id } }) => exportDashboard(files, { principal, id })),
    bind(fileRoutes.importDashboardFile, ({ principal, params: { id }, query: { dryRun }, body: { yaml } }) =>
      importDashboard(files, { principal, id, yaml, dryRun }),
    ),

    bind(partRoutes.listDashboardPages, ({ principal, params: { id } }) => listPages(deps, { principal, id })),
    bind(partRoutes.createDashboardPage, ({ principal, params: { id }, body: page, newId }) =>
      createPage(deps, { principal, id, page, newId }),
    ),
    bind(partRoutes.updateDashboardPage, ({ principal, params, body: change }) =>
      updatePage(deps, { principal, ...params, change }),
    ),
    bind(partRoutes.deleteDashboardPage, ({ principal, params }) => deletePage(deps, { principal, ...params })),
    bind(partRoutes.reorderDashboardPages, ({ principal, params: { id }, body }) =>
      reorderPages(deps, { principal, id, ...body }),
    ),
    bind(partRoutes.listDashboardCards, ({ principal, params: { id }, query }) =>
      listCards(deps, { principal, id, ...query }),
    ),
    bind(partRoutes.createDashboardCard, ({ principal, params: { id }, body: card, newId }) =>
      createCard(deps, { principal, id, card, newId }),
    ),
    bind(partRoutes.updateDashboardCard, ({ principal, params, body: change }) =>
      updateCard(deps, { principal, ...params, change }),
    ),
    bind(partRoutes.deleteDashboardCard, ({ principal, params }) => deleteCard(deps, { principal, ...params })),
    bind(partRoutes.updateDashboardCards, ({ principal, params: { id }, body }) =>
      updateCards(deps, { principal, id, ...body }),
    ),
    bind(partRoutes.reorderDashboardCards, ({ principal, params: { id }, body }) =>
      reorderCards(deps, { principal, id, ...body }),
    ),
    bind(partRoutes.listDashboardFilters, ({ principal, params: { id } }) => listFilters(deps, { principal, id })),
    bind(partRoutes.createDashboardFilter, ({ principal, params: { id }, body: filter, newId }) =>
      createFilter(deps, { principal, id, filter, newId }),
    ),
    bind(partRoutes.updateDashboardFilter, ({ principal, params, body: change }) =>
      updateFilter(deps, { principal, ...params, change }),
    ),
    bind(partRoutes.deleteDashboardFilter, ({ principal, params }) => deleteFilter(deps, { principal, ...params })),

    bind(bookmarkRoutes.listDashboardBookmarks, ({ principal, params: { id } }) =>
      listBookmarks(deps, { principal, id }),
    ),
    bind(bookmarkRoutes.createDashboardBookmark, ({ principal, params: { id }, body: bookmark, newId }) =>
      createBookmark(deps, { principal, id, bookmark, newId }),
    ),
    bind(bookmarkRoutes.updateDashboardBookmark, ({ principal, params, body: change }) =>
      updateBookmark(deps, { principal, ...params, change }),
    ),
    bind(bookmarkRoutes.deleteDashboardBookmark, ({ principal, params }) =>
      deleteBookmark(deps, { principal, ...params }),
    ),

    bind(versionRoutes.publishDashboard, ({ principal, params: { id }, body, newId: requestId }) =>
      publishDashboard(deps, { ...body, principal, id, requestId }),
    ),
    bind(versionRoutes.listDashboardVersions, ({ principal, params: { id }, query }) =>
      listVersions(deps, { principal, id, ...query }),
    ),
    bind(versionRoutes.getDashboardVersion, ({ principal, params }) => getVersion(deps, { principal, ...params })),
    bind(versionRoutes.restoreDashboardVersion, ({ principal, params }) =>
      restoreVersion(deps, { principal, ...params }),
    ),

    bind(scheduleRoutes.listDashboardSchedules, deliveries.list),
    bind(scheduleRoutes.createDashboardSchedule, deliveries.create),
    bind(scheduleRoutes.updateDashboardSchedule, deliveries.update),
    bind(scheduleRoutes.deleteDashboardSchedule, deliveries.remove),
    bind(scheduleRoutes.listDashboardScheduleRuns, deliveries.runs),
    bind(scheduleRoutes.runDashboardSchedule, deliveries.run),
    bindPublic(scheduleRoutes.getDashboardUnsubscribePage, deliveries.page),
    bindPublic(scheduleRoutes.unsubscribeFromDashboard, deliveries.leave),

    bind(accessRoutes.listDashboardAccess, ({ principal: { workspaceId }, params: { id }, query }) =>
      listAccess(deps, { workspaceId, id, ...query }),
    ),
    bind(accessRoutes.grantDashboardAccess, ({ principal, params: { id }, body }) =>
      grantAccess(deps, { principal, id, ...body }),
    ),
    bind(accessRoutes.setDashboardAccess, ({ principal, params, body }) =>
      setAccess(deps, { principal, ...params, ...body }),
    ),
    bind(accessRoutes.revokeDashboardAccess, ({ principal, params }) => revokeAccess(deps, { principal, ...params })),
    bind(accessRoutes.findAccessCandidates, ({ principal, params: { id }, query }) =>
      findCandidates(deps, { principal, id, ...query }),
    ),
  ],
  { ...showingDefinitions(group, 'dashboard'), isGranted: grantCheck(table) },
);
