import { copyPlaceOf, type Dag, readsOfDag } from '../../../shared/domains/pipelines/index.ts';
import { type CopyDeps, definedItem, readsAnything, requireAllRows } from '../../../shared/domains/row-rights/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import type { TransactItem } from '../../../shared/platform/storage/table.ts';

/**
 * What is stored with a definition of the caller: they answer for the rows that its runs read, whoever starts them. Throws `RLS_COPY`
 * if they may not see all of these.
 */
export async function definedCopy(
  deps: CopyDeps,
  principal: Principal,
  pipeline: { workspaceId: string; id: string },
  dag: Dag,
): Promise<TransactItem[]> {
  const reads = readsOfDag(dag);
  if (!readsAnything(reads)) return [];
  await requireAllRows(deps, principal, { reads, pointer: '/dag' });
  return [definedItem(deps.table, copyPlaceOf(pipeline, dag), principal)];
}
