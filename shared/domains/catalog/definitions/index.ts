/** The public API of this domain; everything else is internal. */
export { canonical, digestOf } from './canonical.ts';
export { changesBetween, isEmpty, type MemberChanges } from './changes.ts';
export { complete } from './complete.ts';
export { keysOf, longKeyOf, slugOf } from './keys.ts';
export { OBJECT_KINDS, type ObjectKind } from './kinds.ts';
export { type DeploymentLease, type DeploymentLeases, deploymentLeases } from './leases.ts';
export { type AppliedState, type DefinitionRecord, Digest } from './records.ts';
export { type DefinitionRepository, definitionId, definitionRepository, type StoredObject } from './repository.ts';
