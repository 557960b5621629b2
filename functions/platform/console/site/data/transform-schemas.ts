import type { JsonSchema } from '../ui/json-schema.ts';

/** The settings of the steps of a table of a model, by the names of their schemas. */
export type TransformSchema =
  | 'FilterRowsConfig'
  | 'RemoveColumnsConfig'
  | 'RenameColumnConfig'
  | 'ChangeTypeConfig'
  | 'AddColumnConfig'
  | 'ReplaceValuesConfig'
  | 'SortRowsConfig'
  | 'TopNConfig'
  | 'DeduplicateConfig'
  | 'GroupAggregateConfig';

/** The build fills it from the declared operations, so that forms always ask for what the API takes. */
export const transformSchemas: Partial<Record<TransformSchema, JsonSchema>> = {};
