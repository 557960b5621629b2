import type { AccessRequest } from '../../core/access/authorizer.ts';

export interface Place {
  readonly region: string;
  readonly accountId: string;
}

/** The access that an operation of a service needs, by its input as on the wire. */
// biome-ignore lint/suspicious/noExplicitAny: each operation names the exact type of its own input
export type Requirements = (operation: string, input: any, place: Place) => AccessRequest[];

/** Resource of an action that AWS cannot restrict to a resource. */
export const ANY = '*';

export function arnOf(service: string, { region, accountId }: Place, resource: string): string {
  return `arn:aws:${service}:${region}:${accountId}:${resource}`;
}

/** `https://host/000000000000/orders` and `arn:…:orders` → `orders`. */
export function lastSegment(reference: string): string {
  return reference.slice(Math.max(reference.lastIndexOf('/'), reference.lastIndexOf(':')) + 1);
}

/** Passing a role to a service is an action of its own, on the role. */
export function passRole(roleArn: string | undefined, service: string): AccessRequest[] {
  if (roleArn === undefined) return [];
  return [{ action: 'iam:PassRole', resource: roleArn, context: { 'iam:passedtoservice': service } }];
}
