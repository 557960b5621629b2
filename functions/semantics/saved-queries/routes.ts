import {
  CACHED_RESULT_HEADERS,
  QueryReply,
  RESULT_CONTENT_TYPES,
  STATEMENT_ERRORS,
} from '../../../shared/domains/semantics/queries/index.ts';
import { SavedQuery, SavedQueryVersion } from '../../../shared/domains/semantics/saved-queries/index.ts';
import { grantOn } from '../../../shared/domains/tenancy/grants/index.ts';
import type { ErrorCode } from '../../../shared/platform/errors/catalogue.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import { ListQuery } from '../../../shared/platform/http/schemas.ts';
import {
  CreateSavedQuery,
  RunSavedQuery,
  SavedQueryFilter,
  SavedQueryPage,
  SavedQueryParams,
  SavedQueryVersionPage,
  UpdateSavedQuery,
  VersionParams,
} from './schemas.ts';

/** The errors of a statement to save. */
const CONTENT_ERRORS = [
  'DATASET_NOT_FOUND',
  'DATA_SOURCE_NOT_FOUND',
  'SOURCE_NOT_QUERYABLE',
  'SQL_PARSE',
  'SQL_NOT_READ_ONLY',
  'SQL_ERROR',
  'RLS_RAW_SQL',
  'SERVICE_BUSY',
] as const satisfies readonly ErrorCode[];

export const createSavedQuery = defineRoute({
  operationId: 'createSavedQuery',
  method: 'POST',
  path: '/api/saved-queries',
  summary: 'Create a saved query',
  description: 'The statement is checked, not run. `params` declares each `$name` in it, with a type.',
  permission: 'saved-queries:write',
  product: 'warehouse',
  body: CreateSavedQuery,
  success: { status: 201, body: SavedQuery, versioned: true },
  errors: CONTENT_ERRORS,
  idempotent: true,
  audit: 'saved_query.created',
});

export const listSavedQueries = defineRoute({
  operationId: 'listSavedQueries',
  method: 'GET',
  path: '/api/saved-queries',
  summary: 'List saved queries',
  permission: 'saved-queries:read',
  product: 'warehouse',
  query: SavedQueryFilter,
  success: { status: 200, body: SavedQueryPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const getSavedQuery = defineRoute({
  operationId: 'getSavedQuery',
  method: 'GET',
  path: '/api/saved-queries/{id}',
  summary: 'Get a saved query',
  permission: 'saved-queries:read',
  object: 'saved-query',
  product: 'warehouse',
  params: SavedQueryParams,
  uses: { type: 'saved-query', param: 'id' },
  success: { status: 200, body: SavedQuery, versioned: true },
  errors: ['SAVED_QUERY_NOT_FOUND'],
});

export const updateSavedQuery = defineRoute({
  operationId: 'updateSavedQuery',
  method: 'PATCH',
  path: '/api/saved-queries/{id}',
  summary: 'Update a saved query',
  description: 'A change of the statement, its parameters or what it reads adds a version.',
  permission: 'saved-queries:write',
  grant: grantOn('saved-query', 'editor'),
  product: 'warehouse',
  params: SavedQueryParams,
  body: UpdateSavedQuery,
  success: { status: 200, body: SavedQuery, versioned: true },
  errors: ['SAVED_QUERY_NOT_FOUND', ...CONTENT_ERRORS],
  audit: 'saved_query.updated',
});

export const deleteSavedQuery = defineRoute({
  operationId: 'deleteSavedQuery',
  method: 'DELETE',
  path: '/api/saved-queries/{id}',
  summary: 'Delete a saved query',
  permission: 'saved-queries:write',
  object: 'saved-query',
  product: 'warehouse',
  params: SavedQueryParams,
  success: { status: 204, versioned: true },
  errors: ['SAVED_QUERY_NOT_FOUND', 'REFERENCED'],
  audit: 'saved_query.deleted',
});

export const runSavedQuery = defineRoute({
  operationId: 'runSavedQuery',
  method: 'POST',
  path: '/api/saved-queries/{id}/run',
  summary: 'Run a saved query',
  description:
    'Values are bound as parameters, never spliced into the SQL. Results are cached as those of `POST /query`.',
  permission: 'saved-queries:run',
  object: 'saved-query',
  product: 'warehouse',
  params: SavedQueryParams,
  body: RunSavedQuery,
  anyNumbers: true,
  optionalBody: true,
  uses: { type: 'saved-query', param: 'id', isQuery: true },
  success: { status: 200, contentTypes: RESULT_CONTENT_TYPES, body: QueryReply, headers: CACHED_RESULT_HEADERS },
  errors: ['SAVED_QUERY_NOT_FOUND', ...STATEMENT_ERRORS, 'RLS_RAW_SQL'],
  audit: 'query.exported',
});

export const listSavedQueryVersions = defineRoute({
  operationId: 'listSavedQueryVersions',
  method: 'GET',
  path: '/api/saved-queries/{id}/versions',
  summary: 'List saved query versions',
  description: 'Newest first.',
  permission: 'saved-queries:read',
  object: 'saved-query',
  product: 'warehouse',
  params: SavedQueryParams,
  query: ListQuery,
  success: { status: 200, body: SavedQueryVersionPage },
  errors: ['SAVED_QUERY_NOT_FOUND', 'OFFSET_TOO_LARGE'],
});

export const getSavedQueryVersion = defineRoute({
  operationId: 'getSavedQueryVersion',
  method: 'GET',
  path: '/api/saved-queries/{id}/versions/{version}',
  summary: 'Get a saved query version',
  permission: 'saved-queries:read',
  object: 'saved-query',
  product: 'warehouse',
  params: VersionParams,
  success: { status: 200, body: SavedQueryVersion },
  errors: ['SAVED_QUERY_NOT_FOUND', 'SAVED_QUERY_VERSION_NOT_FOUND'],
});

export const restoreSavedQueryVersion = defineRoute({
  operationId: 'restoreSavedQueryVersion',
  method: 'POST',
  path: '/api/saved-queries/{id}/versions/{version}/restore',
  summary: 'Restore a saved query version',
  description: 'Adds a version with the same content.',
  permission: 'saved-queries:write',
  grant: grantOn('saved-query', 'editor'),
  product: 'warehouse',
  params: VersionParams,
  success: { status: 200, body: SavedQuery, versioned: true },
  errors: [
    'SAVED_QUERY_NOT_FOUND',
    'SAVED_QUERY_VERSION_NOT_FOUND',
    'DATASET_NOT_FOUND',
    'DATA_SOURCE_NOT_FOUND',
    'SQL_ERROR',
    'RLS_RAW_SQL',
    'SERVICE_BUSY',
  ],
  idempotent: true,
  audit: 'saved_query.restored',
});
