import { Duration } from 'aws-cdk-lib';
import { type IResource, LambdaIntegration, ResponseTransferMode, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type Group, isAtOrBelow } from '../../functions/group.ts';
import { PREFLIGHT_POLICY } from '../../shared/platform/http/cors.ts';

/** The address of the API ends in `/api`; see `PublicApi`. */
const ROOT = '/api';

interface Server {
  group: Group;
  integration: LambdaIntegration;
}

/**
 * Routes each path to the group that declares it or the nearest path above it, with one `ANY` method on the path and
 * one on everything below. Functions route further, because a method per operation would need hundreds of resources.
 *
 * Below a literal path, API Gateway does not try the greedy child of the parent. Every path on the way to another
 * group's path therefore gets both methods as well.
 */
export function serveGroups(api: RestApi, groups: readonly { group: Group; function: IFunction }[]): void {
  const servers = new Map<string, Server>();
  for (const { group, function: target } of groups) {
    const integration = new LambdaIntegration(target, {
      scopePermissionToMethod: false,
      ...(group.resources.streams && {
        responseTransferMode: ResponseTransferMode.STREAM,
        timeout: Duration.seconds(group.resources.timeoutSeconds ?? 29),
      }),
    });
    for (const path of group.paths) {
      const other = servers.get(path);
      if (other) throw new Error(`The groups ${other.group.name} and ${group.name} both serve ${path}`);
      servers.set(path, { group, integration });
    }
  }

  const paths = new Set([...servers.keys()].flatMap(pathsTo));
  assertOneVariable(paths);
  const resources = new Map<string, IResource>([[ROOT, api.root]]);
  // A parent is shorter than its children, so it already exists.
  for (const path of [...paths].sort((one, other) => one.length - other.length)) {
    const parent = resources.get(parentOf(path))!;
    const resource = path === `${ROOT}/` ? api.root : parent.addResource(path.slice(parentOf(path).length + 1));
    resources.set(path, resource);
    serve(resource, path, { server: serverOf(path, servers), paths });
  }
}

function serve(
  resource: IResource,
  path: string,
  { server, paths }: { server: Server | undefined; paths: ReadonlySet<string> },
): void {
  if (!server) return;
  const { group, integration } = server;
  if (group.resources.streams) {
    for (const route of group.routes) if (route.path === path) resource.addMethod(route.method, integration);
    // The other functions answer preflight requests themselves; this one serves its routes only.
    resource.addCorsPreflight({
      allowOrigins: ['*'],
      allowMethods: PREFLIGHT_POLICY.methods,
      allowHeaders: PREFLIGHT_POLICY.headers,
      maxAge: Duration.seconds(PREFLIGHT_POLICY.maxAgeSeconds),
    });
    return;
  }
  resource.addMethod('ANY', integration);
  const isLeaf =
    group.paths.some((served) => served === path) && !group.routes.some((route) => isBelow(route.path, path));
  // The gateway allows one variable child; if there is a named one, it serves everything below by itself.
  const hasVariable = [...paths].some((other) => parentOf(other) === path && isVariable(other));
  // The group of the root also receives what no group serves, to name the nearest operation.
  if (path === `${ROOT}/` || (!isLeaf && !hasVariable))
    resource.addProxy({ anyMethod: true, defaultIntegration: integration });
}

/** The group of the longest declared path at or above this one. */
function serverOf(path: string, servers: ReadonlyMap<string, Server>): Server | undefined {
  for (let at = path; at !== ROOT; at = parentOf(at)) {
    const server = servers.get(at);
    if (server) return server;
  }
  return undefined;
}

/** The path itself and the paths above it, except the root. */
function pathsTo(path: string): string[] {
  return path === ROOT ? [] : [...pathsTo(parentOf(path)), path];
}

function assertOneVariable(paths: ReadonlySet<string>): void {
  const variables = new Map<string, string>();
  for (const path of paths) {
    if (!isVariable(path)) continue;
    const other = variables.get(parentOf(path));
    if (other) {
      throw new Error(
        `${other} and ${path} name the same segment differently, which API Gateway rejects; use one name`,
      );
    }
    variables.set(parentOf(path), path);
  }
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
const isVariable = (path: string): boolean => path.endsWith('}');
const isBelow = (path: string, above: string): boolean => path !== above && isAtOrBelow(path, above);
