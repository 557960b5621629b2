import * as Type from 'typebox';
import { GATE_DAYS, GateEvaluation, GateHealth } from '../../../../shared/domains/pipelines/store/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { LimitQuery } from '../../../../shared/platform/http/schemas.ts';
import { PipelineParams } from '../schemas.ts';

const product = 'pipelines';

export const listGateEvaluations = defineRoute({
  operationId: 'listGateEvaluations',
  method: 'GET',
  path: '/api/pipelines/{id}/quality',
  summary: 'List gate evaluations',
  description:
    'What the quality gates of a pipeline have found in the last 90 days, newest first. Only callers who may run queries, and from whom row-level security keeps nothing that the pipeline reads or loads, see failing rows.',
  permission: 'pipelines:read',
  object: 'pipeline',
  product,
  params: PipelineParams,
  query: LimitQuery,
  success: {
    status: 200,
    body: Type.Object(
      { items: Type.Array(GateEvaluation) },
      { $id: 'GateHistory', description: 'What the quality gates of a pipeline have found, newest first.' },
    ),
  },
  errors: ['PIPELINE_NOT_FOUND'],
});

export const summarizeGates = defineRoute({
  operationId: 'summarizeGates',
  method: 'GET',
  path: '/api/pipelines/quality/summary',
  summary: 'Summarize quality gates',
  description:
    'How often the gates of each pipeline have passed and failed in the last days, in UTC. Pipelines without evaluations are left out.',
  permission: 'pipelines:read',
  product,
  query: Type.Object({
    days: Type.Integer({ minimum: 1, maximum: GATE_DAYS, default: 7, description: 'How many days, including today.' }),
  }),
  success: {
    status: 200,
    body: Type.Object(
      { items: Type.Array(GateHealth) },
      { $id: 'GateSummary', description: 'The results of the quality gates of each pipeline.' },
    ),
  },
});
