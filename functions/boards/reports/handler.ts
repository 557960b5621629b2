import { LIVE_CARD_MAX_AGE_SECONDS } from '../../../shared/domains/boards/cards/index.ts';
import { REPORTS, type ReportSchedule } from '../../../shared/domains/boards/delivery-schedules/index.ts';
import { reportRepository } from '../../../shared/domains/boards/reports/index.ts';
import { grantCheck, grantReader, grantsTo, objectGrants } from '../../../shared/domains/tenancy/grants/index.ts';
import { bind, bindPublic } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { openGroup } from '../../../shared/platform/http/open-group.ts';
import { cleanUpItem } from '../../../shared/platform/storage/clean-ups.ts';
import { showingDefinitions } from '../../catalog/common/showing-definitions.ts';
import { openDeliveries } from '../../delivery/schedules/open-deliveries.ts';
import { openCharts } from '../common/open-charts.ts';
import * as accessRoutes from './access/routes.ts';
import { reportAccess } from './access/use-cases.ts';
import * as routes from './routes.ts';
import * as scheduleRoutes from './schedules/routes.ts';
import { scheduledReport } from './schedules/scheduled-report.ts';
import type { ReportDeps } from './use-cases/context.ts';
import { deleteReport, restoreReport } from './use-cases/delete-report.ts';
import { listReports, showReport } from './use-cases/find-report.ts';
import { readBlock } from './use-cases/read-block.ts';
import { createReport, updateReport } from './use-cases/save-report.ts';

const group = openGroup('reports');
const { table } = group;
const deps: ReportDeps = {
  ...openCharts(group),
  liveMaxAgeSeconds: LIVE_CARD_MAX_AGE_SECONDS,
  table,
  reports: reportRepository(table),
  grants: objectGrants(table),
  cursors: group.cursors,
  grantsTo: (principal) => grantsTo(table, principal, 'report'),
  grantOf: grantReader(table, 'report'),
  cleanUpItem: (ended, at) => cleanUpItem(table, ended, at),
};
const access = reportAccess(deps);

const deliveries = openDeliveries<ReportSchedule>(group, {
  ...{ kind: REPORTS, charts: deps },
  object: (named) => scheduledReport(deps, named),
});

export const handler = endpointGroup(
  [
    bind(routes.listReports, ({ principal, query }) => listReports(deps, principal, query)),
    bind(routes.createReport, ({ principal, body: report, newId: id }) =>
      createReport(deps, { id, principal, report }),
    ),
    bind(routes.getReport, ({ principal, params: { id } }) => showReport(deps, { principal, id })),
    bind(routes.updateReport, ({ principal, params: { id }, body: change }) =>
      updateReport(deps, { principal, id, change }),
    ),
    bind(routes.deleteReport, ({ principal, params: { id } }) => deleteReport(deps, { principal, id })),
    bind(routes.restoreReport, ({ principal, params: { id }, body }) =>
      restoreReport(deps, { principal, id, ...body }),
    ),
    bind(routes.readReportBlock, ({ principal, params, body }) => readBlock(deps, { ...body, ...params, principal })),

    bind(scheduleRoutes.listReportSchedules, deliveries.list),
    bind(scheduleRoutes.createReportSchedule, deliveries.create),
    bind(scheduleRoutes.updateReportSchedule, deliveries.update),
    bind(scheduleRoutes.deleteReportSchedule, deliveries.remove),
    bind(scheduleRoutes.listReportScheduleRuns, deliveries.runs),
    bind(scheduleRoutes.runReportSchedule, deliveries.run),
    bindPublic(scheduleRoutes.getReportUnsubscribePage, deliveries.page),
    bindPublic(scheduleRoutes.unsubscribeFromReport, deliveries.leave),

    bind(accessRoutes.listReportAccess, ({ principal: { workspaceId }, params: { id }, query }) =>
      access.list({ workspaceId, id, ...query }),
    ),
    bind(accessRoutes.setReportAccess, ({ principal: { workspaceId, userId: by }, params, body: { level } }) =>
      access.grant({ workspaceId, ...params, level, by }),
    ),
    bind(accessRoutes.revokeReportAccess, ({ principal: { workspaceId, userId: by }, params }) =>
      access.revoke({ workspaceId, ...params, by }),
    ),
  ],
  { ...showingDefinitions(group, 'report'), isGranted: grantCheck(table) },
);
