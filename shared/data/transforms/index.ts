export { type Binding, bindTransforms } from './bind.ts';
export { chainColumn, dataTypeOf, type SourceColumn, storedOf } from './column-types.ts';
export { TRANSFORM_CONFIGS, TRANSFORM_TYPES, type TransformConfig, type TransformType } from './configs.ts';
export type { ChainColumn, Step } from './steps.ts';
export {
  type RelationColumn,
  type RelationOptions,
  type StepProblem,
  type TableRelation,
  tableRelation,
  unwritableStep,
} from './table-relation.ts';
