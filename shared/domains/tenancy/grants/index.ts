/** The public API of this domain; everything else is internal. */
export { type EndedObject, endGrantsOn, grantCleanUps } from './end-grants.ts';
export { type GrantedObject, type ObjectGrants, objectGrants } from './grants.ts';
export { grantsTo, type ReceivedGrant } from './grants-to.ts';
export { grantCheck, grantReader, levelFor } from './level-for.ts';
export { mayEdit } from './may-edit.ts';
export { memberSubject } from './member-subject.ts';
export { objectAccess } from './object-access.ts';
export { grantOn, includesLevel, type LevelOf, OBJECT_KINDS, type ObjectType } from './object-kinds.ts';
export { type Access, GRANTEE_TYPES, type Grantee, type ObjectRef } from './records.ts';
export { accessSchemas } from './schemas.ts';
export {
  type ObjectPermissions,
  objectPermissions,
  permissionOf,
  type ShownPermission,
  shownPermission,
} from './shown-permission.ts';
