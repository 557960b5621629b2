import {
  type AlertMessage,
  type AlertQueue,
  snoozeForPerson,
  type Trigger,
} from '../../../../shared/domains/alerts/evaluations/index.ts';
import { audienceOf, isNamed } from '../../../../shared/domains/alerts/recipients/index.ts';
import { takesFollowers } from '../../../../shared/domains/alerts/rules/index.ts';
import { showClass } from '../../../../shared/domains/alerts/sources/index.ts';
import { EVERY_SUBJECT, type Follows } from '../../../../shared/domains/delivery/notifications/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { DAY_MS } from '../../../../shared/platform/schedule/durations.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { OneTime } from '../../../../shared/platform/storage/one-time.ts';
import type { Alert } from '../schemas.ts';
import type { AlertDeps } from '../use-cases/context.ts';
import { findAlert, findToChange, mayEditAlert, type Named, showAlert } from '../use-cases/find-alert.ts';
import type { AlertFollow, AlertHistory, SnoozeAlert, StartedEvaluation } from './schemas.ts';
import { takesTurn } from './take-turn.ts';

export interface OperationDeps extends AlertDeps {
  queue: AlertQueue;
  follows: Follows;
  /** The turns of evaluations by hand, and of previews. */
  turns: OneTime<object>;
}

const MAX_AN_HOUR = 5;
const HOUR_SECONDS = 3_600;
const MAX_SNOOZE_MS = 90 * DAY_MS;

/** Throws `ALERT_NOT_FOUND`, `FORBIDDEN`, `ALERT_NOT_ACTIVE` and `RATE_LIMITED`. */
export async function runAlert(deps: OperationDeps, named: Named): Promise<StartedEvaluation> {
  const { id, workspaceId, isActive, stopReason } = await findToChange(deps, named);
  if (!isActive || stopReason !== null) throw new AppError('ALERT_NOT_ACTIVE');
  if (!(await takesTurn(deps.turns, id, { max: MAX_AN_HOUR, seconds: HOUR_SECONDS }))) {
    const detail = `An alert can be evaluated on request ${MAX_AN_HOUR} times an hour. Try again after the time in Retry-After.`;
    throw new AppError('RATE_LIMITED', { detail, retryAfterSeconds: HOUR_SECONDS / MAX_AN_HOUR });
  }
  const at = deps.now().toISOString();
  const message = evaluationOf({ workspaceId, id }, { kind: 'manual', at });
  await deps.queue.send([{ message, delaySeconds: 0 }]);
  return { at };
}

/** What evaluations found for what the caller sees: that of rows which are others now, without values and groups. */
export async function listAlertHistory(
  deps: AlertDeps,
  { limit, ...named }: Named & { limit: number },
): Promise<AlertHistory> {
  const alert = await findAlert(deps, named);
  const { principal } = named;
  const { isRecipient } = await audienceOf(deps.table, principal, alert);
  const own = await showClass(deps, { principal, isRecipient }, alert);
  if (!own) return { items: [] };
  const { workspaceId, id: alertId, conditionVersion } = alert;
  const found = await deps.states.history({ workspaceId, alertId, conditionVersion }, own.classKey, limit);
  return {
    items: found.map(({ at, entries, lasting }) => {
      const isHidden = lasting !== own.lasting;
      const shown = entries.map(({ group, value, ...entry }) => ({
        ...entry,
        group: isHidden || group === '' ? null : group,
        value: isHidden ? null : value,
      }));
      return { at, entries: shown, isHidden };
    }),
  };
}

/** Throws `ALERT_NOT_FOUND`, `FORBIDDEN`, and `VALIDATION_FAILED` for an instant that is over or too far. */
export async function snoozeAlert(
  deps: OperationDeps,
  { until, for: whom, ...named }: Named & SnoozeAlert,
): Promise<Alert> {
  const now = deps.now();
  if (until !== null) assertSoon(until, now);
  const alert = await findAlert(deps, named);
  const { principal } = named;
  const isForAll = (whom ?? (mayEditAlert(principal, alert) ? 'everyone' : 'me')) === 'everyone';
  const snoozedUntil = until === null ? null : new Date(until).toISOString();
  if (!isForAll) {
    const { workspaceId, id: alertId } = alert;
    const { userId } = principal;
    await snoozeForPerson(deps.table, alert, userId, snoozedUntil);
    if (until === null) {
      const message = { op: 'woke', workspaceId, alertId, userId } as const;
      await deps.queue.send([{ message, delaySeconds: 0 }]);
    }
    return showAlert(deps, principal, alert);
  }
  return onNewest('STALE_WRITE', async () => {
    const before = await findToChange(deps, named);
    const updatedAt = later(before.updatedAt, now);
    const next = { ...before, snoozedUntil, updatedBy: principal.userId, updatedAt };
    const stored = await deps.alerts.replace(before, next);
    // An evaluation sums up what happened meanwhile.
    if (until === null && before.snoozedUntil !== null && before.snoozedUntil > now.toISOString()) {
      const message = evaluationOf(stored, { kind: 'schedule', at: now.toISOString() });
      await deps.queue.send([{ message, delaySeconds: 0 }]);
    }
    return showAlert(deps, principal, stored);
  });
}

const evaluationOf = ({ workspaceId, id }: Pick<Alert, 'workspaceId' | 'id'>, trigger: Trigger): AlertMessage => ({
  ...{ op: 'evaluate', workspaceId, alertIds: [id], trigger },
});

function assertSoon(until: string, now: Date): void {
  const inMs = Date.parse(until) - now.getTime();
  if (inMs > 0 && inMs <= MAX_SNOOZE_MS) return;
  const message = inMs > 0 ? 'must be at most 90 days from now' : 'must be in the future; null ends a snooze';
  throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/until', code: 'OUT_OF_RANGE', message }] });
}

/** Throws `ALERT_NOT_FOUND`, and `FORBIDDEN` where only those who are named are notified. */
export async function followAlert(deps: OperationDeps, named: Named): Promise<AlertFollow> {
  const { principal } = named;
  const alert = await findAlert(deps, named);
  assertPerson(principal);
  if (!takesFollowers(alert) && !(await isNamed(deps.table, principal, alert))) {
    throw new AppError('FORBIDDEN', {
      detail: 'This alert cannot be followed. Ask its owner or an editor to add you as a recipient.',
    });
  }
  await deps.follows.set(principal, { type: 'alert', id: alert.id }, 'following');
  // A person who has unsubscribed from the emails of all alerts gets them again.
  await deps.follows.set(principal, { type: 'alert', id: EVERY_SUBJECT }, 'following');
  return { isFollowing: true };
}

/** Throws `ALERT_NOT_FOUND`. */
export async function unfollowAlert(deps: OperationDeps, named: Named): Promise<AlertFollow> {
  const { principal } = named;
  const alert = await findAlert(deps, named);
  assertPerson(principal);
  await deps.follows.set(principal, { type: 'alert', id: alert.id }, 'unfollowed');
  return { isFollowing: (await audienceOf(deps.table, principal, alert)).isRecipient };
}

function assertPerson({ kind }: Principal): void {
  if (kind !== 'user')
    throw new AppError('FORBIDDEN', { detail: 'API keys cannot follow alerts. Sign in as a person.' });
}
