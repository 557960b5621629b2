import {
  type CompanyEntitlements,
  readEntitlements,
  readPlatformSwitches,
} from '../../../platform/entitlements/entitlements.ts';
import { assertUsable } from '../../../platform/entitlements/product-check.ts';
import type { Product } from '../../../platform/entitlements/products.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { readWorkspace } from '../workspaces/index.ts';
import { readBudgets } from './budgets.ts';

const SECONDS_PER_HOUR = 3600;
const BYTES_PER_GB = 1024 ** 3;

/** What a workspace may use of a product in a month, in seconds of execution or in bytes stored. */
export interface UsageTerms {
  /** Where new work is rejected; null without a cap, or if the plan lets the company pay for more. */
  cap: number | null;
  /** Where the use is reported; null if neither a budget nor an allowance is set. */
  budget: number | null;
}

/** Not cached, so that a change of plan or budget applies at once. Undefined if there is no such workspace. */
export async function readTerms(table: Table, workspaceId: string, product: Product): Promise<UsageTerms | undefined> {
  const [workspace, budgets] = await Promise.all([readWorkspace(table, workspaceId), readBudgets(table, workspaceId)]);
  if (!workspace) return undefined;
  const company = await readEntitlements(table, workspace.companyId);
  const budget = product === 'pipelines' ? budgets.executionHours : budgets.storageGb;
  const reported = budget ?? company.plans[product]?.allowance ?? null;
  return {
    cap: capOf(company, product),
    budget: reported === null ? null : reported * unitOf(product),
  };
}

/** The usage from which new work of a workspace is rejected; null if there is no cap. See `UsageTerms`. */
export async function readCap(table: Table, workspaceId: string, product: Product): Promise<number | null> {
  const workspace = await readWorkspace(table, workspaceId);
  return workspace ? capOf(await readEntitlements(table, workspace.companyId), product) : null;
}

/**
 * For work that starts by itself; requests are checked by their route. Returns the usage from which the product rejects
 * new work. Throws `PRODUCT_NOT_LICENSED`, `PRODUCT_TURNED_OFF` and `WORKSPACE_DELETED`, also once the workspace is
 * erased.
 */
export async function assertProductUsable(
  table: Table,
  workspaceId: string,
  product: Product,
  now: Date,
): Promise<{ cap: number | null }> {
  const workspace = await readWorkspace(table, workspaceId);
  if (!workspace || workspace.deletesAt) throw new AppError('WORKSPACE_DELETED');
  const [company, platform] = await Promise.all([
    readEntitlements(table, workspace.companyId),
    readPlatformSwitches(table),
  ]);
  assertUsable(company, platform, product, now);
  return { cap: capOf(company, product) };
}

const unitOf = (product: Product) => (product === 'pipelines' ? SECONDS_PER_HOUR : BYTES_PER_GB);

function capOf({ plans }: CompanyEntitlements, product: Product): number | null {
  const plan = plans[product];
  const allowance = plan?.allowance ?? null;
  return allowance === null || plan!.overageOptIn ? null : allowance * unitOf(product);
}
