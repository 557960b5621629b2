import { api, type Types } from './client.ts';
import { type Query, queries, useQuery } from './query.ts';

/** A product that not every plan includes. */
export type Product = 'pipelines' | 'warehouse';

const KEY = ['entitlements'] as const;

/** What the company is licensed for. */
export const useEntitlements = (): Query<Types.EntitlementSnapshot> => useQuery(KEY, () => api.usage.getEntitlements());

/** Why the company cannot use the product; undefined if it can, and until that is known. */
export function whyClosed(product: Product | undefined): 'not in your plan' | 'turned off' | undefined {
  const known = queries.getQueryData<Types.EntitlementSnapshot>(KEY);
  if (product === undefined || known === undefined) return undefined;
  if (!known[product].licensed) return 'not in your plan';
  return known.availability?.[product] === false ? 'turned off' : undefined;
}
