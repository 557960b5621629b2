import type { RestRoute } from '../../../core/rest-json.ts';
import { badRequest, notFound } from '../errors.ts';
import type { Resource } from '../model.ts';
import { type ManagementDeps, type PageInput, pageReply } from './deps.ts';
import { showMethod } from './methods.ts';

interface Address {
  restApiId: string;
  resourceId: string;
  embed?: string[];
}

const ALL = '/restapis/{restApiId}/resources';
const ONE = `${ALL}/{resourceId}`;

/** CreateResource, GetResources, GetResource and DeleteResource. */
export function resourceRoutes({ context, control, newId }: ManagementDeps): RestRoute[] {
  /** The resources of an API in wire format, root included; with full methods if requested. */
  const showTree = (apiId: string, embed: string[] = []) => {
    if (embed.some((part) => part !== 'methods')) throw badRequest('Invalid embed value specified');
    const api = control.api(apiId);
    const resources = new Map(control.resources(apiId).map((resource) => [resource.id, resource]));
    const methods = Map.groupBy(control.methods(apiId), ({ resourceId }) => resourceId);
    const describeResource = (id: string, path: string, at?: Resource) => ({
      id,
      path,
      ...(at && { parentId: at.parentId, pathPart: at.pathPart }),
      resourceMethods: methods.has(id)
        ? Object.fromEntries(
            (methods.get(id) ?? []).map((method) => [
              method.httpMethod,
              embed.length > 0 ? showMethod(context.region, method) : {},
            ]),
          )
        : undefined,
    });
    const pathOf = (resource: Resource): string => {
      const parent = resources.get(resource.parentId);
      return `${parent ? pathOf(parent) : ''}/${resource.pathPart}`;
    };
    const below = [...resources.values()].map((resource) => describeResource(resource.id, pathOf(resource), resource));
    return [describeResource(api.rootResourceId, '/'), ...below];
  };
  const find = ({ restApiId, resourceId, embed }: Address) => {
    const found = showTree(restApiId, embed).find(({ id }) => id === resourceId);
    if (!found) throw notFound('Invalid Resource identifier specified');
    return found;
  };
  const resource = ({ restApiId }: { restApiId: string }) => restApiId;
  return [
    {
      operation: 'CreateResource',
      method: 'POST',
      path: ONE,
      status: 201,
      members: ['restApiId', 'resourceId', 'pathPart'],
      resource,
      run({ restApiId, resourceId: parentId, pathPart = '' }: Address & { pathPart?: string }) {
        const id = newId(6);
        control.putResource(restApiId, { id, parentId, pathPart });
        return find({ restApiId, resourceId: id });
      },
    },
    {
      operation: 'GetResources',
      method: 'GET',
      path: ALL,
      members: ['restApiId', 'position', 'limit', 'embed'],
      resource,
      run: ({ restApiId, embed, ...page }: PageInput & { restApiId: string; embed?: string[] }) =>
        pageReply(showTree(restApiId, embed), ({ id }) => id, page),
    },
    {
      operation: 'GetResource',
      method: 'GET',
      path: ONE,
      members: ['restApiId', 'resourceId', 'embed'],
      resource,
      run: find,
    },
    {
      operation: 'DeleteResource',
      method: 'DELETE',
      path: ONE,
      status: 202,
      members: ['restApiId', 'resourceId'],
      resource,
      run(address: Address) {
        if (find(address).path === '/') throw badRequest('Root resource cannot be deleted');
        control.deleteResourceTree(address.restApiId, address.resourceId);
      },
    },
  ];
}
