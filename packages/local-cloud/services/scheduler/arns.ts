import type { CloudContext } from '../../core/service.ts';

type Place = Pick<CloudContext, 'region' | 'accountId'>;

export function scheduleArn({ region, accountId }: Place, schedule: { groupName: string; name: string }): string {
  return `arn:aws:scheduler:${region}:${accountId}:schedule/${schedule.groupName}/${schedule.name}`;
}

export function groupArn({ region, accountId }: Place, name: string): string {
  return `arn:aws:scheduler:${region}:${accountId}:schedule-group/${name}`;
}
