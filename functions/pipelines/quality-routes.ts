import Type from 'typebox';
import { GATE_DAYS, GateEvaluation, GateHealth } from '../../shared/domains/pipelines/store/gate-results.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import { PipelineParams } from './schemas.ts';

const product = 'pipelines';

export const listGateEvaluations = defineRoute({
  operationId: 'listGateEvaluations',
  method: 'GET',
  path: '/api/pipelines/{id}/quality',
  summary: 'List the results of the quality gates of a pipeline, newest first',
  description: 'Results are kept for 90 days. Only callers who may run queries see samples of failing rows.',
  permission: 'pipelines:read',
  product,
  params: PipelineParams,
  query: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }) }),
  success: {
    status: 200,
    body: Type.Object({ items: Type.Array(GateEvaluation) }, { $id: 'GateHistory' }),
  },
  errors: ['PIPELINE_NOT_FOUND'],
});

export const summarizeGates = defineRoute({
  operationId: 'summarizeGates',
  method: 'GET',
  path: '/api/pipelines/quality/summary',
  summary: 'Summarise the results of the quality gates by pipeline',
  description: 'Covers the last days in UTC, including today. Pipelines whose gates checked nothing are left out.',
  permission: 'pipelines:read',
  product,
  query: Type.Object({ days: Type.Integer({ minimum: 1, maximum: GATE_DAYS, default: 7 }) }),
  success: {
    status: 200,
    body: Type.Object({ items: Type.Array(GateHealth) }, { $id: 'GateSummary' }),
  },
});
