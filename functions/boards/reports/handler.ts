import { LIVE_CARD_MAX_AGE_SECONDS } from '../../../shared/domains/boards/cards/index.ts';
import {
  createSchedule,
  deleteSchedule,
  listScheduleRuns,
  listSchedules,
  openSchedules,
  REPORTS,
  type ReportSchedule,
  runSchedule,
  type ScheduleDeps,
  updateSchedule,
} from '../../../shared/domains/boards/delivery-schedules/index.ts';
import { reportRepository, seenReport } from '../../../shared/domains/boards/reports/index.ts';
import {
  type EndedDelivery,
  reportQueue,
  unsubscribePages,
} from '../../../shared/domains/delivery/deliveries/index.ts';
import { grantCheck, grantReader, grantsTo, objectGrants } from '../../../shared/domains/tenancy/grants/index.ts';
import { baseUrl } from '../../../shared/platform/http/base-url.ts';
import { bind, bindPublic } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { guardFromEnvironment } from '../../../shared/platform/net/guard-from-environment.ts';
import { cleanUpItem } from '../../../shared/platform/storage/clean-ups.ts';
import { openCharts } from '../common/open-charts.ts';
import * as accessRoutes from './access/routes.ts';
import { reportAccess } from './access/use-cases.ts';
import * as routes from './routes.ts';
import * as scheduleRoutes from './schedules/routes.ts';
import { scheduledReport } from './schedules/scheduled-report.ts';
import type { ReportDeps } from './use-cases/context.ts';
import { deleteReport, restoreReport } from './use-cases/delete-report.ts';
import { listReports } from './use-cases/find-report.ts';
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

const schedules: ScheduleDeps<ReportSchedule> = openSchedules({
  ...{ kind: REPORTS, table, master: group.master, charts: deps, now: deps.now },
  object: (named) => scheduledReport(deps, named),
  sendsMail: Boolean(process.env.MAIL_FROM),
  queue: reportQueue(environment('REPORT_QUEUE_URL')),
  guard: guardFromEnvironment(),
  cleanUpItem: ({ workspaceId, id: deliveryId }) =>
    cleanUpItem<EndedDelivery>(table, { kind: 'delivery', workspaceId, area: REPORTS.area, deliveryId }, deps.now()),
});
const unsubscribing = unsubscribePages(
  { ...schedules, deliveries: schedules.schedules, members: schedules.membersOf },
  'report',
);

export const handler = endpointGroup(
  [
    bind(routes.listReports, ({ principal, query }) => listReports(deps, principal, query)),
    bind(routes.createReport, ({ principal, body: report, newId: id }) =>
      createReport(deps, { id, principal, report }),
    ),
    bind(routes.getReport, ({ principal, params: { id } }) => seenReport(deps, { principal, id })),
    bind(routes.updateReport, ({ principal, params: { id }, body: change }) =>
      updateReport(deps, { principal, id, change }),
    ),
    bind(routes.deleteReport, ({ principal, params: { id } }) => deleteReport(deps, { principal, id })),
    bind(routes.restoreReport, ({ principal, params: { id }, body }) =>
      restoreReport(deps, { principal, id, ...body }),
    ),
    bind(routes.readReportBlock, ({ principal, params, body }) => readBlock(deps, { ...body, ...params, principal })),

    bind(scheduleRoutes.listReportSchedules, ({ principal, params: { id } }) =>
      listSchedules(schedules, { principal, id }),
    ),
    bind(scheduleRoutes.createReportSchedule, ({ principal, params: { id }, body: schedule, newId, headers }) =>
      createSchedule(schedules, { principal, id, newId, schedule, apiUrl: baseUrl(headers) }),
    ),
    bind(scheduleRoutes.updateReportSchedule, ({ principal, params, body: change, headers }) =>
      updateSchedule(schedules, { principal, ...params, change, apiUrl: baseUrl(headers) }),
    ),
    bind(scheduleRoutes.deleteReportSchedule, ({ principal, params }) =>
      deleteSchedule(schedules, { principal, ...params }),
    ),
    bind(scheduleRoutes.listReportScheduleRuns, ({ principal, params, query: { limit } }) =>
      listScheduleRuns(schedules, { principal, ...params, limit }),
    ),
    bind(scheduleRoutes.runReportSchedule, ({ principal, params, newId: runId }) =>
      runSchedule(schedules, { principal, ...params, runId }),
    ),
    bindPublic(scheduleRoutes.getReportUnsubscribePage, ({ query: { token } }) => unsubscribing.ask(token)),
    bindPublic(scheduleRoutes.unsubscribeFromReport, ({ query: { token } }) => unsubscribing.leave(token)),

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
  { ...group, isGranted: grantCheck(table) },
);
