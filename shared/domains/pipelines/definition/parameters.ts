import type { Issue } from '../../../platform/errors/app-error.ts';
import type { Parameter } from './dag.ts';
import type { ParameterValue } from './references.ts';

/** The values of a run: those given, then the declared defaults, then null. Issues name unknown, missing and unfitting ones. */
export function resolveParameters(
  declared: readonly Parameter[],
  given: Record<string, unknown>,
): { values: Record<string, ParameterValue>; issues: Issue[] } {
  const issues: Issue[] = [];
  const at = (name: string) => `/parameters/${name}`;
  for (const name of Object.keys(given)) {
    if (!declared.some((parameter) => parameter.name === name)) {
      issues.push({ pointer: at(name), code: 'PARAMETER_UNKNOWN', message: 'the pipeline has no such parameter' });
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
  return { values: Object.fromEntries(values), issues };
}

/** Why a value cannot be that of a parameter of the type: all that a run is given can be stored and comes back as it was. */
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

/** The same for an item of a list, or of a block. */
export function itemIssues(item: unknown, pointer: string): Issue[] {
  if (typeof item === 'number' || typeof item === 'string') return scalarIssues(item, 256, pointer);
  return [{ pointer, code: 'TYPE', message: 'must be a string or a number' }];
}

/** The table holds no number closer to zero. */
const LEAST_NUMBER = 1e-130;

function scalarIssues(value: unknown, mostCharacters: number, pointer: string): Issue[] {
  if (typeof value === 'string' && value.length > mostCharacters) {
    const message = `must not have more than ${mostCharacters} characters`;
    return [{ pointer, code: 'MAX_LENGTH', message }];
  }
  // Beyond that whole numbers are not told from their neighbours: what arrives is not what was sent.
  const isHeld = (number: number) =>
    Math.abs(number) <= Number.MAX_SAFE_INTEGER && (number === 0 || Math.abs(number) >= LEAST_NUMBER);
  if (typeof value !== 'number' || isHeld(value)) return [];
  const message =
    'is beyond what numbers hold exactly (2^53 - 1, and 1e-130 towards zero): such a value is passed as a string';
  return [{ pointer, code: 'NUMBER_RANGE', message }];
}

/** Names used twice and defaults that are not of the declared type. */
export function parameterIssues(declared: readonly Parameter[], at: string): Issue[] {
  return declared.flatMap(({ name, type, default: fallback }, index) => {
    const issues: Issue[] = [];
    if (declared.findIndex((other) => other.name === name) < index) {
      issues.push({ pointer: `${at}/${index}/name`, code: 'DUPLICATE', message: `${name} is declared twice` });
    }
    if (fallback !== undefined) issues.push(...valueIssues(type, fallback, `${at}/${index}/default`));
    return issues;
  });
}
