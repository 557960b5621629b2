import { folded } from '../duckdb/column-names.ts';
import { type Column, engineTypeOf } from '../duckdb/column-types.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteIdentifier, quoteLiteral } from '../duckdb/quoting.ts';
import { columnNames } from '../duckdb/unique-column-names.ts';
import type { FileRelation } from './csv-source.ts';
import { rejectTooWide } from './file-format.ts';
import { fittingTypes, TYPE_TESTS, type TypeTest, typedValue } from './text-types.ts';

/** What the engine takes texts for: by patterns of many habits, so that `10-11-12` is a day of 2010. */
const TAKEN_FOR = { date: 'VARCHAR', time: 'VARCHAR', timestamp: 'VARCHAR', timestamptz: 'VARCHAR' };

const TIMES = TYPE_TESTS.filter(([type]) => /^(date|timestamp|timestamptz)$/.test(type));
/** With a fraction a number is the nearest double. A whole one that no double holds is held by its column as a decimal, or as a text. */
const NUMBERS: readonly TypeTest[] = [
  ...TYPE_TESTS.filter(([type]) => type === 'double'),
  ['decimal(38,0)', (text, value) => `${value} IS NOT NULL AND regexp_full_match(${text}, '-?\\d+')`],
];

/**
 * Reads a JSON file of records: a list, or a record a line. Texts are those of the file, or dates and times where all of a column
 * are in ISO 8601; whole numbers keep every digit. Within lists and structures texts stay texts, and numbers beyond 64 bits or with a
 * fraction are doubles. Types come from all records, or from the first `typeSample`.
 */
export async function jsonRelation(
  engine: Engine,
  path: string,
  format: 'json' | 'ndjson',
  typeSample?: number,
): Promise<FileRelation> {
  const reading = `format = '${format === 'json' ? 'array' : 'newline_delimited'}', records = true, ignore_errors = false`;
  const read = (more: string) => `read_json(${quoteLiteral(path)}, ${reading}, ${more})`;
  const guessing = read(`sample_size = ${typeSample ?? -1}, map_inference_threshold = -1`);
  const found = await engine.describe(`SELECT * FROM ${guessing}`);
  rejectTooWide(found);
  const names = columnNames(found.map(({ name }) => name));
  const relation = async (source: string, columns: readonly Column[], toValue: (column: Column) => string) => {
    const list = columns.map((each, i) => `${toValue(each)} AS ${quoteIdentifier(names[i]!)}`);
    const sql = `SELECT ${list.join(', ')} FROM ${source}`;
    return { sql, columns: await engine.describe(sql) };
  };
  const as = (engineType: (column: Column) => string) => (columns: readonly Column[]) =>
    read(`columns = {${columns.map((each) => `${quoteLiteral(each.name)}: '${engineType(each)}'`).join(', ')}}`);
  const texts = as(() => 'VARCHAR')(found);
  if (await namesClash(engine, found, texts, guessing)) {
    // The engine knows such records apart only while it guesses.
    return relation(guessing, found, ({ name }) => quoteIdentifier(name));
  }
  const columns = await trueTypes(engine, found, typeSample === undefined ? texts : firstOf(texts, typeSample));
  const source = as(({ type }) => engineTypeOf(type, TAKEN_FOR))(columns);
  return relation(source, columns, (each) => (each.type in TAKEN_FOR ? typedValue(each) : quoteIdentifier(each.name)));
}

/** Columns of texts, of what the engine has taken for times and of doubles as what all of their values are. */
async function trueTypes(engine: Engine, found: readonly Column[], texts: string): Promise<Column[]> {
  const doubtful = found.flatMap(({ name, type }) => {
    if (type === 'double') return [{ name, tests: NUMBERS }];
    return type === 'string' || type in TAKEN_FOR ? [{ name, tests: TIMES }] : [];
  });
  const types = new Map(found.map(({ name, type }) => [name, type]));
  // Most texts are no times, as the first rows tell.
  let left = doubtful;
  for (const rows of [firstOf(texts, SAMPLE_ROWS), texts]) {
    if (left.length === 0) break;
    const fitting = await fittingTypes(engine, rows, left);
    for (const [i, { name }] of left.entries()) types.set(name, fitting[i] ?? 'string');
    left = left.filter(({ tests }, i) => tests === NUMBERS || fitting[i] !== 'string');
  }
  return found.map(({ name }) => ({ name, type: types.get(name)! }));
}

const SAMPLE_ROWS = 4_000;
const firstOf = (rows: string, most: number) => `(FROM ${rows} LIMIT ${most})`;

/**
 * Members whose names differ only by case get a number from the engine, under which it finds none when it is told what to read. A
 * name that ends like this is tried.
 */
async function namesClash(engine: Engine, found: readonly Column[], texts: string, guessing: string): Promise<boolean> {
  const known = new Set(found.map(({ name }) => folded(name)));
  const numbered = found.filter(({ name }) => known.has(folded(name.replace(/(_\d+)+$/, ''))) && /_\d+$/.test(name));
  if (numbered.length === 0) return false;
  const counts = numbered.map(({ name }) => `count(${quoteIdentifier(name)})`).join(', ');
  const [asTexts, asGuessed] = [
    await engine.run(`SELECT ${counts} FROM ${texts}`),
    await engine.run(`SELECT ${counts} FROM ${guessing}`),
  ];
  return String(asTexts) !== String(asGuessed);
}
