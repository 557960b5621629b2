import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { eventKey, recordKey } from './keys.ts';
import type { CertifiedObject } from './records.ts';

/** A deleted object that has been certified. */
export type EndedCertification = {
  kind: 'certification';
  workspaceId: string;
  objectType: CertifiedObject;
  objectId: string;
};

async function remove(
  table: Table,
  { workspaceId, objectType: type, objectId: id }: EndedCertification,
  isOver: () => boolean,
): Promise<boolean> {
  const place = { workspaceId, type, id };
  const events = await Array.fromAsync(itemsBelow(table, eventKey(place, '')));
  return deleteItems(table, [...events.map(({ pk, sk }) => ({ pk, sk }) as Key), recordKey(place)], isOver);
}

export const certificationCleanUps: readonly [CleanUp<EndedCertification>] = [{ kind: 'certification', remove }];
