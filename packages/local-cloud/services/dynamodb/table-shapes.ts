import { indexName, tableName } from './item-shapes.ts';
import type { Members, Shape } from './shapes.ts';

const text: Shape = { type: 'string' };
const flag: Shape = { type: 'boolean' };
const attributeName: Shape = { type: 'string', min: 1, max: 255 };

const attributeDefinitions: Shape = {
  type: 'list',
  of: {
    type: 'structure',
    members: {
      AttributeName: { shape: attributeName, required: true },
      AttributeType: { shape: { type: 'string', values: ['B', 'N', 'S'] }, required: true },
    },
  },
};
const keySchema: Shape = {
  type: 'list',
  min: 1,
  max: 2,
  of: {
    type: 'structure',
    members: {
      AttributeName: { shape: attributeName, required: true },
      KeyType: { shape: { type: 'string', values: ['HASH', 'RANGE'] }, required: true },
    },
  },
};
const projection: Shape = {
  type: 'structure',
  members: {
    ProjectionType: { shape: { type: 'string', values: ['ALL', 'INCLUDE', 'KEYS_ONLY'] } },
    NonKeyAttributes: { shape: { type: 'list', of: attributeName, min: 1, max: 20 } },
  },
};
const throughput: Shape = {
  type: 'structure',
  members: {
    ReadCapacityUnits: { shape: { type: 'integer', min: 1 }, required: true },
    WriteCapacityUnits: { shape: { type: 'integer', min: 1 }, required: true },
  },
};
const globalIndex: Members = {
  IndexName: { shape: indexName, required: true },
  KeySchema: { shape: keySchema, required: true },
  Projection: { shape: projection, required: true },
  ProvisionedThroughput: { shape: throughput },
};
const streamSpecification: Shape = {
  type: 'structure',
  members: {
    StreamEnabled: { shape: flag, required: true },
    StreamViewType: {
      shape: { type: 'string', values: ['NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES', 'KEYS_ONLY'] },
    },
  },
};
const encryption: Shape = {
  type: 'structure',
  members: {
    Enabled: { shape: flag },
    SSEType: { shape: { type: 'string', values: ['AES256', 'KMS'] } },
    KMSMasterKeyId: { shape: text },
  },
};
const tags: Shape = {
  type: 'list',
  of: {
    type: 'structure',
    members: {
      Key: { shape: { type: 'string', min: 1, max: 128 }, required: true },
      Value: { shape: { type: 'string', max: 256 }, required: true },
    },
  },
};
const arn: Shape = { type: 'string', min: 1, max: 1283 };
const billingMode: Shape = { type: 'string', values: ['PROVISIONED', 'PAY_PER_REQUEST'] };
const tableClass: Shape = { type: 'string', values: ['STANDARD', 'STANDARD_INFREQUENT_ACCESS'] };

/** A new table needs a name; elsewhere an ARN is allowed too. */
const newTableName: Shape = { type: 'string', min: 3, max: 255, pattern: /^[a-zA-Z0-9_.-]+$/ };

export const createTable: Members = {
  TableName: { shape: newTableName, required: true },
  AttributeDefinitions: { shape: attributeDefinitions, required: true },
  KeySchema: { shape: keySchema, required: true },
  LocalSecondaryIndexes: {
    shape: {
      type: 'list',
      of: {
        type: 'structure',
        members: {
          IndexName: { shape: indexName, required: true },
          KeySchema: { shape: keySchema, required: true },
          Projection: { shape: projection, required: true },
        },
      },
    },
  },
  GlobalSecondaryIndexes: { shape: { type: 'list', of: { type: 'structure', members: globalIndex } } },
  BillingMode: { shape: billingMode },
  ProvisionedThroughput: { shape: throughput },
  StreamSpecification: { shape: streamSpecification },
  SSESpecification: { shape: encryption },
  Tags: { shape: tags },
  TableClass: { shape: tableClass },
  DeletionProtectionEnabled: { shape: flag },
};

