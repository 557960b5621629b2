import { defineRoute } from '../../../shared/platform/http/route.ts';
import { RunEventStream, RunParams } from './schemas.ts';

export const streamRunEvents = defineRoute({
  operationId: 'streamRunEvents',
  method: 'GET',
  path: '/api/pipelines/runs/{runId}/events',
  summary: 'Follow a run',
  description: 'A stream of server-sent events that ends when the run is over.',
  permission: 'pipelines:read',
  product: 'pipelines',
  params: RunParams,
  success: { status: 200, events: RunEventStream },
  errors: ['RUN_NOT_FOUND'],
});
