import type { SQLInputValue } from 'node:sqlite';
import { type CapacityDetail, Consumption, readUnits } from './capacity.ts';
import type { Engine } from './engine.ts';
import { invalid } from './errors.ts';
import type { Condition } from './expressions/condition.ts';
import { holds } from './expressions/evaluate.ts';
import type { Path } from './expressions/paths.ts';
import type { ExpressionInput } from './expressions/placeholders.ts';
import { project } from './expressions/projection.ts';
import { projectedNames } from './indexes.ts';
import { positionOf, StoredItem } from './items.ts';
import { jsonArray } from './json-text.ts';
import { checkKey, type KeySchema, keyNames, keyOf, position } from './keys.ts';
import { entriesTable, itemsTable } from './store.ts';
import type { SecondaryIndex, TableDefinition } from './table.ts';
import { type AttributeValue, type Item, normaliseValue, typeOf } from './values.ts';

export interface PageInput extends ExpressionInput {
  TableName: string;
  IndexName?: string;
  Select?: 'SPECIFIC_ATTRIBUTES' | 'COUNT' | 'ALL_ATTRIBUTES' | 'ALL_PROJECTED_ATTRIBUTES';
  Limit?: number;
  ConsistentRead?: boolean;
  ExclusiveStartKey?: Item;
  FilterExpression?: string;
  ProjectionExpression?: string;
  ReturnConsumedCapacity?: CapacityDetail;
}

/** A table or one of its indexes, as something to read in order. */
export interface Source {
  table: TableDefinition;
  index?: SecondaryIndex;
  schema: KeySchema;
  sqlTable: string;
  /** The columns that order its rows within everything, the most significant first. */
  order: string[];
}

/** Where to read: SQL conditions on the key columns with their values. */
export interface Range {
  conditions: string[];
  values: SQLInputValue[];
  descending: boolean;
}

/** A page reads at most this much of items, before filter and projection. */
const LARGEST_PAGE_BYTES = 1024 * 1024;

export function sourceOf(table: TableDefinition, index: SecondaryIndex | undefined): Source {
  if (!index) return { table, schema: table.schema, sqlTable: itemsTable(table), order: ['pk', 'sk'] };
  const order = ['pk', 'sk', 'base_pk', 'base_sk'];
  return { table, index, schema: index.schema, sqlTable: entriesTable(index), order };
}

/** Refuses what a global index cannot give. */
export function checkIndexRead({ index }: Source, input: PageInput): void {
  if (!index) {
    if (input.Select === 'ALL_PROJECTED_ATTRIBUTES') {
      throw invalid('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName');
    }
    return;
  }
  if (index.scope === 'local') return;
  if (input.ConsistentRead) throw invalid('Consistent reads are not supported on global secondary indexes');
  if (input.Select === 'ALL_ATTRIBUTES' && index.projection.type !== 'ALL') {
    throw invalid(
      `One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`,
    );
  }
}

/** Refuses a `Select` that contradicts the projection. */
export function checkSelect({ Select: select, ProjectionExpression: projection }: PageInput): void {
  if (select === 'SPECIFIC_ATTRIBUTES' && projection === undefined) {
    throw invalid('Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES');
  }
  if (select !== undefined && select !== 'SPECIFIC_ATTRIBUTES' && projection !== undefined) {
    const words = { COUNT: 'only the Count' } as Record<string, string>;
    throw invalid(`Cannot specify the ProjectionExpression when choosing to get ${words[select] ?? select}`);
  }
}

