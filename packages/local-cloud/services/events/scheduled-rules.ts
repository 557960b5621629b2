import { Alarms } from '../../core/schedules/alarms.ts';
import { parseExpression, type Timetable } from '../../core/schedules/expression.ts';
import type { CloudContext } from '../../core/service.ts';
import type { Bus } from './bus.ts';
import { eventDocument } from './event.ts';
import type { Rule, Rules } from './rules.ts';

/** Parses the schedule of a rule: a rate or a cron expression in UTC. Throws an `Error` for any other. */
export function readSchedule(expression: string, scheduledFrom: number): Timetable {
  // Unlike schedules, rules require `1 minute` and `2 minutes`.
  if (/^rate\((?:1 \w+s|(?!1 )\d+ \w+[^s])\)$/.test(expression)) throw new Error('number and unit do not agree');
  const timetable = parseExpression(expression, { timeZone: 'UTC', anchor: scheduledFrom });
  if (timetable.kind === 'at') throw new Error('a rule cannot be due once');
  return timetable;
}

/** Fires rules that have a schedule. Occurrences missed while the service was off are skipped. */
export class ScheduledRules {
  readonly #context: CloudContext;
  readonly #rules: Rules;
  readonly #bus: Bus;
  readonly #alarms: Alarms;

  constructor(context: CloudContext, rules: Rules, bus: Bus) {
    this.#context = context;
    this.#rules = rules;
    this.#bus = bus;
    this.#alarms = new Alarms(context.clock);
    for (const rule of rules.all()) this.arm(rule);
  }

  /** Call after every change of the rule. */
  arm(rule: Rule): void {
    this.#arm(rule, this.#context.clock.now());
  }

  disarm(name: string): void {
    this.#alarms.clear(name);
  }

  close(): void {
    this.#alarms.close();
  }

  #arm(rule: Rule, after: number): void {
    const { scheduleExpression, scheduledFrom, state, name } = rule;
    const due =
      scheduleExpression === undefined || state === 'DISABLED'
        ? undefined
        : readSchedule(scheduleExpression, scheduledFrom).next(Math.max(after, scheduledFrom));
    this.#alarms.set(name, due, (at) => this.#fire(name, at));
  }

  #fire(name: string, at: number): void {
    const rule = this.#rules.get(name);
    const event = eventDocument(this.#context, {
      source: 'aws.events',
      detailType: 'Scheduled Event',
      detail: {},
      resources: [this.#bus.ruleArn(name)],
      time: new Date(at),
    });
    this.#bus.acceptFor(rule, event);
    // A timer may fire slightly early, which would make the rule due a second time.
    this.#arm(rule, Math.max(this.#context.clock.now(), at));
  }
}
