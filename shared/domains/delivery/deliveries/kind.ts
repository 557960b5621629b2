/** What is delivered on a schedule, such as digests of metrics: where its runs are stored, and what its tokens are made of. */
export interface DeliveryKind {
  /** In messages, and in the names of stored items. */
  name: string;
  /** Starts the partition keys of runs; the id of the delivery follows. */
  area: string;
  /** Links to unsubscribe: the beginning of the token, and the purpose of the key that signs it. */
  tokens: { prefix: string; purpose: string };
}

const SHARDS = 4;

/** Partitions of the due index with deliveries of the kind to start and runs to continue. */
export const deliveryPartitions = ({ name }: DeliveryKind): string[] =>
  Array.from({ length: SHARDS }, (_, shard) => `${name}#${shard}`);

export const deliveryPartition = ({ name }: DeliveryKind, deliveryId: string): string =>
  `${name}#${Number.parseInt(deliveryId.slice(-2), 16) % SHARDS}`;
