import { AppError } from '../errors/app-error.ts';
import { BriefCache } from '../storage/cache.ts';
import type { Table } from '../storage/table.ts';
import {
  type CompanyEntitlements,
  readEntitlements,
  readPlatformSwitches,
  resolveEntitlements,
  type Switches,
} from './entitlements.ts';
import type { Product } from './products.ts';

/** How long entitlements are cached: a change of licence, plan or switch takes effect within seconds. */
const TRUST_MS = 5_000;

/** Throws `PRODUCT_NOT_LICENSED`, or `PRODUCT_TURNED_OFF` if the operator has switched a licensed product off. */
export type CheckProduct = (companyId: string, product: Product, now: Date) => Promise<void>;

export function productCheck(table: Table): CheckProduct {
  const companies = new BriefCache<CompanyEntitlements>({ ttlMs: TRUST_MS });
  const platform = new BriefCache<Switches>({ ttlMs: TRUST_MS, capacity: 1 });
  return async (companyId, product, now) => {
    const [company, switches] = await Promise.all([
      companies.get(companyId, now.getTime(), () => readEntitlements(table, companyId)),
      platform.get('platform', now.getTime(), () => readPlatformSwitches(table)),
    ]);
    assertUsable(company, switches, product, now);
  };
}

export function assertUsable(company: CompanyEntitlements, platform: Switches, product: Product, now: Date): void {
  const { licensed, availability } = resolveEntitlements(company, platform, now);
  if (!licensed[product]) {
    throw new AppError('PRODUCT_NOT_LICENSED', { detail: `Your company has no licence for ${product}.` });
  }
  if (availability?.[product] === false) {
    throw new AppError('PRODUCT_TURNED_OFF', { detail: `The operator has turned ${product} off for your company.` });
  }
}

/** Whether work may not begin, neither now nor at the next try. */
export const isProductError = (error: unknown): boolean =>
  error instanceof AppError && ['PRODUCT_NOT_LICENSED', 'PRODUCT_TURNED_OFF', 'WORKSPACE_DELETED'].includes(error.code);
