import { grantOn } from '../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import {
  Answer,
  AskModel,
  CompiledQuestion,
  CompileQuestion,
  DatasetParams,
  DetectedRelationships,
  DistinctValues,
  ModelParams,
  PreviewTable,
  ReadColumnValues,
  ReadFieldValues,
  Rows,
  RowsBehind,
  TableParams,
  TablePreview,
} from './schemas.ts';

/** The errors of a source that questions read. */
const SOURCE_ERRORS = [
  'SOURCE_NOT_QUERYABLE',
  'DATA_SOURCE_UNREACHABLE',
  'RLS_ERROR',
  'SQL_ERROR',
  'QUERY_TIMEOUT',
  'QUERY_TOO_HEAVY',
  'RESULT_TOO_LARGE',
  'SERVICE_BUSY',
] as const;

export const askModel = defineRoute({
  operationId: 'askModel',
  method: 'POST',
  path: '/api/models/{modelId}/query',
  summary: 'Run a query on a model',
  description:
    'Groups, filters and aggregates the rows of the model that the caller may see. Each table is aggregated separately and the results are then matched by group, so a join never counts a row twice. A question that cannot be answered correctly is rejected with the reason.',
  permission: 'models:read',
  params: ModelParams,
  body: AskModel,
  uses: { type: 'model', param: 'modelId', isQuery: true },
  success: { status: 200, body: Answer },
  errors: ['MODEL_NOT_FOUND', 'QUESTION_UNANSWERABLE', ...SOURCE_ERRORS],
});

export const drillModel = defineRoute({
  operationId: 'drillModel',
  method: 'POST',
  path: '/api/models/{modelId}/drill',
  summary: 'List the rows behind a number',
  description:
    'Takes a measure of a question, its dimensions, and their values in the row with the number. Returns the rows of the table that the measure aggregates, each once.',
  permission: 'models:read',
  params: ModelParams,
  body: RowsBehind,
  success: { status: 200, body: Rows },
  errors: ['MODEL_NOT_FOUND', 'QUESTION_UNANSWERABLE', ...SOURCE_ERRORS],
});

export const listFieldValues = defineRoute({
  operationId: 'listFieldValues',
  method: 'POST',
  path: '/api/models/{modelId}/values',
  summary: 'List the values of a field',
  description:
    'Lists the values of a field in the rows that the caller may see, each once, by pages and with a search.',
  permission: 'models:read',
  params: ModelParams,
  body: ReadFieldValues,
  success: { status: 200, body: DistinctValues },
  errors: ['MODEL_NOT_FOUND', 'QUESTION_UNANSWERABLE', ...SOURCE_ERRORS],
});

export const listColumnValues = defineRoute({
  operationId: 'listColumnValues',
  method: 'POST',
  path: '/api/datasets/{id}/values',
  summary: 'List the values of a column',
  description:
    'Lists the values of a column of a dataset in the rows that the caller may see, each once, by pages and with a search.',
  permission: 'datasets:read',
  object: 'dataset',
  product: 'warehouse',
  params: DatasetParams,
  body: ReadColumnValues,
  success: { status: 200, body: DistinctValues },
  errors: ['DATASET_NOT_FOUND', 'RLS_ERROR', 'QUERY_TOO_HEAVY', 'RESULT_TOO_LARGE', 'SERVICE_BUSY'],
});

export const compileQuestion = defineRoute({
  operationId: 'compileQuestion',
  method: 'POST',
  path: '/api/models/{modelId}/compile',
  summary: 'Preview the SQL of a question',
  description:
    'Shows the SQL that answers the question, with the conditions of row-level security for the caller, without running it.',
  permission: 'models:write',
  grant: grantOn('model', 'editor', 'modelId'),
  params: ModelParams,
  body: CompileQuestion,
  success: { status: 200, body: CompiledQuestion },
  errors: ['MODEL_NOT_FOUND', 'QUESTION_UNANSWERABLE', 'SOURCE_NOT_QUERYABLE'],
});

export const previewModelTable = defineRoute({
  operationId: 'previewModelTable',
  method: 'POST',
  path: '/api/models/{modelId}/tables/{tableId}/preview',
  summary: 'Preview the rows of a model table',
  description:
    'Shows what the table looks like after one of its transform steps, or after all of them, and the SQL. Only the rows and columns that the caller may see are read.',
  permission: 'models:write',
  grant: grantOn('model', 'editor', 'modelId'),
  params: TableParams,
  body: PreviewTable,
  optionalBody: true,
  success: { status: 200, body: TablePreview },
  errors: [
    'MODEL_NOT_FOUND',
    'MODEL_TABLE_NOT_FOUND',
    'MODEL_TRANSFORM_INVALID',
    'QUESTION_UNANSWERABLE',
    ...SOURCE_ERRORS,
  ],
});

export const detectRelationships = defineRoute({
  operationId: 'detectRelationships',
  method: 'POST',
  path: '/api/models/{modelId}/detect-relationships',
  summary: 'Suggest relationships from the data',
  description:
    'Compares fields whose names make a relationship likely by their values, in samples of the rows that the caller may see and for at most 20 seconds. Needs no language model. Nothing is saved: create the relationships that are right.',
  permission: 'models:write',
  grant: grantOn('model', 'editor', 'modelId'),
  params: ModelParams,
  success: { status: 200, body: DetectedRelationships },
  errors: ['MODEL_NOT_FOUND', 'SOURCE_NOT_QUERYABLE', 'DATA_SOURCE_UNREACHABLE'],
});
