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
  LONG_EMAIL_LABEL,
  MAX_EMAIL,
  MAX_EMAIL_LOCAL,
  NUMBERS,
  PHONE_PATTERN,
  type QualityTest,
  type TestConfig,
  type TestType,
} from './tests.ts';

/** The context in which a test is compiled. */
export interface TestContext {
  /** Columns of the checked table. */
  columns: readonly Column[];
  /** A column that numbers the rows of the table. It decides which of two equal rows is the first. */
  rowNumber: string;
  /** The start of relative dates, the same for every attempt of one evaluation. */
  now: Date;
  /** The number of rows that a test compares with, if there is one. */
  previousRows?: (test: QualityTest) => number | undefined;
  /** Tables that can be joined, by the names of their datasets. */
  references: ReadonlyMap<string, string>;
  /** Binds the references of the author's SQL. */
  bindText: BindText;
}

export type CompiledTest =
  /**
   * Conditions over a row: whether it is checked, and whether it fails. The latter may refer to the other checked rows;
   * `failingAmong` is the same where others are present too, given the column that says whether a row is checked.
   */
  | {
      kind: 'rows';
      checked: string;
      failing: string;
      failingAmong?: (isChecked: string) => string;
      params: EngineParameter[];
    }
  /** A query that returns the failing rows of the table `input`. */
  | { kind: 'query'; sql: string; params: EngineParameter[] }
  /** The number of checked rows determines the result. */
  | { kind: 'count'; checked: string; params: EngineParameter[]; issue(rows: number): string | undefined };

/**
 * Compiles a test to SQL for DuckDB. Values are bound and names quoted; the author's `where` and `sql` must have passed
 * the SQL check. Tests of one statement share `bound`. Throws SCHEMA_MISMATCH for missing columns or unsuitable types,
 * NOT_FOUND for a missing dataset.
 */
export function compileTest(test: QualityTest, context: TestContext, bound = new Bound()): CompiledTest {
  for (const name of columnsOf(test)) typeOf(context, name);
  if (test.type === 'custom_sql') {
    const { sql, params } = context.bindText(test.config.sql, 1);
    return { kind: 'query', sql, params };
  }
  const where = test.config.where === undefined ? [] : [`(${bindWhere(test.config.where, context, bound)}\n)`];
  const all = (conditions: readonly string[]) => conditions.join(' AND ') || 'true';
  if (test.type === 'row_count') {
    return {
      kind: 'count',
      checked: all(where),
      params: bound.params,
      issue: countIssue(test.config, context.previousRows?.(test)),
    };
  }
  const { checked = [], ...rows } = rowTest(test, context, bound);
  return { kind: 'rows', checked: all([...where, ...checked]), ...rows, params: bound.params };
}

function bindWhere(where: string, context: TestContext, bound: Bound): string {
  const { sql, params } = context.bindText(where, bound.params.length + 1);
  for (const param of params) bound.value(param);
  return sql;
}

interface RowTest {
  /** Conditions that a row must meet to be checked at all. */
  checked?: string[];
  failing: string;
  failingAmong?: (isChecked: string) => string;
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
  const among = (filter: string) => `count(*)${filter} OVER (PARTITION BY ${keys.join(', ')}) > 1`;
  return { checked, failing: among(''), failingAmong: (isChecked) => among(` FILTER (WHERE ${isChecked})`) };
}

/** All but the first of equal rows fail. `normalized` ignores case, accents and punctuation. */
function laterOfEqual({ keys, fuzzy }: TestConfig<'duplicate_detection'>, context: TestContext): RowTest {
  const parts = keys.map((key) => {
    const column = quoteIdentifier(key);
    if (fuzzy !== 'normalized' || typeOf(context, key) !== 'string') return column;
    return `regexp_replace(lower(strip_accents(${column})), '[^\\p{L}\\p{N}]', '', 'g')`;
  });
  const order = quoteIdentifier(context.rowNumber);
  const place = `PARTITION BY ${parts.join(', ')} ORDER BY ${order}`;
  return {
    failing: `row_number() OVER (${place}) > 1`,
    failingAmong: (isChecked) => `count(*) FILTER (WHERE ${isChecked}) OVER (${place} ROWS UNBOUNDED PRECEDING) > 1`,
  };
}

type ColumnTest = Exclude<QualityTest, { type: 'row_count' | 'custom_sql' | 'unique' | 'duplicate_detection' }>;

/** What a test of one column is compiled from. */
interface ColumnScope {
  name: string;
  /** The quoted name. */
  column: string;
  type: string;
  /** The condition that the column has a value. */
  hasValue: string;
  now: Date;
  references: TestContext['references'];
  bound: Bound;
}

