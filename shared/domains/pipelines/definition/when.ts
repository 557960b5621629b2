import type { Issue } from '../../../platform/errors/app-error.ts';
import { didYouMean } from '../../../platform/text/nearest.ts';
import type { Parameter, StepWhen } from './dag.ts';
import type { ParameterValue, Scalar } from './references.ts';

/** Whether the condition of a step holds. Types are strict: `"1"` is not `1`. */
export function isMet(when: StepWhen, parameters: Record<string, ParameterValue>): boolean {
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

/** Lists are equal when they have the same items in the same order. */
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

/** A list matches when any of its items does. */
function isAmong(actual: ParameterValue, expected: readonly Scalar[]): boolean {
  return isList(actual) ? actual.some((item) => expected.includes(item)) : expected.includes(actual as Scalar);
}

const isList = (value: ParameterValue): value is readonly (string | number)[] => Array.isArray(value);

/** Reports an operator and a value that do not fit each other or the declared parameter. */
export function whenIssues(when: StepWhen, parameters: readonly Parameter[], place: string): Issue[] {
  const at = `${place}/when`;
  const parameter = parameters.find(({ name }) => name === when.param);
  if (!parameter) {
    const names = parameters.map(({ name }) => name);
    const message = `Unknown parameter "${when.param}"${didYouMean(when.param, names)}`;
    return [{ pointer: `${at}/param`, code: 'PARAMETER_UNKNOWN', message }];
  }
  const { op, value } = when;
  const issue = (message: string): Issue[] => [{ pointer: `${at}/value`, code: 'WHEN_TYPE_CONFLICT', message }];
  if (op === 'truthy' || op === 'falsy') {
    return value === undefined ? [] : issue(`The operator ${op} takes no value; leave it out.`);
  }
  if (value === undefined) return [{ pointer: `${at}/value`, code: 'REQUIRED', message: `is required with ${op}` }];
  const many = op === 'in' || op === 'not_in';
  if (many && !Array.isArray(value)) return issue(`The operator ${op} needs an array.`);
  if (!many && Array.isArray(value) !== (parameter.type === 'list')) {
    const wanted = parameter.type === 'list' ? 'an array to compare a list with' : 'a single value';
    return issue(`The operator ${op} needs ${wanted}.`);
  }
  const fitting: readonly string[] = parameter.type === 'list' ? ['string', 'number'] : [parameter.type];
  const unfit = [value].flat().find((item) => !fitting.includes(typeof item));
  return unfit === undefined
    ? []
    : issue(`${JSON.stringify(unfit)} can never equal a value of the ${parameter.type} parameter "${parameter.name}".`);
}
