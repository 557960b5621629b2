import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { companyKey, type Key } from '../storage/keys.ts';
import type { Table } from '../storage/table.ts';
import { isLicenceActive, type Licence, type Tier } from './licence.ts';
import { PRODUCTS, type Product } from './products.ts';

/** One row of the company's plan: grants a product with a monthly allowance. */
export interface PlanRow {
  product: Product;
  planKey: string;
  overageOptIn: boolean;
  draft: boolean;
  /** Null means uncapped. Hours of step execution for pipelines, GiB stored for the warehouse. */
  allowance: number | null;
}

export type Switches = Partial<Record<Product, boolean>>;

/** The licence file of a company as accepted. */
export interface StoredLicence extends Licence {
  uploadedBy: string;
  uploadedAt: string;
}

/** What is stored for a company: tier and switches, plan rows, trials, and the licence file. */
export interface CompanyEntitlements {
  tier: Tier;
  switches: Switches;
  plans: Partial<Record<Product, PlanRow>>;
  /** By product (also `bi`): last day of the trial, `YYYY-MM-DD`, inclusive, UTC. */
  trials: Record<string, string>;
  licence?: StoredLicence;
}

export const companyEntitlementKey = (companyId: string): Key => companyKey(companyId, 'ENTITLEMENT#COMPANY');
export const planKey = (companyId: string, product: Product): Key =>
  companyKey(companyId, `ENTITLEMENT#PLAN#${product}`);
export const trialKey = (companyId: string, product: string): Key =>
  companyKey(companyId, `ENTITLEMENT#TRIAL#${product}`);
export const licenceKey = (companyId: string): Key => companyKey(companyId, 'ENTITLEMENT#LICENCE');
/** The switches of the platform, which those of a company override. */
export const PLATFORM_SWITCHES_KEY: Key = { pk: 'PLATFORM', sk: 'SWITCHES' };

export async function readEntitlements(table: Table, companyId: string): Promise<CompanyEntitlements> {
  const { pk } = companyKey(companyId, '');
  const reply = await table.db.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': 'ENTITLEMENT#' },
      ConsistentRead: true,
    }),
  );
  const found: CompanyEntitlements = { tier: 'team', switches: {}, plans: {}, trials: {} };
  for (const item of reply.Items ?? []) {
    const [, kind, name] = (item.sk as string).split('#');
    if (kind === 'COMPANY') {
      found.tier = (item.tier as Tier | undefined) ?? 'team';
      found.switches = (item.availability as Switches | undefined) ?? {};
    } else if (kind === 'PLAN') found.plans[name as Product] = item as unknown as PlanRow;
    else if (kind === 'TRIAL') found.trials[name!] = item.lastDay as string;
    else if (kind === 'LICENCE') found.licence = item as unknown as StoredLicence;
  }
  return found;
}

export async function readPlatformSwitches(table: Table): Promise<Switches> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: PLATFORM_SWITCHES_KEY, ConsistentRead: true }),
  );
  return (found.Item?.availability as Switches | undefined) ?? {};
}

/** What a company may use at a moment; the snapshot shows it and every check of a product follows it. */
export interface Entitlements {
  tier: Tier;
  licensed: Record<Product, boolean>;
  /**
   * Whether the operator has the products switched on; null while a licence file decides, which no switch overrides.
   */
  availability: Record<Product, boolean> | null;
}

/**
 * A product is licensed by the licence file, a trial that has not ended, or a row of the plan. The tier is that of the
 * licence file; without a valid one it is that of the plan, at most `business`, to which a trial of `bi` raises it.
 */
export function resolveEntitlements(company: CompanyEntitlements, platform: Switches, now: Date): Entitlements {
  const licence = company.licence && isLicenceActive(company.licence, now) ? company.licence : undefined;
  const today = now.toISOString().slice(0, 10);
  const isOnTrial = (product: string) => (company.trials[product] ?? '') >= today;
  return {
    tier: licence?.tier ?? (company.tier === 'team' && !isOnTrial('bi') ? 'team' : 'business'),
    licensed: byProduct(
      (product) =>
        licence?.products.includes(product) === true || isOnTrial(product) || company.plans[product] !== undefined,
    ),
    availability: licence ? null : byProduct((product) => company.switches[product] ?? platform[product] ?? true),
  };
}

function byProduct(value: (product: Product) => boolean): Record<Product, boolean> {
  return Object.fromEntries(PRODUCTS.map((product) => [product, value(product)])) as Record<Product, boolean>;
}
