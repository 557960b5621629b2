import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Table, TransactItem } from '../../platform/storage/table.ts';
import { type DeliveryPlace, deliveryArea } from '../deliveries/index.ts';
import { DASHBOARDS } from './records.ts';

type Place = DeliveryPlace & { userId: string };

/** What each recipient was sent last, to recognize rows that have not changed. */
export interface SentStates {
  /** The digest of the rows of the last email; undefined before the first one. */
  read(place: Place): Promise<string | undefined>;
  /** For the transaction that stores the mail. */
  item(place: Place, rowsDigest: string): TransactItem;
}

export function sentStates(table: Table): SentStates {
  const keyOf = (place: Place) => deliveryArea(DASHBOARDS, place, `SENT#${place.userId}`);
  return {
    async read(place) {
      const command = new GetCommand({ TableName: table.name, Key: keyOf(place), ConsistentRead: true });
      return (await table.db.send(command)).Item?.rowsDigest as string | undefined;
    },
    item: (place, rowsDigest) => ({
      Put: { TableName: table.name, Item: { ...keyOf(place), entity: 'dashboard-sent', rowsDigest } },
    }),
  };
}
