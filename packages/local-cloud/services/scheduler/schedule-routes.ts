import { pageOf } from '../../core/paging.ts';
import type { RestRoute } from '../../core/rest-json.ts';
import type { CloudContext } from '../../core/service.ts';
import type { Targets } from '../events/delivery/targets.ts';
import { groupArn, scheduleArn } from './arns.ts';
import { conflict, validation } from './errors.ts';
import type { Firing } from './firing.ts';
import {
  checkName,
  readSchedule,
  SCHEDULE_MEMBERS,
  SCHEDULE_STRUCTURES,
  type ScheduleInput,
} from './schedule-input.ts';
import { DEFAULT_GROUP, type Schedule, type Schedules } from './schedules.ts';

const MAX_LISTED = 100;

interface Page {
  NextToken?: string;
  MaxResults?: number;
}
interface Named {
  Name: string;
  GroupName?: string;
}

interface Deps {
  context: CloudContext;
  schedules: Schedules;
  firing: Firing;
  targets: Targets;
}

/** The operations on schedules. */
export function scheduleRoutes({ context, schedules, firing, targets }: Deps): RestRoute[] {
  const resource = ({ Name }: Named) => Name;
  const named = ({ Name, GroupName = DEFAULT_GROUP }: Named) => {
    schedules.group(GroupName);
    return schedules.get(GroupName, Name);
  };
  return [
    {
      operation: 'CreateSchedule',
      method: 'POST',
      path: '/schedules/{Name}',
      members: SCHEDULE_MEMBERS,
      structures: SCHEDULE_STRUCTURES,
      resource,
      run: (input: ScheduleInput) => {
        const schedule = readSchedule(input, undefined, targets, context.clock.now());
        schedules.group(schedule.groupName);
        const existing = schedules.find(schedule.groupName, schedule.name);
        if (existing && existing.clientToken !== schedule.clientToken) {
          throw conflict(`Schedule ${schedule.name} already exists.`);
        }
        if (!existing) {
          schedules.save(schedule);
          firing.arm(schedule, true);
        }
        return { ScheduleArn: scheduleArn(context, schedule) };
      },
    },
    {
      operation: 'UpdateSchedule',
      method: 'PUT',
      path: '/schedules/{Name}',
      members: SCHEDULE_MEMBERS,
      structures: SCHEDULE_STRUCTURES,
      resource,
      run: (input: ScheduleInput) => {
        const current = named(input);
        const schedule = readSchedule(input, current, targets, context.clock.now());
        schedules.save(schedule);
        // A changed rate starts over, and fires at once.
        firing.arm(schedule, schedule.anchor !== current.anchor);
        return { ScheduleArn: scheduleArn(context, schedule) };
      },
    },
    {
      operation: 'GetSchedule',
      method: 'GET',
      path: '/schedules/{Name}',
      members: ['Name', 'GroupName'],
      resource,
      run: (input: Named) => describeSchedule(context, named(input)),
    },
    {
      operation: 'DeleteSchedule',
      method: 'DELETE',
      path: '/schedules/{Name}',
      members: ['Name', 'GroupName', 'ClientToken'],
      resource,
      run: (input: Named) => {
        const schedule = named(input);
        schedules.delete(schedule);
        firing.disarm(schedule);
      },
    },
    {
      operation: 'ListSchedules',
      method: 'GET',
      path: '/schedules',
      members: ['GroupName', 'NamePrefix', 'State', 'NextToken', 'MaxResults'],
      run: ({
        GroupName,
        NamePrefix = '',
        State,
        ...page
      }: Page & Partial<Named & { NamePrefix: string; State: string }>) => {
        if (GroupName !== undefined) schedules.group(GroupName);
        const wanted = schedules
          .all()
          .filter(({ groupName }) => GroupName === undefined || groupName === GroupName)
          .filter(({ name, state }) => name.startsWith(NamePrefix) && (State === undefined || state === State));
        const { items, next } = pageOf(wanted, ({ groupName, name }) => `${groupName}/${name}`, sizeAndToken(page));
        return { Schedules: items.map((schedule) => summary(context, schedule)), ...next };
      },
    },
  ];
}

