import type { ShownMembers } from '../../../platform/audit/changes.ts';
import type { ErrorCode } from '../../../platform/errors/catalogue.ts';
import type { DeliveryKind } from '../../delivery/deliveries/index.ts';
import type { DashboardSchedule, ReportSchedule, ScheduleRecord, StorySchedule } from './records.ts';

export type ObjectMember = 'dashboardId' | 'reportId' | 'storyId';

/** What is sent by schedules: dashboards, reports or stories. */
export interface ScheduleKind<S extends ScheduleRecord> extends DeliveryKind {
  name: 'dashboard' | 'report' | 'story';
  /** What it consists of. */
  part: 'card' | 'block';
  entity: string;
  /** In the audit log. */
  subject: 'dashboard_schedule' | 'report_schedule' | 'story_schedule';
  /** The dashboard, report or story of a schedule. */
  objectOf(schedule: S): string;
  /** The member of a schedule that names it. */
  object(objectId: string): Pick<S, Extract<keyof S, ObjectMember>>;
  /** Its page for readers who are signed in. */
  pageOf(apiUrl: string, objectId: string): string | null;
  /** Members of its own in the audit log. */
  members: Omit<ShownMembers<S>, keyof ScheduleRecord>;
  codes: Readonly<Record<'objectNotFound' | 'notFound' | 'nameTaken' | 'stopped' | 'tooMany', ErrorCode>>;
}

export const DASHBOARDS: ScheduleKind<DashboardSchedule> = {
  name: 'dashboard',
  title: 'dashboard schedule',
  part: 'card',
  area: 'DASHBOARD-DELIVERY',
  unsubscribe: { path: 'dashboards/schedules/unsubscribe', prefix: 'su', purpose: 'unsubscribe-dashboard' },
  entity: 'dashboard-schedule',
  subject: 'dashboard_schedule',
  objectOf: ({ dashboardId }) => dashboardId,
  object: (dashboardId) => ({ dashboardId }),
  pageOf: (apiUrl, dashboardId) => `${apiUrl}/d/${dashboardId}`,
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
  title: 'report schedule',
  part: 'block',
  area: 'REPORT-DELIVERY',
  unsubscribe: { path: 'reports/schedules/unsubscribe', prefix: 'sr', purpose: 'unsubscribe-report' },
  entity: 'report-schedule',
  subject: 'report_schedule',
  objectOf: ({ reportId }) => reportId,
  object: (reportId) => ({ reportId }),
  // Reports have no page for members.
  pageOf: () => null,
  members: { reportId: 'shown', parameters: 'shown' },
  codes: {
    objectNotFound: 'REPORT_NOT_FOUND',
    notFound: 'REPORT_SCHEDULE_NOT_FOUND',
    nameTaken: 'REPORT_SCHEDULE_NAME_TAKEN',
    stopped: 'REPORT_SCHEDULE_STOPPED',
    tooMany: 'TOO_MANY_REPORT_SCHEDULES',
  },
};

export const STORIES: ScheduleKind<StorySchedule> = {
  name: 'story',
  title: 'story schedule',
  part: 'block',
  area: 'STORY-DELIVERY',
  unsubscribe: { path: 'stories/schedules/unsubscribe', prefix: 'sy', purpose: 'unsubscribe-story' },
  entity: 'story-schedule',
  subject: 'story_schedule',
  objectOf: ({ storyId }) => storyId,
  object: (storyId) => ({ storyId }),
  pageOf: (apiUrl, storyId) => `${apiUrl}/d/stories/${storyId}`,
  members: { storyId: 'shown' },
  codes: {
    objectNotFound: 'STORY_NOT_FOUND',
    notFound: 'STORY_SCHEDULE_NOT_FOUND',
    nameTaken: 'STORY_SCHEDULE_NAME_TAKEN',
    stopped: 'STORY_SCHEDULE_STOPPED',
    tooMany: 'TOO_MANY_STORY_SCHEDULES',
  },
};
