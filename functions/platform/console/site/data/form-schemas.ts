import type { JsonSchema } from '../ui/json-schema.ts';

/** The objects of the API that forms ask for, by the names of their schemas. */
export type FormSchema =
  | 'CreatePostgresDataSource'
  | 'CreateMysqlDataSource'
  | 'CreateS3DataSource'
  | 'CreateHttpDataSource'
  | 'CreateAlert'
  | 'AlertFieldCondition'
  | 'AlertMetricCondition'
  | 'QualityGate'
  | 'UpdateDataQualityScanSchedule';

/** The build fills it from the declared operations, so that forms always ask for what the API takes. */
export const formSchemas: Partial<Record<FormSchema, JsonSchema>> = {};
