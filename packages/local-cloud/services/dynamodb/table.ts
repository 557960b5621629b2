import type { KeyAttribute, KeySchema } from './keys.ts';

export type ProjectionType = 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
export type StreamViewType = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES';

export interface Throughput {
  ReadCapacityUnits: number;
  WriteCapacityUnits: number;
}

export interface SecondaryIndex {
  /** Names its SQLite table; not reused after the index is dropped. */
  id: number;
  name: string;
  scope: 'global' | 'local';
  schema: KeySchema;
  projection: { type: ProjectionType; nonKeyAttributes?: string[] };
  throughput?: Throughput;
}

export interface StreamDefinition {
  arn: string;
  label: string;
  viewType: StreamViewType;
}

/** A table in the catalogue. Times are epoch milliseconds. */
export interface TableDefinition {
  id: number;
  name: string;
  arn: string;
  tableId: string;
  createdAt: number;
  attributes: KeyAttribute[];
  schema: KeySchema;
  indexes: SecondaryIndex[];
  billingMode: 'PROVISIONED' | 'PAY_PER_REQUEST';
  billingModeChangedAt?: number;
  throughput?: Throughput;
  /** The stream that records changes now, if any. */
  stream?: StreamDefinition;
  /** The newest stream, even if disabled. */
  latestStream?: { arn: string; label: string };
  ttlAttribute?: string;
  pointInTimeRecovery?: { enabledAt: number; days: number };
  deletionProtection: boolean;
  tableClass?: string;
  tableClassChangedAt?: number;
  encryption?: { SSEType: string; KMSMasterKeyArn?: string };
  tags: Record<string, string>;
  /** Where a restored table comes from. */
  restored?: { sourceArn: string; at: number };
}
