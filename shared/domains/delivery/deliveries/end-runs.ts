import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { DeliveryKind } from './kind.ts';
import type { DeliveryPlace } from './records.ts';
import { deliveryArea } from './runs.ts';

/**
 * What a deleted delivery leaves: its runs, mails and what was sent last. Returns false if some are left once `isOver`
 * is true.
 */
export async function endRuns(
  table: Table,
  kind: Pick<DeliveryKind, 'area'>,
  place: DeliveryPlace,
  isOver: () => boolean,
): Promise<boolean> {
  const items = itemsBelow(table, deliveryArea(kind, place));
  const keys = await Array.fromAsync(items, ({ pk, sk }) => ({ pk: pk as string, sk: sk as string }));
  return deleteItems(table, keys, isOver);
}

/** A deleted delivery, whose runs have no readers any more; `area` is that of its kind. */
export type EndedDelivery = { kind: 'delivery'; workspaceId: string; area: string; deliveryId: string };

export const deliveryCleanUps: readonly [CleanUp<EndedDelivery>] = [
  { kind: 'delivery', remove: (table, ended, isOver) => endRuns(table, ended, ended, isOver) },
];
