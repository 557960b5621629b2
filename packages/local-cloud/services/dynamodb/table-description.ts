import type { Catalogue } from './catalogue.ts';
import type { KeySchema } from './keys.ts';
import { entriesTable } from './store.ts';
import type { SecondaryIndex, TableDefinition, Throughput } from './table.ts';

type Status = 'CREATING' | 'ACTIVE' | 'UPDATING' | 'DELETING';
interface Statuses {
  table: Status;
  /** Indexes whose status differs from ACTIVE. */
  indexes?: Map<string, Status>;
}

const NO_THROUGHPUT: Throughput = { ReadCapacityUnits: 0, WriteCapacityUnits: 0 };

/** A table in the form of `DescribeTable`. Changes take effect at once here; other statuses only imitate AWS. */
export function describeTable(
  catalogue: Catalogue,
  table: TableDefinition,
  statuses: Statuses = { table: 'ACTIVE' },
): Record<string, unknown> {
  const { count, bytes } = catalogue.measureItems(table);
  const indexes = (scope: SecondaryIndex['scope']) => {
    const described = table.indexes
      .filter((index) => index.scope === scope)
      .map((index) => describeIndex(catalogue, table, index, statuses.indexes?.get(index.name) ?? 'ACTIVE'));
    return described.length > 0 ? described : undefined;
  };
  return {
    AttributeDefinitions: table.attributes.map(({ name, type }) => ({ AttributeName: name, AttributeType: type })),
    TableName: table.name,
    KeySchema: describeSchema(table.schema),
    TableStatus: statuses.table,
    CreationDateTime: table.createdAt / 1000,
    ProvisionedThroughput: { NumberOfDecreasesToday: 0, ...(table.throughput ?? NO_THROUGHPUT) },
    TableSizeBytes: bytes,
    ItemCount: count,
    TableArn: table.arn,
    TableId: table.tableId,
    BillingModeSummary: billing(table),
    LocalSecondaryIndexes: indexes('local'),
    GlobalSecondaryIndexes: indexes('global'),
    StreamSpecification: table.stream && { StreamEnabled: true, StreamViewType: table.stream.viewType },
    LatestStreamLabel: table.latestStream?.label,
    LatestStreamArn: table.latestStream?.arn,
    SSEDescription: table.encryption && { Status: 'ENABLED', ...table.encryption },
    TableClassSummary: table.tableClass && {
      TableClass: table.tableClass,
      LastUpdateDateTime: table.tableClassChangedAt === undefined ? undefined : table.tableClassChangedAt / 1000,
    },
    DeletionProtectionEnabled: table.deletionProtection,
    RestoreSummary: table.restored && {
      SourceTableArn: table.restored.sourceArn,
      RestoreDateTime: table.restored.at / 1000,
      RestoreInProgress: false,
    },
  };
}

function describeIndex(
  catalogue: Catalogue,
  table: TableDefinition,
  index: SecondaryIndex,
  status: Status,
): Record<string, unknown> {
  const { count, bytes } = catalogue.measure(entriesTable(index));
  const common = {
    IndexName: index.name,
    KeySchema: describeSchema(index.schema),
    Projection: { ProjectionType: index.projection.type, NonKeyAttributes: index.projection.nonKeyAttributes },
    IndexSizeBytes: bytes,
    ItemCount: count,
    IndexArn: `${table.arn}/index/${index.name}`,
  };
  if (index.scope === 'local') return common;
  return {
    ...common,
    IndexStatus: status,
    ...(status === 'CREATING' ? { Backfilling: false } : {}),
    ProvisionedThroughput: { NumberOfDecreasesToday: 0, ...(index.throughput ?? NO_THROUGHPUT) },
  };
}

function billing(table: TableDefinition): Record<string, unknown> | undefined {
  if (table.billingModeChangedAt === undefined) return undefined;
  return {
    BillingMode: table.billingMode,
    LastUpdateToPayPerRequestDateTime: table.billingModeChangedAt / 1000,
  };
}

function describeSchema({ hash, range }: KeySchema): unknown[] {
  const schema = [{ AttributeName: hash.name, KeyType: 'HASH' }];
  if (range) schema.push({ AttributeName: range.name, KeyType: 'RANGE' });
  return schema;
}
