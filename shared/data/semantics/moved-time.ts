import { readFiscalUnit } from '../../platform/schedule/fiscal-calendar.ts';
import { FISCAL_MONTHS } from '../../platform/schedule/fiscal-years.ts';
import {
  call,
  compare,
  convert,
  type ExpressionType,
  ifTrue,
  integerConstant,
  isNull,
  nodesOf,
  type Typed,
  type TypedCall,
  textConstant,
} from '../expressions/index.ts';
import type { Scope } from './leaves.ts';
import type { Labelled, TimeDimension } from './question.ts';
import { replaceParts } from './trees.ts';

type PriorScope = Extract<Scope, { kind: 'prior' }>;

/** Which rows have a place in a later period, and what trees are for them there. */
export interface MovedTime {
  /** A dimension. */
  dimension(tree: Typed): Typed;
  /** A condition on the time of the rows. */
  condition(tree: Typed): Typed;
  /** What holds for rows that have a place. */
  conditions: readonly Typed[];
}

interface Readers {
  time: TimeDimension;
  dimensions: readonly Pick<Labelled, 'tree'>[];
  filters: readonly Typed[];
}

/**
 * To see an earlier period in the place of the present one, the time of all rows is moved, also for filters. Rows
 * without a time have no earlier period. The days from 29 to 31 January have no place among the days of a February:
 * they would share the last one. They do have one among months, where they stay behind all others, so that a condition
 * cuts off the same part of either month.
 */
export function movedTime({ time, dimensions, filters }: Readers, { grain, count }: PriorScope): MovedTime {
  const field = timeField(time, dimensions);
  const moved = added(grain, count, field);
  const conditions = filters.flatMap((filter) => withoutRanges(time.fieldId, filter));
  const reads = precisionOf(time.fieldId, [...dimensions.map(({ tree }) => tree), ...conditions]);
  const mayCut = grain === 'month' || grain === 'quarter' || grain === 'year';
  const [dayBefore, dayAfter] = [field, moved].map((at) => call('DAY', [at], 'integer')) as [Typed, Typed];
  const places = {
    period: [],
    day: mayCut ? [compare('=', dayAfter, dayBefore)] : [],
    moment: [compare('=', added(grain, -count, moved), field)],
  }[reads];
  const isBehind = mayCut && reads === 'period' && field.type === 'datetime';
  const inOrder = isBehind ? ifTrue(compare('<>', dayAfter, dayBefore), endOfDay(moved), moved) : moved;
  const replaced = (tree: Typed, by: Typed) =>
    replaceParts(tree, (node) => (node.kind === 'field' && node.field === time.fieldId ? by : undefined));
  return {
    dimension: (tree) => replaced(tree, moved),
    condition: (tree) => replaced(tree, inOrder),
    conditions: [isNull(field, true), ...places],
  };
}

/** The field that a dimension of time truncates. */
export const timeField = ({ position }: TimeDimension, dimensions: readonly Pick<Labelled, 'tree'>[]): Typed =>
  (dimensions[position]!.tree as TypedCall).args[1]!;

/** The time some periods later. Those of a fiscal year of weeks, apart from weeks, have no length of their own. */
export function added(unit: string, count: number, at: Typed): Typed {
  const [grain, length] = lengthOf(unit);
  return call('DATE_ADD', [textConstant(grain), integerConstant(count * length), at], at.type);
}

function lengthOf(unit: string): [grain: string, count: number] {
  const fiscal = readFiscalUnit(unit);
  if (!fiscal) return [unit, 1];
  return fiscal.grain === 'fiscal_week' ? ['week', 1] : ['month', FISCAL_MONTHS[fiscal.grain]];
}

export const truncated = (grain: string, at: Typed, type: ExpressionType): Typed =>
  call('DATE_TRUNC', [textConstant(grain), at], type);

const endOfDay = (at: Typed): Typed =>
  added('second', -1, convert(added('day', 1, truncated('day', at, 'date')), 'datetime'));

type Precision = 'period' | 'day' | 'moment';

/** What calls read of a time. */
const PARTS: Readonly<Record<string, Precision>> = {
  YEAR: 'period',
  QUARTER: 'period',
  MONTH: 'period',
  MONTH_NAME: 'period',
  WEEK: 'day',
  ISO_YEAR: 'day',
  DAY: 'day',
  DAY_OF_WEEK: 'day',
  DAY_OF_YEAR: 'day',
  DAY_NAME: 'day',
  TO_DATE: 'day',
};
const UNITS: Readonly<Record<string, Precision>> = {
  year: 'period',
  quarter: 'period',
  month: 'period',
  week: 'day',
  day: 'day',
};

/** How exactly the trees read the time of a row: by months and longer periods, by days and weeks, or to the moment. */
function precisionOf(fieldId: string, trees: readonly Typed[]): Precision {
  const isTime = (node: Typed | undefined): boolean => node?.kind === 'field' && node.field === fieldId;
  const read = (node: Typed): Precision | undefined => {
    if (isTime(node)) return node.type === 'date' ? 'day' : 'moment';
    return node.kind === 'call' && isTime(node.args.at(-1)) ? partOf(node) : undefined;
  };
  const nodes = trees.flatMap((tree) => [...nodesOf(tree, (node) => read(node) === undefined)]);
  const found = new Set(nodes.map(read));
  if (found.has('moment')) return 'moment';
  return found.has('day') ? 'day' : 'period';
}

function partOf({ name, args: [unit] }: TypedCall): Precision | undefined {
  if (name !== 'DATE_TRUNC') return PARTS[name];
  return unit?.kind === 'literal' && unit.literal.type === 'string'
    ? precisionOfUnit(unit.literal.text.toLowerCase())
    : undefined;
}

function precisionOfUnit(unit: string): Precision {
  const fiscal = readFiscalUnit(unit);
  if (!fiscal) return UNITS[unit] ?? 'moment';
  return fiscal.weeks || fiscal.grain === 'fiscal_week' ? 'day' : 'period';
}

/** The parts of a condition apart from those that compare a field by its order, or with null. */
function withoutRanges(fieldId: string, tree: Typed): Typed[] {
  if (tree.kind === 'logic') return tree.operands.flatMap((operand) => withoutRanges(fieldId, operand));
  if (tree.kind === 'not') return withoutRanges(fieldId, tree.operand);
  const compared = comparedIn(tree);
  return compared ? compared.filter((side) => !isTimeField(fieldId, side)) : [tree];
}

function comparedIn(tree: Typed): Typed[] | undefined {
  switch (tree.kind) {
    case 'compare':
      return tree.operator === '=' || tree.operator === '<>' ? undefined : [tree.left, tree.right];
    case 'between':
      return [tree.operand, tree.low, tree.high];
    case 'isNull':
      return [tree.operand];
    default:
      return undefined;
  }
}

const isTimeField = (fieldId: string, node: Typed): boolean =>
  node.kind === 'convert' ? isTimeField(fieldId, node.operand) : node.kind === 'field' && node.field === fieldId;
