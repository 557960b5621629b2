/** The public API of this domain; everything else is internal. */
export { MAX_LINEAGE_DEPTH, MAX_LINEAGE_NODES, type ObjectLineage } from './graph.ts';
export { findImpact, type ImpactDeps } from './impact/find-impact.ts';
export { EFFECTS } from './impact/types.ts';
export { LINEAGE_TYPES, type LineageType } from './types.ts';
export { objectLineage } from './walk.ts';
export type { LineageDeps } from './workspace-parts.ts';
