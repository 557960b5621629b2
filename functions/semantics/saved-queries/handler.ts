import {
  countDatasets,
  downloadLinks,
  logExport,
  openQueries,
} from '../../../shared/domains/semantics/queries/index.ts';
import { savedQueryRepository } from '../../../shared/domains/semantics/saved-queries/index.ts';
import { grantCheck, grantCleanUps, objectGrants } from '../../../shared/domains/tenancy/grants/index.ts';
import { deleteUnused } from '../../../shared/domains/upkeep/referrers/index.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { cleanUpItem, cleanUpNow, type Ended } from '../../../shared/platform/storage/clean-ups.ts';
import { onNewest } from '../../../shared/platform/storage/on-newest.ts';
import { showingDefinitions } from '../../catalog/common/showing-definitions.ts';
import * as accessRoutes from './access/routes.ts';
import { savedQueryAccess } from './access/use-cases.ts';
import * as routes from './routes.ts';
import { deleteSavedQuery } from './use-cases/delete-saved-query.ts';
import { findSavedQuery, findVersion, listSavedQueries, showVersion } from './use-cases/find-saved-query.ts';
import { runSavedQuery } from './use-cases/run-saved-query.ts';
import { changeSavedQuery, createSavedQuery } from './use-cases/save-query.ts';

const group = openGroup('saved-queries');
const { table, now, log } = group;
const deps = {
  ...openQueries(group),
  ...savedQueryRepository(group.table),
  links: downloadLinks(environment('DATA_BUCKET'), now),
  grants: objectGrants(table),
  cursors: group.cursors,
  deleteUnused: deleteUnused(table, 'savedQuery'),
  cleanUpItem: (ended: Ended) => cleanUpItem(table, ended, now()),
  cleanUpNow: (ended: Ended) =>
    cleanUpNow(table, [...grantCleanUps], ended, (error) =>
      log.warn('access to a saved query is still to be removed', error),
    ),
};

const access = savedQueryAccess(deps);

export const handler = endpointGroup(
  [
    bind(routes.createSavedQuery, ({ principal, body, newId }) =>
      createSavedQuery(deps, { id: newId, principal, query: body }),
    ),
    bind(routes.listSavedQueries, ({ principal: { workspaceId }, query }) =>
      listSavedQueries(deps, workspaceId, query),
    ),
    bind(routes.getSavedQuery, ({ principal: { workspaceId }, params: { id } }) =>
      findSavedQuery(deps, { workspaceId, id }),
    ),
    bind(routes.updateSavedQuery, async ({ principal, params: { id }, body }) =>
      onNewest('STALE_WRITE', async () => {
        const query = await findSavedQuery(deps, { workspaceId: principal.workspaceId, id });
        return changeSavedQuery(deps, { query, principal, change: body });
      }),
    ),
    bind(routes.deleteSavedQuery, ({ principal, params: { id } }) => deleteSavedQuery(deps, { principal, id })),
    bind(routes.runSavedQuery, async ({ principal, params: { id }, body, newId, contentType }) => {
      const query = await findSavedQuery(deps, { workspaceId: principal.workspaceId, id });
      const reply = await runSavedQuery(deps, query, { ...body, principal, queryId: newId, contentType });
      await logExport(table, { type: 'saved-query', id, name: query.name }, contentType);
      await countDatasets(group, principal, query.reads);
      return reply;
    }),
    bind(routes.listSavedQueryVersions, async ({ principal: { workspaceId }, params: { id }, query: page }) => {
      const query = await findSavedQuery(deps, { workspaceId, id });
      const found = await deps.versions.list(query, page);
      return { ...found, items: found.items.map(showVersion) };
    }),
    bind(routes.getSavedQueryVersion, async ({ principal: { workspaceId }, params: { id, version } }) =>
      findVersion(deps, await findSavedQuery(deps, { workspaceId, id }), version),
    ),
    bind(routes.restoreSavedQueryVersion, ({ principal, params: { id, version } }) =>
      onNewest('STALE_WRITE', async () => {
        const query = await findSavedQuery(deps, { workspaceId: principal.workspaceId, id });
        const { sql, sourceId, datasetIds, params } = await findVersion(deps, query, version);
        return changeSavedQuery(deps, { query, principal, change: { sql, sourceId, datasetIds, params } });
      }),
    ),
    bind(accessRoutes.listSavedQueryAccess, ({ principal: { workspaceId }, params: { id }, query }) =>
      access.list({ workspaceId, id, ...query }),
    ),
    bind(accessRoutes.setSavedQueryAccess, ({ principal: { workspaceId, userId: by }, params, body: { level } }) =>
      access.grant({ workspaceId, ...params, level, by }),
    ),
    bind(accessRoutes.revokeSavedQueryAccess, ({ principal: { workspaceId, userId: by }, params }) =>
      access.revoke({ workspaceId, ...params, by }),
    ),
  ],
  { ...showingDefinitions(group, 'query'), isGranted: grantCheck(table) },
);
