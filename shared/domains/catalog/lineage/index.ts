/** The public API of this domain; everything else is internal. */
export { MAX_LINEAGE_DEPTH, MAX_LINEAGE_NODES, type ObjectLineage } from './graph.ts';
export {
  columnsLostByContent,
  columnsLostByDag,
  columnsLostByStatement,
  partsLostByEdit,
  removalOf,
} from './impact/describe-removals.ts';
export { findImpact, type Removal } from './impact/find-impact.ts';
export { impactDeps } from './impact/impact-deps.ts';
export { type DescribeRemoval, type FindBroken, findBroken, refuseBreaking } from './impact/refuse-breaking.ts';
export { EFFECTS } from './impact/types.ts';
export { LINEAGE_TYPES, type LineageType } from './types.ts';
export { type FindUsedParts, findUsedParts } from './used-parts.ts';
export { objectLineage } from './walk.ts';
