/** The public API of this domain; everything else is internal. */

export { certifiedModel } from './certified-model.ts';
export { withCurrentColumns } from './current-columns.ts';
export { DATASETS } from './datasets-source.ts';
export {
  applyEdit,
  type Edit,
  emptyParts,
  fieldsOf,
  liveMeasures,
  type ModelDefinition,
  PART_KINDS,
  type PartKind,
  type PartMaps,
  type Parts,
  transformsOf,
} from './definition.ts';
export {
  type DefinitionReader,
  type Definitions,
  definitionReader,
  type GenerationCleanUp,
  modelDefinitions,
  modelOrNone,
} from './definitions.ts';
export { type EndedModel, modelCleanUps } from './end-models.ts';
export { modelScopeWithout } from './expression-scope.ts';
export {
  diagnoseMeasure,
  diagnoseRow,
  fieldText,
  isStaleField,
  measureAnalysis,
  measureText,
  policyAnalysis,
  policyText,
} from './expressions.ts';
export { fieldName } from './field-name.ts';
export { addField, removeField, updateField, withoutFields } from './fields.ts';
export { changesOf, MAX_NAMES as MAX_CHANGED_NAMES, type ModelChanges } from './files/changes.ts';
export { importFile } from './files/import-file.ts';
export { readModelFile, writeModelFile } from './files/read.ts';
export { findOfTable, findPart } from './find-part.ts';
export { addHierarchy, removeHierarchy, updateHierarchy } from './hierarchies.ts';
export { fieldDefaults } from './import-defaults.ts';
export { importTables, resyncTables, type SyncReport } from './import-tables.ts';
export { assertKeepsProtection, assertUnprotectedModel } from './kept-protection.ts';
export { columnIn, DIALECTS, type MeasurePreview, previewMeasure } from './measure-preview.ts';
export { addMeasure, removeMeasure, updateMeasure } from './measures.ts';
export { isMissing } from './missing.ts';
export { GATE_CODES, type GateReason, gateReasons, modelState } from './model-state.ts';
export { MODEL_SUBJECT } from './model-subject.ts';
export { type ModelTablePlace, modelTables } from './model-tables.ts';
export { type PathToOne, pathToOne } from './path-to-one.ts';
export { addPolicy, removePolicy, updatePolicy } from './policies.ts';
export { policiesElsewhere } from './policies-elsewhere.ts';
export type { PlacedPolicy } from './protected-chains.ts';
export {
  concealedColumns,
  isSameColumn,
  isSamePlace,
  type LabelledColumn,
  labelsOf,
  placeOfTable,
  policiesOf,
  protectedPlaces,
  type SourcePlace,
  tablesAt,
} from './protected-tables.ts';
export { listProtections, type Protection, removeProtection } from './protections.ts';
export {
  AGGREGATIONS,
  Alias,
  CARDINALITIES,
  Description,
  endNames,
  fieldProperties,
  HierarchyLevel,
  JOIN_TYPES,
  MEASURE_TYPES,
  type Measure,
  MeasureFormat,
  MODEL_STATUSES,
  type ModelField,
  type ModelRecord,
  type ModelTable,
  measureProperties,
  modelProperties,
  type Policy,
  PolicySubject,
  type Rollup,
  RollupDimension,
  RollupMeasure,
  relationshipProperties,
  rollupProperties,
  type Transform,
} from './records.ts';
export { measureReferences, modelReferences, tableReferences } from './references.ts';
export { namedEnds, type RelationshipCandidate, relationshipCandidates } from './relationship-candidates.ts';
export { type NamedPair, validSuggestions } from './relationship-suggestions.ts';
export { addRelationship, removeRelationship, updateRelationship, withoutNames } from './relationships.ts';
export { type ModelRepository, modelRepository } from './repository.ts';
export { changesPolicies, restoreParts } from './restore.ts';
export { addRollup, type RollupInput, removeRollup, updateRollup } from './rollups.ts';
export { semanticModel } from './semantic-model.ts';
export { knownColumns, type ReadSourceTables, type SourceTable, sharesRows, sourceTables } from './source-tables.ts';
export type { Act } from './stamps.ts';
export { addTable, removeTable, updateTable } from './tables.ts';
export {
  addTransform,
  columnsWithout,
  failedTransform,
  removeTransform,
  reorderTransforms,
  updateTransform,
} from './transforms.ts';
export { type ModelVersion, type ModelVersions, modelVersions } from './versions.ts';
