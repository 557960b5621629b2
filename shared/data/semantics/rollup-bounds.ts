import { DAY_MS } from '../../platform/schedule/durations.ts';
import { localTimeOf, PERIOD_GRAINS, startOfPeriod } from '../../platform/schedule/periods.ts';
import { clockPeriodAt, firstInstantOf } from '../../platform/schedule/time-zone.ts';
import { column, compare, constant, logic, type Typed } from '../expressions/index.ts';

/** A dimension of a rollup that is the period of a time. */
export interface Period {
  unit: string;
  column: string;
  tree: Typed;
}

type CompareNode = Extract<Typed, { kind: 'compare' }>;
type Operator = CompareNode['operator'];
const FLIPPED: Readonly<Partial<Record<Operator, Operator>>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/**
 * A comparison of a time with a constant as one of its periods, where the constant is the beginning of a period: then
 * the rows of each period meet it together. Undefined for other trees.
 */
export function comparedPeriod(
  node: Typed,
  periodsOf: (value: Typed) => readonly Period[],
  timezone: string,
): Typed | undefined {
  if (node.kind === 'between' && !node.isNegated) {
    const ends = [compare('>=', node.operand, node.low), compare('<=', node.operand, node.high)];
    const found = ends.map((end) => comparedPeriod(end, periodsOf, timezone));
    return found[0] && found[1] && logic('and', [found[0], found[1]]);
  }
  if (node.kind !== 'compare') return undefined;
  const { operator, left, right } = node;
  return withPeriod(operator, left, right) ?? withPeriod(FLIPPED[operator], right, left);

  function withPeriod(by: Operator | undefined, value: Typed, bound: Typed): Typed | undefined {
    if (by === undefined || FLIPPED[by] === undefined || value.kind !== 'field') return undefined;
    const local = localTime(bound, timezone);
    if (local === undefined) return undefined;
    // Beyond a day is from the next one on; beyond a moment is not from any other.
    const isBeyond = by === '>' || by === '<=';
    if (isBeyond && value.type !== 'date') return undefined;
    const edge = isBeyond ? local + DAY_MS : local;
    const found = periodsOf(value).find(({ unit }) => isBeginning(unit, edge));
    if (!found) return undefined;
    const isDate = found.tree.type === 'date';
    const at = isDate ? constant('date', new Date(edge).toISOString().slice(0, 10)) : bound;
    return at && compare(by === '>' || by === '>=' ? '>=' : '<', column(found.column, found.tree.type), at);
  }
}

function isBeginning(unit: string, local: number): boolean {
  const grain = PERIOD_GRAINS.find((each) => each === unit);
  return grain !== undefined && startOfPeriod(grain, local) === local;
}

/** The time that clocks of the zone show first at a constant; undefined where they show it again, or not at all. */
function localTime(node: Typed, timezone: string): number | undefined {
  if (node.kind === 'convert') {
    const local = node.operand.type === 'date' ? localTime(node.operand, timezone) : undefined;
    return local !== undefined && isShownOnce(timezone, local) ? local : undefined;
  }
  if (node.kind !== 'literal') return undefined;
  const { literal } = node;
  if (literal.type === 'date') return Date.parse(`${literal.text}T00:00:00Z`);
  if (literal.type !== 'datetime' || /\.\d*[1-9]/.test(literal.text)) return undefined;
  const at = Date.parse(`${literal.text.slice(0, 19).replace(' ', 'T')}Z`);
  if (!literal.text.endsWith('Z')) return isShownOnce(timezone, at) ? at : undefined;
  const local = localTimeOf(timezone, new Date(at));
  return firstInstantOf(timezone, local) === at ? local : undefined;
}

function isShownOnce(timezone: string, local: number): boolean {
  const first = firstInstantOf(timezone, local);
  if (localTimeOf(timezone, new Date(first)) !== local) return false;
  const { until } = clockPeriodAt(timezone, first);
  return local < until + clockPeriodAt(timezone, until).offsetMs;
}
