import { Unsubscribe, UnsubscribeQuery } from '../../shared/domains/deliveries/index.ts';
import { grantOn } from '../../shared/domains/grants/index.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import {
  CreateSchedule,
  Schedule,
  ScheduleList,
  ScheduleParams,
  ScheduleRun,
  ScheduleRunList,
  ScheduleRunsQuery,
  UpdateSchedule,
} from './schedule-schemas.ts';
import { DashboardParams } from './schemas.ts';

const HTML = 'text/html; charset=utf-8';
const edit = { permission: 'dashboards:write', grant: grantOn('dashboard', 'editor') } as const;

export const listDashboardSchedules = defineRoute({
  operationId: 'listDashboardSchedules',
  method: 'GET',
  path: '/api/dashboards/{id}/schedules',
  summary: 'List schedules of a dashboard',
  ...edit,
  params: DashboardParams,
  success: { status: 200, body: ScheduleList },
  errors: ['DASHBOARD_NOT_FOUND'],
});

export const createDashboardSchedule = defineRoute({
  operationId: 'createDashboardSchedule',
  method: 'POST',
  path: '/api/dashboards/{id}/schedules',
  summary: 'Create a delivery schedule',
  description:
    'Creates a schedule that sends the dashboard by email. Each member gets what they may see. Other recipients need an address in a delivery domain of the workspace; they can receive only a published dashboard whose tables have neither row-level security nor sensitivity labels.',
  ...edit,
  params: DashboardParams,
  body: CreateSchedule,
  success: { status: 201, body: Schedule, versioned: true },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_SCHEDULE_NAME_TAKEN', 'TOO_MANY_SCHEDULES', 'MAIL_NOT_CONFIGURED'],
  idempotent: true,
  audit: 'dashboard_schedule.created',
});

export const updateDashboardSchedule = defineRoute({
  operationId: 'updateDashboardSchedule',
  method: 'PUT',
  path: '/api/dashboards/{id}/schedules/{scheduleId}',
  summary: 'Update a delivery schedule',
  description: 'Changes the given members. Recipients who have left the workspace are removed.',
  ...edit,
  params: ScheduleParams,
  body: UpdateSchedule,
  success: { status: 200, body: Schedule, versioned: true },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_SCHEDULE_NOT_FOUND', 'DASHBOARD_SCHEDULE_NAME_TAKEN'],
  audit: 'dashboard_schedule.updated',
});

export const deleteDashboardSchedule = defineRoute({
  operationId: 'deleteDashboardSchedule',
  method: 'DELETE',
  path: '/api/dashboards/{id}/schedules/{scheduleId}',
  summary: 'Delete a delivery schedule',
  description: 'Returns the schedule as it was.',
  ...edit,
  params: ScheduleParams,
  success: { status: 200, body: Schedule },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_SCHEDULE_NOT_FOUND'],
  audit: 'dashboard_schedule.deleted',
});

export const listDashboardScheduleRuns = defineRoute({
  operationId: 'listDashboardScheduleRuns',
  method: 'GET',
  path: '/api/dashboards/{id}/schedules/{scheduleId}/runs',
  summary: 'List the runs of a delivery schedule',
  description: 'Lists the newest runs, with the result for each recipient.',
  ...edit,
  params: ScheduleParams,
  query: ScheduleRunsQuery,
  success: { status: 200, body: ScheduleRunList },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_SCHEDULE_NOT_FOUND'],
});

export const runDashboardSchedule = defineRoute({
  operationId: 'runDashboardSchedule',
  method: 'POST',
  path: '/api/dashboards/{id}/schedules/{scheduleId}/run',
  summary: 'Send a dashboard now',
  description:
    'Sends the dashboard to every recipient, regardless of the times and condition of the schedule, and even while the schedule is paused. Limited to five times an hour. The reply does not wait for the emails.',
  ...edit,
  params: ScheduleParams,
  success: { status: 202, body: ScheduleRun },
  errors: [
    'DASHBOARD_NOT_FOUND',
    'DASHBOARD_SCHEDULE_NOT_FOUND',
    'DASHBOARD_SCHEDULE_STOPPED',
    'MAIL_NOT_CONFIGURED',
    'RATE_LIMITED',
  ],
  idempotent: true,
  audit: 'dashboard_schedule.sent',
});

export const getDashboardUnsubscribePage = defineRoute({
  operationId: 'getDashboardUnsubscribePage',
  method: 'GET',
  path: '/api/dashboards/schedules/unsubscribe',
  summary: 'Get the unsubscribe page of dashboards',
  description:
    'Returns the HTML page that the link in each email opens. Opening it changes nothing, because mail scanners open links; its button unsubscribes the recipient.',
  permission: 'public',
  query: UnsubscribeQuery,
  success: { status: 200, contentTypes: [HTML] },
  errors: ['UNSUBSCRIBE_LINK_INVALID'],
});

export const unsubscribeFromDashboard = defineRoute({
  operationId: 'unsubscribeFromDashboard',
  method: 'POST',
  path: '/api/dashboards/schedules/unsubscribe',
  summary: 'Remove a recipient from a schedule',
  description:
    'Called by the unsubscribe page and by mail programs (one-click, RFC 8058), without a sign-in. Removes only the recipient of the email. Repeating the request changes nothing.',
  permission: 'public',
  query: UnsubscribeQuery,
  body: Unsubscribe,
  form: true,
  optionalBody: true,
  success: { status: 200, contentTypes: [HTML] },
  errors: ['UNSUBSCRIBE_LINK_INVALID'],
  audit: 'dashboard_schedule.unsubscribed',
});
