import { compare, ifTrue, integerConstant, type Typed, windowsOf } from '../expressions/index.ts';
import { replaceParts } from './trees.ts';

const OF_PERIODS: ReadonlySet<string> = new Set(['PRIOR', 'TRAILING']);

/** Whether a measure has a value for each period, but none for all of them together. */
export const isOfPeriods = (measure: Typed): boolean => windowsOf(measure).some(({ name }) => OF_PERIODS.has(name));

/**
 * A measure as it is in the total over all periods, for a question without time: values of other periods are null, and
 * those to date are about all rows. It aggregates the same rows, so that the question has the same groups.
 */
export const withoutPeriods = (measure: Typed): Typed =>
  replaceParts(measure, (node) => {
    if (node.kind !== 'call') return undefined;
    if (node.name === 'CUMULATIVE') return withoutPeriods(node.args[0]!);
    return OF_PERIODS.has(node.name) ? nothing(withoutPeriods(node.args[0]!)) : undefined;
  });

const nothing = (value: Typed): Typed => ifTrue(compare('=', integerConstant(0), integerConstant(1)), value);
