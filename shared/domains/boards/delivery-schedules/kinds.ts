import type { ShownMembers } from '../../../platform/audit/changes.ts';
import type { ErrorCode } from '../../../platform/errors/catalogue.ts';
import type { DeliveryKind } from '../../delivery/deliveries/index.ts';
import type { DashboardSchedule, ReportSchedule, ScheduleRecord } from './records.ts';

export type ObjectMember = 'dashboardId' | 'reportId';

/** What is sent by schedules: dashboards or reports. */
export interface ScheduleKind<S extends ScheduleRecord> extends DeliveryKind {
  name: 'dashboard' | 'report';
  /** What it consists of. */
  part: 'card' | 'block';
  entity: string;
  /** In the audit log. */
  subject: 'dashboard_schedule' | 'report_schedule';
  /** The dashboard or report of a schedule. */
  objectOf(schedule: S): string;
  /** The member of a schedule that names it. */
  object(objectId: string): Pick<S, Extract<keyof S, ObjectMember>>;
  /** Members of its own in the audit log. */
  members: Omit<ShownMembers<S>, keyof ScheduleRecord>;
  codes: Readonly<Record<'objectNotFound' | 'notFound' | 'nameTaken' | 'stopped' | 'tooMany', ErrorCode>>;
}

export const DASHBOARDS: ScheduleKind<DashboardSchedule> = {
  name: 'dashboard',
  part: 'card',
  area: 'DASHBOARD-DELIVERY',
  tokens: { prefix: 'su', purpose: 'unsubscribe-dashboard' },
  entity: 'dashboard-schedule',
  subject: 'dashboard_schedule',
  objectOf: ({ dashboardId }) => dashboardId,
  object: (dashboardId) => ({ dashboardId }),
  members: { dashboardId: 'shown', pageId: 'shown' },
  codes: {
    objectNotFound: 'DASHBOARD_NOT_FOUND',
    notFound: 'DASHBOARD_SCHEDULE_NOT_FOUND',
    nameTaken: 'DASHBOARD_SCHEDULE_NAME_TAKEN',
    stopped: 'DASHBOARD_SCHEDULE_STOPPED',
    tooMany: 'TOO_MANY_SCHEDULES',
  },
};

export const REPORTS: ScheduleKind<ReportSchedule> = {
  name: 'report',
  part: 'block',
  area: 'REPORT-DELIVERY',
  tokens: { prefix: 'sr', purpose: 'unsubscribe-report' },
  entity: 'report-schedule',
  subject: 'report_schedule',
  objectOf: ({ reportId }) => reportId,
  object: (reportId) => ({ reportId }),
  members: { reportId: 'shown', parameters: 'shown' },
  codes: {
    objectNotFound: 'REPORT_NOT_FOUND',
    notFound: 'REPORT_SCHEDULE_NOT_FOUND',
    nameTaken: 'REPORT_SCHEDULE_NAME_TAKEN',
    stopped: 'REPORT_SCHEDULE_STOPPED',
    tooMany: 'TOO_MANY_REPORT_SCHEDULES',
  },
};
