import {
  deliveryRuns,
  reportQueue,
  unsubscribePages,
  unsubscribeTokens,
} from '../../../shared/domains/delivery/deliveries/index.ts';
import {
  DIGESTS,
  digestRepository,
  sweepCleanUps,
  sweepStore,
} from '../../../shared/domains/semantics/metric-reports/index.ts';
import { metricRepository } from '../../../shared/domains/semantics/metrics/index.ts';
import { sourceTables } from '../../../shared/domains/semantics/models/index.ts';
import { openQueries } from '../../../shared/domains/semantics/queries/index.ts';
import { rightsDeps } from '../../../shared/domains/semantics/row-rights/index.ts';
import { certifications } from '../../../shared/domains/tenancy/certifications/index.ts';
import {
  grantCheck,
  grantCleanUps,
  objectGrants,
  objectPermissions,
} from '../../../shared/domains/tenancy/grants/index.ts';
import { readPeople, readWorkspace } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { deleteUnused } from '../../../shared/domains/upkeep/referrers/index.ts';
import { auditItems } from '../../../shared/platform/audit/entry.ts';
import { baseUrl } from '../../../shared/platform/http/base-url.ts';
import { bind, bindPublic } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { cleanUpItem, cleanUpNow, type Ended } from '../../../shared/platform/storage/clean-ups.ts';
import { showingDefinitions } from '../../catalog/common/showing-definitions.ts';
import * as accessRoutes from './access/routes.ts';
import { metricAccess } from './access/use-cases.ts';
import { listDetectedAnomalies, reviewAnomaly } from './anomalies/detected-anomalies.ts';
import * as anomalyRoutes from './anomalies/routes.ts';
import { getDigest, getDigestRun, listDigestRuns, listDigests } from './digests/find-digest.ts';
import * as digestRoutes from './digests/routes.ts';
import { createDigest, deleteDigest, updateDigest } from './digests/save-digest.ts';
import { sendDigest } from './digests/send-digest.ts';
import * as routes from './routes.ts';
import type { DigestDeps, MetricDeps } from './use-cases/context.ts';
import { deleteMetric } from './use-cases/delete-metric.ts';
import { listMetrics, metricDetails } from './use-cases/find-metric.ts';
import { createMetric, updateMetric } from './use-cases/save-metric.ts';
import { readAnomalies, readDrivers, readSeries, readValue } from './values/read-values.ts';
import * as valueRoutes from './values/routes.ts';

const group = openGroup('metrics');
const { table, now, log } = group;
const rights = rightsDeps(table, now);
const deps: MetricDeps = {
  ...openQueries(group),
  definitions: rights.definitions,
  rights,
  readTables: sourceTables(table, objectStore(environment('DATA_BUCKET'))),
  table,
  metrics: metricRepository(table),
  certifications: certifications(table),
  sweeps: sweepStore(table),
  grants: objectGrants(table),
  permissions: objectPermissions(table, 'metric', 'metrics:write'),
  cursors: group.cursors,
  members: (workspaceId, userIds) => readPeople(table, workspaceId, userIds),
  deleteUnused: deleteUnused(table, 'metric'),
  cleanUpItem: (ended: Ended) => cleanUpItem(table, ended, now()),
  cleanUpNow: (ended: Ended) =>
    cleanUpNow(table, [...grantCleanUps, ...sweepCleanUps], ended, (error) =>
      log.warn('access to a metric is still to be removed', error),
    ),
};

const digests: DigestDeps = {
  metrics: deps.metrics,
  members: deps.members,
  cleanUpItem: deps.cleanUpItem,
  now,
  digests: digestRepository(table),
  runs: deliveryRuns(table, DIGESTS),
  sendsMail: Boolean(process.env.MAIL_FROM),
  queue: reportQueue(environment('REPORT_QUEUE_URL')),
  unsubscribe: unsubscribeTokens(group.master, DIGESTS),
  workspace: (id) => readWorkspace(table, id),
  logSending: ({ id, name }) =>
    auditItems(table, { action: 'metric_digest.sent', object: { type: 'metric-digest', id, name } }),
};

const unsubscribing = unsubscribePages({ ...digests, deliveries: digests.digests }, 'digest');
const access = metricAccess(deps);

export const handler = endpointGroup(
  [
    bind(routes.listMetrics, ({ principal, query }) => listMetrics(deps, principal, query)),
    bind(routes.createMetric, ({ principal, body, newId }) =>
      createMetric(deps, { id: newId, principal, metric: body }),
    ),
    bind(routes.getMetric, ({ principal, params: { id } }) => metricDetails(deps, { principal, id })),
    bind(routes.updateMetric, ({ principal, params: { id }, body }) =>
      updateMetric(deps, { id, principal, change: body }),
    ),
    bind(routes.deleteMetric, ({ principal, params: { id } }) => deleteMetric(deps, { principal, id })),

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

    bind(anomalyRoutes.listDetectedAnomalies, ({ principal, params: { id }, query: { limit } }) =>
      listDetectedAnomalies(deps, { principal, id, limit }),
    ),
    bind(anomalyRoutes.reviewAnomaly, ({ principal, params, body: review }) =>
      reviewAnomaly(deps, { principal, ...params, review }),
    ),

    bind(digestRoutes.listDigests, ({ principal: { workspaceId }, query }) => listDigests(digests, workspaceId, query)),
    bind(digestRoutes.createDigest, ({ principal, body: digest, newId: id, headers }) =>
      createDigest(digests, { id, principal, digest, apiUrl: baseUrl(headers) }),
    ),
    bind(digestRoutes.getDigest, ({ principal: { workspaceId }, params: { id } }) =>
      getDigest(digests, { workspaceId, id }),
    ),
    bind(digestRoutes.updateDigest, ({ principal, params: { id }, body: change, headers }) =>
      updateDigest(digests, { id, principal, change, apiUrl: baseUrl(headers) }),
    ),
    bind(digestRoutes.deleteDigest, ({ principal: { workspaceId }, params: { id } }) =>
      deleteDigest(digests, { workspaceId, id }),
    ),
    bind(digestRoutes.sendDigest, ({ principal: { workspaceId, userId }, params: { id }, newId: runId }) =>
      sendDigest(digests, { workspaceId, id, runId, userId }),
    ),
    bind(digestRoutes.listDigestRuns, ({ principal: { workspaceId }, params: { id }, query: { limit } }) =>
      listDigestRuns(digests, { workspaceId, id, limit }),
    ),
    bind(digestRoutes.getDigestRun, ({ principal: { workspaceId }, params }) =>
      getDigestRun(digests, { workspaceId, ...params }),
    ),
    bindPublic(digestRoutes.getUnsubscribePage, ({ query: { token } }) => unsubscribing.ask(token)),
    bindPublic(digestRoutes.unsubscribeFromDigest, ({ query: { token } }) => unsubscribing.leave(token)),

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
  { ...showingDefinitions(group, 'metric'), isGranted: grantCheck(table) },
);
