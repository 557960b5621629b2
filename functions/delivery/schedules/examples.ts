import { CHANGED_AT, CREATED_AT, IDS } from '../../platform/example-values.ts';

const given = {
  name: 'Monday morning',
  cron: '0 8 * * 1',
  format: 'pdf' as const,
  recipients: ['ada@example.com', 'grace@example.com'],
  timezone: 'Europe/Berlin',
  isActive: true,
  condition: 'changed' as const,
};
const chat = {
  type: 'slack' as const,
  name: '#sales',
  url: 'https://hooks.slack.com/services/T000/B000/XXXX',
};
const shownChat = {
  ...{ id: '0197a5b0-7c1e-7d61-a4f3-2b8e6f1c9d05', type: chat.type, name: chat.name },
  ...{ origin: 'https://hooks.slack.com', headers: {}, hasSecret: false },
};
const counts = { cardCount: 6, failedCardCount: 0, error: null };

/**
 * The examples of the operations of `scheduleRoutes`. `object` names what is sent, and `own` has members that only its
 * schedules have.
 */
export function scheduleExamples<O extends object, W extends object>(
  { scheduleId, runId }: { scheduleId: string; runId: string },
  object: O,
  own: W,
) {
  const run = {
    id: runId,
    status: 'sent' as const,
    reason: null,
    scheduledFor: '2026-02-02T07:00:00.000Z',
    startedBy: null,
    startedAt: '2026-02-02T07:00:01.120Z',
    finishedAt: '2026-02-02T07:00:09.480Z',
    recipientCount: 2,
    targetCount: 1,
  };
  const schedule = {
    id: scheduleId,
    workspaceId: IDS.workspace,
    ...object,
    ...given,
    cronExpression: given.cron,
    ...own,
    targets: [shownChat],
    ownerId: IDS.user,
    status: 'active' as const,
    stopReason: null,
    nextRunAt: '2026-02-09T07:00:00.000Z',
    lastRun: run,
    createdBy: IDS.user,
    updatedBy: IDS.user,
    createdAt: CREATED_AT,
    updatedAt: CREATED_AT,
    revision: 1,
  };
  const sent = {
    ...{ recipient: 'ada@example.com', userId: IDS.user, status: 'sent' as const, reason: null, ...counts },
    ...{ bytes: 48_210, sentAt: '2026-02-02T07:00:10.050Z' },
  };
  const skipped = {
    ...{ recipient: 'grace@example.com', userId: IDS.colleague, status: 'skipped' as const },
    ...{ reason: 'UNCHANGED' as const, ...counts, bytes: 0, sentAt: null },
  };
  const posted = {
    ...{ targetId: shownChat.id, name: chat.name, status: 'sent' as const, reason: null, ...counts, bytes: 0 },
    ...{ attempts: 1, lastError: null, responseStatus: 200, nextAttemptAt: null, sentAt: '2026-02-02T07:00:10.310Z' },
  };
  const paused = { isActive: false, status: 'paused' as const, nextRunAt: null, updatedAt: CHANGED_AT, revision: 2 };
  const queued = { status: 'queued' as const, scheduledFor: null, startedBy: IDS.user, finishedAt: null };
  return {
    list: { reply: { items: [schedule], total: 1 } },
    create: { request: { ...given, ...own, targets: [chat] }, reply: { ...schedule, lastRun: null } },
    update: { request: { isActive: false }, reply: { ...schedule, ...paused } },
    remove: { reply: schedule },
    runs: { reply: { items: [{ ...run, scheduleId, perRecipient: [sent, skipped], perTarget: [posted] }] } },
    run: { reply: { ...run, ...queued, scheduleId, perRecipient: [], perTarget: [] } },
    page: {},
    leave: { request: { 'List-Unsubscribe': 'One-Click' } },
  };
}
