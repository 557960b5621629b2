import { AppError, type Issue } from '../../../../platform/errors/app-error.ts';
import { suggestion } from '../../../../platform/validation/names.ts';
import { folded, liveMeasures, type ModelDefinition } from '../definition/definition.ts';
import type { ModelParameter, ParameterChoice } from '../definition/records.ts';
import { constantOf } from '../expressions/parameters.ts';

const EXAMPLES: Readonly<Record<ModelParameter['dataType'], string>> = {
  string: 'a text',
  integer: 'a whole number',
  decimal: 'a number without an exponent',
  date: 'a date such as `2026-01-31`',
  boolean: '`true` or `false`',
};

/** What is wrong with the parameters of a model; pointers begin at their list. */
export function parameterIssues(parameters: readonly ModelParameter[], measureNames: readonly string[]): Issue[] {
  const measures = new Set(measureNames.map(folded));
  const names = parameters.map(({ name }) => folded(name));
  return parameters.flatMap(({ name, dataType, default: value, allowedValues }, index): Issue[] => {
    const typed = (each: ParameterChoice, pointer: string): Issue[] =>
      constantOf(dataType, each) ? [] : [{ pointer, code: 'TYPE', message: `must be ${EXAMPLES[dataType]}` }];
    const isFirst = names.indexOf(folded(name)) === index;
    const wrong = [
      ...typed(value, `/${index}/default`),
      ...(allowedValues ?? []).flatMap((each, at) => typed(each, `/${index}/allowedValues/${at}`)),
    ];
    const message = 'must be one of `allowedValues`';
    return [
      ...(isFirst
        ? []
        : [{ pointer: `/${index}/name`, code: 'DUPLICATE', message: 'is already the name of another parameter' }]),
      ...(measures.has(folded(name))
        ? [{ pointer: `/${index}/name`, code: 'CONFLICT', message: 'is already the name of a measure' }]
        : []),
      ...wrong,
      ...(wrong.length === 0 && allowedValues && !allowedValues.includes(value)
        ? [{ pointer: `/${index}/default`, code: 'NOT_ALLOWED', message }]
        : []),
    ];
  });
}

/** Throws `VALIDATION_FAILED` with places below `/parameters`. */
export function assertParameters(definition: ModelDefinition, parameters: readonly ModelParameter[]): void {
  const names = liveMeasures(definition).map(({ name }) => name);
  const errors = parameterIssues(parameters, names).map((issue) => ({
    ...issue,
    pointer: `/parameters${issue.pointer}`,
  }));
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

/** What is wrong with a value that is chosen for a parameter. */
export function choiceIssue(
  { dataType, allowedValues }: ModelParameter,
  value: ParameterChoice,
): Omit<Issue, 'pointer'> | undefined {
  if (!constantOf(dataType, value)) return { code: 'TYPE', message: `must be ${EXAMPLES[dataType]}` };
  if (!allowedValues || allowedValues.includes(value)) return undefined;
  const allowed = allowedValues.slice(0, 10).map((each) => JSON.stringify(each));
  const more = allowedValues.length > allowed.length ? ', …' : '';
  return { code: 'NOT_ALLOWED', message: `must be one of ${allowed.join(', ')}${more}` };
}

/**
 * The definition with the values that a question chooses as the constants of all expressions. Throws
 * `VALIDATION_FAILED` with places below `/parameters`.
 */
export function withParameters(
  definition: ModelDefinition,
  chosen: Readonly<Record<string, ParameterChoice>> = {},
): ModelDefinition {
  const { parameters = [] } = definition.model;
  const names = parameters.map(({ name }) => name);
  const errors = Object.entries(chosen).flatMap(([name, value]): Issue[] => {
    const pointer = `/parameters/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const parameter = parameters.find((each) => each.name === name);
    if (!parameter)
      return [{ pointer, code: 'UNKNOWN', message: `is not a parameter of the model${suggestion(name, names)}` }];
    const issue = choiceIssue(parameter, value);
    return issue ? [{ ...issue, pointer }] : [];
  });
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  if (Object.keys(chosen).length === 0) return definition;
  const valued = parameters.map((each) => ({ ...each, default: chosen[each.name] ?? each.default }));
  return { ...definition, model: { ...definition.model, parameters: valued } };
}
