import { DataError } from '../../platform/errors/data-error.ts';
import type { Column } from '../duckdb/column-types.ts';
import type { EngineParameter } from '../duckdb/parameters.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import type { BindText } from '../recipe/duckdb.ts';
import { endOf, readDateBound, wallClock } from './dates.ts';
import { Bound } from './parameters.ts';
import {
  checksType,
  columnsOf,
  EMAIL_PATTERN,
  NUMBERS,
  PHONE_PATTERN,
  type QualityTest,
  type TestConfig,
  type TestType,
} from './tests.ts';

/** What a test is compiled for. */
export interface TestContext {
  /** Of the table that is checked. */
  columns: readonly Column[];
  /** A column of the table that numbers its rows: which of two equal rows is the first. */
  rowNumber: string;
  /** What relative dates count from: the same for every attempt at one evaluation. */
  now: Date;
  /** Rows of the version before, where there is one. */
  previousRows?: number | undefined;
  /** The tables that can be joined by their datasets' names. */
  references: ReadonlyMap<string, string>;
  /** Binds the references of the author's SQL. */
  bindText: BindText;
}

export type CompiledTest =
  /** Conditions over a row: whether it is checked, and whether it fails, which may look at the other checked rows. */
  | { kind: 'rows'; checked: string; failing: string; params: EngineParameter[] }
  /** A query that answers the failing rows of the table `input`. */
  | { kind: 'query'; sql: string; params: EngineParameter[] }
  /** The count of the checked rows decides. */
  | { kind: 'count'; checked: string; params: EngineParameter[]; issue(rows: number): string | undefined };

/**
 * Turns a test into what DuckDB is asked. Values are bound and names quoted; `where` and `sql` are the author's own and must
 * have passed the gate. Throws SCHEMA_MISMATCH when the table has not the columns or types, NOT_FOUND for a missing dataset.
 */
export function compileTest(test: QualityTest, context: TestContext): CompiledTest {
  for (const name of columnsOf(test)) typeOf(context, name);
  const bound = new Bound();
  if (test.type === 'custom_sql') {
    const { sql, params } = context.bindText(test.config.sql, 1);
    return { kind: 'query', sql, params };
  }
  const where = test.config.where === undefined ? [] : [`(${bindWhere(test.config.where, context, bound)}\n)`];
  const all = (conditions: readonly string[]) => conditions.join(' AND ') || 'true';
  if (test.type === 'row_count') {
    return { kind: 'count', checked: all(where), params: bound.params, issue: countIssue(test.config, context) };
  }
  const { checked = [], failing } = rowTest(test, context, bound);
  return { kind: 'rows', checked: all([...where, ...checked]), failing, params: bound.params };
}

function bindWhere(where: string, context: TestContext, bound: Bound): string {
  const { sql, params } = context.bindText(where, 1);
  for (const param of params) bound.value(param);
  return sql;
}

interface RowTest {
  /** What must hold for a row to be checked at all. */
  checked?: string[];
  failing: string;
}

function rowTest(
  test: Exclude<QualityTest, { type: 'row_count' | 'custom_sql' }>,
  context: TestContext,
  bound: Bound,
): RowTest {
  switch (test.type) {
    case 'unique':
      return repeated(columnsOf(test).map(quoteIdentifier), test.config.ignoreNulls ?? true);
    case 'duplicate_detection':
      return laterOfEqual(test.config, context);
    default:
      return columnTest(test, context, bound);
  }
}

/** Every row of a repeated key fails. */
function repeated(keys: readonly string[], ignoreNulls: boolean): RowTest {
  const checked = ignoreNulls ? keys.map((key) => `${key} IS NOT NULL`) : [];
  return { checked, failing: `count(*) OVER (PARTITION BY ${keys.join(', ')}) > 1` };
}

/** All but the first of equal rows fail; `normalized` overlooks case, accents and what is no letter or digit. */
function laterOfEqual({ keys, fuzzy }: TestConfig<'duplicate_detection'>, context: TestContext): RowTest {
  const parts = keys.map((key) => {
    const column = quoteIdentifier(key);
    if (fuzzy !== 'normalized' || typeOf(context, key) !== 'string') return column;
    return `regexp_replace(lower(strip_accents(${column})), '[^\\p{L}\\p{N}]', '', 'g')`;
  });
  const order = quoteIdentifier(context.rowNumber);
  return { failing: `row_number() OVER (PARTITION BY ${parts.join(', ')} ORDER BY ${order}) > 1` };
}

type ColumnTest = Exclude<QualityTest, { type: 'row_count' | 'custom_sql' | 'unique' | 'duplicate_detection' }>;

