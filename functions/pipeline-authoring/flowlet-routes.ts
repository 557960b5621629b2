import { Flowlet, FlowletArguments, FlowletInstance, NewFlowlet } from '../../shared/domains/flowlets/index.ts';
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
    'A name that exists gets a new version, unless its newest one has the same content: then that one is the answer. An operation `{"op": "flowlet", "flowletId", "params", "columnMap"}` uses another flowlet, at most three levels deep.',
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
  description: 'Its name is free. Operations that were made of it stay as they are.',
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
  description: 'The operations are plain ones for `transform_sql` steps; parameters and inner flowlets are resolved.',
  ...read,
  params: IdParams,
  body: FlowletArguments,
  success: { status: 200, body: FlowletInstance },
  errors: ['FLOWLET_NOT_FOUND', 'FLOWLET_ARGUMENTS_INVALID'],
});
