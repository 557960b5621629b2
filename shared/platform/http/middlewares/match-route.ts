import { AppError } from '../../errors/app-error.ts';
import type { Binding } from '../bind.ts';
import { nearestRoute, type Routed } from '../nearest-route.ts';
import { Router } from '../router.ts';
import { type ApiMiddleware, RequestValue } from './request-value.ts';

/** The operation of the request. */
export const binding = new RequestValue<Binding>('operation');

/** Finds out which routes there are, to name the nearest one for an unknown path. */
export type KnownRoutes = () => Promise<readonly Routed[]>;

/**
 * Finds the operation by method and path, and its path parameters. Without `known`, the routes of the group are known.
 */
export function matchRoute(bindings: readonly Binding[], known?: KnownRoutes): ApiMiddleware {
  const own = bindings.map((each) => ({ ...each, method: each.route.method, path: each.route.path }));
  const routes = new Router(own);
  return {
    before: async ({ event }) => {
      const match = routes.match(event.httpMethod, event.path);
      if (match.found === 'nothing') throw routeNotFound(event, (await known?.()) ?? own);
      if (match.found === 'otherMethod') {
        throw new AppError('METHOD_NOT_ALLOWED', {
          detail: `The endpoint offers ${match.allowed.join(', ')}.`,
          allow: [...match.allowed, 'OPTIONS'],
        });
      }
      binding.set(event, match.route);
      event.pathParameters = match.params;
    },
  };
}

function routeNotFound({ httpMethod, path }: { httpMethod: string; path: string }, known: readonly Routed[]): AppError {
  const nearest = nearestRoute(known, httpMethod, path);
  return new AppError(
    'ROUTE_NOT_FOUND',
    nearest ? { detail: `There is no such endpoint; did you mean ${nearest}?` } : {},
  );
}
