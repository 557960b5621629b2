import type { Static, TObject } from 'typebox';
import * as Type from 'typebox';
import { StrictObject, StringEnum } from '../../platform/http/schemas.ts';
/** Tests of the rows of a table, for quality gates of pipelines and for tests of data quality. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

const Column = Type.String({ minLength: 1, maxLength: 255 });
const Columns = Type.Array(Column, { minItems: 1, maxItems: 16, uniqueItems: true });
const Bound = Type.Number({ minimum: -1e15, maximum: 1e15 });
const DateBound = Type.String({
  maxLength: 40,
  pattern: '^(\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?Z)?|[+-]\\d{1,5}d)$',
  description: 'A date, a timestamp, or days from today in UTC, such as `-30d`.',
});
const Flag = Type.Optional(Type.Boolean({ description: 'Omit it for `true`.' }));

const common = {
  where: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: 'A condition in SQL: only rows that meet it are tested.',
    }),
  ),
  onEmpty: Type.Optional(
    StringEnum(['skip', 'pass', 'fail'], {
      description: 'The result when there are no rows to test. Omit it for `skip`.',
    }),
  ),
  sampleLimit: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 20, description: 'How many failing rows to keep. Omit it for 5.' }),
  ),
};

const Percent = Type.Number({ minimum: 0, maximum: 100 });

/** How many of the tested rows may fail; no row where all of them are absent. */
const limits = {
  mostly: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'The share of the tested rows that must pass, such as 0.99.' }),
  ),
  warnAt: Type.Optional(
    Type.Unsafe<number>({ ...Percent, description: 'Warns once so many percent of the tested rows fail.' }),
  ),
  failAt: Type.Optional(
    Type.Unsafe<number>({
      ...Percent,
      description: 'Fails once so many percent of the tested rows fail. With `warnAt` alone, the test never fails.',
    }),
  ),
};

/** The settings of tests that check single rows. */
const byRow = { ...common, ...limits };

export const MAX_ALLOWED_VALUES = 1000;

/** The settings of each test, besides its column. */
export const TEST_CONFIGS = {
  not_null: StrictObject(
    {
      ...byRow,
      maxNullPct: Type.Optional(
        Type.Unsafe<number>({ ...Percent, description: 'How many percent of the rows may be without a value.' }),
      ),
    },
    { description: 'Fails rows without a value.' },
  ),
  unique: StrictObject(
    { ...byRow, columns: Type.Optional(Columns), ignoreNulls: Flag },
    { description: 'Fails rows whose value, or whose `columns` together, another row has as well.' },
  ),
  value_range: StrictObject(
    { ...byRow, min: Type.Optional(Bound), max: Type.Optional(Bound), inclusive: Flag },
    { description: 'Fails rows with a number outside of the range.' },
  ),
  row_count: StrictObject(
    {
      ...common,
      min: Type.Optional(Type.Integer({ minimum: 0 })),
      max: Type.Optional(Type.Integer({ minimum: 0 })),
      comparePrevious: Type.Optional(
        StrictObject(
          { maxDropPct: Type.Number({ minimum: 0, maximum: 100 }) },
          { description: 'Of the whole dataset: how many percent of its rows the load may remove.' },
        ),
      ),
    },
    { description: 'Fails when there are too few or too many rows.' },
  ),
  email: StrictObject({ ...byRow, allowNull: Flag }, { description: 'Fails rows whose text is no email address.' }),
  phone: StrictObject({ ...byRow, allowNull: Flag }, { description: 'Fails rows whose text is no phone number.' }),
  regex: StrictObject(
    {
      ...byRow,
      pattern: Type.String({ minLength: 1, maxLength: 1000, description: 'A regular expression (RE2).' }),
      mode: Type.Optional(StringEnum(['match', 'not_match'])),
    },
    { description: 'Fails rows in whose text the pattern is not found or, with `not_match`, is found.' },
  ),
  allowed_values: StrictObject(
    {
      ...byRow,
      values: Type.Optional(
        Type.Array(Type.Union([Type.String({ maxLength: 1000 }), Bound, Type.Boolean()]), {
          minItems: 1,
          maxItems: MAX_ALLOWED_VALUES,
        }),
      ),
      query: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 10_000,
          description: 'Instead of `values`: a SELECT over datasets with one column, which has them. Not for gates.',
        }),
      ),
      caseSensitive: Flag,
    },
    { description: 'Fails rows with another value.' },
  ),
  date_range: StrictObject(
    { ...byRow, min: Type.Optional(DateBound), max: Type.Optional(DateBound) },
    { description: 'Fails rows with a date outside of the range.' },
  ),
  no_future_date: StrictObject(
    {
      ...byRow,
      toleranceMinutes: Type.Optional(Type.Integer({ minimum: 0, maximum: 525_600 })),
      timezone: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: 'The IANA name of the time zone of the column.' }),
      ),
    },
    { description: 'Fails rows with a date after the start of the run.' },
  ),
  no_negative: StrictObject({ ...byRow, allowZero: Flag }, { description: 'Fails rows with a number below zero.' }),
  foreign_key: StrictObject(
    {
      ...byRow,
      refTable: Type.String({ minLength: 1, maxLength: 200, description: 'The name of a dataset.' }),
      refColumn: Column,
      ignoreNulls: Flag,
    },
    { description: 'Fails rows whose value the column of another dataset does not have.' },
  ),
  duplicate_detection: StrictObject(
    {
      ...byRow,
      keys: Columns,
      fuzzy: Type.Optional(
        StringEnum(['none', 'normalized'], { description: '`normalized` ignores case, accents and punctuation.' }),
      ),
    },
    { description: 'Fails rows that repeat the keys of an earlier row.' },
  ),
  custom_sql: StrictObject(
    {
      onEmpty: common.onEmpty,
      sampleLimit: common.sampleLimit,
      ...limits,
      maxFailing: Type.Optional(
        Type.Integer({ minimum: 0, description: 'How many rows the statement may return. Omit it for 0.' }),
      ),
      sql: Type.String({ minLength: 1, maxLength: 100_000, description: 'A statement over `input`.' }),
    },
    { description: 'Fails the rows that a statement returns.' },
  ),
} as const satisfies Record<string, TObject>;

