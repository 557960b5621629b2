import { Pipeline } from '../../../shared/domains/pipelines/store/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import { ForceQuery } from '../../../shared/platform/http/schemas.ts';
import { Schedule } from '../../../shared/platform/schedule/schedule.ts';
import {
  CreatePipeline,
  PipelinePage,
  PipelineParams,
  PipelinesQuery,
  PipelineValidation,
  UpdatePipeline,
  ValidatePipeline,
} from './schemas.ts';

const product = 'pipelines';

export const listPipelines = defineRoute({
  operationId: 'listPipelines',
  method: 'GET',
  path: '/api/pipelines',
  summary: 'List pipelines',
  description: 'Each with its latest run.',
  permission: 'pipelines:read',
  product,
  query: PipelinesQuery,
  success: { status: 200, body: PipelinePage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const createPipeline = defineRoute({
  operationId: 'createPipeline',
  method: 'POST',
  path: '/api/pipelines',
  summary: 'Create a pipeline',
  description: 'The definition is checked as a whole: the reply lists every issue with its place.',
  permission: 'pipelines:write',
  product,
  body: CreatePipeline,
  success: { status: 201, body: Pipeline, versioned: true },
  errors: ['PIPELINE_NAME_TAKEN', 'PIPELINE_DAG_INVALID', 'PIPELINE_SCHEDULE_INVALID', 'RLS_COPY'],
  idempotent: true,
  audit: 'pipeline.created',
});

export const getPipeline = defineRoute({
  operationId: 'getPipeline',
  method: 'GET',
  path: '/api/pipelines/{id}',
  summary: 'Get a pipeline',
  permission: 'pipelines:read',
  object: 'pipeline',
  product,
  params: PipelineParams,
  uses: { type: 'pipeline', param: 'id' },
  success: { status: 200, body: Pipeline, versioned: true },
  errors: ['PIPELINE_NOT_FOUND'],
});

export const updatePipeline = defineRoute({
  operationId: 'updatePipeline',
  method: 'PATCH',
  path: '/api/pipelines/{id}',
  summary: 'Update a pipeline',
  description:
    'A change of the definition does not affect existing runs. `schedule` and `concurrency` beside `dag` take precedence over those in it. Those in `dag` apply only when they differ from the stored definition, so saving a definition as it was read changes nothing. A definition that no longer loads columns in use is rejected, unless `force` is set.',
  permission: 'pipelines:write',
  product,
  params: PipelineParams,
  query: ForceQuery,
  body: UpdatePipeline,
  success: { status: 200, body: Pipeline, versioned: true },
  errors: [
    'RLS_COPY',
    'PIPELINE_NOT_FOUND',
    'PIPELINE_CHANGED',
    'PIPELINE_NAME_TAKEN',
    'PIPELINE_DAG_INVALID',
    'PIPELINE_SCHEDULE_INVALID',
    'REFERENCED',
  ],
  audit: 'pipeline.updated',
});

export const deletePipeline = defineRoute({
  operationId: 'deletePipeline',
  method: 'DELETE',
  path: '/api/pipelines/{id}',
  summary: 'Delete a pipeline',
  description:
    'Rejected while a run is queued or running, and, unless `force` is set, if anything is made of the datasets that it loads. Past runs can still be read.',
  permission: 'pipelines:write',
  object: 'pipeline',
  product,
  params: PipelineParams,
  query: ForceQuery,
  success: { status: 204, versioned: true },
  errors: ['PIPELINE_NOT_FOUND', 'PIPELINE_HAS_ACTIVE_RUN', 'REFERENCED'],
  audit: 'pipeline.deleted',
});

export const setPipelineSchedule = defineRoute({
  operationId: 'setPipelineSchedule',
  method: 'PUT',
  path: '/api/pipelines/{id}/schedule',
  summary: "Set a pipeline's schedule",
  description:
    '`{}` removes it. Without `cron` and `everySeconds` the other members change the current schedule: `{"enabled": false}` switches it off and keeps it.',
  permission: 'pipelines:write',
  object: 'pipeline',
  product,
  params: PipelineParams,
  body: Schedule,
  success: { status: 200, body: Pipeline, versioned: true },
  errors: ['PIPELINE_NOT_FOUND', 'PIPELINE_SCHEDULE_INVALID'],
  audit: 'pipeline.updated',
});

export const validatePipeline = defineRoute({
  operationId: 'validatePipeline',
  method: 'POST',
  path: '/api/pipelines/{id}/validate',
  summary: 'Validate a pipeline',
  description: 'Checks the given definition, or the stored one, without saving it. The reply lists every issue.',
  permission: 'pipelines:read',
  product,
  params: PipelineParams,
  body: ValidatePipeline,
  optionalBody: true,
  success: { status: 200, body: PipelineValidation },
  errors: ['PIPELINE_NOT_FOUND'],
});
