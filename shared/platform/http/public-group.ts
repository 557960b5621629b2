import { createLogger } from '../observability/logger.ts';
import type { Binding } from './bind.ts';
import { endpointGroup, type GroupDeps } from './endpoint-group.ts';

/**
 * An endpoint group of public routes, which needs neither table nor secret. Throws if a route needs more than its
 * request.
 */
export function publicGroup(name: string, bindings: readonly Binding[], options: Pick<GroupDeps, 'knownRoutes'> = {}) {
  for (const { route } of bindings) {
    if (route.permission === 'public' && !route.product && !route.idempotent) continue;
    throw new Error(
      `${route.operationId} requires authentication: serve it with endpointGroup(…, openGroup('${name}'))`,
    );
  }
  return endpointGroup(bindings, {
    authenticate: unreachable,
    checkProduct: unreachable,
    once: unreachable,
    now: () => new Date(),
    log: createLogger(name),
    ...options,
  });
}

function unreachable(): never {
  throw new Error('a public route accessed its caller');
}
