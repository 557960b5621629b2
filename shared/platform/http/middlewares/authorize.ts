import { isPermitted } from '../../auth/permissions.ts';
import type { Product } from '../../entitlements/products.ts';
import { AppError } from '../../errors/app-error.ts';
import { principal } from './authenticate.ts';
import { binding } from './match-route.ts';
import type { ApiMiddleware } from './request-value.ts';

interface AuthorizeDeps {
  isLicensed(companyId: string, product: Product, now: Date): Promise<boolean>;
  now(): Date;
}

/** Checks that the caller has the permission and that the caller's company has a licence for the product. */
export function authorize(deps: AuthorizeDeps): ApiMiddleware {
  return {
    before: async ({ event }) => {
      const { permission, product } = binding.of(event).route;
      if (permission === 'public') return;
      const caller = principal.of(event);
      if (!isPermitted(permission, caller)) throw new AppError('FORBIDDEN');
      if (product && !(await deps.isLicensed(caller.companyId, product, deps.now()))) {
        throw new AppError('PRODUCT_NOT_LICENSED', { detail: `Your company has no licence for ${product}.` });
      }
    },
  };
}
