import {
  type CopyDeps,
  datasetCopy,
  definedItem,
  readsAnything,
  requireAllRows,
} from '../../../../shared/domains/semantics/row-rights/index.ts';
import type { Dataset } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';

/**
 * What is stored with a dataset whose source the caller has set. Throws `RLS_COPY` if they may not see all that it
 * reads.
 */
export async function definedCopy(deps: CopyDeps, principal: Principal, dataset: Dataset): Promise<TransactItem[]> {
  const { place, reads } = datasetCopy(dataset);
  if (!readsAnything(reads)) return [];
  await requireAllRows(deps, principal, { reads, pointer: '/source' });
  return [definedItem(deps.table, place, principal)];
}
