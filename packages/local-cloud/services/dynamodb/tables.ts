import { randomUUID } from 'node:crypto';
import { AwsError } from '../../core/aws-error.ts';
import { commit, type Engine } from './engine.ts';
import { inUse, invalid, invalidParameter, notFound } from './errors.ts';
import { fillIndex } from './indexes.ts';
import { createEntriesTable, createItemsTable, entriesTable, itemsTable } from './store.ts';
import { closeStream, openStream } from './streams.ts';
import type { SecondaryIndex, TableDefinition } from './table.ts';
import { checkGlobalIndex, checkNewTable, readSchema } from './table-checks.ts';
import { describeTable as describe } from './table-description.ts';
import type {
  AttributeDefinition,
  CreateTableInput,
  EncryptionInput,
  IndexInput,
  IndexUpdate,
  StreamSpecification,
  UpdateTableInput,
} from './table-inputs.ts';
import type { Item } from './values.ts';

export function createTable(engine: Engine, input: CreateTableInput): Record<string, unknown> {
  const { catalogue, context, store } = engine;
  const name = input.TableName;
  checkNewTable(input);
  if (catalogue.find(name)) throw inUse(`Table already exists: ${name}`);
  const now = context.clock.now();
  const definitions = input.AttributeDefinitions;
  const table: TableDefinition = {
    id: 0,
    name,
    arn: `arn:aws:dynamodb:${context.region}:${context.accountId}:table/${name}`,
    tableId: randomUUID(),
    createdAt: now,
    attributes: definitions.map(attribute),
    schema: readSchema(input.KeySchema, definitions),
    indexes: [],
    billingMode: input.BillingMode ?? 'PROVISIONED',
    deletionProtection: input.DeletionProtectionEnabled ?? false,
    tags: Object.fromEntries((input.Tags ?? []).map(({ Key: key, Value: value }) => [key, value])),
    ...(input.BillingMode === 'PAY_PER_REQUEST' ? { billingModeChangedAt: now } : {}),
    ...(input.ProvisionedThroughput ? { throughput: input.ProvisionedThroughput } : {}),
    ...(input.TableClass ? { tableClass: input.TableClass } : {}),
    ...encryption(input.SSESpecification),
  };
  commit(engine, () => {
    table.id = store.nextId('table');
    const indexes = [
      ...(input.LocalSecondaryIndexes ?? []).map((index) => newIndex(engine, index, 'local', definitions)),
      ...(input.GlobalSecondaryIndexes ?? []).map((index) => newIndex(engine, index, 'global', definitions)),
    ];
    table.indexes = indexes;
    store.define(createItemsTable(table) + indexes.map(createEntriesTable).join(''));
    if (input.StreamSpecification) applyStream(engine, table, input.StreamSpecification);
    catalogue.save(table);
  });
  const creating = new Map(table.indexes.map((index) => [index.name, 'CREATING' as const]));
  return { TableDescription: describe(catalogue, table, { table: 'CREATING', indexes: creating }) };
}

export function describeTable({ catalogue }: Engine, input: { TableName: string }): Record<string, unknown> {
  return { Table: describe(catalogue, catalogue.managed(input.TableName)) };
}

export function listTables(
  { catalogue }: Engine,
  { ExclusiveStartTableName: start = '', Limit: limit = 100 }: { ExclusiveStartTableName?: string; Limit?: number },
): Record<string, unknown> {
  const names = catalogue.all().map(({ name }) => name);
  const later = names.filter((name) => name > start);
  const page = later.slice(0, limit);
  return {
    TableNames: page,
    LastEvaluatedTableName: later.length > page.length ? page[page.length - 1] : undefined,
  };
}

