import { parseExpression } from '../../core/schedules/expression.ts';
import type { Targets } from '../events/delivery/targets.ts';
import { checkRetryPolicy } from '../events/target-operations.ts';
import { validation } from './errors.ts';
import { DEFAULT_GROUP, type Schedule, type ScheduleTarget } from './schedules.ts';

/** CreateSchedule and UpdateSchedule have the same input; dates are epoch seconds on the wire. */
export interface ScheduleInput {
  Name: string;
  GroupName?: string;
  ScheduleExpression: string;
  ScheduleExpressionTimezone?: string;
  StartDate?: number;
  EndDate?: number;
  Description?: string;
  State?: Schedule['state'];
  Target: ScheduleTarget;
  FlexibleTimeWindow: { Mode: string; MaximumWindowInMinutes?: number };
  ActionAfterCompletion?: string;
  ClientToken?: string;
}

export const SCHEDULE_MEMBERS = [
  'Name',
  'GroupName',
  'ScheduleExpression',
  'ScheduleExpressionTimezone',
  'StartDate',
  'EndDate',
  'Description',
  'State',
  'Target',
  'FlexibleTimeWindow',
  'ActionAfterCompletion',
  'ClientToken',
];

const TARGET_MEMBERS = [
  'Arn',
  'RoleArn',
  'Input',
  'RetryPolicy',
  'DeadLetterConfig',
  'SqsParameters',
  'EventBridgeParameters',
];
export const SCHEDULE_STRUCTURES = {
  Target: TARGET_MEMBERS,
  'Target.RetryPolicy': ['MaximumRetryAttempts', 'MaximumEventAgeInSeconds'],
  'Target.DeadLetterConfig': ['Arn'],
  'Target.SqsParameters': ['MessageGroupId'],
  'Target.EventBridgeParameters': ['DetailType', 'Source'],
  FlexibleTimeWindow: ['Mode', 'MaximumWindowInMinutes'],
};
const MAX_WINDOW_MINUTES = 1440;

/**
 * Reads a schedule; omitted members get their defaults, also on an update. A rate keeps its starting point unless its
 * expression or start date changes. Throws `ValidationException`.
 */
export function readSchedule(
  input: ScheduleInput,
  current: Schedule | undefined,
  targets: Targets,
  now: number,
): Schedule {
  checkName('name', input.Name);
  const startAt = millis(input.StartDate);
  const endAt = millis(input.EndDate);
  const timeZone = input.ScheduleExpressionTimezone ?? 'UTC';
  checkExpression(input.ScheduleExpression, timeZone);
  checkTarget(input.Target, targets);
  if (startAt !== undefined && endAt !== undefined && endAt <= startAt) {
    throw validation('The EndDate you specify must come after the StartDate.');
  }
  const sameCount =
    current?.expression === input.ScheduleExpression && current.timeZone === timeZone && current.startAt === startAt;
  return {
    name: input.Name,
    groupName: input.GroupName ?? DEFAULT_GROUP,
    expression: input.ScheduleExpression,
    timeZone,
    ...(startAt !== undefined && { startAt }),
    ...(endAt !== undefined && { endAt }),
    ...(input.Description !== undefined && { description: input.Description }),
    state: oneOf('state', input.State ?? 'ENABLED', ['ENABLED', 'DISABLED']),
    target: input.Target,
    windowMinutes: windowMinutes(input.FlexibleTimeWindow),
    deleteWhenDone:
      oneOf('actionAfterCompletion', input.ActionAfterCompletion ?? 'NONE', ['NONE', 'DELETE']) === 'DELETE',
    createdAt: current?.createdAt ?? now,
    modifiedAt: now,
    anchor: current && sameCount ? current.anchor : (startAt ?? now),
    ...(current && sameCount && current.firedFor !== undefined && { firedFor: current.firedFor }),
    ...(input.ClientToken !== undefined && { clientToken: input.ClientToken }),
  };
}

/** Throws `ValidationException` for an invalid name of a schedule or a group. */
export function checkName(member: string, name: string): void {
  if (/^[0-9a-zA-Z\-_.]{1,64}$/.test(name ?? '')) return;
  throw validation(
    `1 validation error detected: Value '${name}' at '${member}' failed to satisfy constraint: Member must satisfy regular expression pattern: ^[0-9a-zA-Z-_.]+$`,
  );
}

function checkExpression(expression: string, timeZone: string): void {
  try {
    parseExpression(expression, { timeZone, anchor: 0 });
  } catch (error) {
    if (error instanceof RangeError) throw validation(`Invalid Schedule Expression Timezone ${timeZone}.`);
    throw validation(`Invalid Schedule Expression ${expression}.`);
  }
}

function checkTarget(target: ScheduleTarget, targets: Targets): void {
  if (!target?.Arn) throw validation('The target needs an Arn.');
  targets.check(target.Arn);
  checkRetryPolicy(target.RetryPolicy);
  if (target.DeadLetterConfig?.Arn !== undefined && !/^arn:aws:sqs:/.test(target.DeadLetterConfig.Arn)) {
    throw validation(`The dead-letter queue ${target.DeadLetterConfig.Arn} is not an SQS queue.`);
  }
  if (target.Arn.endsWith('.fifo') && target.SqsParameters?.MessageGroupId === undefined) {
    throw validation('A FIFO queue as target needs SqsParameters with a MessageGroupId.');
  }
  const isBus = /:event-bus\//.test(target.Arn);
  if (isBus !== (target.EventBridgeParameters !== undefined)) {
    throw validation('EventBridgeParameters go with an event bus as target, and an event bus needs them.');
  }
}

function windowMinutes(window: ScheduleInput['FlexibleTimeWindow']): number {
  const { Mode, MaximumWindowInMinutes } = window ?? { Mode: '' };
  if (oneOf('flexibleTimeWindow.mode', Mode, ['OFF', 'FLEXIBLE']) === 'OFF') {
    if (MaximumWindowInMinutes === undefined) return 0;
    throw validation('MaximumWindowInMinutes goes with a FLEXIBLE time window only.');
  }
  const minutes = MaximumWindowInMinutes ?? 0;
  if (Number.isInteger(minutes) && minutes >= 1 && minutes <= MAX_WINDOW_MINUTES) return minutes;
  throw validation(`A FLEXIBLE time window needs MaximumWindowInMinutes between 1 and ${MAX_WINDOW_MINUTES}.`);
}

function oneOf<const T extends string>(member: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value);
  if (found) return found;
  throw validation(
    `1 validation error detected: Value '${value}' at '${member}' failed to satisfy constraint: Member must satisfy enum value set: [${allowed.join(', ')}]`,
  );
}

function millis(epochSeconds: number | undefined): number | undefined {
  return epochSeconds === undefined ? undefined : Math.round(epochSeconds * 1000);
}
