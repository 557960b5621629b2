import { call, column, quotient, type Typed, type TypedCall } from '../expressions/index.ts';
import { isCombinable, partsOf } from './aggregate-parts.ts';
import type { Scope } from './leaves.ts';

/** Values over the rows of several periods: of all up to a period, or of a number of grains that end with it. */
export type RunningScope = Extract<Scope, { kind: 'cumulative' | 'trailing' }>;

export const isRunning = (scope: Scope): scope is RunningScope =>
  scope.kind === 'cumulative' || scope.kind === 'trailing';

/**
 * How the rows of a running value become fewer before each of them is put into all periods that it counts in: `parts`
 * aggregates them by period, where the value follows from such parts; `distinct` drops repeated rows, where they have
 * no influence.
 */
export type Reduction = 'parts' | 'distinct' | 'none';

export function reductionOf(aggregate: TypedCall): Reduction {
  if (partsOf(aggregate).every(isCombinable)) return 'parts';
  return aggregate.name === 'COUNT_DISTINCT' ? 'distinct' : 'none';
}

/** The value of several periods from the columns of its parts. */
export function combinedParts(aggregate: TypedCall, columns: readonly string[]): Typed {
  const values = partsOf(aggregate).map(({ name, type }, index) =>
    call(name === 'COUNT' ? 'SUM' : name, [column(columns[index]!, type)], type),
  );
  return values.length > 1 ? quotient(values[0]!, values[1]!) : values[0]!;
}
