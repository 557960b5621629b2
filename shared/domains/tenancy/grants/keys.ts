import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import type { Grantee, ObjectRef } from './records.ts';

/** Behind the total in the order of keys. */
const grantee = ({ granteeType, granteeId }: Grantee) => `${granteeType}#${granteeId}`;

export const grantKey = (object: ObjectRef, to: Grantee): Key =>
  workspaceKey(object.workspaceId, `GRANT#${object.type}#${object.id}`, grantee(to));

export const grantTotalKey = ({ workspaceId, type, id }: ObjectRef): Key =>
  workspaceKey(workspaceId, `GRANT#${type}#${id}`, '#TOTAL');

/** The same grant below its grantee, to end it with them. */
export const grantedKey = (object: ObjectRef, to: Grantee): Key =>
  workspaceKey(object.workspaceId, `GRANTEE#${grantee(to)}`, `${object.type}#${object.id}`);

export const granteePartition = (workspaceId: string, to: Grantee): Key =>
  workspaceKey(workspaceId, `GRANTEE#${grantee(to)}`, '');
