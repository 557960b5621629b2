import { isPermitted, type Permission } from '../../../platform/auth/permissions.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { levelFor } from './level-for.ts';
import type { ObjectType } from './object-kinds.ts';

/**
 * Whether the person of the caller may change the object, by the role or by a grant; the scope of a key does not count.
 */
export const mayEdit = async (
  table: Table,
  principal: Principal,
  object: { type: ObjectType; id: string },
  write: Permission,
): Promise<boolean> =>
  isPermitted(write, { ...principal, scope: null }) || (await levelFor(table, principal, object)) === 'editor';
