import type { Typed } from '../expressions/index.ts';
import { added, timeField, truncated } from './moved-time.ts';
import type { Question, TimeDimension } from './question.ts';

/**
 * The beginnings of the first and the last period that filters let through; each list is empty where they leave an end
 * open.
 */
export interface TimeRange {
  /** The latest of them counts. */
  first: readonly Typed[];
  /** The earliest of them counts. */
  last: readonly Typed[];
}

type Operator = '=' | '<' | '<=' | '>' | '>=';
const FLIPPED: Readonly<Record<Operator, Operator>> = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
type CompareNode = Extract<Typed, { kind: 'compare' }>;

/** The range of a dimension of time by the conditions that all rows meet: comparisons of its field with constants. */
export function timeRange(time: TimeDimension, { dimensions, filters }: Question): TimeRange {
  const field = timeField(time, dimensions);
  const { type } = dimensions[time.position]!.tree;
  const period = (at: Typed) => truncated(time.grain, at, type);
  const bounds = filters.flatMap((filter) => boundsIn(filter, isTimeOf(time)));
  // The moment before a bound that does not belong to the range.
  const beside = (at: Typed, count: number) => added(field.type === 'date' ? 'day' : 'second', count, at);
  const isOf = (operators: readonly Operator[]) => bounds.filter(({ operator }) => operators.includes(operator));
  return {
    first: [
      ...isOf(['=', '>=']).map(({ value }) => period(value)),
      ...isOf(['>']).map(({ value }) => period(field.type === 'date' ? beside(value, 1) : value)),
    ],
    last: [
      ...isOf(['=', '<=']).map(({ value }) => period(value)),
      ...isOf(['<']).map(({ value }) => period(beside(value, -1))),
    ],
  };
}

/** Whether a node is the field that a dimension of time truncates. */
export const isTimeOf =
  ({ fieldId }: TimeDimension) =>
  (node: Typed): boolean =>
    node.kind === 'field' && node.field === fieldId;

export interface Bound {
  operator: Operator;
  value: Typed;
}

/** The comparisons of a field with constants that a condition needs. */
export function boundsIn(tree: Typed, isField: (node: Typed) => boolean): Bound[] {
  if (tree.kind === 'logic' && tree.operator === 'and') return tree.operands.flatMap((each) => boundsIn(each, isField));
  if (tree.kind === 'compare') return boundsOf(tree, isField);
  if (tree.kind !== 'between' || tree.isNegated || !isField(tree.operand)) return [];
  const ends = [
    { operator: '>=', value: tree.low },
    { operator: '<=', value: tree.high },
  ] as const;
  return ends.filter(({ value }) => isKnown(value, tree.operand));
}

function boundsOf({ operator, left, right }: CompareNode, isField: (node: Typed) => boolean): Bound[] {
  if (operator === '<>') return [];
  if (isField(left) && isKnown(right, left)) return [{ operator, value: right }];
  return isField(right) && isKnown(left, right) ? [{ operator: FLIPPED[operator], value: left }] : [];
}

const isKnown = (value: Typed, field: Typed): boolean => value.level === 'constant' && value.type === field.type;