export function deleteTable(engine: Engine, input: { TableName: string }): Record<string, unknown> {
  const { catalogue, store } = engine;
  const table = catalogue.managed(input.TableName);
  if (table.deletionProtection) {
    throw invalid(
      'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    );
  }
  const description = describe(catalogue, table, { table: 'DELETING' });
  commit(engine, () => {
    if (table.stream) closeStream(engine, table.stream.arn);
    store.define([itemsTable(table), ...table.indexes.map(entriesTable)].map((name) => `DROP TABLE ${name};`).join(''));
    catalogue.remove(table);
  });
  return { TableDescription: description };
}

export function updateTable(engine: Engine, input: UpdateTableInput): Record<string, unknown> {
  const { catalogue, context } = engine;
  const { TableName: name, AttributeDefinitions: definitions, ...changes } = input;
  if (Object.keys(changes).length === 0) {
    throw invalid(
      'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required',
    );
  }
  const current = catalogue.managed(name);
  const table = structuredClone(current);
  applyBilling(table, input, context.clock.now());
  if (input.DeletionProtectionEnabled !== undefined) table.deletionProtection = input.DeletionProtectionEnabled;
  if (input.TableClass !== undefined) {
    table.tableClass = input.TableClass;
    table.tableClassChangedAt = context.clock.now();
  }
  if (input.SSESpecification) {
    delete table.encryption;
    Object.assign(table, encryption(input.SSESpecification));
  }
  const statuses = new Map<string, 'CREATING' | 'UPDATING' | 'DELETING'>();
  commit(engine, () => {
    if (input.StreamSpecification) applyStream(engine, table, input.StreamSpecification);
    for (const update of input.GlobalSecondaryIndexUpdates ?? []) {
      applyIndexUpdate(engine, table, update, definitions ?? [], statuses);
    }
    forgetUnusedAttributes(table);
    catalogue.save(table);
  });
  return { TableDescription: describe(catalogue, table, { table: 'UPDATING', indexes: statuses }) };
}

function applyBilling(table: TableDefinition, input: UpdateTableInput, now: number): void {
  const { BillingMode: mode, ProvisionedThroughput: throughput } = input;
  if (mode === 'PAY_PER_REQUEST' && throughput) {
    throw invalidParameter(
      'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
    );
  }
  if (mode === 'PROVISIONED' && !throughput) {
    throw invalidParameter('ProvisionedThroughput must be specified when BillingMode is PROVISIONED');
  }
  if (mode === 'PAY_PER_REQUEST') {
    if (table.billingMode !== mode) table.billingModeChangedAt = now;
    delete table.throughput;
    for (const index of table.indexes) delete index.throughput;
  }
  if (throughput) {
    if (mode === undefined && table.billingMode === 'PAY_PER_REQUEST') {
      throw invalidParameter(
        'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
      );
    }
    table.throughput = throughput;
  }
  if (mode) table.billingMode = mode;
}

/** A disabled stream stays readable for a day; enabling creates a new one. */
function applyStream(engine: Engine, table: TableDefinition, specification: StreamSpecification): void {
  if (specification.StreamEnabled) {
    if (specification.StreamViewType === undefined) {
      throw invalidParameter('StreamViewType is required when StreamEnabled is true');
    }
    if (table.stream) throw invalid(`Table already has an enabled stream: TableName: ${table.name}`);
    table.stream = openStream(engine, table, specification.StreamViewType);
    table.latestStream = { arn: table.stream.arn, label: table.stream.label };
    return;
  }
  if (specification.StreamViewType !== undefined) {
    throw invalidParameter('Table is being created with a stream disabled, UpdateViewType should not be specified');
  }
  if (!table.stream) {
    if (table.id === 0 || !engine.catalogue.find(table.name)) return;
    throw invalid(`Table has no stream to disable: TableName: ${table.name}`);
  }
  closeStream(engine, table.stream.arn);
  delete table.stream;
}

function applyIndexUpdate(
  engine: Engine,
  table: TableDefinition,
  update: IndexUpdate,
  definitions: AttributeDefinition[],
  statuses: Map<string, 'CREATING' | 'UPDATING' | 'DELETING'>,
): void {
  if ([update.Create, update.Update, update.Delete].filter((part) => part !== undefined).length !== 1) {
    throw invalidParameter('One of GlobalSecondaryIndexUpdate Create, Update or Delete must be specified');
  }
  if (update.Create) {
    addIndex(engine, table, update.Create, definitions);
    statuses.set(update.Create.IndexName, 'CREATING');
    return;
  }
  const { IndexName: name } = (update.Update ?? update.Delete) as { IndexName: string };
  const index = table.indexes.find((candidate) => candidate.scope === 'global' && candidate.name === name);
  if (!index) throw notFound('Requested resource not found');
  if (update.Delete) {
    engine.store.define(`DROP TABLE ${entriesTable(index)}`);
    table.indexes = table.indexes.filter((candidate) => candidate !== index);
    return;
  }
  if (update.Update?.ProvisionedThroughput) index.throughput = update.Update.ProvisionedThroughput;
  statuses.set(name, 'UPDATING');
}

function addIndex(engine: Engine, table: TableDefinition, input: IndexInput, added: AttributeDefinition[]): void {
  const { store } = engine;
  if (table.indexes.some(({ name }) => name === input.IndexName)) {
    throw invalid(`Attempting to create an index which already exists`);
  }
  if (table.indexes.filter(({ scope }) => scope === 'global').length >= 20) {
    throw new AwsError(
      'LimitExceededException',
      'Subscriber limit exceeded: Number of GlobalSecondaryIndexes exceeds the limit of 20',
    );
  }
  for (const definition of added) {
    if (!table.attributes.some(({ name }) => name === definition.AttributeName)) {
      table.attributes.push(attribute(definition));
    }
  }
  checkGlobalIndex(input, table.billingMode);
  requireDefinitions(input, added);
  // A defined attribute keeps its type, whatever the request says.
  const definitions = table.attributes.map(({ name, type }) => ({ AttributeName: name, AttributeType: type }));
  const index = newIndex(engine, input, 'global', definitions);
  table.indexes.push(index);
  store.define(createEntriesTable(index));
  for (const row of store.each(`SELECT pk, sk, item FROM ${itemsTable(table)}`)) {
    const base = { pk: row.pk as Buffer, sk: row.sk as Buffer };
    fillIndex(store, table, index, base, JSON.parse(row.item as string) as Item);
  }
}

/** The request must define the key of a new index itself, even attributes that the table already defines. */
function requireDefinitions({ KeySchema: schema }: IndexInput, definitions: AttributeDefinition[]): void {
  const defined = new Set(definitions.map(({ AttributeName: name }) => name));
  if (schema.every(({ AttributeName: name }) => defined.has(name))) return;
  throw invalidParameter('Some index key attributes are not defined in AttributeDefinitions');
}

function newIndex(
  { store }: Engine,
  input: IndexInput,
  scope: SecondaryIndex['scope'],
  definitions: AttributeDefinition[],
): SecondaryIndex {
  const { ProjectionType: type = 'ALL', NonKeyAttributes: nonKeyAttributes } = input.Projection;
  return {
    id: store.nextId('index'),
    name: input.IndexName,
    scope,
    schema: readSchema(input.KeySchema, definitions),
    projection: nonKeyAttributes ? { type, nonKeyAttributes } : { type },
    ...(input.ProvisionedThroughput ? { throughput: input.ProvisionedThroughput } : {}),
  };
}

/** Only key attributes are defined; those of a dropped index go with it. */
function forgetUnusedAttributes(table: TableDefinition): void {
  const used = new Set(
    [table.schema, ...table.indexes.map(({ schema }) => schema)].flatMap(({ hash, range }) => [hash.name, range?.name]),
  );
  table.attributes = table.attributes.filter(({ name }) => used.has(name));
}

function attribute({
  AttributeName: name,
  AttributeType: type,
}: AttributeDefinition): TableDefinition['attributes'][number] {
  return { name, type };
}

function encryption(input: EncryptionInput | undefined): Pick<TableDefinition, 'encryption'> {
  if (!input?.Enabled) return {};
  const { SSEType: type = 'KMS', KMSMasterKeyId: key } = input;
  return { encryption: { SSEType: type, ...(key ? { KMSMasterKeyArn: key } : {}) } };
}
