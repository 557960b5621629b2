import type { AccessRequest, Place } from '../../core/access/authorizer.ts';

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
