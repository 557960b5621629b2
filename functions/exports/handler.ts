import { dashboardStore, dashboardVersions } from '../../shared/domains/dashboards/index.ts';
import { type ExportDeps, exportDashboard } from '../../shared/domains/exports/index.ts';
import { levelFor } from '../../shared/domains/grants/index.ts';
import { metricRepository } from '../../shared/domains/metrics/index.ts';
import { sourceTables } from '../../shared/domains/models/index.ts';
import { downloadLinks, openQueries } from '../../shared/domains/queries/index.ts';
import { savedQueryRepository } from '../../shared/domains/saved-queries/index.ts';
import { assertMayExport, readWorkspace } from '../../shared/domains/workspaces/index.ts';
import { recordAct } from '../../shared/platform/audit/entry.ts';
import { bind } from '../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../shared/platform/http/open-group.ts';
import { objectStore } from '../../shared/platform/objects/object-store.ts';
import * as routes from './routes.ts';
import { exportReply } from './use-cases/export-reply.ts';

const group = openGroup('exports');
const { table } = group;
const bucket = environment('DATA_BUCKET');
const objects = objectStore(bucket);
const queries = openQueries(group);
const deps: ExportDeps = {
  ...queries,
  definitions: queries.rights.definitions,
  readTables: sourceTables(table, objects),
  savedQueries: savedQueryRepository(table).queries,
  metrics: metricRepository(table),
  store: dashboardStore(table),
  versions: dashboardVersions(table),
  grantOf: async (principal, id) => {
    const level = await levelFor(table, principal, { type: 'dashboard', id });
    return level === undefined ? undefined : { level, via: 'grant' };
  },
  objects,
};
const replies = { links: downloadLinks(bucket, group.now), objects, newId: queries.newId };

/** The gateway waits 29 seconds. */
const TIMEOUT_MS = 26_000;

export const handler = endpointGroup(
  [
    bind(routes.exportDashboard, async ({ principal, params: { id }, body, contentType, log }) => {
      await assertMayExport({ workspace: (each) => readWorkspace(table, each) }, principal);
      const file = await exportDashboard(deps, {
        ...body,
        principal,
        dashboardId: id,
        timeoutMs: TIMEOUT_MS,
        onError: (error) => log.error('a card cannot be exported', error as Error),
      });
      const { name } = file.dashboard;
      const after = { format: body.format, failedCards: file.failedCards };
      await recordAct(table, { action: 'dashboard.exported', object: { type: 'dashboard', id, name }, after });
      return exportReply(replies, file, { workspaceId: principal.workspaceId, accepted: contentType });
    }),
  ],
  group,
);
