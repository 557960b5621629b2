import type { ExamplesOf } from '../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS } from '../example-values.ts';
import type * as routes from './schedule-routes.ts';

const given = {
  name: 'Monday morning',
  cronExpression: '0 8 * * 1',
  format: 'pdf',
  recipients: ['ada@example.com', 'grace@example.com'],
  timezone: 'Europe/Berlin',
  isActive: true,
  condition: 'changed',
  filters: [{ filterId: IDS.filter, op: 'in', values: ['eu'] }],
  pageId: 'overview',
};

const run = {
  id: IDS.dashboardRun,
  status: 'sent',
  reason: null,
  scheduledFor: '2026-02-02T07:00:00.000Z',
  startedBy: null,
  startedAt: '2026-02-02T07:00:01.120Z',
  finishedAt: '2026-02-02T07:00:09.480Z',
  recipientCount: 2,
};

const schedule = {
  id: IDS.dashboardSchedule,
  workspaceId: IDS.workspace,
  dashboardId: IDS.dashboard,
  ...given,
  ownerId: IDS.user,
  status: 'active',
  stopReason: null,
  nextRunAt: '2026-02-09T07:00:00.000Z',
  lastRun: run,
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

const counts = { cardCount: 6, failedCardCount: 0, error: null };

export const examples: ExamplesOf<typeof routes> = {
  listDashboardSchedules: { reply: { items: [schedule], total: 1 } },
  createDashboardSchedule: { request: given, reply: { ...schedule, lastRun: null } },
  updateDashboardSchedule: {
    request: { isActive: false },
    reply: { ...schedule, isActive: false, status: 'paused', nextRunAt: null, updatedAt: CHANGED_AT, revision: 2 },
  },
  deleteDashboardSchedule: { reply: schedule },
  listDashboardScheduleRuns: {
    reply: {
      items: [
        {
          ...run,
          scheduleId: IDS.dashboardSchedule,
          perRecipient: [
            {
              ...{ recipient: 'ada@example.com', userId: IDS.user, status: 'sent', reason: null, ...counts },
              ...{ bytes: 48_210, sentAt: '2026-02-02T07:00:10.050Z' },
            },
            {
              ...{ recipient: 'grace@example.com', userId: IDS.colleague, status: 'skipped', reason: 'UNCHANGED' },
              ...{ ...counts, bytes: 0, sentAt: null },
            },
          ],
        },
      ],
    },
  },
  runDashboardSchedule: {
    reply: {
      ...{ ...run, scheduleId: IDS.dashboardSchedule, status: 'queued', scheduledFor: null, startedBy: IDS.user },
      ...{ finishedAt: null, perRecipient: [] },
    },
  },
  getDashboardUnsubscribePage: {},
  unsubscribeFromDashboard: { request: { 'List-Unsubscribe': 'One-Click' } },
};
