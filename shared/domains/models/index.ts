/** The public API of this domain; everything else is internal. */
export {
  applyEdit,
  type Edit,
  emptyParts,
  fieldsOf,
  liveMeasures,
  type ModelDefinition,
  type PartMaps,
  transformsOf,
} from './definition.ts';
export { type Definitions, type GenerationCleanUp, modelDefinitions } from './definitions.ts';
export { endModelItems } from './end-models.ts';
export { expressionText, staleIds } from './expressions.ts';
export { addField, removeField, updateField } from './fields.ts';
export { findOfTable, findPart } from './find-part.ts';
export { addHierarchy, removeHierarchy, updateHierarchy } from './hierarchies.ts';
export { importTables, resyncTables, type SyncReport } from './import-tables.ts';
export {
  Alias,
  CARDINALITIES,
  DATA_TYPES,
  DATASETS,
  Description,
  fieldProperties,
  HierarchyLevel,
  JOIN_TYPES,
  MEASURE_TYPES,
  MeasureFormat,
  type ModelField,
  type ModelRecord,
  type ModelTable,
  measureProperties,
  modelProperties,
  PolicySubject,
  relationshipProperties,
} from './records.ts';
export { isMissing } from './missing.ts';
export { modelState } from './model-state.ts';
export { addRelationship, removeRelationship, updateRelationship } from './relationships.ts';
export { type ModelRepository, modelRepository } from './repository.ts';
export { knownColumns, type ReadSourceTables, type SourceTable, sourceTables } from './source-tables.ts';
export type { Act } from './stamps.ts';
export { addTable, removeTable, updateTable } from './tables.ts';
