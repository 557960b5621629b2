import { isObject } from '../core/json.ts';

/** Stands for a value that is known only after a resource was created, while a template is checked and compared. */
export const PENDING = Symbol('known after deployment');

export type Value = string | number | boolean | null | typeof PENDING | Value[] | { [name: string]: Value };

export function isPending(value: Value | undefined): value is typeof PENDING {
  return value === PENDING;
}

/** Whether the value or anything inside it is not known yet. */
export function hasPending(value: Value | undefined): boolean {
  if (value === undefined) return false;
  if (isPending(value)) return true;
  if (Array.isArray(value)) return value.some(hasPending);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasPending);
}

/** JSON with sorted members, so that equal values have equal texts. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}
