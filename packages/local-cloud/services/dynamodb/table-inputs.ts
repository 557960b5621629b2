import type { KeyType } from './keys.ts';
import type { ProjectionType, StreamViewType, Throughput } from './table.ts';

/** Table requests after the check of their shapes. */

export interface AttributeDefinition {
  AttributeName: string;
  AttributeType: KeyType;
}
export interface KeySchemaElement {
  AttributeName: string;
  KeyType: 'HASH' | 'RANGE';
}
export interface IndexInput {
  IndexName: string;
  KeySchema: KeySchemaElement[];
  Projection: { ProjectionType?: ProjectionType; NonKeyAttributes?: string[] };
  ProvisionedThroughput?: Throughput;
}
export interface StreamSpecification {
  StreamEnabled: boolean;
  StreamViewType?: StreamViewType;
}
export interface EncryptionInput {
  Enabled?: boolean;
  SSEType?: string;
  KMSMasterKeyId?: string;
}

interface TableSettings {
  TableName: string;
  BillingMode?: 'PROVISIONED' | 'PAY_PER_REQUEST';
  ProvisionedThroughput?: Throughput;
  StreamSpecification?: StreamSpecification;
  SSESpecification?: EncryptionInput;
  TableClass?: string;
  DeletionProtectionEnabled?: boolean;
}
export interface CreateTableInput extends TableSettings {
  AttributeDefinitions: AttributeDefinition[];
  KeySchema: KeySchemaElement[];
  LocalSecondaryIndexes?: IndexInput[];
  GlobalSecondaryIndexes?: IndexInput[];
  Tags?: { Key: string; Value: string }[];
}
export interface IndexUpdate {
  Create?: IndexInput;
  Update?: Pick<IndexInput, 'IndexName' | 'ProvisionedThroughput'>;
  Delete?: { IndexName: string };
}
export interface UpdateTableInput extends TableSettings {
  AttributeDefinitions?: AttributeDefinition[];
  GlobalSecondaryIndexUpdates?: IndexUpdate[];
}
