import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { Job } from '../../../../shared/platform/jobs/record.ts';
import { TestParams } from '../tests/schemas.ts';
import { FailingRowsRequest, QualityJobParams, QualityRun, QualityRunList, RunListQuery } from './schemas.ts';

export const runQualityTest = defineRoute({
  operationId: 'runQualityTest',
  method: 'POST',
  path: '/api/data-quality/tests/{id}/run',
  summary: 'Run a data-quality test',
  description:
    'Returns the result, or a run with the status `running` if that takes longer than 20 seconds. While the test is running, another request waits for the same run.',
  permission: 'quality:write',
  params: TestParams,
  success: { status: 200, body: QualityRun },
  errors: ['QUALITY_TEST_NOT_FOUND'],
  idempotent: true,
});

export const listQualityTestRuns = defineRoute({
  operationId: 'listQualityTestRuns',
  method: 'GET',
  path: '/api/data-quality/tests/{id}/runs',
  summary: 'List runs of a data-quality test',
  permission: 'quality:read',
  params: TestParams,
  query: RunListQuery,
  success: { status: 200, body: QualityRunList },
  errors: ['QUALITY_TEST_NOT_FOUND'],
});

export const storeFailingRows = defineRoute({
  operationId: 'storeFailingRows',
  method: 'POST',
  path: '/api/data-quality/tests/{id}/failing-rows',
  summary: 'Save the rows that fail a test',
  description:
    'Starts a job that runs the test and replaces the rows of a dataset, `<table>__failing_<end of the id>`, by those that fail. Its result has the dataset, its rows and how many are left out. While such a job is active, it is returned.',
  permission: 'datasets:write',
  params: TestParams,
  body: FailingRowsRequest,
  success: { status: 200, body: Job },
  errors: ['QUALITY_TEST_NOT_FOUND', 'QUALITY_ROWS_NOT_STORED'],
  idempotent: true,
});

export const runAllQualityTests = defineRoute({
  operationId: 'runAllQualityTests',
  method: 'POST',
  path: '/api/data-quality/tests/run-all',
  summary: 'Run all data-quality tests',
  description:
    'Starts a job that runs every active test, those of one table together. While such a job is active, it is returned.',
  permission: 'quality:write',
  success: { status: 200, body: Job },
  idempotent: true,
});

export const getQualityJob = defineRoute({
  operationId: 'getQualityJob',
  method: 'GET',
  path: '/api/data-quality/jobs/{id}',
  summary: 'Get a run of all data-quality tests',
  description:
    'With its progress, and the number of tests by their status when it has ended. Also for jobs that store failing rows.',
  permission: 'quality:read',
  params: QualityJobParams,
  success: { status: 200, body: Job },
  errors: ['QUALITY_JOB_NOT_FOUND'],
});
