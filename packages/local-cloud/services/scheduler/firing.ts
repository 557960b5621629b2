import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { sessionOf } from '../../core/access/principal.ts';
import { toTheSecond } from '../../core/clock.ts';
import { inTransaction } from '../../core/database.ts';
import { Alarms } from '../../core/schedules/alarms.ts';
import { parseExpression } from '../../core/schedules/expression.ts';
import type { CloudContext } from '../../core/service.ts';
import type { Courier } from '../events/delivery/courier.ts';
import type { Delivery, Journal, JournaledDelivery } from '../events/delivery/journal.ts';
import { scheduleArn } from './arns.ts';
import type { Schedule, Schedules } from './schedules.ts';

const MINUTE_MS = 60_000;
const DEFAULT_RETRY = { attempts: 185, ageSeconds: 86_400 };

interface Deps {
  context: CloudContext;
  database: DatabaseSync;
  schedules: Schedules;
  journal: Journal;
  courier: Courier;
}

/** `<aws.scheduler.attempt-number>` is only known at the attempt. */
export function withAttemptNumber({ payload, attempts }: JournaledDelivery): string {
  return payload.replaceAll('<aws.scheduler.attempt-number>', String(attempts + 1));
}

/**
 * Fires schedules. The firing and its delivery are stored together, so a crash neither repeats nor loses one.
 * Occurrences missed while the service was off are skipped, except one-time schedules, which fire late.
 */
export class Firing {
  readonly #deps: Deps;
  readonly #alarms: Alarms;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#alarms = new Alarms(deps.context.clock);
    for (const schedule of deps.schedules.all()) this.arm(schedule);
  }

  /** Call after every change of the schedule; `isNew` lets a rate start at once. */
  arm(schedule: Schedule, isNew = false): void {
    this.#arm(schedule, this.#deps.context.clock.now(), isNew);
  }

  disarm(schedule: Schedule): void {
    this.#alarms.clear(scheduleArn(this.#deps.context, schedule));
  }

  close(): void {
    this.#alarms.close();
  }

  #arm(schedule: Schedule, now: number, isNew = false): void {
    const key = scheduleArn(this.#deps.context, schedule);
    if (schedule.state === 'DISABLED') {
      this.#alarms.clear(key);
      return;
    }
    const due = this.#nextDue(schedule, now, isNew);
    if (due === undefined) this.#alarms.set(key, this.#endOf(schedule), () => this.#finish(schedule));
    else this.#alarms.set(key, due, () => this.#fire(schedule, due));
  }

  #nextDue(schedule: Schedule, now: number, isNew = false): number | undefined {
    const { expression, timeZone, anchor, firedFor, startAt, endAt } = schedule;
    const timetable = parseExpression(expression, { timeZone, anchor });
    if (timetable.kind === 'at') {
      const at = timetable.next(Number.NEGATIVE_INFINITY);
      return at === firedFor ? undefined : at;
    }
    const after = isNew && timetable.kind === 'rate' ? now - 1 : now;
    const due = timetable.next(startAt === undefined ? after : Math.max(after, startAt - 1));
    return due !== undefined && endAt !== undefined && due > endAt ? undefined : due;
  }

  /** A finished schedule with deletion on completion is removed after its last window. */
  #endOf(schedule: Schedule): number | undefined {
    return schedule.deleteWhenDone ? (schedule.endAt ?? this.#deps.context.clock.now()) : undefined;
  }

  #finish(schedule: Schedule): void {
    this.#deps.schedules.delete(schedule);
  }

  #fire(schedule: Schedule, due: number): void {
    const { context, database, schedules, journal, courier } = this.#deps;
    // A timer may fire slightly early, which would make the schedule due a second time.
    const now = Math.max(context.clock.now(), due);
    const fired: Schedule = { ...schedule, firedFor: due };
    const windowMs = schedule.windowMinutes * MINUTE_MS;
    const sentAt = windowMs === 0 ? context.clock.now() : due + Math.floor(context.random() * windowMs);
    const over = this.#nextDue(fired, now) === undefined;
    inTransaction(database, () => {
      journal.add(this.#delivery(schedule, due), context.clock.now(), sentAt);
      if (over && schedule.deleteWhenDone) schedules.delete(schedule);
      else schedules.save(fired);
    });
    courier.wake();
    if (!over) this.#arm(fired, now);
  }

  #delivery(schedule: Schedule, due: number): Delivery {
    const { context } = this.#deps;
    const { target } = schedule;
    const id = randomUUID();
    const arn = scheduleArn(context, schedule);
    const scheduledTime = toTheSecond(due);
    const payload = (target.Input ?? this.#defaultInput(id, arn, scheduledTime))
      .replaceAll('<aws.scheduler.schedule-arn>', arn)
      .replaceAll('<aws.scheduler.scheduled-time>', scheduledTime)
      .replaceAll('<aws.scheduler.execution-id>', id);
    const deadLetterArn = target.DeadLetterConfig?.Arn;
    return {
      id,
      targetArn: target.Arn,
      caller: sessionOf(target.RoleArn, schedule.name),
      payload,
      messageGroupId: target.SqsParameters?.MessageGroupId,
      ...(target.EventBridgeParameters && {
        event: { source: target.EventBridgeParameters.Source, detailType: target.EventBridgeParameters.DetailType },
      }),
      retry: {
        attempts: target.RetryPolicy?.MaximumRetryAttempts ?? DEFAULT_RETRY.attempts,
        ageSeconds: target.RetryPolicy?.MaximumEventAgeInSeconds ?? DEFAULT_RETRY.ageSeconds,
      },
      ...(deadLetterArn !== undefined && {
        deadLetter: {
          queueArn: deadLetterArn,
          body: payload,
          attributes: { SCHEDULE_ARN: arn, SCHEDULED_TIME: scheduledTime, EXECUTION_ID: id },
        },
      }),
    };
  }

  #defaultInput(id: string, arn: string, time: string): string {
    const { accountId: account, region } = this.#deps.context;
    return JSON.stringify({
      version: '0',
      id,
      'detail-type': 'Scheduled Event',
      source: 'aws.scheduler',
      account,
      time,
      region,
      resources: [arn],
      detail: '{}',
    });
  }
}