export type TestType = keyof typeof TEST_CONFIGS;
export type TestConfig<T extends TestType> = Static<(typeof TEST_CONFIGS)[T]>;
export const TEST_TYPES = Object.keys(TEST_CONFIGS) as TestType[];

/** Tests without a column of their own: of the whole table, or of columns that their settings name. */
export const WITHOUT_COLUMN: ReadonlySet<TestType> = new Set(['row_count', 'duplicate_detection', 'custom_sql']);

export type QualityTest = {
  [T in TestType]: { type: T; column?: string | undefined; config: TestConfig<T> };
}[TestType];

export const NUMBERS = /^(integer|double|decimal\()/;
const TEXT = /^string$/;
export const DATES = /^(date|timestamp|timestamptz)$/;

/** The column types that a test supports; all by default. */
const SUPPORTED_TYPES: Partial<Record<TestType, RegExp>> = {
  value_range: NUMBERS,
  no_negative: NUMBERS,
  email: TEXT,
  phone: TEXT,
  regex: TEXT,
  date_range: DATES,
  no_future_date: DATES,
  allowed_values: /^(string|boolean|integer|double|decimal\(.*)$/,
};

export const checksType = (test: TestType, type: string): boolean => SUPPORTED_TYPES[test]?.test(type) ?? true;

/** The columns of the checked table that a test names. */
export function columnsOf({ type, column, config }: QualityTest): string[] {
  if (type === 'unique') return config.columns ?? (column === undefined ? [] : [column]);
  if (type === 'duplicate_detection') return config.keys;
  return column === undefined ? [] : [column];
}

/** The columns that the tests name; undefined for all, since the SQL of an author may name any. */
export function neededColumns(tests: readonly QualityTest[]): string[] | undefined {
  const names = new Set(tests.flatMap(columnsOf));
  const readsAll = tests.some((test) => test.type === 'custom_sql' || test.config.where !== undefined);
  return readsAll || names.size === 0 ? undefined : [...names];
}

/**
 * What an address looks like, apart from lengths. To count repetitions of letters of any script, RE2 needs a second to
 * compile a pattern, so lengths are checked apart: of the whole, of the part before the `@`, and of each part between
 * dots after it.
 */
export const EMAIL_PATTERN =
  "^[\\p{L}\\p{N}.!#$%&'*+/=?^_`{|}~-]+@([\\p{L}\\p{N}]([\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?\\.)+[\\p{L}\\p{N}-]{2,}$";
export const MAX_EMAIL = 254;
export const MAX_EMAIL_LOCAL = 64;
export const LONG_EMAIL_LABEL = '@.*[^.]{64}';
export const PHONE_PATTERN = '^\\+?[0-9][0-9 ()./-]*$';