export const updateTable: Members = {
  TableName: { shape: tableName, required: true },
  AttributeDefinitions: { shape: attributeDefinitions },
  BillingMode: { shape: billingMode },
  ProvisionedThroughput: { shape: throughput },
  GlobalSecondaryIndexUpdates: {
    shape: {
      type: 'list',
      of: {
        type: 'structure',
        members: {
          Create: { shape: { type: 'structure', members: globalIndex } },
          Update: {
            shape: {
              type: 'structure',
              members: {
                IndexName: { shape: indexName, required: true },
                ProvisionedThroughput: { shape: throughput },
              },
            },
          },
          Delete: {
            shape: { type: 'structure', members: { IndexName: { shape: indexName, required: true } } },
          },
        },
      },
    },
  },
  StreamSpecification: { shape: streamSpecification },
  SSESpecification: { shape: encryption },
  TableClass: { shape: tableClass },
  DeletionProtectionEnabled: { shape: flag },
};

export const onlyTableName: Members = { TableName: { shape: tableName, required: true } };

export const listTables: Members = {
  ExclusiveStartTableName: { shape: { type: 'string', min: 3, max: 255, pattern: /^[a-zA-Z0-9_.-]+$/ } },
  Limit: { shape: { type: 'integer', min: 1, max: 100 } },
};

export const updateTimeToLive: Members = {
  TableName: { shape: tableName, required: true },
  TimeToLiveSpecification: {
    required: true,
    shape: {
      type: 'structure',
      members: {
        Enabled: { shape: flag, required: true },
        AttributeName: { shape: attributeName, required: true },
      },
    },
  },
};

export const updateContinuousBackups: Members = {
  TableName: { shape: tableName, required: true },
  PointInTimeRecoverySpecification: {
    required: true,
    shape: {
      type: 'structure',
      members: {
        PointInTimeRecoveryEnabled: { shape: flag, required: true },
        RecoveryPeriodInDays: { shape: { type: 'integer', min: 1, max: 35 } },
      },
    },
  },
};

export const restoreTableToPointInTime: Members = {
  SourceTableName: { shape: tableName },
  SourceTableArn: { shape: arn },
  TargetTableName: { shape: tableName, required: true },
  UseLatestRestorableTime: { shape: flag },
  RestoreDateTime: { shape: { type: 'integer' } },
};

export const tagResource: Members = {
  ResourceArn: { shape: arn, required: true },
  Tags: { shape: tags, required: true },
};

export const untagResource: Members = {
  ResourceArn: { shape: arn, required: true },
  TagKeys: { shape: { type: 'list', of: { type: 'string', min: 1, max: 128 } }, required: true },
};

export const listTagsOfResource: Members = {
  ResourceArn: { shape: arn, required: true },
  NextToken: { shape: text },
};

const streamArn: Shape = { type: 'string', min: 37, max: 1024 };
const shardId: Shape = { type: 'string', min: 28, max: 65 };

export const listStreams: Members = {
  TableName: { shape: tableName },
  Limit: { shape: { type: 'integer', min: 1, max: 100 } },
  ExclusiveStartStreamArn: { shape: streamArn },
};

export const describeStream: Members = {
  StreamArn: { shape: streamArn, required: true },
  Limit: { shape: { type: 'integer', min: 1, max: 100 } },
  ExclusiveStartShardId: { shape: shardId },
};

export const getShardIterator: Members = {
  StreamArn: { shape: streamArn, required: true },
  ShardId: { shape: shardId, required: true },
  ShardIteratorType: {
    required: true,
    shape: { type: 'string', values: ['TRIM_HORIZON', 'LATEST', 'AT_SEQUENCE_NUMBER', 'AFTER_SEQUENCE_NUMBER'] },
  },
  SequenceNumber: { shape: { type: 'string', min: 21, max: 40 } },
};

export const getRecords: Members = {
  ShardIterator: { shape: { type: 'string', min: 1, max: 2048 }, required: true },
  Limit: { shape: { type: 'integer', min: 1, max: 1000 } },
};
