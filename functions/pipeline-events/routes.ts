import { defineRoute } from '../../shared/platform/http/route.ts';
import { RunEventStream, RunParams } from './schemas.ts';

export const streamRunEvents = defineRoute({
  operationId: 'streamRunEvents',
  method: 'GET',
  path: '/api/pipelines/runs/{runId}/events',
  summary: 'Follow a run as server-sent events',
  description: 'Ends when the run is over. `Last-Event-ID` resumes after that event.',
  permission: 'pipelines:read',
  product: 'pipelines',
  params: RunParams,
  success: { status: 200, events: RunEventStream },
  errors: ['RUN_NOT_FOUND'],
});
