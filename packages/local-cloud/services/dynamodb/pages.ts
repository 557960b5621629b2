import type { SQLInputValue } from 'node:sqlite';
import { type CapacityDetail, Consumption, readUnits } from './capacity.ts';
import type { Engine } from './engine.ts';
import { invalid } from './errors.ts';
import { attributesOf, type Condition } from './expressions/condition.ts';
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

/** A table or an index as an ordered source of items. */
export interface Source {
  table: TableDefinition;
  index?: SecondaryIndex;
  schema: KeySchema;
  sqlTable: string;
  /** Columns of the total order, most significant first. */
  order: string[];
}

/** The range to read: SQL conditions on the key columns with their values. */
export interface Range {
  conditions: string[];
  values: SQLInputValue[];
  descending: boolean;
}

/** Maximum size of the items read for a page, before filter and projection. */
const MAX_PAGE_BYTES = 1024 * 1024;

export function sourceOf(table: TableDefinition, index: SecondaryIndex | undefined): Source {
  if (!index) return { table, schema: table.schema, sqlTable: itemsTable(table), order: ['pk', 'sk'] };
  const order = ['pk', 'sk', 'base_pk', 'base_sk'];
  return { table, index, schema: index.schema, sqlTable: entriesTable(index), order };
}

/** Rejects reads that a global index does not support: it never fetches from the table what it does not hold. */
export function checkIndexRead({ table, index }: Source, input: PageInput, { filter, projection }: PageShape): void {
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
  const held = projectedNames(table, index);
  if (held === 'ALL') return;
  const missing = (names: Iterable<string>) => [...new Set(names)].filter((name) => !held.has(name));
  const unfiltered = missing(filter ? attributesOf(filter) : []);
  if (unfiltered.length > 0) {
    throw invalid(
      `One or more parameter values were invalid: Secondary index ${index.name} does not project one or more filter attributes: [${unfiltered.join(', ')}]`,
    );
  }
  const unprojected = missing((projection ?? []).map(([head]) => head as string));
  if (unprojected.length > 0) {
    throw invalid(
      `One or more parameter values were invalid: Global secondary index ${index.name} does not project [${unprojected.join(', ')}]`,
    );
  }
}

/** Rejects a `Select` that contradicts the projection. */
export function checkSelect({ Select: select, ProjectionExpression: projection }: PageInput): void {
  if (select === 'SPECIFIC_ATTRIBUTES' && projection === undefined) {
    throw invalid('Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES');
  }
  if (select !== undefined && select !== 'SPECIFIC_ATTRIBUTES' && projection !== undefined) {
    const words = { COUNT: 'only the Count' } as Record<string, string>;
    throw invalid(`Cannot specify the ProjectionExpression when choosing to get ${words[select] ?? select}`);
  }
}

/** Checks the start key and returns its position: the values of the order columns. */
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

/** What a page contains of each item. */
interface PageShape {
  filter: Condition | undefined;
  projection: Path[] | undefined;
}

/** Reads one page of `source` and answers as `Query` and `Scan` do. */
export function readPage(
  engine: Engine,
  source: Source,
  range: Range,
  input: PageInput,
  shape: PageShape,
): Record<string, unknown> {
  const consistent = input.ConsistentRead ?? false;
  const fetched = new Consumption();
  const rows = readRows(engine, source, range, input.Limit ?? Number.POSITIVE_INFINITY);
  const items = mustFetch(source, input, shape.projection)
    ? rows.items.map((entry) => fetch(engine, source, entry, consistent, fetched))
    : rows.items;
  const matches = items.filter(({ item }) => !shape.filter || holds(shape.filter, item));

  const consumption = new Consumption();
  const units = readUnits(rows.bytes, consistent);
  if (source.index) consumption.addToIndex(source.index, units);
  else consumption.addToTable(units);
  consumption.add(fetched);
  engine.meter.count(source.table, 'read', consumption.total);
  const last = rows.items.at(-1);
  return {
    Items: input.Select === 'COUNT' ? undefined : jsonArray(matches.map((item) => textOf(item, shape.projection))),
    Count: matches.length,
    ScannedCount: rows.items.length,
    LastEvaluatedKey: rows.more && last ? lastKey(source, last.item) : undefined,
    ConsumedCapacity: consumption.describe(source.table, input.ReturnConsumedCapacity),
  };
}

interface Rows {
  items: StoredItem[];
  bytes: number;
  /** Whether the page ended at a limit rather than at the end of the range. */
  more: boolean;
}

/** Reads rows in order up to `limit` and the size of a page, but at least one. */
function readRows(engine: Engine, source: Source, range: Range, limit: number): Rows {
  const where = range.conditions.length > 0 ? `WHERE ${range.conditions.join(' AND ')}` : '';
  const direction = range.descending ? 'DESC' : 'ASC';
  const order = source.order.map((column) => `${column} ${direction}`).join(', ');
  const read: Rows = { items: [], bytes: 0, more: false };
  for (const row of engine.store.each(
    `SELECT item, size FROM ${source.sqlTable} ${where} ORDER BY ${order}`,
    ...range.values,
  )) {
    const size = row.size as number;
    if (read.bytes + size > MAX_PAGE_BYTES && read.items.length > 0) return { ...read, more: true };
    read.items.push(new StoredItem(row.item as string, size));
    read.bytes += size;
    if (read.items.length >= limit) return { ...read, more: true };
  }
  return read;
}

function textOf(stored: StoredItem, projection: Path[] | undefined): string {
  return projection ? JSON.stringify(project(stored.item, projection)) : stored.text;
}

/** A local index reads attributes that it does not project from the table. */
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
