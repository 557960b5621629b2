import type { Leg } from './legs.ts';
import type { Question } from './question.ts';
import { type Rollup, type RollupTable, type RollupUse, rollupTable } from './rollup-table.ts';
import { type RollupContext, useRollup } from './rollup-use.ts';

/** Which legs rollups answer, and why each other rollup answers none. */
export interface RollupChoice {
  used: ReadonlyMap<Leg, RollupUse>;
  unused: readonly { rollup: Rollup; reason: string }[];
}

/** Each leg takes the fitting rollup with the fewest dimensions, which has the fewest rows. */
export function chooseRollups(
  context: RollupContext,
  question: Question,
  legs: readonly Leg[],
  rollups: readonly Rollup[],
): RollupChoice {
  const used = new Map<Leg, RollupUse>();
  const reasons = new Map<Rollup, string>();
  const tables: RollupTable[] = [];
  for (const rollup of rollups) {
    const table = rollupTable(context, rollup);
    if ('reason' in table) reasons.set(rollup, table.reason);
    else tables.push(table);
  }
  tables.sort((one, other) => one.dimensions.size - other.dimensions.size);
  for (const leg of legs) {
    for (const table of tables) {
      const result = useRollup(context, question, leg, table);
      if ('reason' in result) reasons.set(table.rollup, reasons.get(table.rollup) ?? result.reason);
      else if (!used.has(leg)) used.set(leg, result.use);
    }
  }
  const chosen = new Set([...used.values()].map(({ table }) => table.rollup));
  const unused = rollups
    .filter((rollup) => !chosen.has(rollup))
    .map((rollup) => ({ rollup, reason: reasons.get(rollup) ?? 'another rollup has fewer dimensions' }));
  return { used, unused };
}
