import { compare, ifTrue, integerConstant, type Typed, type TypedCall, windowsOf } from '../expressions/index.ts';
import { replaceParts } from './trees.ts';

const OF_PERIODS: ReadonlySet<string> = new Set(['PRIOR', 'TRAILING', 'CUMULATIVE']);

/** Whether a measure has a value for each period, but none for several together. */
export const isOfPeriods = (measure: Typed): boolean => windowsOf(measure).some(({ name }) => OF_PERIODS.has(name));

/**
 * A measure without values of other periods, which are null where a question has no time. It still aggregates their
 * rows, so that the question has the same groups.
 */
export const withoutPeriods = (measure: Typed): Typed =>
  replaceParts(measure, (node) => (isCallOfPeriods(node) ? nothing(withoutPeriods(node.args[0]!)) : undefined));

const isCallOfPeriods = (node: Typed): node is TypedCall => node.kind === 'call' && OF_PERIODS.has(node.name);

const nothing = (value: Typed): Typed => ifTrue(compare('=', integerConstant(0), integerConstant(1)), value);
