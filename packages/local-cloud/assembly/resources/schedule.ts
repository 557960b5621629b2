import {
  CreateScheduleCommand,
  CreateScheduleGroupCommand,
  DeleteScheduleCommand,
  DeleteScheduleGroupCommand,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { resourceType, unless } from '../resource-type.ts';
import { choice, number, object, required, tags, text } from '../shapes.ts';

const GONE = ['ResourceNotFoundException'];

export const scheduleGroup = resourceType('AWS::Scheduler::ScheduleGroup', {
  properties: { Name: text, Tags: tags },
  attributes: ['Arn'],
  naming: { property: 'Name', maxLength: 64 },
  async provision({ name, context }) {
    await unless(['ConflictException'], context.clients.scheduler.send(new CreateScheduleGroupCommand({ Name: name })));
    const Arn = `arn:aws:scheduler:${context.region}:${context.accountId}:schedule-group/${name}`;
    return { ref: name, attributes: { Arn } };
  },
  async remove({ name, context }) {
    await unless(GONE, context.clients.scheduler.send(new DeleteScheduleGroupCommand({ Name: name })));
  },
});

export const schedule = resourceType('AWS::Scheduler::Schedule', {
  properties: {
    Description: text,
    EndDate: text,
    FlexibleTimeWindow: required(object({ MaximumWindowInMinutes: number, Mode: required(choice('OFF', 'FLEXIBLE')) })),
    GroupName: text,
    Name: text,
    ScheduleExpression: required(text),
    ScheduleExpressionTimezone: text,
    StartDate: text,
    State: choice('ENABLED', 'DISABLED'),
    Target: required(
      object({
        Arn: required(text),
        DeadLetterConfig: object({ Arn: required(text) }),
        Input: text,
        RetryPolicy: object({ MaximumEventAgeInSeconds: number, MaximumRetryAttempts: number }),
        RoleArn: required(text),
        SqsParameters: object({ MessageGroupId: required(text) }),
      }),
    ),
  },
  attributes: ['Arn'],
  naming: { property: 'Name', maxLength: 64 },
  fixed: ['GroupName'],
  async provision({ name, properties, context }) {
    const { scheduler } = context.clients;
    const input = {
      ...properties,
      Name: name,
      StartDate: date(properties.StartDate),
      EndDate: date(properties.EndDate),
    };
    const created = await unless(['ConflictException'], scheduler.send(new CreateScheduleCommand(input)));
    if (!created) await scheduler.send(new UpdateScheduleCommand(input));
    const group = properties.GroupName ?? 'default';
    const Arn = `arn:aws:scheduler:${context.region}:${context.accountId}:schedule/${group}/${name}`;
    return { ref: name, attributes: { Arn } };
  },
  async remove({ name, properties: { GroupName }, context }) {
    await unless(GONE, context.clients.scheduler.send(new DeleteScheduleCommand({ Name: name, GroupName })));
  },
});

function date(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
