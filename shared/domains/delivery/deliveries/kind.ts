import type { Table } from '../../../platform/storage/table.ts';
import type { Delivery } from './records.ts';

/**
 * What is delivered on a schedule, such as digests of metrics: where its runs are stored, and what its links are made
 * of.
 */
export interface DeliveryKind {
  /** In messages, and in the names of stored items. */
  name: string;
  /** In sentences, such as `digest`. */
  title: string;
  /** Starts the partition keys of runs; the id of the delivery follows. */
  area: string;
  /**
   * Links to unsubscribe: their path, relative to the address of the API, the beginning of the token, and the purpose
   * of the key that signs it.
   */
  unsubscribe: { path: string; prefix: string; purpose: string };
}

/** A kind of delivery as its domain exports it. */
export interface RegisteredDelivery<D extends Delivery = Delivery> {
  kind: DeliveryKind;
  deliveries(table: Table): { get(workspaceId: string, id: string): Promise<D | undefined> };
}

const SHARDS = 4;

/** Partitions of the due index with deliveries of the kind to start and runs to continue. */
export const deliveryPartitions = ({ name }: DeliveryKind): string[] =>
  Array.from({ length: SHARDS }, (_, shard) => `${name}#${shard}`);

export const deliveryPartition = ({ name }: Pick<DeliveryKind, 'name'>, deliveryId: string): string =>
  `${name}#${Number.parseInt(deliveryId.slice(-2), 16) % SHARDS}`;
