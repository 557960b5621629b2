import { checkValue as checkAgainst, MAX_BASELINE } from '../../../data/statistics/robust-baseline.ts';
import type { NoValueReason, Reading } from './reduce.ts';
import type { Zone } from './state-machine.ts';
import {
  type ChangeOperator,
  type ChangeUnit,
  changeFrom,
  changeSize,
  type Operator,
  type Test,
  type Threshold,
  type ValueOperator,
  zoneOfValue,
} from './zones.ts';

/** A condition with its numbers filled in. */
export interface Check {
  operator: Operator;
  /** Null for `is_behind_target`, and where the target that it refers to does not exist. */
  threshold: Threshold | null;
  recover: Test | null;
  unit: ChangeUnit;
}

/** What a value is compared with, as far as the operator needs it. */
export interface Surroundings {
  /** The earlier value. */
  base?: number | null;
  /** Earlier values of the same season, oldest first. */
  baseline?: readonly number[];
  /** The distance from the usual value where the source knows it; null if too little is known. */
  score?: number | null;
  /** The pace of the metric; null without a target. */
  pace?: 'ahead' | 'on_track' | 'behind' | null;
}

/** `value` is what the notice shows: of several rows the first that fires. */
export type Checked = { kind: Zone; value: number } | { kind: 'none'; reason: NoValueReason };

export function checkReading(reading: Reading, check: Check, around: Surroundings = {}): Checked {
  if (reading.kind === 'none') return reading;
  if (reading.kind === 'value') return checkOne(reading.value, check, around);
  const each = reading.values.map((value) => checkOne(value, check, around));
  for (const kind of ['breach', 'band', 'clear'] as const) {
    const found = each.find((one) => one.kind === kind);
    if (found) return found;
  }
  return each[0] ?? { kind: 'none', reason: 'NO_ROWS' };
}

function checkOne(value: number, { operator, threshold, recover, unit }: Check, around: Surroundings): Checked {
  const { base = null, baseline = [], pace = null } = around;
  if (operator === 'is_behind_target') {
    if (pace === null) return { kind: 'none', reason: 'NO_TARGET' };
    return { kind: pace === 'behind' ? 'breach' : 'clear', value };
  }
  if (threshold === null) return { kind: 'none', reason: 'NO_TARGET' };
  if (operator === 'unusual') {
    const limit = threshold as number;
    const { score = checkAgainst(baseline.slice(-MAX_BASELINE), value, limit)?.score ?? null } = around;
    if (score === null) return { kind: 'none', reason: 'TOO_FEW_POINTS' };
    return { kind: Math.abs(score) > limit ? 'breach' : 'clear', value };
  }
  if (isChange(operator)) {
    const change = changeFrom(base, value, unit);
    if (change === undefined) return { kind: 'none', reason: 'NO_BASE' };
    const test = { operator: 'gte' as ValueOperator, threshold };
    return { kind: zoneOfValue(changeSize(change, operator), test, recover), value };
  }
  return { kind: zoneOfValue(value, { operator, threshold }, recover), value };
}

const isChange = (operator: Operator): operator is ChangeOperator =>
  operator === 'increases_by' || operator === 'decreases_by' || operator === 'changes_by';
