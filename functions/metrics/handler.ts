import { cleanUpItem, cleanUpNow, type Ended } from '../../shared/domains/access-clean-up/index.ts';
import { grantCheck, objectGrants } from '../../shared/domains/grants/index.ts';
import { metricRepository } from '../../shared/domains/metrics/index.ts';
import { sourceTables } from '../../shared/domains/models/index.ts';
import { openQueries } from '../../shared/domains/queries/index.ts';
import { rightsDeps } from '../../shared/domains/row-rights/index.ts';
import { readMembers } from '../../shared/domains/workspaces/index.ts';
import { bind } from '../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../shared/platform/http/open-group.ts';
import { objectStore } from '../../shared/platform/objects/object-store.ts';
import * as accessRoutes from './access-routes.ts';
import * as routes from './routes.ts';
import { metricAccess } from './use-cases/access.ts';
import type { MetricDeps } from './use-cases/context.ts';
import { deleteMetric } from './use-cases/delete-metric.ts';
import { listMetrics, metricDetails } from './use-cases/find-metric.ts';
import { readAnomalies, readDrivers, readSeries, readValue } from './use-cases/read-values.ts';
import { createMetric, updateMetric } from './use-cases/save-metric.ts';
import * as valueRoutes from './value-routes.ts';

const group = openGroup('metrics');
const { table, now, log } = group;
const rights = rightsDeps(table, now);
const deps: MetricDeps = {
  ...openQueries(group),
  definitions: rights.definitions,
  rights,
  readTables: sourceTables(table, objectStore(environment('DATA_BUCKET'))),
  metrics: metricRepository(table),
  grants: objectGrants(table),
  cursors: group.cursors,
  members: (workspaceId, userIds) => readMembers(table, workspaceId, userIds),
  cleanUpItem: (ended: Ended) => cleanUpItem(table, ended, now()),
  cleanUpNow: (ended: Ended) =>
    cleanUpNow(table, ended, (error) => log.warn('access to a metric is still to be removed', error)),
};

const access = metricAccess(deps);

export const handler = endpointGroup(
  [
    bind(routes.listMetrics, ({ principal: { workspaceId }, query }) => listMetrics(deps, workspaceId, query)),
    bind(routes.createMetric, ({ principal, body, newId }) =>
      createMetric(deps, { id: newId, principal, metric: body }),
    ),
    bind(routes.getMetric, ({ principal, params: { id } }) => metricDetails(deps, { principal, id })),
    bind(routes.updateMetric, ({ principal, params: { id }, body }) =>
      updateMetric(deps, { id, principal, change: body }),
    ),
    bind(routes.deleteMetric, ({ principal: { workspaceId }, params: { id } }) =>
      deleteMetric(deps, { workspaceId, id }),
    ),

    bind(valueRoutes.getMetricValue, ({ principal, params: { id }, query }) =>
      readValue(deps, { principal, id, ...query }),
    ),
    bind(valueRoutes.getMetricSeries, ({ principal, params: { id }, query }) =>
      readSeries(deps, { principal, id, ...query }),
    ),
    bind(valueRoutes.getMetricDrivers, ({ principal, params: { id }, query }) =>
      readDrivers(deps, { principal, id, ...query }),
    ),
    bind(valueRoutes.getMetricAnomalies, ({ principal, params: { id }, query }) =>
      readAnomalies(deps, { principal, id, ...query }),
    ),

    bind(accessRoutes.listMetricAccess, ({ principal: { workspaceId }, params: { id }, query }) =>
      access.list({ workspaceId, id, ...query }),
    ),
    bind(accessRoutes.setMetricAccess, ({ principal: { workspaceId, userId: by }, params, body: { level } }) =>
      access.grant({ workspaceId, ...params, level, by }),
    ),
    bind(accessRoutes.revokeMetricAccess, ({ principal: { workspaceId, userId: by }, params }) =>
      access.revoke({ workspaceId, ...params, by }),
    ),
  ],
  { ...group, isGranted: grantCheck(table) },
);