/** Checks the start key and gives the values of the order columns after which to read. */
export function startPosition({ table, index, schema }: Source, start: Item): Buffer[] {
  for (const name in start) normaliseValue(start[name] as AttributeValue);
  const names = new Set([...keyNames(table.schema), ...(index ? keyNames(schema) : [])]);
  if (Object.keys(start).length !== names.size) throw invalidStart();
  for (const name of names) if (!Object.hasOwn(start, name)) throw invalidStart();
  for (const key of [schema.hash, schema.range]) {
    if (key && typeOf(start[key.name] as AttributeValue) !== key.type) throw invalidStart();
  }
  try {
    checkKey(table.schema, keyOf(table.schema, start));
  } catch (error) {
    throw invalid(`The provided starting key is invalid: ${(error as Error).message}`);
  }
  const base = positionOf(table, start);
  if (!index) return [base.pk, base.sk];
  const at = position(schema, start);
  return [at.pk, at.sk, base.pk, base.sk];
}

function invalidStart(): Error {
  return invalid('The provided starting key is invalid');
}

/** Reads one page of `source` and answers as `Query` and `Scan` do. */
export function readPage(
  engine: Engine,
  source: Source,
  range: Range,
  input: PageInput,
  shape: { filter: Condition | undefined; projection: Path[] | undefined },
): Record<string, unknown> {
  const fetchesAll = mustFetch(source, input, shape.projection);
  const limit = input.Limit ?? Number.POSITIVE_INFINITY;
  const texts: string[] = [];
  const fetched = new Consumption();
  let [scanned, matched, bytes] = [0, 0, 0];
  let last: StoredItem | undefined;
  let more = false;
  const where = range.conditions.length > 0 ? `WHERE ${range.conditions.join(' AND ')}` : '';
  const direction = range.descending ? 'DESC' : 'ASC';
  const order = source.order.map((column) => `${column} ${direction}`).join(', ');
  const rows = engine.store.each(
    `SELECT item, size FROM ${source.sqlTable} ${where} ORDER BY ${order}`,
    ...range.values,
  );
  for (const row of rows) {
    const size = row.size as number;
    if (bytes + size > LARGEST_PAGE_BYTES && scanned > 0) {
      more = true;
      break;
    }
    let stored = new StoredItem(row.item as string, size);
    last = stored;
    scanned += 1;
    bytes += size;
    if (fetchesAll) stored = fetch(engine, source, stored, input.ConsistentRead ?? false, fetched);
    if (!shape.filter || holds(shape.filter, stored.item)) {
      matched += 1;
      if (input.Select !== 'COUNT') {
        texts.push(shape.projection ? JSON.stringify(project(stored.item, shape.projection)) : stored.text);
      }
    }
    if (scanned >= limit) {
      more = true;
      break;
    }
  }
  const consumption = new Consumption();
  const units = readUnits(bytes, input.ConsistentRead ?? false);
  if (source.index) consumption.addToIndex(source.index, units);
  else consumption.addToTable(units);
  consumption.add(fetched);
  engine.meter.count(source.table, 'read', consumption.total);
  return {
    Items: input.Select === 'COUNT' ? undefined : jsonArray(texts),
    Count: matched,
    ScannedCount: scanned,
    LastEvaluatedKey: more && last ? lastKey(source, last.item) : undefined,
    ConsumedCapacity: consumption.describe(source.table, input.ReturnConsumedCapacity),
  };
}

/** A local index reads from the table what it does not hold itself. */
function mustFetch({ table, index }: Source, input: PageInput, projection: Path[] | undefined): boolean {
  if (index?.scope !== 'local') return false;
  const held = projectedNames(table, index);
  if (held === 'ALL') return false;
  return input.Select === 'ALL_ATTRIBUTES' || (projection?.some((path) => !held.has(path[0] as string)) ?? false);
}

function fetch(
  engine: Engine,
  { table }: Source,
  entry: StoredItem,
  consistent: boolean,
  consumption: Consumption,
): StoredItem {
  const stored = engine.items.read(table, positionOf(table, entry.item)) ?? entry;
  consumption.addToTable(readUnits(stored.size, consistent));
  return stored;
}

function lastKey({ table, index, schema }: Source, item: Item): Item {
  return index ? { ...keyOf(table.schema, item), ...keyOf(schema, item) } : keyOf(table.schema, item);
}
