/** The public API of this domain; everything else is internal. */

export { DATASETS } from './definition/datasets-source.ts';
export {
  applyEdit,
  type Edit,
  emptyParts,
  fieldsOf,
  folded,
  liveMeasures,
  type ModelDefinition,
  PART_KINDS,
  type PartKind,
  type PartMaps,
  type Parts,
  transformsOf,
} from './definition/definition.ts';
export { fieldName } from './definition/field-name.ts';
export { findOfTable, findPart } from './definition/find-part.ts';
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
} from './definition/protected-tables.ts';
export {
  AGGREGATIONS,
  Alias,
  CARDINALITIES,
  Description,
  endNames,
  FiscalCalendar,
  fieldProperties,
  HierarchyLevel,
  JOIN_TYPES,
  MEASURE_TYPES,
  type Measure,
  MeasureFormat,
  MODEL_STATUSES,
  type ModelField,
  ModelParameter,
  ModelParameters,
  type ModelRecord,
  type ModelTable,
  measureProperties,
  modelProperties,
  ParameterChoice,
  type Policy,
  PolicySubject,
  type Rollup,
  RollupDimension,
  RollupMeasure,
  relationshipProperties,
  rollupProperties,
  type Transform,
} from './definition/records.ts';
export { changesPolicies, restoreParts } from './definition/restore.ts';
export { semanticModel } from './definition/semantic-model.ts';
export {
  knownColumns,
  type ReadSourceTables,
  type SourceTable,
  sharesRows,
  sourceTables,
} from './definition/source-tables.ts';
export type { Act } from './definition/stamps.ts';
export {
  diagnoseMeasure,
  diagnoseRow,
  fieldText,
  isStaleField,
  measureAnalysis,
  measureText,
  policyAnalysis,
  policyText,
} from './expressions/expressions.ts';
export { type PathToOne, pathToOne } from './expressions/path-to-one.ts';
export { modelScopeWithout } from './expressions/scope.ts';
export { changesOf, MAX_NAMES as MAX_CHANGED_NAMES, type ModelChanges } from './files/changes.ts';
export { importFile } from './files/import-file.ts';
export { type FindBase, readModelFile, writeModelFile } from './files/read.ts';
export { ModelFile } from './files/schema.ts';
export { fieldDefaults } from './imports/import-defaults.ts';
export { importTables, resyncTables, type SyncReport } from './imports/import-tables.ts';
export { namedEnds, type RelationshipCandidate, relationshipCandidates } from './imports/relationship-candidates.ts';
export { type NamedPair, validSuggestions } from './imports/relationship-suggestions.ts';
export { type AmbiguousJoin, ambiguousJoins } from './parts/ambiguous-joins.ts';
export { addField, removeField, updateField, withoutFields } from './parts/fields.ts';
export { addHierarchy, removeHierarchy, updateHierarchy } from './parts/hierarchies.ts';
export { columnIn, DIALECTS, type MeasurePreview, previewMeasure } from './parts/measure-preview.ts';
export { addMeasure, removeMeasure, updateMeasure } from './parts/measures.ts';
export { isMissing } from './parts/missing.ts';
export { assertParameters, choiceIssue, withParameters } from './parts/parameters.ts';
export { addPolicy, removePolicy, updatePolicy } from './parts/policies.ts';
export { addRelationship, removeRelationship, updateRelationship, withoutNames } from './parts/relationships.ts';
export { addRollup, type RollupInput, removeRollup, updateRollup } from './parts/rollups.ts';
export { addTable, removeTable, updateTable } from './parts/tables.ts';
export {
  addTransform,
  columnsWithout,
  failedTransform,
  removeTransform,
  reorderTransforms,
  updateTransform,
} from './parts/transforms.ts';
export { unusedParts } from './parts/unused-parts.ts';
export { assertKeepsProtection, assertUnprotectedModel } from './protection/kept-protection.ts';
export type { PlacedPolicy } from './protection/protected-chains.ts';
export { listProtections, type Protection, removeProtection } from './protection/protections.ts';
export { certifiedModel } from './store/certified-model.ts';
export { withCurrentColumns } from './store/current-columns.ts';
export {
  type DefinitionReader,
  type Definitions,
  definitionReader,
  type GenerationCleanUp,
  modelDefinitions,
  modelOrNone,
} from './store/definitions.ts';
export { type EndedModel, modelCleanUps } from './store/end-models.ts';
export { GATE_CODES, type GateReason, gateReasons, modelState } from './store/model-state.ts';
export { MODEL_SUBJECT } from './store/model-subject.ts';
export { type ModelTablePlace, modelTables } from './store/model-tables.ts';
export { policiesElsewhere } from './store/policies-elsewhere.ts';
export { measureReferences, modelReferences, tableReferences } from './store/references.ts';
export { type ModelRepository, modelRepository } from './store/repository.ts';
export { type ModelVersion, type ModelVersions, modelVersions } from './store/versions.ts';
