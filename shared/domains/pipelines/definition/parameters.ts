import type { Issue } from '../../../platform/errors/app-error.ts';
import { didYouMean } from '../../../platform/text/nearest.ts';
import type { Parameter } from './dag.ts';
import type { ParameterValue } from './references.ts';

/** The values are part of the run's record, which holds at most 400 KB. */
const MAX_VALUES_BYTES = 100_000;

/**
 * The parameter values of a run: given values, then declared defaults, then null. Reports unknown, missing and invalid
 * values.
 */
export function resolveParameters(
  declared: readonly Parameter[],
  given: Record<string, unknown>,
): { values: Record<string, ParameterValue>; issues: Issue[] } {
  const issues: Issue[] = [];
  const at = (name: string) => `/parameters/${name}`;
  for (const name of Object.keys(given)) {
    if (!declared.some((parameter) => parameter.name === name)) {
      const names = declared.map((parameter) => parameter.name);
      const message = `Unknown parameter "${name}"${didYouMean(name, names)}`;
      issues.push({ pointer: at(name), code: 'PARAMETER_UNKNOWN', message });
    }
  }
  const values: [string, ParameterValue][] = [];
  for (const { name, type, default: fallback, required } of declared) {
    const value = (Object.hasOwn(given, name) ? given[name] : undefined) ?? fallback ?? null;
    if (value === null) {
      if (required) issues.push({ pointer: at(name), code: 'REQUIRED', message: 'is required' });
    } else {
      issues.push(...valueIssues(type, value, at(name)));
    }
    values.push([name, value as ParameterValue]);
  }
  const resolved = Object.fromEntries(values);
  if (issues.length === 0 && Buffer.byteLength(JSON.stringify(resolved)) > MAX_VALUES_BYTES) {
    const message = `must not have more than ${MAX_VALUES_BYTES} bytes together; pass large values in a dataset`;
    issues.push({ pointer: '/parameters', code: 'MAX_LENGTH', message });
  }
  return { values: resolved, issues };
}

/** Reports values of the wrong type, and values that the table cannot store exactly. */
function valueIssues(type: Parameter['type'], value: unknown, pointer: string): Issue[] {
  if (type !== 'list') {
    return typeof value === type
      ? scalarIssues(value, 1024, pointer)
      : [{ pointer, code: 'TYPE', message: `must be a ${type}` }];
  }
  if (!Array.isArray(value)) return [{ pointer, code: 'TYPE', message: 'must be a list' }];
  if (value.length > 100) return [{ pointer, code: 'MAX_ITEMS', message: 'must not have more than 100 items' }];
  return value.flatMap((item, index) => itemIssues(item, `${pointer}/${index}`));
}

/** The issues of an item of a list or of a block. */
export function itemIssues(item: unknown, pointer: string): Issue[] {
  if (typeof item === 'number' || typeof item === 'string') return scalarIssues(item, 256, pointer);
  return [{ pointer, code: 'TYPE', message: 'must be a string or a number' }];
}

/** DynamoDB stores no number closer to zero. */
const MIN_NUMBER = 1e-130;

function scalarIssues(value: unknown, maxCharacters: number, pointer: string): Issue[] {
  if (typeof value === 'string' && value.length > maxCharacters) {
    const message = `must not have more than ${maxCharacters} characters`;
    return [{ pointer, code: 'MAX_LENGTH', message }];
  }
  const isExact = (number: number) =>
    Math.abs(number) <= Number.MAX_SAFE_INTEGER && (number === 0 || Math.abs(number) >= MIN_NUMBER);
  if (typeof value !== 'number' || isExact(value)) return [];
  const message = 'must be between 1e-130 and 2^53 - 1 in magnitude; pass other numbers as strings';
  return [{ pointer, code: 'NUMBER_RANGE', message }];
}

/** Reports duplicate names and defaults that are not of the declared type. */
export function parameterIssues(declared: readonly Parameter[], at: string): Issue[] {
  return declared.flatMap(({ name, type, default: fallback }, index) => {
    const issues: Issue[] = [];
    if (declared.findIndex((other) => other.name === name) < index) {
      issues.push({
        pointer: `${at}/${index}/name`,
        code: 'DUPLICATE',
        message: `The parameter "${name}" is declared twice.`,
      });
    }
    if (fallback !== undefined) issues.push(...valueIssues(type, fallback, `${at}/${index}/default`));
    return issues;
  });
}
