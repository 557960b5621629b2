import { QueryReply, RESULT_CONTENT_TYPES, STATEMENT_ERRORS } from '../../shared/domains/queries/index.ts';
import type { ErrorCode } from '../../shared/platform/errors/catalogue.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import { IdParams, ListQuery } from '../../shared/platform/http/schemas.ts';
import {
  NewSavedQuery,
  RunBody,
  SavedQuery,
  SavedQueryChange,
  SavedQueryFilter,
  SavedQueryPage,
  SavedQueryVersion,
  SavedQueryVersionPage,
  VersionParams,
} from './schemas.ts';

/** What can be wrong with a statement that is saved. */
const CONTENT_ERRORS = [
  'DATASET_NOT_FOUND',
  'DATA_SOURCE_NOT_FOUND',
  'SOURCE_NOT_QUERYABLE',
  'SQL_PARSE',
  'SQL_NOT_READ_ONLY',
  'SQL_ERROR',
  'SERVICE_BUSY',
] as const satisfies readonly ErrorCode[];

export const createSavedQuery = defineRoute({
  operationId: 'createSavedQuery',
  method: 'POST',
  path: '/api/saved-queries',
  summary: 'Save a query',
  description: 'The statement is checked, not run. Its `$name`s are declared in `params`, each with a type.',
  permission: 'saved-queries:write',
  product: 'warehouse',
  body: NewSavedQuery,
  success: { status: 201, body: SavedQuery, versioned: true },
  errors: CONTENT_ERRORS,
  idempotent: true,
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
  errors: ['OFFSET_TOO_LARGE'],
});

export const getSavedQuery = defineRoute({
  operationId: 'getSavedQuery',
  method: 'GET',
  path: '/api/saved-queries/{id}',
  summary: 'Read a saved query',
  permission: 'saved-queries:read',
  product: 'warehouse',
  params: IdParams,
  success: { status: 200, body: SavedQuery, versioned: true },
  errors: ['SAVED_QUERY_NOT_FOUND'],
});

export const updateSavedQuery = defineRoute({
  operationId: 'updateSavedQuery',
  method: 'PATCH',
  path: '/api/saved-queries/{id}',
  summary: 'Change a saved query',
  description: 'A change of the statement, of where it reads or of its parameters makes its next version.',
  permission: 'saved-queries:write',
  product: 'warehouse',
  params: IdParams,
  body: SavedQueryChange,
  success: { status: 200, body: SavedQuery, versioned: true },
  errors: ['SAVED_QUERY_NOT_FOUND', ...CONTENT_ERRORS],
});

export const deleteSavedQuery = defineRoute({
  operationId: 'deleteSavedQuery',
  method: 'DELETE',
  path: '/api/saved-queries/{id}',
  summary: 'Delete a saved query',
  permission: 'saved-queries:write',
  product: 'warehouse',
  params: IdParams,
  success: { status: 204, versioned: true },
  errors: ['SAVED_QUERY_NOT_FOUND'],
});

export const runSavedQuery = defineRoute({
  operationId: 'runSavedQuery',
  method: 'POST',
  path: '/api/saved-queries/{id}/run',
  summary: 'Run a saved query',
  description: 'Values are bound by name and never spliced. Answers are cached as those of `POST /api/query`.',
  permission: 'saved-queries:run',
  product: 'warehouse',
  params: IdParams,
  body: RunBody,
  optionalBody: true,
  success: { status: 200, contentTypes: RESULT_CONTENT_TYPES, body: QueryReply },
  errors: ['SAVED_QUERY_NOT_FOUND', ...STATEMENT_ERRORS],
});

export const listSavedQueryVersions = defineRoute({
  operationId: 'listSavedQueryVersions',
  method: 'GET',
  path: '/api/saved-queries/{id}/versions',
  summary: 'List the versions of a saved query, newest first',
  permission: 'saved-queries:read',
  product: 'warehouse',
  params: IdParams,
  query: ListQuery,
  success: { status: 200, body: SavedQueryVersionPage },
  errors: ['SAVED_QUERY_NOT_FOUND', 'OFFSET_TOO_LARGE'],
});

export const getSavedQueryVersion = defineRoute({
  operationId: 'getSavedQueryVersion',
  method: 'GET',
  path: '/api/saved-queries/{id}/versions/{version}',
  summary: 'Read a version of a saved query',
  permission: 'saved-queries:read',
  product: 'warehouse',
  params: VersionParams,
  success: { status: 200, body: SavedQueryVersion },
  errors: ['SAVED_QUERY_NOT_FOUND', 'SAVED_QUERY_VERSION_NOT_FOUND'],
});

export const restoreSavedQueryVersion = defineRoute({
  operationId: 'restoreSavedQueryVersion',
  method: 'POST',
  path: '/api/saved-queries/{id}/versions/{version}/restore',
  summary: 'Make an earlier version of a saved query the newest',
  description: 'Nothing is lost: the restored content becomes a version of its own.',
  permission: 'saved-queries:write',
  product: 'warehouse',
  params: VersionParams,
  success: { status: 200, body: SavedQuery, versioned: true },
  errors: [
    'SAVED_QUERY_NOT_FOUND',
    'SAVED_QUERY_VERSION_NOT_FOUND',
    'DATASET_NOT_FOUND',
    'DATA_SOURCE_NOT_FOUND',
    'SQL_ERROR',
    'SERVICE_BUSY',
  ],
  idempotent: true,
});
