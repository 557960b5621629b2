import { DataError } from '../../platform/errors/data-error.ts';
import { type Column, engineTypeOf } from '../duckdb/column-types.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteIdentifier, quoteLiteral } from '../duckdb/quoting.ts';
import { columnNames } from '../duckdb/unique-column-names.ts';
import { type ColumnChange, MAX_EXAMPLES } from './changed-values.ts';
import type { FileRelation } from './csv-source.ts';
import { numberedNames, openRecords } from './json-records.ts';
import type { JsonShape } from './json-shape.ts';
import { fittingTypes, TYPE_TESTS, type TypeTest, typedValue } from './text-types.ts';

/** Types that the engine detects in texts. It accepts many notations: `10-11-12` becomes a date of 2010. */
const TAKEN_FOR = { date: 'VARCHAR', time: 'VARCHAR', timestamp: 'VARCHAR', timestamptz: 'VARCHAR' };

const TIMES = TYPE_TESTS.filter(([type]) => /^(date|timestamp|timestamptz)$/.test(type));
/**
 * A number with a fraction is the nearest double. Columns with integers that no double represents exactly become
 * decimals or texts.
 */
const NUMBERS: readonly TypeTest[] = [
  // No number of JSON has a plus sign, so the column as a whole need not be examined.
  ...TYPE_TESTS.flatMap(([type, test]): TypeTest[] => (type === 'double' ? [[type, test]] : [])),
  ['decimal(38,0)', (text, value) => `${value} IS NOT NULL AND regexp_full_match(${text}, '-?\\d+')`],
];

/** The engine takes integers for 128 bit if there are negative ones and, in the same place, positive ones. */
const BIG_INTEGER = 'decimal(38,0)';
const INTEGERS: readonly TypeTest[] = [...TYPE_TESTS.filter(([type]) => type === 'integer'), ...NUMBERS.slice(1)];

/**
 * Reads a JSON file of records: a list, or one record per line. Texts stay as they are, except in columns where all are
 * dates and times in ISO 8601; integers keep every digit. Within lists and structs, texts stay texts, and numbers
 * beyond 64 bits or with a fraction are doubles. Types come from all records, or from the first `typeSample`.
 */
export async function jsonRelation(
  engine: Engine,
  path: string,
  { format, shape, typeSample }: { format: 'json' | 'ndjson'; shape: JsonShape; typeSample?: number },
): Promise<FileRelation> {
  const { read, found, members } = await openRecords(engine, path, { format, shape, typeSample });
  const as = (engineType: (column: Column) => string) => (columns: readonly Column[]) =>
    read(
      `columns = {${columns.map((each) => `${quoteLiteral(each.name)}: '${engineType(each)}'`).join(', ')}}, ignore_errors = false`,
    );
  const texts = as(() => 'VARCHAR')(found);
  const sampled = (source: string) => (typeSample === undefined ? source : firstOf(source, typeSample));
  const typed = await trueTypes(engine, found, sampled(texts));
  const columns: Column[] = [];
  for (const column of typed) columns.push(await narrowed(engine, column, (type) => sampled(as(() => type)([column]))));
  const source = as(({ type }) => engineTypeOf(type, TAKEN_FOR))(columns);
  const names = columnNames(numberedNames(members));
  const list = columns.map((each, i) => {
    const value = each.type in TAKEN_FOR ? typedValue(each) : quoteIdentifier(each.name);
    return `${value} AS ${quoteIdentifier(names[i]!)}`;
  });
  const sql = `SELECT ${list.join(', ')} FROM ${source}`;
  const described = await engine.describe(sql);
  const changes = typeSample === undefined ? changesOf(shape, members, described) : [];
  return { sql, columns: described, ...(changes.length > 0 && { changes }) };
}

/** Determines the types of columns that the engine detected as texts, times or doubles from all of their values. */
async function trueTypes(engine: Engine, found: readonly Column[], texts: string): Promise<Column[]> {
  const doubtful = found.flatMap(({ name, type }) => {
    if (type === 'double') return [{ name, tests: NUMBERS }];
    if (type === BIG_INTEGER) return [{ name, tests: INTEGERS }];
    return type === 'string' || type in TAKEN_FOR ? [{ name, tests: TIMES }] : [];
  });
  const types = new Map(found.map(({ name, type }) => [name, type]));
  // The first rows show that most texts are not times.
  let left = doubtful;
  for (const rows of [firstOf(texts, SAMPLE_ROWS), texts]) {
    if (left.length === 0) break;
    const fitting = await fittingTypes(engine, rows, left);
    for (const [i, { name }] of left.entries()) types.set(name, fitting[i] ?? 'string');
    left = left.filter(({ tests }, i) => tests === NUMBERS || tests === INTEGERS || fitting[i] !== 'string');
  }
  return found.map(({ name }) => ({ name, type: types.get(name)! }));
}

/** Replaces big integers within lists and structs by ones of 64 bit if all values fit. */
async function narrowed(engine: Engine, column: Column, reading: (engineType: string) => string): Promise<Column> {
  if (column.type === BIG_INTEGER || !column.type.includes(BIG_INTEGER)) return column;
  const type = column.type.replaceAll(BIG_INTEGER, 'integer');
  try {
    await engine.run(
      `SELECT count(${quoteIdentifier(column.name)}::VARCHAR) FROM ${reading(engineTypeOf(type, TAKEN_FOR))}`,
    );
    return { ...column, type };
  } catch (error) {
    if (error instanceof DataError && error.code === 'SQL_ERROR') return column;
    throw error;
  }
}

/** The numbers that become doubles although no double represents them. */
function changesOf({ longNumbers }: JsonShape, members: readonly string[], columns: readonly Column[]): ColumnChange[] {
  return columns.flatMap(({ name, type }, i) => {
    const isDouble = type.includes('double') && !/integer|decimal/.test(type);
    const rounded = (longNumbers.get(members[i]!) ?? []).filter(({ isInteger }) => isDouble || !isInteger);
    if (rounded.length === 0) return [];
    const count = rounded.reduce((sum, { numbers }) => sum + numbers, 0);
    const examples = rounded.flatMap((each) => each.examples).slice(0, MAX_EXAMPLES);
    return [{ column: name, nulls: 0, rounded: count, examples }];
  });
}

const SAMPLE_ROWS = 4_000;
const firstOf = (rows: string, count: number) => `(FROM ${rows} LIMIT ${count})`;