/** Tests of the values of a column. Rows without a value are skipped unless the test is about missing values. */
function columnTest(test: ColumnTest, context: TestContext, bound: Bound): RowTest {
  const name = test.column!;
  const type = typeOf(context, name);
  const column = quoteIdentifier(name);
  expectType(test.type, name, type);
  const { now, references } = context;
  const scope = { name, column, type, hasValue: `${column} IS NOT NULL`, now, references, bound };
  switch (test.type) {
    case 'not_null':
      return { failing: `${column} IS NULL` };
    case 'value_range':
      return valueRange(test.config, scope);
    case 'no_negative':
      return outOfRange(scope, [`${column} ${(test.config.allowZero ?? true) ? '<' : '<='} 0`]);
    case 'email': {
      const isLong = [
        `length(${column}) > ${MAX_EMAIL}`,
        `strpos(${column}, '@') > ${MAX_EMAIL_LOCAL + 1}`,
        `regexp_matches(${column}, ${bound.value(LONG_EMAIL_LABEL)})`,
      ];
      const wrong = `(${isLong.join(' OR ')} OR NOT regexp_matches(${column}, ${bound.value(EMAIL_PATTERN)}))`;
      return nullable(column, wrong, test.config.allowNull ?? true);
    }
    case 'phone': {
      const digits = `length(regexp_replace(${column}, '[^0-9]', '', 'g'))`;
      const wrong = `(NOT regexp_matches(${column}, ${bound.value(PHONE_PATTERN)}) OR ${digits} NOT BETWEEN 7 AND 15)`;
      return nullable(column, wrong, test.config.allowNull ?? true);
    }
    case 'regex': {
      const matches = `regexp_matches(${column}, ${bound.value(test.config.pattern)})`;
      return { checked: [scope.hasValue], failing: test.config.mode === 'not_match' ? matches : `NOT ${matches}` };
    }
    case 'allowed_values':
      return { checked: [scope.hasValue], failing: notAllowed(test.config, scope) };
    case 'date_range':
      return dateRange(test.config, scope);
    case 'no_future_date':
      return futureDate(test.config, scope);
    case 'foreign_key':
      return foreignKey(test.config, scope);
  }
}

function valueRange({ min, max, inclusive = true }: TestConfig<'value_range'>, scope: ColumnScope): RowTest {
  const { column, bound } = scope;
  const [below, above] = inclusive ? ['<', '>'] : ['<=', '>='];
  return outOfRange(scope, [
    ...(min === undefined ? [] : [`${column} ${below} ${bound.number(min)}`]),
    ...(max === undefined ? [] : [`${column} ${above} ${bound.number(max)}`]),
  ]);
}

/** NaN is in no range, although DuckDB sorts it above every number. */
function outOfRange({ column, type, hasValue }: ColumnScope, outside: readonly string[]): RowTest {
  const notNumber = type === 'double' ? [`isnan(${column})`] : [];
  return { checked: [hasValue], failing: `(${[...notNumber, ...outside].join(' OR ')})` };
}

function dateRange(config: TestConfig<'date_range'>, { column, type, hasValue, now, bound }: ColumnScope): RowTest {
  const [min, max] = [config.min, config.max].map((text) => text && readDateBound(text, now));
  const outside = [
    ...(min ? [`${column} < ${instant(bound, type, min.at)}`] : []),
    ...(max ? [`${column} ${max.wholeDay ? '>=' : '>'} ${instant(bound, type, endOf(max))}`] : []),
  ];
  return { checked: [hasValue], failing: `(${outside.join(' OR ')})` };
}

function futureDate(
  { toleranceMinutes = 0, timezone = 'UTC' }: TestConfig<'no_future_date'>,
  { column, type, hasValue, now, bound }: ColumnScope,
): RowTest {
  const limit = new Date(now.getTime() + toleranceMinutes * 60_000);
  const shown = type === 'timestamptz' ? limit : new Date(`${wallClock(limit, timezone)}Z`);
  return { checked: [hasValue], failing: `${column} > ${instant(bound, type, shown)}` };
}

function foreignKey(
  { refTable, refColumn, ignoreNulls = true }: TestConfig<'foreign_key'>,
  { column, hasValue, references }: ColumnScope,
): RowTest {
  const table = references.get(refTable);
  if (table === undefined) throw new DataError('NOT_FOUND', `There is no dataset ${refTable}.`);
  const found = quoteIdentifier(refColumn);
  const missing = `${column} NOT IN (SELECT r.${found} FROM ${quoteIdentifier(table)} AS r WHERE r.${found} IS NOT NULL)`;
  return ignoreNulls ? { checked: [hasValue], failing: missing } : { failing: `(${column} IS NULL OR ${missing})` };
}

function nullable(column: string, wrong: string, allowNull: boolean): RowTest {
  return allowNull
    ? { checked: [`${column} IS NOT NULL`], failing: wrong }
    : { failing: `(${column} IS NULL OR ${wrong})` };
}

function notAllowed(
  { values, caseSensitive = true }: TestConfig<'allowed_values'>,
  { name, column, type, bound }: ColumnScope,
): string {
  if (!values) throw new DataError('SCHEMA_MISMATCH', `The values that ${name} may have are not known.`);
  const kind = NUMBERS.test(type) ? 'number' : type === 'boolean' ? 'boolean' : 'string';
  const other = values.find((value) => typeof value !== kind);
  if (other !== undefined) {
    const message = `The column ${name} is of type ${type} and cannot have the value ${JSON.stringify(other)}.`;
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

function countIssue({ min, max, comparePrevious }: TestConfig<'row_count'>, previousRows: number | undefined) {
  return (rows: number): string | undefined => {
    if (min !== undefined && rows < min) return `${rows} rows are fewer than ${min}.`;
    if (max !== undefined && rows > max) return `${rows} rows are more than ${max}.`;
    if (!comparePrevious || !previousRows) return undefined;
    const dropPct = (100 * (previousRows - rows)) / previousRows;
    if (dropPct <= comparePrevious.maxDropPct) return undefined;
    return `${rows} rows are ${dropPct.toFixed(1)}% fewer than the ${previousRows} before.`;
  };
}
