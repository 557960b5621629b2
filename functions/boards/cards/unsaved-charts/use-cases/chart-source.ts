import type { ChartQuery } from '../../../../../shared/domains/boards/charts/index.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import type { CheckProduct } from '../../../../../shared/platform/entitlements/product-check.ts';

export interface SourceDeps {
  checkProduct: CheckProduct;
  now(): Date;
}

/**
 * Datasets and saved queries belong to a product. On a dashboard their rows are part of what others have made; here the
 * caller asks them. Throws `PRODUCT_NOT_LICENSED` and `PRODUCT_TURNED_OFF`.
 */
export async function checkSource(
  { checkProduct, now }: SourceDeps,
  { companyId }: Principal,
  kind: ChartQuery['source']['kind'] | 'statement',
): Promise<void> {
  if (kind === 'dataset' || kind === 'savedQuery' || kind === 'statement')
    await checkProduct(companyId, 'warehouse', now());
}
