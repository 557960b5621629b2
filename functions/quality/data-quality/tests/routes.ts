import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { CreateTest, DataQualityTest, DataQualityTestPage, TestListQuery, TestParams, UpdateTest } from './schemas.ts';

const TARGET_ERRORS = [
  'QUALITY_TABLE_NOT_FOUND',
  'DATA_SOURCE_NOT_FOUND',
  'MODEL_NOT_FOUND',
  'MODEL_FIELD_NOT_FOUND',
  'RLS_RAW_SQL',
] as const;

export const listQualityTests = defineRoute({
  operationId: 'listQualityTests',
  method: 'GET',
  path: '/api/data-quality/tests',
  summary: 'List data-quality tests',
  permission: 'quality:read',
  query: TestListQuery,
  success: { status: 200, body: DataQualityTestPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const createQualityTest = defineRoute({
  operationId: 'createQualityTest',
  method: 'POST',
  path: '/api/data-quality/tests',
  summary: 'Create a data-quality test',
  description:
    'The settings are checked against the columns of the table. A test reads the whole table, so its author must be an admin or be allowed to see the whole table.',
  permission: 'quality:write',
  body: CreateTest,
  success: { status: 201, body: DataQualityTest, versioned: true },
  errors: ['QUALITY_TEST_NAME_TAKEN', 'TOO_MANY_QUALITY_TESTS', ...TARGET_ERRORS],
  idempotent: true,
  audit: 'quality_test.created',
});

export const getQualityTest = defineRoute({
  operationId: 'getQualityTest',
  method: 'GET',
  path: '/api/data-quality/tests/{id}',
  summary: 'Get a data-quality test',
  permission: 'quality:read',
  params: TestParams,
  success: { status: 200, body: DataQualityTest, versioned: true },
  errors: ['QUALITY_TEST_NOT_FOUND'],
});

export const updateQualityTest = defineRoute({
  operationId: 'updateQualityTest',
  method: 'PUT',
  path: '/api/data-quality/tests/{id}',
  summary: 'Update a data-quality test',
  description: 'Absent members stay as they are.',
  permission: 'quality:write',
  params: TestParams,
  body: UpdateTest,
  success: { status: 200, body: DataQualityTest, versioned: true },
  errors: ['QUALITY_TEST_NOT_FOUND', 'QUALITY_TEST_NAME_TAKEN', ...TARGET_ERRORS],
  audit: 'quality_test.updated',
});

export const deleteQualityTest = defineRoute({
  operationId: 'deleteQualityTest',
  method: 'DELETE',
  path: '/api/data-quality/tests/{id}',
  summary: 'Delete a data-quality test',
  description: 'Runs of the test can no longer be read, and its open issues are set to `fixed`.',
  permission: 'quality:write',
  params: TestParams,
  success: { status: 204, versioned: true },
  errors: ['QUALITY_TEST_NOT_FOUND'],
  audit: 'quality_test.deleted',
});
