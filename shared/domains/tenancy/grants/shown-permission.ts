import type { Static } from 'typebox';
import { isPermitted, type Permission } from '../../../platform/auth/permissions.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { StringEnum } from '../../../platform/http/schemas.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { grantsTo } from './grants-to.ts';
import { levelFor } from './level-for.ts';
import type { ObjectType } from './object-kinds.ts';

/** What replies about an object say about the rights of their caller. */
export const shownPermission = {
  permission: StringEnum(['viewer', 'editor'], {
    description: 'What the caller may do: a `viewer` may read it, an `editor` may also change it.',
  }),
};
export type ShownPermission = Static<(typeof shownPermission)['permission']>;

/** By the role, or by a grant of the level. A key that only reads changes nothing. */
export function permissionOf(principal: Principal, write: Permission, level?: string): ShownPermission {
  if (principal.scope === 'read') return 'viewer';
  return isPermitted(write, { ...principal, scope: null }) || level === 'editor' ? 'editor' : 'viewer';
}

/** The permissions of callers on objects of one kind. */
export interface ObjectPermissions {
  on(principal: Principal, id: string): Promise<ShownPermission>;
  /** On any of the objects of the workspace. */
  onAll(principal: Principal): Promise<(id: string) => ShownPermission>;
}

/** Grants are read only for callers to whom they make a difference. */
export function objectPermissions(table: Table, type: ObjectType, write: Permission): ObjectPermissions {
  const isDecided = (principal: Principal) => principal.scope === 'read' || permissionOf(principal, write) === 'editor';
  return {
    async on(principal, id) {
      const level = isDecided(principal) ? undefined : await levelFor(table, principal, { type, id });
      return permissionOf(principal, write, level);
    },
    async onAll(principal) {
      const grants = isDecided(principal) ? undefined : await grantsTo(table, principal, type);
      return (id) => permissionOf(principal, write, grants?.get(id)?.level);
    },
  };
}
