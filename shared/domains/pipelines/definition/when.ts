import type { Issue } from '../../../platform/errors/app-error.ts';
import type { Parameter, StepWhen } from './dag.ts';
import type { ParameterValue, Scalar } from './references.ts';

/** Whether a step is taken. Types are strict: `"1"` is not `1`. */
export function isTaken(when: StepWhen, parameters: Record<string, ParameterValue>): boolean {
  const actual = parameters[when.param] ?? null;
  switch (when.op) {
    case 'truthy':
      return !isFalsy(actual);
    case 'falsy':
      return isFalsy(actual);
    case 'eq':
      return isSame(actual, when.value);
    case 'ne':
      return !isSame(actual, when.value);
    case 'in':
      return isAmong(actual, when.value as Scalar[]);
    case 'not_in':
      return !isAmong(actual, when.value as Scalar[]);
  }
}

function isFalsy(value: ParameterValue): boolean {
  return value === null || value === false || value === 0 || value === '' || (isList(value) && value.length === 0);
}

/** A list is the same when it has the same items in the same order. */
function isSame(actual: ParameterValue, expected: StepWhen['value']): boolean {
  if (isList(actual)) {
    return (
      Array.isArray(expected) &&
      actual.length === expected.length &&
      actual.every((item, index) => item === expected[index])
    );
  }
  return actual === expected;
}

/** A list is among the values when any of its items is. */
function isAmong(actual: ParameterValue, expected: readonly Scalar[]): boolean {
  return isList(actual) ? actual.some((item) => expected.includes(item)) : expected.includes(actual as Scalar);
}

const isList = (value: ParameterValue): value is readonly (string | number)[] => Array.isArray(value);

/** Operators and values that do not fit each other or the declared parameter. */
export function whenIssues(when: StepWhen, parameters: readonly Parameter[], place: string): Issue[] {
  const at = `${place}/when`;
  const parameter = parameters.find(({ name }) => name === when.param);
  if (!parameter) {
    return [{ pointer: `${at}/param`, code: 'PARAMETER_UNKNOWN', message: `there is no parameter ${when.param}` }];
  }
  const { op, value } = when;
  const issue = (message: string): Issue[] => [{ pointer: `${at}/value`, code: 'WHEN_TYPE_CONFLICT', message }];
  if (op === 'truthy' || op === 'falsy') return value === undefined ? [] : issue(`${op} takes no value`);
  if (value === undefined) return [{ pointer: `${at}/value`, code: 'REQUIRED', message: `is required with ${op}` }];
  const many = op === 'in' || op === 'not_in';
  if (many && !Array.isArray(value)) return issue(`${op} needs an array`);
  if (!many && Array.isArray(value) !== (parameter.type === 'list')) {
    return issue(parameter.type === 'list' ? `${op} on a list needs an array` : `${op} needs a single value`);
  }
  const fitting: readonly string[] = parameter.type === 'list' ? ['string', 'number'] : [parameter.type];
  const odd = [value].flat().find((item) => !fitting.includes(typeof item));
  return odd === undefined
    ? []
    : issue(`${JSON.stringify(odd)} can never equal a value of the ${parameter.type} parameter ${parameter.name}`);
}