/** The operations on groups of schedules. */
export function groupRoutes({ context, schedules, firing }: Deps): RestRoute[] {
  const resource = ({ Name }: Named) => Name;
  const showGroup = ({ name, createdAt }: { name: string; createdAt: number }) => ({
    Arn: groupArn(context, name),
    Name: name,
    State: 'ACTIVE',
    CreationDate: createdAt / 1000,
    LastModificationDate: createdAt / 1000,
  });
  return [
    {
      operation: 'CreateScheduleGroup',
      method: 'POST',
      path: '/schedule-groups/{Name}',
      members: ['Name', 'ClientToken'],
      resource,
      run: ({ Name, ClientToken }: Named & { ClientToken: string }) => {
        checkName('name', Name);
        const existing = schedules.groups().find(({ name }) => name === Name);
        if (existing && existing.clientToken !== ClientToken) throw conflict(`Schedule group ${Name} already exists.`);
        if (!existing) {
          schedules.addGroup({ name: Name, createdAt: context.clock.now(), clientToken: ClientToken });
        }
        return { ScheduleGroupArn: groupArn(context, Name) };
      },
    },
    {
      operation: 'GetScheduleGroup',
      method: 'GET',
      path: '/schedule-groups/{Name}',
      members: ['Name'],
      resource,
      run: ({ Name }: Named) => showGroup(schedules.group(Name)),
    },
    {
      operation: 'DeleteScheduleGroup',
      method: 'DELETE',
      path: '/schedule-groups/{Name}',
      members: ['Name', 'ClientToken'],
      resource,
      run: ({ Name }: Named) => {
        schedules.group(Name);
        if (Name === DEFAULT_GROUP) throw validation('The default schedule group cannot be deleted.');
        for (const schedule of schedules.all()) if (schedule.groupName === Name) firing.disarm(schedule);
        schedules.deleteGroup(Name);
      },
    },
    {
      operation: 'ListScheduleGroups',
      method: 'GET',
      path: '/schedule-groups',
      members: ['NamePrefix', 'NextToken', 'MaxResults'],
      run: ({ NamePrefix = '', ...page }: Page & { NamePrefix?: string }) => {
        const wanted = schedules.groups().filter(({ name }) => name.startsWith(NamePrefix));
        const { items, next } = pageOf(wanted, ({ name }) => name, sizeAndToken(page));
        return { ScheduleGroups: items.map(showGroup), ...next };
      },
    },
  ];
}

function describeSchedule(context: CloudContext, schedule: Schedule): object {
  const { startAt, endAt, description, windowMinutes } = schedule;
  return {
    ...summary(context, schedule),
    ScheduleExpression: schedule.expression,
    ScheduleExpressionTimezone: schedule.timeZone,
    ...(startAt !== undefined && { StartDate: startAt / 1000 }),
    ...(endAt !== undefined && { EndDate: endAt / 1000 }),
    ...(description !== undefined && { Description: description }),
    Target: {
      RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
      ...schedule.target,
    },
    FlexibleTimeWindow:
      windowMinutes === 0 ? { Mode: 'OFF' } : { Mode: 'FLEXIBLE', MaximumWindowInMinutes: windowMinutes },
    ActionAfterCompletion: schedule.deleteWhenDone ? 'DELETE' : 'NONE',
  };
}

function summary(context: CloudContext, schedule: Schedule): object {
  return {
    Arn: scheduleArn(context, schedule),
    Name: schedule.name,
    GroupName: schedule.groupName,
    State: schedule.state,
    CreationDate: schedule.createdAt / 1000,
    LastModificationDate: schedule.modifiedAt / 1000,
    Target: { Arn: schedule.target.Arn },
  };
}

function sizeAndToken({ MaxResults = MAX_LISTED, NextToken }: Page) {
  return { size: MaxResults, token: NextToken };
}
