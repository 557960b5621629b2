import { AppError } from '../../errors/app-error.ts';
import type { Binding } from '../bind.ts';
import { Router } from '../router.ts';
import { type ApiMiddleware, RequestValue } from './request-value.ts';

/** The operation of the request. */
export const binding = new RequestValue<Binding>('operation');

/** Finds the operation by method and path, and its path parameters. */
export function matchRoute(bindings: readonly Binding[]): ApiMiddleware {
  const routes = new Router(bindings.map((each) => ({ ...each, method: each.route.method, path: each.route.path })));
  return {
    before: ({ event }) => {
      const match = routes.match(event.httpMethod, event.path);
      if (match.found === 'nothing') throw new AppError('ROUTE_NOT_FOUND');
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
