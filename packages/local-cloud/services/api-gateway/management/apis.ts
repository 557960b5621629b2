import { unsupported } from '../../../core/aws-error.ts';
import { rejectUnknownMembers } from '../../../core/operations.ts';
import type { RestRoute } from '../../../core/rest-json.ts';
import { badRequest } from '../errors.ts';
import type { RestApi } from '../model.ts';
import { type ManagementDeps, type PageInput, pageReply, wireTime } from './deps.ts';
import { applyPatch, type PatchOperation, type PatchRules } from './patch.ts';

interface CreateInput {
  name?: string;
  description?: string;
  binaryMediaTypes?: string[];
  minimumCompressionSize?: number;
  endpointConfiguration?: { types?: string[] };
}

const ONE = '/restapis/{restApiId}';
const RULES: PatchRules<RestApi> = {
  'replace /name': (api, name) => ({ ...api, name }),
  'replace /description': (api, description) => ({ ...api, description }),
  'replace /minimumCompressionSize': ({ minimumCompressionSize: _earlier, ...api }, size) =>
    size === '' ? api : { ...api, minimumCompressionSize: Number(size) },
  'add /binaryMediaTypes/*': (api, _value, type) => ({
    ...api,
    binaryMediaTypes: [...new Set([...api.binaryMediaTypes, type])],
  }),
  'remove /binaryMediaTypes/*': (api, _value, type) => ({
    ...api,
    binaryMediaTypes: api.binaryMediaTypes.filter((other) => other !== type),
  }),
};

/** CreateRestApi, GetRestApis, GetRestApi, UpdateRestApi and DeleteRestApi. */
export function apiRoutes({ control, newId }: ManagementDeps): RestRoute[] {
  const resource = ({ restApiId }: { restApiId: string }) => restApiId;
  return [
    {
      operation: 'CreateRestApi',
      method: 'POST',
      path: '/restapis',
      status: 201,
      members: ['name', 'description', 'binaryMediaTypes', 'minimumCompressionSize', 'endpointConfiguration'],
      run({ name, description, binaryMediaTypes = [], minimumCompressionSize, endpointConfiguration }: CreateInput) {
        if (!name) throw badRequest('Invalid API name specified');
        const id = newId(10);
        control.putRestApi({
          ...{ id, name, rootResourceId: newId(10), binaryMediaTypes },
          ...{ endpointType: readEndpointType(endpointConfiguration) },
          ...(description !== undefined && { description }),
          ...(minimumCompressionSize !== undefined && { minimumCompressionSize }),
        });
        return describeApi(control.api(id));
      },
    },
    {
      operation: 'GetRestApis',
      method: 'GET',
      path: '/restapis',
      members: ['position', 'limit'],
      run: (page: PageInput) => pageReply(control.apis().map(describeApi), ({ id }) => id, page),
    },
    {
      operation: 'GetRestApi',
      method: 'GET',
      path: ONE,
      members: ['restApiId'],
      resource,
      run: ({ restApiId }: { restApiId: string }) => describeApi(control.api(restApiId)),
    },
    {
      operation: 'UpdateRestApi',
      method: 'PATCH',
      path: ONE,
      members: ['restApiId', 'patchOperations'],
      resource,
      run({ restApiId, patchOperations = [] }: { restApiId: string; patchOperations?: PatchOperation[] }) {
        control.putRestApi(applyPatch('UpdateRestApi', control.api(restApiId), patchOperations, RULES));
        return describeApi(control.api(restApiId));
      },
    },
    {
      operation: 'DeleteRestApi',
      method: 'DELETE',
      path: ONE,
      status: 202,
      members: ['restApiId'],
      resource,
      run: ({ restApiId }: { restApiId: string }) => control.deleteRestApi(control.api(restApiId).id),
    },
  ];
}

/** AWS's default is edge-optimized. */
function readEndpointType(configuration: CreateInput['endpointConfiguration']): 'REGIONAL' | 'EDGE' {
  if (configuration === undefined) return 'EDGE';
  rejectUnknownMembers('apigateway', 'CreateRestApi', configuration, ['types']);
  const [type = 'EDGE', ...more] = configuration.types ?? [];
  if (more.length > 0) throw badRequest('Only one endpoint type is allowed');
  if (type !== 'REGIONAL' && type !== 'EDGE') throw unsupported('apigateway', `the endpoint type ${type}`);
  return type;
}

function describeApi(api: RestApi) {
  return {
    id: api.id,
    name: api.name,
    description: api.description,
    createdDate: wireTime(api.createdAt),
    binaryMediaTypes: api.binaryMediaTypes.length > 0 ? api.binaryMediaTypes : undefined,
    minimumCompressionSize: api.minimumCompressionSize,
    apiKeySource: 'HEADER',
    endpointConfiguration: { types: [api.endpointType ?? 'EDGE'] },
    disableExecuteApiEndpoint: false,
    rootResourceId: api.rootResourceId,
  };
}
