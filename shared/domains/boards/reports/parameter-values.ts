import { filterText } from '../../../data/charts/filter-text.ts';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { suggestion } from '../../../platform/validation/names.ts';
import { type ChartSpec, namedField } from '../charts/index.ts';
import { valueIssue } from './issues.ts';
import type { Report } from './records.ts';
import { isDataBlock } from './report-sight.ts';
import type { DataBlock, GivenParameter, ParameterBinding, ParameterValue } from './schemas.ts';

type Query = ChartSpec['query'];
type Scalar = Exclude<ParameterValue, null | unknown[]>;
export type ParameterValues = ReadonlyMap<string, ParameterValue>;

/**
 * What the blocks are read with. Throws `VALIDATION_FAILED` for wrong values, and for values that a block needs and
 * lacks.
 */
export function parameterValues(
  { parameters }: Pick<Report, 'parameters'>,
  given: readonly GivenParameter[],
  blocks: readonly DataBlock[],
): ParameterValues {
  const names = parameters.map(({ name }) => name);
  const values = new Map<string, ParameterValue>(parameters.map((each) => [each.name, each.default ?? null]));
  const errors = given.flatMap(({ name, value }, index): Issue[] => {
    const pointer = `/parameters/${index}`;
    const parameter = parameters.find((each) => each.name === name);
    if (!parameter) {
      const message = `is not a parameter of the report${suggestion(name, names)}`;
      return [{ pointer: `${pointer}/name`, code: 'UNKNOWN', message }];
    }
    if (given.findIndex((each) => each.name === name) < index)
      return [{ pointer: `${pointer}/name`, code: 'DUPLICATE', message: `"${name}" is already used` }];
    const message = valueIssue(parameter, value);
    if (message !== undefined) return [{ pointer: `${pointer}/value`, code: 'INVALID_VALUE', message }];
    values.set(name, value);
    return [];
  });
  const bound = new Set(blocks.flatMap(({ bindings = [] }) => bindings.map(({ parameter }) => parameter)));
  const missing = parameters.filter(({ name, isRequired }) => isRequired && bound.has(name) && !hasValue(values, name));
  for (const { name } of missing)
    errors.push({ pointer: '/parameters', code: 'REQUIRED', message: `needs a value for "${name}"` });
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return values;
}

/** The values of the parameters that blocks use, in words, such as `Region: eu, us`. */
export function chosenParameters(
  { parameters, layout }: Pick<Report, 'parameters' | 'layout'>,
  values: ParameterValues,
) {
  const bound = new Set(
    layout.blocks.filter(isDataBlock).flatMap(({ bindings = [] }) => bindings.map(({ parameter }) => parameter)),
  );
  return parameters.flatMap(({ name, label }) => {
    const chosen = valuesOf(values.get(name) ?? null);
    return bound.has(name) && chosen.length > 0
      ? [`${label || name}: ${filterText({ op: 'in', values: chosen })}`]
      : [];
  });
}

/** Whether a required parameter of the block has no value. */
export const lacksValue = (
  { parameters }: Pick<Report, 'parameters'>,
  values: ParameterValues,
  { bindings = [] }: DataBlock,
): boolean =>
  parameters.some(
    ({ name, isRequired }) =>
      isRequired && bindings.some(({ parameter }) => parameter === name) && !hasValue(values, name),
  );

/** An empty list is no value: the reader has chosen nothing. */
const hasValue = (values: ParameterValues, name: string): boolean => valuesOf(values.get(name) ?? null).length > 0;

const valuesOf = (value: ParameterValue): Scalar[] => (value === null ? [] : Array.isArray(value) ? value : [value]);

/** The query of the block with the values as conditions of its own, which a source without the field rejects. */
export function boundQuery({ chartSpec: { query }, bindings = [] }: DataBlock, values: ParameterValues): Query {
  return bindings.reduce((bound, binding) => withValue(bound, binding, values.get(binding.parameter) ?? null), query);
}

function withValue(query: Query, { fieldId, queryParameter, op }: ParameterBinding, value: ParameterValue): Query {
  const values = valuesOf(value);
  if (values.length === 0) return query;
  if (queryParameter !== undefined) return { ...query, params: { ...query.params, [queryParameter]: values[0]! } };
  const condition = { ...namedField(query, fieldId!), op: op ?? (Array.isArray(value) ? 'in' : 'eq'), values };
  return { ...query, filters: [...(query.filters ?? []), condition] };
}
