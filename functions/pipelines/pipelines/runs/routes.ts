import { Run, RunWithSteps, StepRunPage } from '../../../../shared/domains/pipelines/store/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import {
  AllRunsPage,
  AllRunsQuery,
  LogQuery,
  PipelineParams,
  RetryRun,
  RunPage,
  RunParams,
  RunPipeline,
  RunsQuery,
  StepLogTail,
  StepParams,
  StepRunsQuery,
  WorkersStatus,
} from '../schemas.ts';

const product = 'pipelines';

export const runPipeline = defineRoute({
  operationId: 'runPipeline',
  method: 'POST',
  path: '/api/pipelines/{id}/run',
  summary: 'Start a run',
  description:
    'With `fullRefresh`, incremental extracts forget their watermarks in this run and read all rows again: `true` for all of them, or the ids of some.',
  permission: 'pipelines:write',
  object: 'pipeline',
  product,
  params: PipelineParams,
  body: RunPipeline,
  optionalBody: true,
  uses: { type: 'pipeline', param: 'id' },
  success: { status: 201, body: Run },
  errors: [
    'PIPELINE_NOT_FOUND',
    'PIPELINE_PAUSED',
    'RUN_PARAMETERS_INVALID',
    'FULL_REFRESH_INVALID',
    'RUN_OVERLAP',
    'QUEUE_FULL',
    'RATE_LIMITED',
    'ALLOWANCE_EXHAUSTED',
    'WORKER_UNAVAILABLE',
  ],
  idempotent: true,
});

export const listRuns = defineRoute({
  operationId: 'listRuns',
  method: 'GET',
  path: '/api/pipelines/{id}/runs',
  summary: 'List runs',
  description: 'The runs of a pipeline, newest first.',
  permission: 'pipelines:read',
  object: 'pipeline',
  product,
  params: PipelineParams,
  query: RunsQuery,
  success: { status: 200, body: RunPage },
  errors: ['PIPELINE_NOT_FOUND', 'OFFSET_TOO_LARGE'],
});

export const listAllRuns = defineRoute({
  operationId: 'listAllRuns',
  method: 'GET',
  path: '/api/pipelines/runs',
  summary: 'List runs of all pipelines',
  description: 'The runs of all pipelines of the workspace, newest first, also those of deleted pipelines.',
  permission: 'pipelines:read',
  product,
  query: AllRunsQuery,
  success: { status: 200, body: AllRunsPage },
  errors: ['CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
});

export const getRun = defineRoute({
  operationId: 'getRun',
  method: 'GET',
  path: '/api/pipelines/runs/{runId}',
  summary: 'Get a run',
  description: 'With its steps, or with the first of thousands; `stepsNextCursor` leads to the others.',
  permission: 'pipelines:read',
  product,
  params: RunParams,
  success: { status: 200, body: RunWithSteps },
  errors: ['RUN_NOT_FOUND'],
});

export const listStepRuns = defineRoute({
  operationId: 'listStepRuns',
  method: 'GET',
  path: '/api/pipelines/runs/{runId}/steps',
  summary: 'List the steps of a run',
  description:
    'In their order, from the first or from the `stepsNextCursor` of the run. A page ends at `limit`, or when the reply is full.',
  permission: 'pipelines:read',
  product,
  params: RunParams,
  query: StepRunsQuery,
  success: { status: 200, body: StepRunPage },
  errors: ['RUN_NOT_FOUND', 'CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
});

export const cancelRun = defineRoute({
  operationId: 'cancelRun',
  method: 'POST',
  path: '/api/pipelines/runs/{runId}/cancel',
  summary: 'Cancel a run',
  description:
    'Queued steps are cancelled immediately, running ones stop within seconds. While many runs of the pipeline end at once, a waiting run ends within seconds, too.',
  permission: 'pipelines:write',
  product,
  params: RunParams,
  success: { status: 200, body: Run },
  errors: ['RUN_NOT_FOUND', 'RUN_NOT_ACTIVE'],
});

export const retryRun = defineRoute({
  operationId: 'retryRun',
  method: 'POST',
  path: '/api/pipelines/runs/{runId}/retry',
  summary: 'Retry a run',
  description:
    'The same failed run continues with the definition that it was created with. Steps that have succeeded are not repeated. With `fromStep`, a run with any end repeats that step and all steps after it, with the stored rows of the steps before.',
  permission: 'pipelines:write',
  product,
  params: RunParams,
  body: RetryRun,
  optionalBody: true,
  success: { status: 200, body: Run },
  errors: [
    'RUN_NOT_FOUND',
    'RUN_NOT_FAILED',
    'RUN_NOT_ENDED',
    'RUN_STEP_UNKNOWN',
    'LOAD_NOT_REPEATABLE',
    'RUN_EXPIRED',
    'PIPELINE_NOT_FOUND',
    'RUN_OVERLAP',
    'QUEUE_FULL',
    'RATE_LIMITED',
    'ALLOWANCE_EXHAUSTED',
    'WORKER_UNAVAILABLE',
  ],
  idempotent: true,
});

export const getStepLogs = defineRoute({
  operationId: 'getStepLogs',
  method: 'GET',
  path: '/api/pipelines/runs/{runId}/steps/{stepId}/logs',
  summary: "Get a step's log",
  description: 'The last lines of the log of one attempt.',
  permission: 'pipelines:read',
  product,
  params: StepParams,
  query: LogQuery,
  success: { status: 200, body: StepLogTail },
  errors: ['RUN_NOT_FOUND', 'STEP_LOG_NOT_FOUND', 'RLS_RAW_SQL'],
});

export const getWorkersStatus = defineRoute({
  operationId: 'getWorkersStatus',
  method: 'GET',
  path: '/api/pipelines/workers/status',
  summary: 'Get the status of workers',
  description: 'Whether runs can be started now.',
  permission: 'pipelines:read',
  product,
  success: { status: 200, body: WorkersStatus },
});
