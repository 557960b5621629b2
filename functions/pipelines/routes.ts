import { Pipeline, Run, RunWithSteps, StepRunPage } from '../../shared/domains/pipelines/store/records.ts';
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
  RunEventStream,
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
    'A new definition does not affect existing runs. `schedule` and `concurrency` next to `dag` take precedence over those inside it; those inside it apply only if they differ from the stored definition, so saving a definition unchanged changes nothing.',
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
  description: 'Rejected while a run is queued or running. Past runs stay readable.',
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
    '`{}` clears the schedule. Without `cron` and `everySeconds`, the other members change the stored schedule: `{"enabled":false}` disables it without removing it.',
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
  description:
    'Checks the given definition, or the stored one. An invalid definition is a 200 response with its issues.',
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
  description: 'A run with thousands of steps returns the first ones, and `stepsNextCursor` to list the rest.',
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
  summary: 'List the steps of a run in order',
  description:
    'Starts at the first step, or continues with the `stepsNextCursor` of the run. A page ends at `limit`, or earlier at the size limit of a reply.',
  permission: 'pipelines:read',
  product,
  params: RunParams,
  query: CursorQuery,
  success: { status: 200, body: StepRunPage },
  errors: ['RUN_NOT_FOUND', 'CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
});

export const streamRunEvents = defineRoute({
  operationId: 'streamRunEvents',
  method: 'GET',
  path: '/api/pipelines/runs/{runId}/events',
  summary: 'Follow a run as server-sent events',
  description: 'The stream ends when the run ends. `Last-Event-ID` resumes after that event.',
  permission: 'pipelines:read',
  product,
  params: RunParams,
  success: { status: 200, events: RunEventStream },
  errors: ['RUN_NOT_FOUND'],
});

export const cancelRun = defineRoute({
  operationId: 'cancelRun',
  method: 'POST',
  path: '/api/pipelines/runs/{runId}/cancel',
  summary: 'Cancel a queued or running run',
  description: 'Steps that have not started are cancelled at once; running ones stop within seconds.',
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
  description: 'The run continues with the definition that it was created with. Succeeded steps are not run again.',
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
  summary: 'Show whether runs can start',
  permission: 'pipelines:read',
  product,
  success: { status: 200, body: WorkersStatus },
});
