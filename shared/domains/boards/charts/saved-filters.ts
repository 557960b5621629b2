import type { Issue } from '../../../platform/errors/app-error.ts';
import type { ModelParameter } from '../../semantics/models/index.ts';
import { boundValues, type Parameter, type SavedQuery } from '../../semantics/saved-queries/index.ts';
import type { RunFilter } from './chart-question.ts';
import type { ChartQuery } from './chart-spec.ts';

type Params = NonNullable<ChartQuery['params']>;
type Binding = NonNullable<ChartQuery['bindings']>[number];
type Values = RunFilter['values'];
type Declared = Pick<SavedQuery, 'params'>;

/** What the filters of a reader do to a saved query. */
export interface SavedFilters {
  /** Those of the query, and those that filters set. */
  params: Params;
  /** Conditions on columns of the result. */
  onRows: readonly RunFilter[];
  issues: readonly Issue[];
}

/**
 * A filter does what its bindings say. Without any, it sets the parameter with the name of its field, or filters the
 * column with this name. Locked filters hold for the rows in any case: what a parameter does is up to the statement.
 */
export function savedFilters(saved: Declared, query: ChartQuery, filters: readonly RunFilter[]): SavedFilters {
  const params: Params = { ...query.params };
  const chosen = new Map<string, string>();
  const issues: Issue[] = [];
  const onRows: RunFilter[] = [];
  for (const filter of filters) {
    const bindings = filter.isOnRows ? [] : settersOf(saved, query, filter.fieldId);
    if (bindings.length === 0) onRows.push({ ...filter, fieldId: columnOf(query, filter) });
    for (const binding of bindings) {
      const name = binding.parameter!;
      const found = valueFor(saved, binding, filter);
      if (found === undefined) continue;
      if ('issue' in found) {
        issues.push(found.issue);
        continue;
      }
      const text = JSON.stringify(found.value);
      if ((chosen.get(name) ?? text) !== text) {
        const message = `sets the parameter "${name}", to which another filter gives a different value`;
        issues.push({ pointer: `${filter.pointer}/values`, code: 'CONFLICT', message });
      }
      chosen.set(name, text);
      params[name] = found.value;
    }
  }
  return { params, onRows, issues };
}

/** The parameters that filters on a field set. */
export function settersOf({ params }: Declared, { bindings = [] }: ChartQuery, fieldId: string): Binding[] {
  const bound = bindings.filter((each) => each.fieldId === fieldId);
  if (bound.length > 0) return bound.filter(({ parameter }) => parameter !== undefined);
  return params.some(({ name }) => name === fieldId) ? [{ fieldId, parameter: fieldId }] : [];
}

const columnOf = ({ bindings = [] }: ChartQuery, { fieldId }: RunFilter): string =>
  bindings.find((each) => each.fieldId === fieldId && each.column !== undefined)?.column ?? fieldId;

/** Undefined for the end of a range that the filter leaves open. */
function valueFor(
  { params }: Declared,
  { parameter: name, end }: Binding,
  { op, values, pointer }: RunFilter,
): { value: Params[string] } | { issue: Issue } | undefined {
  const parameter = params.find((each) => each.name === name)!;
  const given = end === undefined ? oneOf(op, values) : rangeOf(op, values)?.[end === 'from' ? 0 : 1];
  if (given === undefined) {
    if (end !== undefined && rangeOf(op, values)) return undefined;
    const takes = end === undefined ? 'one value' : `the end \`${end}\` of a range`;
    return { issue: { pointer, code: 'CONFLICT', message: `sets the parameter "${name}", which takes ${takes}` } };
  }
  const value = typedValue(parameter.type, given);
  if (boundValues([parameter], { [parameter.name]: value }).issues.length === 0) return { value };
  const at = end === 'to' && op === 'between' ? 1 : 0;
  const message = `must be a ${parameter.type}, as the parameter "${name}"`;
  return { issue: { pointer: `${pointer}/values/${at}`, code: 'WRONG_TYPE', message } };
}

export const oneOf = (op: RunFilter['op'], values: Values): Values[number] | undefined =>
  (op === 'eq' || op === 'in') && values.length === 1 ? values[0] : undefined;

function rangeOf(op: RunFilter['op'], [first, second]: Values) {
  if (op === 'between') return [first, second];
  if (op === 'gte') return [first, undefined];
  return op === 'lte' ? [undefined, first] : undefined;
}

type Scalar = string | number | boolean;

/** Texts that stand for a number or for true and false, as pages and addresses have them. */
export function typedValue(type: Parameter['type'] | ModelParameter['dataType'], value: Scalar): Scalar {
  if (type === 'string') return String(value);
  if (NUMBERS.has(type) && typeof value === 'string' && value.trim() !== '') return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

const NUMBERS: ReadonlySet<string> = new Set(['double', 'integer', 'decimal']);
