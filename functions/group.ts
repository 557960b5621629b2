import type { Route } from '../shared/platform/http/route.ts';
import type { GroupResources } from './resources.ts';

/** An endpoint group: the operations that one function serves, where the gateway sends their requests, and what the function needs. */
export interface Group {
  /** The folder of the group below `functions/`, and the name of its function. */
  name: string;
  /** Its heading in the documentation; groups with the same title share it. */
  title: string;
  /** The paths that the group serves with everything below them, except longer paths of other groups. */
  paths: readonly ApiPath[];
  routes: readonly Route[];
  resources: GroupResources;
}

type ApiPath = `/api/${string}`;

/** `routes` are the modules that export the routes. Throws when a route is outside of the paths. */
export function defineGroup(group: Omit<Group, 'routes'> & { routes: readonly object[] }): Group {
  const routes = group.routes.flatMap((module) => Object.values(module) as Route[]);
  for (const { operationId, path } of routes) {
    if (group.paths.some((served) => isAtOrBelow(path, served))) continue;
    throw new Error(
      `The route ${operationId} has the path ${path}, which the group ${group.name} does not serve; add it to \`paths\` (${group.paths.join(', ')})`,
    );
  }
  return { ...group, routes };
}

export const isAtOrBelow = (path: string, served: string): boolean => path === served || path.startsWith(`${served}/`);
