import { invalid, invalidParameter } from './errors.ts';
import type { KeyAttribute, KeySchema } from './keys.ts';
import type { AttributeDefinition, CreateTableInput, IndexInput, KeySchemaElement } from './table-inputs.ts';

const MAX_LOCAL_INDEXES = 5;
const MAX_GLOBAL_INDEXES = 20;
const MAX_NON_KEY_ATTRIBUTES = 100;
const MAX_THROUGHPUT = 1_000_000_000_000;

/** Checks members of a CreateTable request against each other. Throws `ValidationException`. */
export function checkNewTable(input: CreateTableInput): void {
  checkThroughput(input);
  const definitions = input.AttributeDefinitions;
  if (input.KeySchema.length > definitions.length) {
    throw invalid('Invalid KeySchema: Some index key attribute have no definition');
  }
  readSchema(input.KeySchema, definitions);
  const { LocalSecondaryIndexes: local, GlobalSecondaryIndexes: global } = input;
  if (!local && !global && input.KeySchema.length !== definitions.length) throw unevenDefinitions();
  const names = new Set<string>();
  if (local) checkLocalIndexes(local, input, names);
  if (global) checkGlobalIndexes(global, input, names);
  const used = new Set(
    [input, ...(local ?? []), ...(global ?? [])].flatMap(({ KeySchema: schema }) =>
      schema.map(({ AttributeName: name }) => name),
    ),
  );
  if (definitions.some(({ AttributeName: name }) => !used.has(name))) {
    throw invalidParameter(
      `Some AttributeDefinitions are not used. AttributeDefinitions: [${listed(definitions)}], keys used: [${[...used].join(', ')}]`,
    );
  }
  checkNonKeyCount([...(local ?? []), ...(global ?? [])]);
}

function checkThroughput(input: CreateTableInput): void {
  const given = input.ProvisionedThroughput;
  if (input.BillingMode === 'PAY_PER_REQUEST') {
    if (!given) return;
    throw invalidParameter(
      'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
    );
  }
  if (!given) {
    throw invalidParameter(
      'ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED',
    );
  }
  for (const name of ['ReadCapacityUnits', 'WriteCapacityUnits'] as const) {
    if (given[name] > MAX_THROUGHPUT) throw invalid(`Given value ${given[name]} for ${name} is out of bounds`);
  }
}

/** The key of a schema, with its types. Throws `ValidationException` for an invalid key. */
export function readSchema(schema: KeySchemaElement[], definitions: AttributeDefinition[]): KeySchema {
  const types = new Map(definitions.map(({ AttributeName: name, AttributeType: type }) => [name, type]));
  const names = schema.map(({ AttributeName: name }) => name);
  if (names.some((name) => !types.has(name))) {
    throw invalidParameter(
      `Some index key attributes are not defined in AttributeDefinitions. Keys: [${names.join(', ')}], AttributeDefinitions: [${listed(definitions)}]`,
    );
  }
  if (names[0] === names[1]) {
    throw invalid('Both the Hash Key and the Range Key element in the KeySchema have the same name');
  }
  if (schema[0]?.KeyType !== 'HASH') {
    throw invalid('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  }
  if (schema[1] && schema[1].KeyType !== 'RANGE') {
    throw invalid('Invalid KeySchema: The second KeySchemaElement is not a RANGE key type');
  }
  const attribute = (name: string): KeyAttribute => ({ name, type: types.get(name) as KeyAttribute['type'] });
  const [hash, range] = names as [string, string | undefined];
  return range === undefined ? { hash: attribute(hash) } : { hash: attribute(hash), range: attribute(range) };
}

function checkLocalIndexes(indexes: IndexInput[], input: CreateTableInput, names: Set<string>): void {
  if (indexes.length === 0) throw invalidParameter('List of LocalSecondaryIndexes is empty');
  if (input.KeySchema.length !== 2) {
    throw invalidParameter(
      'Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex',
    );
  }
  const tableHash = input.KeySchema[0]?.AttributeName;
  for (const index of indexes) {
    const schema = readSchema(index.KeySchema, input.AttributeDefinitions);
    if (!schema.range) {
      throw invalidParameter(`Index KeySchema does not have a range key for index: ${index.IndexName}`);
    }
    if (schema.hash.name !== tableHash) {
      throw invalidParameter(
        `Index KeySchema does not have the same leading hash key as table KeySchema for index: ${index.IndexName}. index hash key: ${schema.hash.name}, table hash key: ${tableHash}`,
      );
    }
    checkProjection(index);
    rejectDuplicate(index, names);
  }
  if (indexes.length > MAX_LOCAL_INDEXES) {
    throw invalidParameter('Number of LocalSecondaryIndexes exceeds per-table limit of 5');
  }
}

function checkGlobalIndexes(indexes: IndexInput[], input: CreateTableInput, names: Set<string>): void {
  if (indexes.length === 0) throw invalidParameter('List of GlobalSecondaryIndexes is empty');
  for (const index of indexes) {
    readSchema(index.KeySchema, input.AttributeDefinitions);
    checkGlobalIndex(index, input.BillingMode ?? 'PROVISIONED');
    rejectDuplicate(index, names);
  }
  if (indexes.length > MAX_GLOBAL_INDEXES) {
    throw invalidParameter('GlobalSecondaryIndex count exceeds the per-table limit of 20');
  }
}

export function checkGlobalIndex(index: IndexInput, billingMode: string): void {
  checkProjection(index);
  const provisioned = index.ProvisionedThroughput !== undefined;
  if (billingMode === 'PAY_PER_REQUEST' && provisioned) {
    throw invalidParameter(
      `ProvisionedThroughput should not be specified for index: ${index.IndexName} when BillingMode is PAY_PER_REQUEST`,
    );
  }
  if (billingMode === 'PROVISIONED' && !provisioned) {
    throw invalidParameter(`ProvisionedThroughput must be specified for index: ${index.IndexName}`);
  }
}

function checkProjection({ Projection: projection }: IndexInput): void {
  const { ProjectionType: type, NonKeyAttributes: names } = projection;
  if (type === undefined) throw invalidParameter('Unknown ProjectionType: null');
  if (names && type !== 'INCLUDE') {
    throw invalidParameter(`ProjectionType is ${type}, but NonKeyAttributes is specified`);
  }
  if (type === 'INCLUDE' && !names) {
    throw invalidParameter('ProjectionType is INCLUDE, but NonKeyAttributes is not specified');
  }
}

function rejectDuplicate({ IndexName: name }: IndexInput, names: Set<string>): void {
  if (names.has(name)) throw invalidParameter(`Duplicate index name: ${name}`);
  names.add(name);
}

function checkNonKeyCount(indexes: IndexInput[]): void {
  const count = indexes.reduce((sum, index) => sum + (index.Projection.NonKeyAttributes?.length ?? 0), 0);
  if (count <= MAX_NON_KEY_ATTRIBUTES) return;
  throw invalidParameter('The total number of NonKeyAttributes in all secondary indexes exceeds the limit of 100');
}

function unevenDefinitions(): Error {
  return invalidParameter(
    'Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
  );
}

function listed(definitions: AttributeDefinition[]): string {
  return definitions.map(({ AttributeName: name }) => name).join(', ');
}