/** Tests of a value: rows without one are not checked, unless the test is about just that. */
function columnTest(test: ColumnTest, context: TestContext, bound: Bound): RowTest {
  const name = test.column!;
  const type = typeOf(context, name);
  const column = quoteIdentifier(name);
  const valued = [`${column} IS NOT NULL`];
  expectType(test.type, name, type);
  const notNumber = type === 'double' ? [`isnan(${column})`] : [];
  switch (test.type) {
    case 'not_null':
      return { failing: `${column} IS NULL` };
    case 'value_range': {
      const { min, max, inclusive = true } = test.config;
      const [below, above] = inclusive ? ['<', '>'] : ['<=', '>='];
      const outside = [
        ...(min === undefined ? [] : [`${column} ${below} ${bound.number(min)}`]),
        ...(max === undefined ? [] : [`${column} ${above} ${bound.number(max)}`]),
      ];
      return { checked: valued, failing: `(${[...notNumber, ...outside].join(' OR ')})` };
    }
    case 'no_negative': {
      const outside = `${column} ${(test.config.allowZero ?? true) ? '<' : '<='} 0`;
      return { checked: valued, failing: `(${[...notNumber, outside].join(' OR ')})` };
    }
    case 'email': {
      const wrong = `(length(${column}) > 254 OR NOT regexp_matches(${column}, ${bound.value(EMAIL_PATTERN)}))`;
      return nullable(column, wrong, test.config.allowNull ?? true);
    }
    case 'phone': {
      const digits = `length(regexp_replace(${column}, '[^0-9]', '', 'g'))`;
      const wrong = `(NOT regexp_matches(${column}, ${bound.value(PHONE_PATTERN)}) OR ${digits} NOT BETWEEN 7 AND 15)`;
      return nullable(column, wrong, test.config.allowNull ?? true);
    }
    case 'regex': {
      const matches = `regexp_matches(${column}, ${bound.value(test.config.pattern)})`;
      return { checked: valued, failing: test.config.mode === 'not_match' ? matches : `NOT ${matches}` };
    }
    case 'allowed_values':
      return { checked: valued, failing: `${foldedIn(test.config, column, name, type, bound)}` };
    case 'date_range': {
      const [min, max] = [test.config.min, test.config.max].map((text) => text && readDateBound(text, context.now));
      const outside = [
        ...(min ? [`${column} < ${instant(bound, type, min.at)}`] : []),
        ...(max ? [`${column} ${max.wholeDay ? '>=' : '>'} ${instant(bound, type, endOf(max))}`] : []),
      ];
      return { checked: valued, failing: `(${outside.join(' OR ')})` };
    }
    case 'no_future_date': {
      const { toleranceMinutes = 0, timezone = 'UTC' } = test.config;
      const limit = new Date(context.now.getTime() + toleranceMinutes * 60_000);
      const shown = type === 'timestamptz' ? limit : new Date(`${wallClock(limit, timezone)}Z`);
      return { checked: valued, failing: `${column} > ${instant(bound, type, shown)}` };
    }
    case 'foreign_key': {
      const { refTable, refColumn, ignoreNulls = true } = test.config;
      const table = context.references.get(refTable);
      if (table === undefined) throw new DataError('NOT_FOUND', `There is no dataset ${refTable}.`);
      const found = quoteIdentifier(refColumn);
      const missing = `${column} NOT IN (SELECT r.${found} FROM ${quoteIdentifier(table)} AS r WHERE r.${found} IS NOT NULL)`;
      return ignoreNulls ? { checked: valued, failing: missing } : { failing: `(${column} IS NULL OR ${missing})` };
    }
  }
}

function nullable(column: string, wrong: string, allowNull: boolean): RowTest {
  return allowNull
    ? { checked: [`${column} IS NOT NULL`], failing: wrong }
    : { failing: `(${column} IS NULL OR ${wrong})` };
}

function foldedIn(
  { values, caseSensitive = true }: TestConfig<'allowed_values'>,
  column: string,
  name: string,
  type: string,
  bound: Bound,
): string {
  const kind = NUMBERS.test(type) ? 'number' : type === 'boolean' ? 'boolean' : 'string';
  const other = values.find((value) => typeof value !== kind);
  if (other !== undefined) {
    const message = `The column ${name} is of type ${type}, which ${JSON.stringify(other)} is not a value of.`;
    throw new DataError('SCHEMA_MISMATCH', message);
  }
  const fold = (text: string) => (kind === 'string' && !caseSensitive ? `lower(${text})` : text);
  const list = values.map((value) => fold(typeof value === 'number' ? bound.number(value) : bound.value(value)));
  return `${fold(column)} NOT IN (${list.join(', ')})`;
}

function expectType(test: TestType, column: string, type: string): void {
  if (checksType(test, type)) return;
  throw new DataError('SCHEMA_MISMATCH', `The column ${column} is of type ${type}, which ${test} cannot check.`);
}

function typeOf(context: TestContext, name: string): string {
  const found = context.columns.find((column) => column.name === name);
  if (!found) throw new DataError('SCHEMA_MISMATCH', `There is no column ${name}.`);
  return found.type;
}

const instant = (bound: Bound, type: string, at: Date): string =>
  bound.value({ type: type as 'date' | 'timestamp' | 'timestamptz', text: at.toISOString() });

function countIssue({ min, max, comparePrevious }: TestConfig<'row_count'>, { previousRows }: TestContext) {
  return (rows: number): string | undefined => {
    if (min !== undefined && rows < min) return `${rows} rows are fewer than ${min}.`;
    if (max !== undefined && rows > max) return `${rows} rows are more than ${max}.`;
    if (!comparePrevious || !previousRows) return undefined;
    const dropPct = (100 * (previousRows - rows)) / previousRows;
    if (dropPct <= comparePrevious.maxDropPct) return undefined;
    return `${rows} rows are ${dropPct.toFixed(1)} % fewer than the ${previousRows} before.`;
  };
}
