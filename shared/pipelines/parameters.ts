import type { Fault } from '../errors/app-error.ts';
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
    } else if (!fits(type, value)) {
      faults.push({ pointer: at(name), code: 'TYPE', message: `must be a ${type}` });
    }
    values.push([name, value as ParameterValue]);
  }
  return { values: Object.fromEntries(values), faults };
}

export function fits(type: Parameter['type'], value: unknown): boolean {
  if (type !== 'list') return typeof value === type && (typeof value !== 'string' || value.length <= 1024);
  return (
    Array.isArray(value) &&
    value.length <= 100 &&
    value.every((item) => typeof item === 'number' || (typeof item === 'string' && item.length <= 256))
  );
}

/** Names used twice and defaults that are not of the declared type. */
export function parameterFaults(declared: readonly Parameter[], at: string): Fault[] {
  return declared.flatMap(({ name, type, default: fallback }, index) => {
    const faults: Fault[] = [];
    if (declared.findIndex((other) => other.name === name) < index) {
      faults.push({ pointer: `${at}/${index}/name`, code: 'DUPLICATE', message: `${name} is declared twice` });
    }
    if (fallback !== undefined && !fits(type, fallback)) {
      faults.push({ pointer: `${at}/${index}/default`, code: 'TYPE', message: `must be a ${type}` });
    }
    return faults;
  });
}
