import { Flowlet, FlowletArguments, FlowletInstance, NewFlowlet } from '../../shared/domains/flowlets/record.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import { IdParams, ListQuery, Page } from '../../shared/platform/http/schemas.ts';

const FlowletPage = Page(Flowlet);
const read = { permission: 'pipelines:read', product: 'pipelines' } as const;
const write = { permission: 'pipelines:write', product: 'pipelines' } as const;

export const saveFlowlet = defineRoute({
  operationId: 'saveFlowlet',
  method: 'POST',
  path: '/api/pipelines/flowlets',
  summary: 'Save a version of a flowlet',
  description:
    'An existing name gets a new version, unless the content equals that of its newest version, which is then returned. The operation `{"op": "flowlet", "flowletId", "params", "columnMap"}` uses another flowlet, at most three levels deep.',
  ...write,
  body: NewFlowlet,
  success: { status: 201, body: Flowlet },
  errors: ['FLOWLET_INVALID', 'FLOWLET_CHANGED'],
  idempotent: true,
});

export const listFlowlets = defineRoute({
  operationId: 'listFlowlets',
  method: 'GET',
  path: '/api/pipelines/flowlets',
  summary: 'List the newest version of each flowlet',
  ...read,
  query: ListQuery,
  success: { status: 200, body: FlowletPage },
  errors: ['OFFSET_TOO_LARGE'],
});

export const getFlowlet = defineRoute({
  operationId: 'getFlowlet',
  method: 'GET',
  path: '/api/pipelines/flowlets/{id}',
  summary: 'Read a version of a flowlet',
  ...read,
  params: IdParams,
  success: { status: 200, body: Flowlet },
  errors: ['FLOWLET_NOT_FOUND'],
});

export const listFlowletVersions = defineRoute({
  operationId: 'listFlowletVersions',
  method: 'GET',
  path: '/api/pipelines/flowlets/{id}/versions',
  summary: 'List all versions of a flowlet, newest first',
  ...read,
  params: IdParams,
  query: ListQuery,
  success: { status: 200, body: FlowletPage },
  errors: ['FLOWLET_NOT_FOUND', 'OFFSET_TOO_LARGE'],
});

export const retireFlowlet = defineRoute({
  operationId: 'retireFlowlet',
  method: 'DELETE',
  path: '/api/pipelines/flowlets/{id}/all',
  summary: 'Retire all versions of a flowlet',
  description: 'Frees the name. Pipelines that use the flowlet keep the operations that it expanded to.',
  ...write,
  params: IdParams,
  success: { status: 204 },
  errors: ['FLOWLET_NOT_FOUND'],
});

export const instantiateFlowlet = defineRoute({
  operationId: 'instantiateFlowlet',
  method: 'POST',
  path: '/api/pipelines/flowlets/{id}/instantiate',
  summary: 'Turn arguments into operations',
  description: 'Returns plain operations for `transform_sql` steps, with parameters and nested flowlets resolved.',
  ...read,
  params: IdParams,
  body: FlowletArguments,
  success: { status: 200, body: FlowletInstance },
  errors: ['FLOWLET_NOT_FOUND', 'FLOWLET_ARGUMENTS_INVALID'],
});
