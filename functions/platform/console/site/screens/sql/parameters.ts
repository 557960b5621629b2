import type { Database } from './dialects.ts';
import { parameterTokens } from './statements.ts';
import type { ParameterField } from './tabs.ts';

/** The types of parameters of saved queries. */
export const PARAMETER_TYPES = [
  'string',
  'integer',
  'decimal',
  'double',
  'boolean',
  'date',
  'timestamp',
  'timestamptz',
] as const;

type Fields = Readonly<Record<string, ParameterField>>;
type Value = string | number | boolean | null;

const NEW: ParameterField = { type: 'string', text: '' };

export const fieldOf = (fields: Fields, name: string): ParameterField => fields[name] ?? NEW;

const PATTERNS: Readonly<Record<string, [RegExp, string]>> = {
  integer: [/^-?\d{1,18}$/, 'Enter a whole number, such as 42.'],
  decimal: [/^-?\d{1,38}(\.\d{1,37})?$/, 'Enter a number, such as 12.50.'],
  double: [/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i, 'Enter a number, such as 0.5.'],
  date: [/^\d{4}-\d\d-\d\d$/, 'Enter a date, such as 2026-01-31.'],
  timestamp: [/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?$/, 'Enter a time, such as 2026-01-31T08:00.'],
  timestamptz: [
    /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/,
    'Enter a time with its zone, such as 2026-01-31T08:00+01:00.',
  ],
};

/** Why the text is no value of its type. */
export function issueOfValue({ type, text }: ParameterField): string | undefined {
  const [pattern, issue] = PATTERNS[type] ?? [];
  return text === '' || !pattern || pattern.test(text) ? undefined : issue;
}

export function boundValue({ type, text }: ParameterField): Value {
  if (text === '') return null;
  if (type === 'boolean') return text === 'true';
  const isNumber = type === 'double' || (type === 'integer' && Number.isSafeInteger(Number(text)));
  return isNumber ? Number(text) : text;
}

/** The values of a statement: by name, or as a list for `$1`, `$2` and so on. */
export function valuesOf(names: readonly string[], fields: Fields): Value[] | Record<string, Value> {
  const numbers = names.map(Number);
  if (names.length > 0 && numbers.every((number) => number > 0)) {
    return Array.from({ length: Math.max(...numbers) }, (_, index) => boundValue(fieldOf(fields, String(index + 1))));
  }
  return Object.fromEntries(names.map((name) => [name, boundValue(fieldOf(fields, name))]));
}

const CASTS: Readonly<Record<string, string>> = {
  integer: '::BIGINT',
  decimal: '::DECIMAL(38,9)',
  double: '::DOUBLE PRECISION',
  date: '::DATE',
  timestamp: '::TIMESTAMP',
  timestamptz: '::TIMESTAMPTZ',
};

/**
 * The statement with the type of each parameter beside it, since values arrive as texts and numbers: `$day` becomes
 * `$day::DATE`. `placeOf` converts a place in it to one in the statement as it was written.
 */
export function castParameters(sql: string, fields: Fields, database: Database) {
  const inserted: { at: number; text: string }[] = [];
  if (database !== 'mysql') {
    for (const { name, to } of parameterTokens(sql)) {
      const text = CASTS[fieldOf(fields, name).type];
      if (text !== undefined) inserted.push({ at: to, text });
    }
  }
  const parts = inserted.map(({ at, text }, index) => sql.slice(inserted[index - 1]?.at ?? 0, at) + text);
  const placeOf = (place: number): number => {
    let shift = 0;
    for (const { at, text } of inserted) {
      if (place < at + shift) break;
      shift += Math.min(text.length, place - at - shift);
    }
    return place - shift;
  };
  return { sql: parts.join('') + sql.slice(inserted.at(-1)?.at ?? 0), placeOf };
}
