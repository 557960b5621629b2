import type { JsonSchema } from '../ui/json-schema.ts';

/** The parts of a pipeline that forms ask for, by the names of their schemas. */
export type StepSchema =
  | 'ExtractTableConfig'
  | 'ExtractFileConfig'
  | 'ExtractQueryConfig'
  | 'ExtractDatasetConfig'
  | 'ExtractStreamConfig'
  | 'SqlConfig'
  | 'RecipeConfig'
  | 'TransformCodeConfig'
  | 'RouteConfig'
  | 'AppendToDatasetConfig'
  | 'OverwriteDatasetConfig'
  | 'MergeIntoDatasetConfig'
  | 'AppendToTableConfig'
  | 'OverwriteTableConfig'
  | 'MergeIntoTableConfig'
  | 'AppendFilesConfig'
  | 'OverwriteFilesConfig'
  | 'StepRetry'
  | 'StepWhen'
  | 'Parameter'
  | 'ForEach';

/** The build fills it from the declared operations, so that forms always ask for what the API takes. */
export const stepSchemas: Partial<Record<StepSchema, JsonSchema>> = {};
