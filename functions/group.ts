import type { Example, ExamplesOf } from '../shared/platform/http/example.ts';
import type { Route } from '../shared/platform/http/route.ts';
import type { GroupResources } from './resources.ts';

/** Operations that the API reference shows together, under one tag. */
export interface Section {
  title: string;
  description: string;
  routes: readonly Route[];
  examples: ReadonlyMap<Route, Example>;
}

/** A section of a module that exports its routes, with an example for each of them. */
export function section<M extends object>(
  title: string,
  description: string,
  routes: M,
  examples: ExamplesOf<M>,
): Section {
  const named = Object.entries(routes) as [keyof M, Route][];
  return {
    title,
    description,
    routes: named.map(([, route]) => route),
    examples: new Map(named.map(([name, route]) => [route, examples[name]])),
  };
}

/**
 * An endpoint group: the operations of one function, the paths that the gateway routes to it, and the resources that it
 * needs.
 */
export interface Group {
  /** The folder of the group below its area in `functions/`, and the name of its function. */
  name: string;
  /** Its sections in the API reference. */
  sections: readonly Section[];
  /** The paths that the group serves, including everything below them except for longer paths of other groups. */
  paths: readonly ApiPath[];
  routes: readonly Route[];
  resources: GroupResources;
}

type ApiPath = `/api/${string}`;

/** Throws if a route is outside of the paths. */
export function defineGroup(group: Omit<Group, 'routes'>): Group {
  const routes = group.sections.flatMap((each) => each.routes);
  for (const { operationId, path } of routes) {
    if (group.paths.some((served) => isAtOrBelow(path, served))) continue;
    throw new Error(
      `The route ${operationId} has the path ${path}, which the group ${group.name} does not serve; add it to \`paths\` (${group.paths.join(', ')})`,
    );
  }
  return { ...group, routes };
}

export const isAtOrBelow = (path: string, served: string): boolean => path === served || path.startsWith(`${served}/`);
