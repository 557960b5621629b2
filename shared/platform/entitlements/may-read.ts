import { isPermitted, type Permission } from '../auth/permissions.ts';
import type { Principal } from '../auth/principal.ts';
import { type CheckProduct, isProductError } from './product-check.ts';
import type { Product } from './products.ts';

/** What the operation requires that returns an object of a kind. */
export interface ReadRule {
  permission: Permission;
  /** The product that the company needs for it. */
  product?: Product;
}

/**
 * Whether that operation would answer the reader at all; the rights to a single object may restrict it further. Where
 * it would not, objects of the kind leave no trace.
 */
export async function mayRead(
  { checkProduct, now }: { checkProduct: CheckProduct; now: Date },
  reader: Principal,
  { permission, product }: ReadRule,
): Promise<boolean> {
  if (!isPermitted(permission, reader)) return false;
  try {
    if (product) await checkProduct(reader.companyId, product, now);
    return true;
  } catch (error) {
    if (isProductError(error)) return false;
    throw error;
  }
}
