import { deleteItems } from '../../../platform/storage/delete-items.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { DeliveryKind } from './kind.ts';
import type { DeliveryPlace } from './records.ts';
import { deliveryArea } from './runs.ts';

/** What a deleted delivery leaves: its runs, mails and what was sent last. Returns false if some are left once `isOver` is true. */
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
