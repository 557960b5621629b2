/** The public API of this domain; everything else is internal. */
export { LINEAGE_TYPES, type LineageType } from './types.ts';
export { MAX_LINEAGE_DEPTH, MAX_LINEAGE_NODES, type ObjectLineage, objectLineage } from './walk.ts';
export type { LineageDeps } from './workspace-parts.ts';
