import type { Issue } from '../../platform/errors/app-error.ts';
import {
  between,
  type ConstantValue,
  call,
  compare,
  constant,
  convert,
  type DataType,
  type ExpressionType,
  isIn,
  isNull,
  logic,
  type Typed,
} from '../expressions/index.ts';
import { columnTree, known, textIssues } from './columns.ts';
import type { TransformConfig } from './configs.ts';
import type { ChainColumn, Columns } from './steps.ts';

type FilterConfig = TransformConfig<'filter_rows'>;
type Condition = FilterConfig['conditions'][number];

const COMPARISONS = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
const VALUES_OF: Record<DataType, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a number',
  decimal: 'a number',
  boolean: 'true or false',
  date: "a date such as '2026-01-31'",
  datetime: "a datetime such as '2026-01-31T10:30:00Z'",
  time: "a time of day such as '10:30'",
  geo: 'a text',
};

/** The condition on rows. The configuration has no issues. */
export function filterTree({ match = 'all', conditions }: FilterConfig, columns: NonNullable<Columns>): Typed {
  const trees = conditions.map((condition) => conditionTree(condition, columns.get(condition.column)!));
  return logic(match === 'all' ? 'and' : 'or', trees);
}

/**
 * `ne` and `not_in` are the opposite of `eq` and `in`, so they keep rows without a value; all other comparisons need
 * one.
 */
function conditionTree({ op, value }: Condition, column: ChainColumn): Typed {
  const field = columnTree(column);
  if (op === 'is_null' || op === 'not_null') return isNull(field, op === 'not_null');
  const values = (Array.isArray(value) ? value : [value as ConstantValue]).map(
    (each) => constantBeside(field.type, each)!,
  );
  const [left, ...items] = alike([field, ...values]) as [Typed, ...Typed[]];
  switch (op) {
    case 'ne':
      return logic('or', [isNull(field), compare('<>', left, items[0]!)]);
    case 'in':
      return isIn(left, items);
    case 'not_in':
      return logic('or', [isNull(field), isIn(left, items, true)]);
    case 'between':
      return between(left, items[0]!, items[1]!);
    case 'contains':
      return call('CONTAINS', [left, items[0]!], 'boolean');
    case 'starts_with':
      return call('STARTS_WITH', [left, items[0]!], 'boolean');
    default:
      return compare(COMPARISONS[op], left, items[0]!);
  }
}

/** Dates are also compared with moments. */
const constantBeside = (type: ExpressionType, value: ConstantValue): Typed | undefined =>
  constant(type, value) ?? (type === 'date' ? constant('datetime', value) : undefined);

/** Dates beside datetimes are compared as their midnights. */
function alike(trees: readonly Typed[]): Typed[] {
  if (!trees.some(({ type }) => type === 'datetime')) return [...trees];
  return trees.map((tree) => (tree.type === 'date' ? convert(tree, 'datetime') : tree));
}

export function conditionIssues(columns: Columns, { column, op, value }: Condition, place: string): Issue[] {
  const issues = known(columns, column, `${place}/column`);
  const pointer = `${place}/value`;
  const isUnary = op === 'is_null' || op === 'not_null';
  if (isUnary) {
    if (value !== undefined) issues.push({ pointer, code: 'CONFLICT', message: `cannot be given for ${op}` });
    return issues;
  }
  if (value === undefined) return [...issues, { pointer, code: 'REQUIRED', message: `is required for ${op}` }];
  const isList = op === 'in' || op === 'not_in' || op === 'between';
  if (isList !== Array.isArray(value)) {
    const message = isList ? 'must be a list' : 'must be a single value';
    return [...issues, { pointer, code: 'TYPE', message }];
  }
  if (op === 'between' && (value as unknown[]).length !== 2)
    return [...issues, { pointer, code: 'LENGTH', message: 'must be two values' }];
  const type = columns?.get(column)?.type;
  if (['contains', 'starts_with'].includes(op) && type !== undefined && type !== 'string')
    return [
      ...issues,
      { pointer: `${place}/op`, code: 'WRONG_TYPE', message: `needs a column of texts; it is of type ${type}` },
    ];
  const values: ConstantValue[] = Array.isArray(value) ? value : [value as ConstantValue];
  issues.push(...values.flatMap((each) => (typeof each === 'string' ? textIssues(each, pointer) : [])));
  if (type === undefined || values.every((each) => constantBeside(type, each))) return issues;
  const message = `must be ${VALUES_OF[type]}: the column is of type ${type}`;
  return [...issues, { pointer, code: 'WRONG_TYPE', message }];
}
