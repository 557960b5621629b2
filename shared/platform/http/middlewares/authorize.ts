import { isAllowedSuspended, isInScope, isPermitted } from '../../auth/permissions.ts';
import type { Principal } from '../../auth/principal.ts';
import { reaches } from '../../auth/resources.ts';
import type { CheckProduct } from '../../entitlements/product-check.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Route } from '../route.ts';
import { principal } from './authenticate.ts';
import { binding } from './match-route.ts';
import type { ApiMiddleware } from './request-value.ts';

/** Whether the caller has the level on the object. */
export type IsGranted = (caller: Principal, grant: { type: string; id: string; level: string }) => Promise<boolean>;

interface AuthorizeDeps {
  isGranted?: IsGranted;
  checkProduct: CheckProduct;
  now(): Date;
}

/**
 * Checks that the caller's key reaches the object, that the caller has the permission, or a grant in its place, and
 * that the caller's company may use the product.
 */
export function authorize(deps: AuthorizeDeps): ApiMiddleware {
  return {
    before: async ({ event }) => {
      const { route } = binding.of(event);
      const { permission, product } = route;
      if (permission === 'public' || permission === 'scim') return;
      const caller = principal.of(event);
      if (caller.isSuspended && !isAllowedSuspended(permission)) throw new AppError('WORKSPACE_DELETED');
      const isReached = route.reachesByOperations || reaches(caller, route.object, event.pathParameters?.id);
      if (!isReached) throw new AppError('FORBIDDEN');
      if (!isPermitted(permission, caller) && !(await isGranted(deps, route, caller, event.pathParameters)))
        throw new AppError('FORBIDDEN');
      if (product) await deps.checkProduct(caller.companyId, product, deps.now());
    },
  };
}

/** A grant takes the place of the role, never that of a key's scope. */
async function isGranted(
  deps: AuthorizeDeps,
  { permission, grant }: Route,
  caller: Principal,
  params: Record<string, string | undefined> | null,
): Promise<boolean> {
  if (!grant || !deps.isGranted || permission === 'public' || permission === 'scim') return false;
  const { type, level, param } = grant;
  const id = params?.[param];
  return id !== undefined && isInScope(permission, caller) && deps.isGranted(caller, { type, level, id });
}
