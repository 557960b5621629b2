import type { Issue } from '../../../platform/errors/app-error.ts';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { instantsBetween, nextInstant, scheduleIssues } from '../../../platform/schedule/schedule.ts';

const MIN_MINUTES = 15;
/** How many consecutive instants are compared: enough for a list of times of a day. */
const CHECKED_INSTANTS = 100;

/** When something is delivered. */
export interface DeliveryTimes {
  cron: string;
  timezone: string;
  isActive: boolean;
}

/** The first instant of the schedule after the given one; undefined while the delivery is paused. */
export const nextDeliveryAt = ({ cron, timezone, isActive }: DeliveryTimes, after: Date): Date | undefined =>
  nextInstant({ cron, timezone, enabled: isActive }, after);

/** Whether the schedule has this instant. */
export const isPlanned = (times: DeliveryTimes, at: Date): boolean =>
  nextDeliveryAt(times, new Date(at.getTime() - 1))?.getTime() === at.getTime();

/** Issues of the schedule, with places in the request, whose member with the expression may have another name. */
export function deliveryTimeIssues({ cron, timezone }: Omit<DeliveryTimes, 'isActive'>, now: Date): Issue[] {
  const issues = scheduleIssues({ cron, timezone }, '');
  if (issues.length > 0 || !isTooFrequent({ cron, timezone }, now)) return issues;
  const message = `must leave at least ${MIN_MINUTES} minutes in between`;
  return [{ pointer: '/cron', code: 'TOO_FREQUENT', message }];
}

function isTooFrequent(schedule: { cron: string; timezone: string }, now: Date): boolean {
  let previous = nextInstant(schedule, now);
  for (let count = 0; previous && count < CHECKED_INSTANTS; count++) {
    const next = nextInstant(schedule, previous);
    if (next && next.getTime() - previous.getTime() < MIN_MINUTES * 60_000) return true;
    previous = next;
  }
  return false;
}

/** Frequent schedules find their previous instant in the first, and list few instants. */
const LOOK_BACK_DAYS = [1, 8, 32, 367];

/** The newest instant of the schedule before the given one; undefined if there was none within a year. */
export function previousDeliveryAt({ cron, timezone }: Omit<DeliveryTimes, 'isActive'>, at: Date): Date | undefined {
  for (const days of LOOK_BACK_DAYS) {
    const from = new Date(at.getTime() - days * DAY_MS);
    const found = instantsBetween((after) => nextInstant({ cron, timezone }, after), from, new Date(at.getTime() - 1));
    if (found.length > 0) return found.at(-1);
  }
  return undefined;
}
