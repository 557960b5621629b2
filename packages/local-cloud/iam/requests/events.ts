import type { AccessRequest, Requirements } from '../../core/access/authorizer.ts';
import { ANY, arnOf, passRole } from './place.ts';

interface EventsInput {
  Name?: string;
  Rule?: string;
  Entries?: { EventBusName?: string }[];
  RoleArn?: string;
  Targets?: { RoleArn?: string }[];
}

export const eventsRequests: Requirements = (operation, input: EventsInput, place) => {
  const on = (resource: string): AccessRequest => ({ action: `events:${operation}`, resource });
  if (operation === 'PutEvents') {
    const buses = new Set((input.Entries ?? []).map(({ EventBusName = 'default' }) => EventBusName));
    return [...buses].map((bus) => on(bus.startsWith('arn:') ? bus : arnOf('events', place, `event-bus/${bus}`)));
  }
  const rule = input.Rule ?? input.Name;
  const roles = [input.RoleArn, ...(input.Targets ?? []).map(({ RoleArn }) => RoleArn)];
  return [
    on(rule === undefined ? ANY : arnOf('events', place, `rule/${rule}`)),
    ...roles.flatMap((role) => passRole(role, 'events.amazonaws.com')),
  ];
};

interface SchedulerInput {
  Name?: string;
  GroupName?: string;
  ResourceArn?: string;
  Target?: { RoleArn?: string };
}

export const schedulerRequests: Requirements = (operation, input: SchedulerInput, place) => {
  const { Name, GroupName = 'default', ResourceArn, Target } = input;
  const ofGroup = operation.endsWith('ScheduleGroup');
  const named = ofGroup ? `schedule-group/${Name ?? ''}` : `schedule/${GroupName}/${Name ?? ''}`;
  const resource = ResourceArn ?? (Name === undefined ? ANY : arnOf('scheduler', place, named));
  return [{ action: `scheduler:${operation}`, resource }, ...passRole(Target?.RoleArn, 'scheduler.amazonaws.com')];
};
