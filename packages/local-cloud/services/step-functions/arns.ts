import type { CloudContext } from '../../core/service.ts';

type Place = Pick<CloudContext, 'region' | 'accountId'>;

export function stateMachineArn(place: Place, name: string): string {
  return `arn:aws:states:${place.region}:${place.accountId}:stateMachine:${name}`;
}

export function executionArn(place: Place, machineName: string, name: string): string {
  return `arn:aws:states:${place.region}:${place.accountId}:execution:${machineName}:${name}`;
}

/** `…:stateMachine:orders` → `orders`. */
export function stateMachineName(arn: string): string {
  return arn.split(':')[6] ?? '';
}
