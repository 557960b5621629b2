import { type Group, isAtOrBelow } from '../../functions/group.ts';

/** The address of the API ends in `/api`; see `PublicApi`. */
const ROOT = '/api';

/** What the gateway serves at a path below `/api`. */
export interface GatewayPath {
  /** Such as `/pipelines/{proxy+}`; `/` is the address of the API itself. */
  path: string;
  group: Group;
  /** The methods of the routes at the path, for a group that streams; the function receives every method otherwise. */
  methods?: string[];
}

/**
 * Routes each path to the group that declares it or the nearest path above it: the path itself, and everything below
 * it. Functions route further, because a method per operation would exceed the gateway's 300 resources.
 *
 * Below a literal path, API Gateway does not try the greedy child of the parent. Every path on the way to another
 * group's path is therefore served too.
 */
export function gatewayPaths(groups: readonly Group[]): GatewayPath[] {
  const servers = new Map<string, Group>();
  for (const group of groups) {
    for (const path of group.paths) {
      const other = servers.get(path);
      if (other) throw new Error(`The groups ${other.name} and ${group.name} both serve ${path}`);
      servers.set(path, group);
    }
  }
  const paths = new Set([...servers.keys()].flatMap(pathsTo));
  assertOneVariable(paths);
  return [...paths].sort().flatMap((path) => served(path, serverOf(path, servers), paths));
}

function served(path: string, group: Group | undefined, paths: ReadonlySet<string>): GatewayPath[] {
  if (!group) return [];
  const below = path === `${ROOT}/` ? '/' : path.slice(ROOT.length);
  if (group.resources.streams) {
    const methods = group.routes.filter((route) => route.path === path).map(({ method }) => method);
    return [{ path: below, group, methods }];
  }
  const isLeaf =
    group.paths.some((declared) => declared === path) && !group.routes.some((route) => isBelow(route.path, path));
  // The gateway allows one variable child; if there is a named one, it serves everything below by itself.
  const hasVariable = [...paths].some((other) => parentOf(other) === path && isVariable(other));
  // The group of the root also receives what no group serves, to name the nearest operation.
  const isGreedy = path === `${ROOT}/` || (!isLeaf && !hasVariable);
  return [{ path: below, group }, ...(isGreedy ? [{ path: `${below === '/' ? '' : below}/{proxy+}`, group }] : [])];
}

/** The group of the longest declared path at or above this one. */
function serverOf(path: string, servers: ReadonlyMap<string, Group>): Group | undefined {
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
