import {
  Flowlet,
  FlowletArguments,
  FlowletInstance,
  SaveFlowlet,
} from '../../../../shared/domains/pipelines/flowlets/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { idParams, ListQuery, NamedListQuery, Page } from '../../../../shared/platform/http/schemas.ts';

const FlowletPage = Page(Flowlet);
const FlowletParams = idParams('flowlet');
const read = { permission: 'pipelines:read', product: 'pipelines' } as const;
const write = { permission: 'pipelines:write', product: 'pipelines' } as const;

export const saveFlowlet = defineRoute({
  operationId: 'saveFlowlet',
  method: 'POST',
  path: '/api/pipelines/flowlets',
  summary: 'Save a flowlet',
  description:
    'A new name creates a flowlet, an existing one adds a version, unless the content is that of its latest version. Flowlets can use others, three levels deep.',
  ...write,
  body: SaveFlowlet,
  success: { status: 201, body: Flowlet },
  errors: ['FLOWLET_INVALID', 'FLOWLET_CHANGED'],
  idempotent: true,
  audit: ['flowlet.created', 'flowlet.updated'],
});

export const listFlowlets = defineRoute({
  operationId: 'listFlowlets',
  method: 'GET',
  path: '/api/pipelines/flowlets',
  summary: 'List flowlets',
  description: 'The latest version of each.',
  ...read,
  query: NamedListQuery,
  success: { status: 200, body: FlowletPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const getFlowlet = defineRoute({
  operationId: 'getFlowlet',
  method: 'GET',
  path: '/api/pipelines/flowlets/{id}',
  summary: 'Get a flowlet version',
  ...read,
  params: FlowletParams,
  success: { status: 200, body: Flowlet },
  errors: ['FLOWLET_NOT_FOUND'],
});

export const listFlowletVersions = defineRoute({
  operationId: 'listFlowletVersions',
  method: 'GET',
  path: '/api/pipelines/flowlets/{id}/versions',
  summary: 'List flowlet versions',
  description: 'Newest first.',
  ...read,
  params: FlowletParams,
  query: ListQuery,
  success: { status: 200, body: FlowletPage },
  errors: ['FLOWLET_NOT_FOUND', 'OFFSET_TOO_LARGE'],
});

export const retireFlowlet = defineRoute({
  operationId: 'retireFlowlet',
  method: 'DELETE',
  path: '/api/pipelines/flowlets/{id}/all',
  summary: 'Retire a flowlet',
  description:
    'Removes all versions and frees the name. Pipelines that use the flowlet keep the operations that it stood for.',
  ...write,
  params: FlowletParams,
  success: { status: 204 },
  errors: ['FLOWLET_NOT_FOUND'],
  audit: 'flowlet.deleted',
});

export const instantiateFlowlet = defineRoute({
  operationId: 'instantiateFlowlet',
  method: 'POST',
  path: '/api/pipelines/flowlets/{id}/instantiate',
  summary: 'Instantiate a flowlet',
  description:
    'Replies with the plain operations for a `transform_sql` step, with parameters and inner flowlets resolved.',
  ...read,
  params: FlowletParams,
  body: FlowletArguments,
  success: { status: 200, body: FlowletInstance },
  errors: ['FLOWLET_NOT_FOUND', 'FLOWLET_ARGUMENTS_INVALID'],
});
