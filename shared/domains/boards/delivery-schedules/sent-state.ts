import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { type DeliveryKind, type DeliveryPlace, deliveryArea } from '../../delivery/deliveries/index.ts';

/** Longer than a year, so that yearly schedules find it. */
const RETENTION_MS = 400 * DAY_MS;
const expiryOf = (now: Date): number => Math.floor((now.getTime() + RETENTION_MS) / 1000);

type Place = DeliveryPlace & { userId: string };

/** What each recipient was sent last, to recognize rows that have not changed. */
export interface SentStates {
  /** The digest of the rows of the last email; undefined before the first one. */
  read(place: Place): Promise<string | undefined>;
  /** For the transaction that stores the mail. */
  item(place: Place, rowsDigest: string): TransactItem;
}

export function sentStates(table: Table, kind: DeliveryKind): SentStates {
  const keyOf = (place: Place) => deliveryArea(kind, place, `SENT#${place.userId}`);
  return {
    async read(place) {
      const command = new GetCommand({ TableName: table.name, Key: keyOf(place), ConsistentRead: true });
      return (await table.db.send(command)).Item?.rowsDigest as string | undefined;
    },
    item: (place, rowsDigest) => ({
      Put: {
        TableName: table.name,
        Item: { ...keyOf(place), entity: `${kind.name}-sent`, rowsDigest, expiresAt: expiryOf(table.now()) },
      },
    }),
  };
}
