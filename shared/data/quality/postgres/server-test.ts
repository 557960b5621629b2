import { endOf, readDateBound, wallClock } from '../dates.ts';
import { columnsOf, type QualityTest, type TestConfig } from '../tests.ts';
import type { ServerColumn, ServerField } from './server-columns.ts';

/** Parameters of one statement, as the texts that Postgres reads. */
export class ServerParameters {
  readonly values: (string | readonly string[])[] = [];

  /** Adds a value and returns its placeholder with the type, such as `$3::numeric`. */
  add(type: string, value: string | readonly string[]): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

/**
 * Conditions of a test over a table whose columns are named by `nameOf`. Rows are compared by their `keys`: every row
 * of a repeated key fails (`each`), or all but one (`later`).
 */
export interface ServerTest {
  /** Which rows are tested. */
  checked: string;
  failing: string | { keys: string[]; fails: 'each' | 'later' };
}

export interface ServerContext {
  columns: ReadonlyMap<string, ServerColumn>;
  /** The name of the column with the value that the engine would read. */
  nameOf(column: string): string;
  now: Date;
}

/**
 * What Postgres runs instead of a test, with the same result to the row. Undefined for everything of which that is not
 * certain: expressions and statements in the dialect of the engine, regular expressions, letters without case, rounded
 * numbers, and rows of datasets.
 */
export function serverTest(
  test: QualityTest,
  context: ServerContext,
  params: ServerParameters,
): ServerTest | undefined {
  if ('where' in test.config && test.config.where !== undefined) return undefined;
  const columns = columnsOf(test).map((name) => context.columns.get(name));
  if (columns.some((column) => column === undefined)) return undefined;
  const known = columns as ServerColumn[];
  switch (test.type) {
    case 'row_count':
      return { checked: 'true', failing: 'false' };
    case 'not_null':
      return { checked: 'true', failing: `${context.nameOf(test.column!)} IS NULL` };
    case 'unique':
      return compared(known, context, { fails: 'each', ignoresNulls: test.config.ignoreNulls ?? true });
    case 'duplicate_detection':
      return isFuzzy(test.config, known)
        ? undefined
        : compared(known, context, { fails: 'later', ignoresNulls: false });
    case 'value_range':
    case 'no_negative':
    case 'allowed_values':
    case 'date_range':
    case 'no_future_date':
      return valueTest(test, { column: known[0]!, name: context.nameOf(test.column!), now: context.now }, params);
    default:
      return undefined;
  }
}

const isFuzzy = ({ fuzzy }: TestConfig<'duplicate_detection'>, columns: readonly ServerColumn[]): boolean =>
  fuzzy === 'normalized' && columns.some(({ type }) => type === 'string');

/** Doubles have two zeros, and opaque values other forms of the same. */
function compared(
  columns: readonly ServerColumn[],
  { nameOf }: ServerContext,
  { fails, ignoresNulls }: { fails: 'each' | 'later'; ignoresNulls: boolean },
): ServerTest | undefined {
  if (columns.some(({ kind }) => kind === 'double' || kind === 'none')) return undefined;
  const keys = columns.map(({ name }) => nameOf(name));
  const checked = ignoresNulls ? keys.map((key) => `${key} IS NOT NULL`).join(' AND ') : 'true';
  return { checked, failing: { keys, fails } };
}

interface ValueScope {
  column: ServerColumn;
  name: string;
  now: Date;
}

type ValueTest = Extract<
  QualityTest,
  { type: 'value_range' | 'no_negative' | 'allowed_values' | 'date_range' | 'no_future_date' }
>;

function valueTest(test: ValueTest, scope: ValueScope, params: ServerParameters): ServerTest | undefined {
  const failing = failingValue(test, scope, params);
  return failing === undefined ? undefined : { checked: `${scope.name} IS NOT NULL`, failing };
}

function failingValue(test: ValueTest, scope: ValueScope, params: ServerParameters): string | undefined {
  switch (test.type) {
    case 'value_range':
      return outOfRange(test.config, scope, params);
    case 'no_negative':
      return outOfRange({ min: 0, inclusive: test.config.allowZero ?? true }, scope, params);
    case 'allowed_values':
      return notAllowed(test.config, scope, params);
    case 'date_range':
      return outOfDates(test.config, scope, params);
    case 'no_future_date':
      return inFuture(test.config, scope, params);
  }
}

function outOfRange(
  { min, max, inclusive = true }: TestConfig<'value_range'>,
  { column, name }: ValueScope,
  params: ServerParameters,
): string | undefined {
  const bounds = [min, max].filter((bound) => bound !== undefined);
  const type = numberType(column, bounds);
  if (type === undefined) return undefined;
  const [below, above] = inclusive ? ['<', '>'] : ['<=', '>='];
  return [
    ...(column.kind === 'double' ? [`${name} = 'NaN'`] : []),
    ...(min === undefined ? [] : [`${name} ${below} ${params.add(type, String(min))}`]),
    ...(max === undefined ? [] : [`${name} ${above} ${params.add(type, String(max))}`]),
  ].join(' OR ');
}

/** The most digits of a number of the engine. */
const MAX_DIGITS = 38;
/** Of a 64-bit integer. */
const INTEGER_DIGITS = 19;

/**
 * The type in which both sides compare numbers with those of the settings. Undefined if the engine would round one, or
 * has no type for all digits of both.
 */
function numberType({ kind, type }: ServerColumn, numbers: readonly number[]): string | undefined {
  if (kind === 'double') return numbers.every(Number.isSafeInteger) ? 'float8' : undefined;
  if (kind !== 'number') return undefined;
  const [precision = INTEGER_DIGITS, decimals = 0] = /^decimal\((\d+),(\d+)\)$/.exec(type)?.slice(1).map(Number) ?? [];
  // A literal of the engine's statement has up to ten digits.
  let [whole, scale] = [Math.max(precision - decimals, 10), decimals];
  for (const number of numbers) {
    const [, digits, fraction = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(String(number)) ?? [];
    if (digits === undefined) return undefined;
    whole = Math.max(whole, digits.length);
    scale = Math.max(scale, fraction.length);
  }
  return whole + scale <= MAX_DIGITS ? 'numeric' : undefined;
}

function notAllowed(
  { values = [], caseSensitive = true }: TestConfig<'allowed_values'>,
  { column, name }: ValueScope,
  params: ServerParameters,
): string | undefined {
  const texts = values.map(String);
  if (values.length === 0) return undefined;
  if (column.kind === 'text')
    // Postgres has no text with the character zero.
    return caseSensitive && !texts.some((text) => text.includes('\0'))
      ? none(name, params.add('text[]', texts))
      : undefined;
  if (column.kind === 'boolean') return none(name, params.add('boolean[]', texts));
  const type = numberType(column, values as number[]);
  return type && none(name, params.add(`${type}[]`, texts));
}

const none = (name: string, list: string): string => `${name} <> ALL (${list})`;

function outOfDates(
  config: TestConfig<'date_range'>,
  { column, name, now }: ValueScope,
  params: ServerParameters,
): string | undefined {
  const [min, max] = [config.min, config.max].map((text) =>
    text === undefined ? undefined : readDateBound(text, now),
  );
  const outside = [
    ...(min ? [compareTime(column, `${name} <`, min.at, params)] : []),
    ...(max ? [compareTime(column, `${name} ${max.wholeDay ? '>=' : '>'}`, endOf(max), params)] : []),
  ];
  return outside.some((each) => each === undefined) ? undefined : outside.join(' OR ');
}

function inFuture(
  { toleranceMinutes = 0, timezone = 'UTC' }: TestConfig<'no_future_date'>,
  { column, name, now }: ValueScope,
  params: ServerParameters,
): string | undefined {
  const limit = new Date(now.getTime() + toleranceMinutes * 60_000);
  const shown = column.type === 'timestamptz' ? limit : new Date(`${wallClock(limit, timezone)}Z`);
  return compareTime(column, `${name} >`, shown, params);
}

/** Undefined for years that Postgres writes in another way. */
function compareTime(
  { kind, type }: ServerField & { kind: string },
  compare: string,
  at: Date,
  params: ServerParameters,
) {
  const text = at.toISOString();
  if (kind !== 'time' || !/^(?!0000)\d{4}-/.test(text)) return undefined;
  return `${compare} ${params.add(type, type === 'date' ? text.slice(0, 10) : text)}`;
}
