import Type from 'typebox';
import { GATE_DAYS, GateEvaluation, GateHealth } from '../../shared/domains/pipelines/index.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import { PipelineParams } from './schemas.ts';

const product = 'pipelines';

export const listGateEvaluations = defineRoute({
  operationId: 'listGateEvaluations',
  method: 'GET',
  path: '/api/pipelines/{id}/quality',
  summary: 'What the quality gates of the pipeline have said, newest first',
  description: 'Kept for 90 days. Failing rows are shown to those who may run queries.',
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
  summary: 'How the quality gates of each pipeline have done',
  description: 'Over the last days, counted in UTC with today; pipelines whose gates checked nothing are left out.',
  permission: 'pipelines:read',
  product,
  query: Type.Object({ days: Type.Integer({ minimum: 1, maximum: GATE_DAYS, default: 7 }) }),
  success: {
    status: 200,
    body: Type.Object({ items: Type.Array(GateHealth) }, { $id: 'GateSummary' }),
  },
});
