import Type, { type Static, type TObject } from 'typebox';
import { StrictObject, StringEnum } from '../../platform/http/schemas.ts';

/** What may be asked of the rows of a table, in one grammar for gates of pipelines and tests of data quality. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

const Column = Type.String({ minLength: 1, maxLength: 255 });
const Columns = Type.Array(Column, { minItems: 1, maxItems: 16, uniqueItems: true });
const Bound = Type.Number({ minimum: -1e15, maximum: 1e15 });
/** A day, an instant, or days counted from today (UTC), such as `-30d`. */
const DateBound = Type.String({
  pattern: '^(\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?Z)?|[+-]\\d{1,5}d)$',
});
const Flag = Type.Optional(Type.Boolean());

const common = {
  /** Only rows for which it is true are checked. */
  where: Type.Optional(Type.String({ minLength: 1, maxLength: 10_000 })),
  /** What no rows to check mean. */
  onEmpty: Type.Optional(StringEnum(['skip', 'pass', 'fail'])),
  /** Failing rows that are kept to be looked at. */
  sampleLimit: Type.Optional(Type.Integer({ minimum: 0, maximum: 20 })),
};

/** The settings of each test, beside the column that it is of. */
export const TEST_CONFIGS = {
  not_null: StrictObject(common),
  unique: StrictObject({ ...common, columns: Type.Optional(Columns), ignoreNulls: Flag }),
  value_range: StrictObject({ ...common, min: Type.Optional(Bound), max: Type.Optional(Bound), inclusive: Flag }),
  row_count: StrictObject({
    ...common,
    min: Type.Optional(Type.Integer({ minimum: 0 })),
    max: Type.Optional(Type.Integer({ minimum: 0 })),
    comparePrevious: Type.Optional(StrictObject({ maxDropPct: Type.Number({ minimum: 0, maximum: 100 }) })),
  }),
  email: StrictObject({ ...common, allowNull: Flag }),
  phone: StrictObject({ ...common, allowNull: Flag }),
  regex: StrictObject({
    ...common,
    pattern: Type.String({ minLength: 1, maxLength: 1000 }),
    mode: Type.Optional(StringEnum(['match', 'not_match'])),
  }),
  allowed_values: StrictObject({
    ...common,
    values: Type.Array(Type.Union([Type.String({ maxLength: 1000 }), Bound, Type.Boolean()]), {
      minItems: 1,
      maxItems: 1000,
    }),
    caseSensitive: Flag,
  }),
  date_range: StrictObject({ ...common, min: Type.Optional(DateBound), max: Type.Optional(DateBound) }),
  no_future_date: StrictObject({
    ...common,
    toleranceMinutes: Type.Optional(Type.Integer({ minimum: 0, maximum: 525_600 })),
    timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  }),
  no_negative: StrictObject({ ...common, allowZero: Flag }),
  foreign_key: StrictObject({
    ...common,
    refTable: Type.String({ minLength: 1, maxLength: 200 }),
    refColumn: Column,
    ignoreNulls: Flag,
  }),
  duplicate_detection: StrictObject({
    ...common,
    keys: Columns,
    fuzzy: Type.Optional(StringEnum(['none', 'normalized'])),
  }),
  custom_sql: StrictObject({
    onEmpty: common.onEmpty,
    sampleLimit: common.sampleLimit,
    sql: Type.String({ minLength: 1, maxLength: 100_000 }),
  }),
} as const satisfies Record<string, TObject>;

export type TestType = keyof typeof TEST_CONFIGS;
export type TestConfig<T extends TestType> = Static<(typeof TEST_CONFIGS)[T]>;
export const TEST_TYPES = Object.keys(TEST_CONFIGS) as TestType[];

/** Tests of the table as a whole, or of columns that their settings name: they have no column of their own. */
export const WITHOUT_COLUMN: ReadonlySet<TestType> = new Set(['row_count', 'duplicate_detection', 'custom_sql']);

export type QualityTest = {
  [T in TestType]: { type: T; column?: string | undefined; config: TestConfig<T> };
}[TestType];

export const NUMBERS = /^(integer|double|decimal\()/;
const TEXT = /^string$/;
const DATES = /^(date|timestamp|timestamptz)$/;

/** The types of column that a test can check, where these are not all. */
const JUDGED: Partial<Record<TestType, RegExp>> = {
  value_range: NUMBERS,
  no_negative: NUMBERS,
  email: TEXT,
  phone: TEXT,
  regex: TEXT,
  date_range: DATES,
  no_future_date: DATES,
  allowed_values: /^(string|boolean|integer|double|decimal\(.*)$/,
};

export const checksType = (test: TestType, type: string): boolean => JUDGED[test]?.test(type) ?? true;

/** The columns of the checked table that a test names. */
export function columnsOf({ type, column, config }: QualityTest): string[] {
  if (type === 'unique') return config.columns ?? (column === undefined ? [] : [column]);
  if (type === 'duplicate_detection') return config.keys;
  return column === undefined ? [] : [column];
}

export const EMAIL_PATTERN =
  "^[\\p{L}\\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@([\\p{L}\\p{N}]([\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?\\.)+[\\p{L}\\p{N}-]{2,63}$";
export const PHONE_PATTERN = '^\\+?[0-9][0-9 ()./-]*$';
