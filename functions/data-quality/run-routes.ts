import { defineRoute } from '../../shared/platform/http/route.ts';
import { Job } from '../../shared/platform/jobs/record.ts';
import { QualityJobParams, QualityRun, QualityRunList, RunListQuery } from './run-schemas.ts';
import { TestParams } from './test-schemas.ts';

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

export const runAllQualityTests = defineRoute({
  operationId: 'runAllQualityTests',
  method: 'POST',
  path: '/api/data-quality/tests/run-all',
  summary: 'Run all data-quality tests',
  description:
    'Starts a job that runs every active test, those of one table together. While such a job is active, it is returned.',
  permission: 'quality:write',
  success: { status: 200, body: Job },
});

export const getQualityJob = defineRoute({
  operationId: 'getQualityJob',
  method: 'GET',
  path: '/api/data-quality/jobs/{id}',
  summary: 'Get a run of all data-quality tests',
  description: 'With its progress, and the number of tests by their status when it has ended.',
  permission: 'quality:read',
  params: QualityJobParams,
  success: { status: 200, body: Job },
  errors: ['QUALITY_JOB_NOT_FOUND'],
});
