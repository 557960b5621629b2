import type { QueryParameter } from '../../../data/duckdb/parameters.ts';
import type { Issue } from '../../../platform/errors/app-error.ts';
import type { Parameter } from './records.ts';

type Value = string | number | boolean | null;

/**
 * The values to bind, by name: the given value, else the default, else null. Issues have their place under `/params`.
 */
export function boundValues(
  declared: readonly Parameter[],
  given: Readonly<Record<string, Value>>,
): { values: Record<string, QueryParameter>; issues: Issue[] } {
  const issues: Issue[] = [];
  const values: Record<string, QueryParameter> = {};
  for (const name of Object.keys(given)) {
    if (!declared.some((parameter) => parameter.name === name))
      issues.push({ pointer: `/params/${name}`, code: 'UNKNOWN_MEMBER', message: 'is not a parameter of the query' });
  }
  for (const { name, type, required, default: fallback } of declared) {
    const value = Object.hasOwn(given, name) ? given[name]! : (fallback ?? null);
    if (required && value === null) {
      issues.push({ pointer: `/params/${name}`, code: 'REQUIRED', message: 'is required' });
      continue;
    }
    const bound = boundValue(type, value);
    if (bound === undefined)
      issues.push({ pointer: `/params/${name}`, code: 'WRONG_TYPE', message: `must be a ${type}` });
    else values[name] = bound;
  }
  return { values, issues };
}

/** A sample value for each parameter, used to check a statement. */
export function sampleValues(declared: readonly Parameter[]): Record<string, QueryParameter> {
  return Object.fromEntries(declared.map(({ name, type }) => [name, boundValue(type, SAMPLES[type])!]));
}

/** The given values, and a sample value for each parameter that a run needs and that has none. */
export function withSamples(
  declared: readonly Parameter[],
  given: Readonly<Record<string, Value>>,
): Record<string, Value> {
  const hasValue = ({ name, default: fallback }: Parameter) =>
    ((Object.hasOwn(given, name) ? given[name] : fallback) ?? null) !== null;
  const lacking = declared.filter((parameter) => parameter.required && !hasValue(parameter));
  return { ...given, ...Object.fromEntries(lacking.map(({ name, type }) => [name, SAMPLES[type]])) };
}

const SAMPLES: Record<Parameter['type'], Value> = {
  string: '',
  integer: 1,
  decimal: '1.5',
  double: 1.5,
  boolean: true,
  date: '2000-01-01',
  timestamp: '2000-01-01T00:00:00',
  timestamptz: '2000-01-01T00:00:00Z',
};

const TEXTS: Partial<Record<Parameter['type'], RegExp>> = {
  integer: /^-?\d{1,18}$/,
  decimal: /^-?\d{1,38}(\.\d{1,37})?$/,
  date: /^\d{4}-\d\d-\d\d$/,
  timestamp: /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?$/,
  timestamptz: /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/,
};

/** Undefined for a value of another type. */
function boundValue(type: Parameter['type'], value: Value): QueryParameter | undefined {
  if (value === null) return null;
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'double':
      return typeof value === 'number' ? value : undefined;
    default: {
      if (typeof value === 'boolean') return undefined;
      const text = String(value);
      const isDate = type !== 'integer' && type !== 'decimal';
      if (!TEXTS[type]!.test(text) || (isDate && Number.isNaN(Date.parse(text)))) return undefined;
      return { type, text };
    }
  }
}
