import type { Fault } from '../../../platform/errors/app-error.ts';
import type { Parameter } from './dag.ts';
import type { ParameterValue } from './references.ts';

/** The values of a run: those given, then the declared defaults, then null. Faults name unknown, missing and unfitting ones. */
export function resolveParameters(
  declared: readonly Parameter[],
  given: Record<string, unknown>,
): { values: Record<string, ParameterValue>; faults: Fault[] } {
  const faults: Fault[] = [];
  const at = (name: string) => `/parameters/${name}`;
  for (const name of Object.keys(given)) {
    if (!declared.some((parameter) => parameter.name === name)) {
      faults.push({ pointer: at(name), code: 'PARAMETER_UNKNOWN', message: 'the pipeline has no such parameter' });
    }
  }
  const values: [string, ParameterValue][] = [];
  for (const { name, type, default: fallback, required } of declared) {
    const value = (Object.hasOwn(given, name) ? given[name] : undefined) ?? fallback ?? null;
    if (value === null) {
      if (required) faults.push({ pointer: at(name), code: 'REQUIRED', message: 'is required' });
    } else {
      faults.push(...valueFaults(type, value, at(name)));
    }
    values.push([name, value as ParameterValue]);
  }
  return { values: Object.fromEntries(values), faults };
}

/** Why a value cannot be that of a parameter of the type: all that a run is given can be stored and comes back as it was. */
function valueFaults(type: Parameter['type'], value: unknown, pointer: string): Fault[] {
  if (type !== 'list') {
    return typeof value === type
      ? scalarFaults(value, 1024, pointer)
      : [{ pointer, code: 'TYPE', message: `must be a ${type}` }];
  }
  if (!Array.isArray(value)) return [{ pointer, code: 'TYPE', message: 'must be a list' }];
  if (value.length > 100) return [{ pointer, code: 'MAX_ITEMS', message: 'must not have more than 100 items' }];
  return value.flatMap((item, index) => itemFaults(item, `${pointer}/${index}`));
}

/** The same for an item of a list, or of a block. */
export function itemFaults(item: unknown, pointer: string): Fault[] {
  if (typeof item === 'number' || typeof item === 'string') return scalarFaults(item, 256, pointer);
  return [{ pointer, code: 'TYPE', message: 'must be a string or a number' }];
}

/** The table holds no number closer to zero. */
const LEAST_NUMBER = 1e-130;

function scalarFaults(value: unknown, mostCharacters: number, pointer: string): Fault[] {
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
export function parameterFaults(declared: readonly Parameter[], at: string): Fault[] {
  return declared.flatMap(({ name, type, default: fallback }, index) => {
    const faults: Fault[] = [];
    if (declared.findIndex((other) => other.name === name) < index) {
      faults.push({ pointer: `${at}/${index}/name`, code: 'DUPLICATE', message: `${name} is declared twice` });
    }
    if (fallback !== undefined) faults.push(...valueFaults(type, fallback, `${at}/${index}/default`));
    return faults;
  });
}
