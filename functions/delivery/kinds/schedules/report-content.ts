import {
  parameterIssues,
  REPORTS,
  type ReportSchedule,
  type SkipReason,
  type StoredScheduleMail,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { exportReport, type WriterDeps } from '../../../../shared/domains/boards/exports/index.ts';
import {
  chosenParameters,
  isDataBlock,
  parameterValues,
  type ReportReaderDeps,
  type ReportRepository,
  reportParts,
  reportRepository,
  seenReport,
} from '../../../../shared/domains/boards/reports/index.ts';
import { type EventData, outboxItem } from '../../../../shared/domains/events/events/index.ts';
import { grantReader } from '../../../../shared/domains/tenancy/grants/index.ts';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import type { Table, TransactItem } from '../../../../shared/platform/storage/table.ts';
import type { Opener } from '../stages.ts';
import { noneIf } from './dashboard-content.ts';
import type { Content, ScheduleRun } from './deliver-schedule.ts';
import type { MailedFiles } from './mailed-file.ts';
import { filesOf, openSchedules, writerDeps } from './open-schedules.ts';

interface ReportContentDeps extends WriterDeps, ReportReaderDeps {
  reports: Pick<ReportRepository, 'read' | 'get'>;
  delivered(event: Omit<EventData<'report.delivered'>, 'url'>): TransactItem;
}

export const openReportSchedules: Opener<ReportSchedule, StoredScheduleMail> = (clients) => {
  const { table } = clients;
  const deps: ReportContentDeps = {
    ...writerDeps(clients),
    reports: reportRepository(table),
    grantOf: grantReader(table, 'report'),
    delivered: reportDelivered(table),
  };
  return {
    ...openSchedules(clients, reportContent(deps, filesOf(clients))),
    failed: (delivery, run) => failedReport(deps, { delivery, run }),
  };
};

type Delivered = Pick<ScheduleRun<ReportSchedule>, 'delivery' | 'run'>;
type Status = EventData<'report.delivered'>['status'];

/** What schedules of reports send. */
const reportContent = (deps: ReportContentDeps, files: MailedFiles): Content<ReportSchedule> => ({
  kind: REPORTS,
  async stopReason(schedule) {
    const report = await deps.reports.read(schedule.workspaceId, schedule.reportId);
    if (report?.deletedAt !== null) return 'REPORT_DELETED';
    return parameterIssues(report, schedule).length > 0 ? 'PARAMETERS_INVALID' : undefined;
  },
  async seen({ reportId: id, parameters }, principal) {
    const report = await seenReport(deps, { principal, id }).catch(noneIf('REPORT_NOT_FOUND'));
    if (!report) return undefined;
    const values = parameterValues(report, parameters, report.layout.blocks.filter(isDataBlock));
    const chosen = chosenParameters(report, values);
    return { ...reportParts(report, values, false), pageId: null, theme: null, chosen };
  },
  file: (schedule, principal) =>
    files.write(schedule, principal, (options) =>
      exportReport(deps, { ...options, reportId: schedule.reportId, parameters: schedule.parameters }),
    ),
  ended: async (running, mails) => deliveredEvent(deps, running, statusOf(mails)),
});

/** The event of a run that could not be completed. */
const failedReport = (deps: ReportContentDeps, running: Delivered): Promise<TransactItem[]> =>
  deliveredEvent(deps, running, { status: 'failed', failedRecipientCount: running.run.recipients.length });

/** Reasons that do not count as failures: there was nothing to send to the recipient. */
const NOTHING_TO_SEND: readonly string[] = ['NO_ROWS', 'UNCHANGED', 'UNSUBSCRIBED'] satisfies SkipReason[];

function statusOf(mails: readonly StoredScheduleMail[]): { status: Status; failedRecipientCount: number } {
  const failedRecipientCount = mails.filter(
    ({ status, reason }) => status === 'skipped' && !NOTHING_TO_SEND.includes(reason ?? ''),
  ).length;
  if (failedRecipientCount === 0) return { status: 'succeeded', failedRecipientCount };
  return { status: failedRecipientCount === mails.length ? 'failed' : 'partial', failedRecipientCount };
}

async function deliveredEvent(
  deps: ReportContentDeps,
  { delivery: { workspaceId, reportId, id: scheduleId }, run }: Delivered,
  result: { status: Status; failedRecipientCount: number },
): Promise<TransactItem[]> {
  const report = await deps.reports.get(workspaceId, reportId);
  if (!report) return [];
  const { recipients, trigger, createdAt } = run;
  return [
    deps.delivered({
      ...{ workspaceId, reportId, reportName: report.name, scheduleId, runId: run.id, ...result },
      recipientCount: recipients.length,
      ...{ scheduledFor: trigger.scheduledAt ?? createdAt, deliveredAt: deps.now().toISOString() },
    }),
  ];
}

/** One event for each run of a schedule of a report. */
const reportDelivered =
  (table: Table): ReportContentDeps['delivered'] =>
  (delivered) => {
    const { workspaceId, reportId, runId, deliveredAt } = delivered;
    const event = 'report.delivered' as const;
    const data = { ...delivered, url: `/api/reports/${reportId}` };
    return outboxItem(table, { id: idFrom(event, runId), workspaceId, event, data, at: new Date(deliveredAt) });
  };
