import { Pipeline, Run, RunWithSteps, StepRunPage } from '../../shared/domains/pipelines/index.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import { CursorQuery, ListQuery } from '../../shared/platform/http/schemas.ts';
import { Schedule } from '../../shared/platform/schedule/schedule.ts';
import {
  DagToValidate,
  LogQuery,
  NewPipeline,
  NewRun,
  PipelinePage,
  PipelineParams,
  PipelinePatch,
  RunPage,
  RunParams,
  RunsQuery,
  StepLogTail,
  StepParams,
  Validation,
  WorkersStatus,
} from './schemas.ts';

const product = 'pipelines';

export const listPipelines = defineRoute({
  operationId: 'listPipelines',
  method: 'GET',
  path: '/api/pipelines',
  summary: 'List the pipelines with their latest runs',
  permission: 'pipelines:read',
  product,
  query: ListQuery,
  success: { status: 200, body: PipelinePage },
  errors: ['OFFSET_TOO_LARGE'],
});

export const createPipeline = defineRoute({
  operationId: 'createPipeline',
  method: 'POST',
  path: '/api/pipelines',
  summary: 'Create a pipeline',
  description: 'The definition is checked as a whole; every issue is reported at once, with its place.',
  permission: 'pipelines:write',
  product,
  body: NewPipeline,
  success: { status: 201, body: Pipeline, versioned: true },
  errors: ['PIPELINE_NAME_TAKEN', 'PIPELINE_DAG_INVALID', 'PIPELINE_SCHEDULE_INVALID'],
  idempotent: true,
});

export const getPipeline = defineRoute({
  operationId: 'getPipeline',
  method: 'GET',
  path: '/api/pipelines/{id}',
  summary: 'Read a pipeline',
  permission: 'pipelines:read',
  product,
  params: PipelineParams,
  success: { status: 200, body: Pipeline, versioned: true },
  errors: ['PIPELINE_NOT_FOUND'],
});

export const updatePipeline = defineRoute({
  operationId: 'updatePipeline',
  method: 'PATCH',
  path: '/api/pipelines/{id}',
  summary: 'Change a pipeline',
  description:
    'A change of the definition never touches runs that exist already. `schedule` and `concurrency` beside `dag` win over those in it, and those in it count where they are others than before: a definition that is saved as it was read changes nothing.',
  permission: 'pipelines:write',
  product,
  params: PipelineParams,
  body: PipelinePatch,
  success: { status: 200, body: Pipeline, versioned: true },
  errors: [
    'PIPELINE_NOT_FOUND',
    'PIPELINE_CHANGED',
    'PIPELINE_NAME_TAKEN',
    'PIPELINE_DAG_INVALID',
    'PIPELINE_SCHEDULE_INVALID',
  ],
});

export const deletePipeline = defineRoute({
  operationId: 'deletePipeline',
  method: 'DELETE',
  path: '/api/pipelines/{id}',
  summary: 'Delete a pipeline',
  description: 'Refused while a run is queued or running. Past runs stay readable.',
  permission: 'pipelines:write',
  product,
  params: PipelineParams,
  success: { status: 204, versioned: true },
  errors: ['PIPELINE_NOT_FOUND', 'PIPELINE_HAS_ACTIVE_RUN'],
});

export const setPipelineSchedule = defineRoute({
  operationId: 'setPipelineSchedule',
  method: 'PUT',
  path: '/api/pipelines/{id}/schedule',
  summary: 'Set or clear the schedule',
  description:
    '`{}` clears it. Without `cron` and `everySeconds` the other members change the one that there is: `{"enabled":false}` switches it off and keeps it.',
  permission: 'pipelines:write',
  product,
  params: PipelineParams,
  body: Schedule,
  success: { status: 200, body: Pipeline, versioned: true },
  errors: ['PIPELINE_NOT_FOUND', 'PIPELINE_SCHEDULE_INVALID'],
});

export const validatePipeline = defineRoute({
  operationId: 'validatePipeline',
  method: 'POST',
  path: '/api/pipelines/{id}/validate',
  summary: 'Check a definition without saving it',
  description: 'Checks the given definition, or the stored one. Issues are the answer, never an error.',
  permission: 'pipelines:read',
  product,
  params: PipelineParams,
  body: DagToValidate,
  optionalBody: true,
  success: { status: 200, body: Validation },
  errors: ['PIPELINE_NOT_FOUND'],
});

export const runPipeline = defineRoute({
  operationId: 'runPipeline',
  method: 'POST',
  path: '/api/pipelines/{id}/run',
  summary: 'Start a run',
  permission: 'pipelines:write',
  product,
  params: PipelineParams,
  body: NewRun,
  optionalBody: true,
  success: { status: 201, body: Run },
  errors: [
    'PIPELINE_NOT_FOUND',
    'PIPELINE_PAUSED',
    'RUN_PARAMETERS_INVALID',
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
  summary: 'List the runs of a pipeline, newest first',
  permission: 'pipelines:read',
  product,
  params: PipelineParams,
  query: RunsQuery,
  success: { status: 200, body: RunPage },
  errors: ['PIPELINE_NOT_FOUND', 'OFFSET_TOO_LARGE'],
});

export const getRun = defineRoute({
  operationId: 'getRun',
  method: 'GET',
  path: '/api/pipelines/runs/{runId}',
  summary: 'Read a run with its steps',
  description: 'Of a run with thousands of steps the first ones, and `stepsNextCursor` for the list of steps.',
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
  summary: 'List the steps of a run in their order',
  description:
    'By the `stepsNextCursor` of the run, or from the first one on. A page ends at `limit`, or with what one reply can carry.',
  permission: 'pipelines:read',
  product,
  params: RunParams,
  query: CursorQuery,
  success: { status: 200, body: StepRunPage },
  errors: ['RUN_NOT_FOUND', 'CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
});

export const cancelRun = defineRoute({
  operationId: 'cancelRun',
  method: 'POST',
  path: '/api/pipelines/runs/{runId}/cancel',
  summary: 'Cancel a queued or running run',
  description: 'Steps that have not begun are cancelled at once; running ones stop within seconds.',
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
  summary: 'Retry a failed run',
  description: 'The same run goes on with the definition it was created with; what has succeeded stays.',
  permission: 'pipelines:write',
  product,
  params: RunParams,
  success: { status: 200, body: Run },
  errors: [
    'RUN_NOT_FOUND',
    'RUN_NOT_FAILED',
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
  summary: 'Read the end of the log of a step attempt',
  permission: 'pipelines:read',
  product,
  params: StepParams,
  query: LogQuery,
  success: { status: 200, body: StepLogTail },
  errors: ['RUN_NOT_FOUND', 'STEP_LOG_NOT_FOUND'],
});

export const getWorkersStatus = defineRoute({
  operationId: 'getWorkersStatus',
  method: 'GET',
  path: '/api/pipelines/workers/status',
  summary: 'Tell whether runs can be started',
  permission: 'pipelines:read',
  product,
  success: { status: 200, body: WorkersStatus },
});
