import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { BriefCache } from '../storage/cache.ts';
import { companyKey } from '../storage/keys.ts';
import type { Table } from '../storage/table.ts';
import type { Product } from './products.ts';

export const TIERS = ['team', 'business', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];

/** One row of the company's plan: grants a product with a monthly allowance. */
export interface PlanRow {
  product: Product;
  planKey: string;
  overageOptIn: boolean;
  draft: boolean;
  /** Null means uncapped. Hours of step execution for pipelines, GiB stored for the warehouse. */
  allowance: number | null;
}

/** What a company may use, as stored: an item each for tier and switches, plan rows, and trials. */
export interface CompanyEntitlements {
  tier: Tier;
  plans: Partial<Record<Product, PlanRow>>;
  /** By product (also `bi`): last day of the trial, `YYYY-MM-DD`, inclusive, UTC. */
  trials: Record<string, string>;
  availability: Record<Product, boolean>;
}

export async function readEntitlements(table: Table, companyId: string): Promise<CompanyEntitlements> {
  const { pk } = companyKey(companyId, '');
  const reply = await table.db.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': 'ENTITLEMENT#' },
    }),
  );
  const found: CompanyEntitlements = {
    tier: 'team',
    plans: {},
    trials: {},
    availability: { pipelines: true, warehouse: true },
  };
  for (const item of reply.Items ?? []) {
    const [, kind, name] = (item.sk as string).split('#');
    if (kind === 'COMPANY') {
      found.tier = item.tier as Tier;
      Object.assign(found.availability, item.availability);
    } else if (kind === 'PLAN') found.plans[name as Product] = item as unknown as PlanRow;
    else if (kind === 'TRIAL') found.trials[name!] = item.lastDay as string;
  }
  return found;
}

/** Granted by a plan row or by a trial that has not ended. */
export function holdsLicence(entitlements: CompanyEntitlements, product: Product, now: Date): boolean {
  const trial = entitlements.trials[product];
  return entitlements.plans[product] !== undefined || (trial !== undefined && trial >= now.toISOString().slice(0, 10));
}

/** Uses a short-lived cache: a change of the plan takes effect within half a minute. */
export function licenceCheck(table: Table) {
  const cache = new BriefCache<CompanyEntitlements>({ ttlMs: 30_000 });
  return async (companyId: string, product: Product, now: Date): Promise<boolean> => {
    const entitlements = await cache.get(companyId, now.getTime(), () => readEntitlements(table, companyId));
    return entitlements.availability[product] && holdsLicence(entitlements, product, now);
  };
}
