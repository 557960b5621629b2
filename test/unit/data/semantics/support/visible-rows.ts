import type { Relationship } from '../../../../../shared/data/semantics/model.ts';
import { type Shape, VISIBLE_FROM } from './ask.ts';
import type { Row, Tables } from './brute-force.ts';

/** A step from a row to its only partner. */
interface Step {
  near: string;
  far: string;
  nearField: string;
  farField: string;
}

/**
 * The tables without hidden rows, and without the rows that lead to hidden rows or to none where they must lead to one.
 */
export function visibleRows({ tables, relationships, restricted = [] }: Shape): Tables {
  const isAllowed = (table: string, row: Row) =>
    !restricted.includes(table) || Number(row[`${table}.amount`] ?? Number.NaN) >= VISIBLE_FROM;
  const steps = relationships.filter(({ isActive }) => isActive).flatMap(stepsOf);
  const chains = (table: string, passed: readonly string[]): Step[][] =>
    steps
      .filter(({ near, far }) => near === table && !passed.includes(far))
      .flatMap((step) => [[step], ...chains(step.far, [...passed, step.far]).map((rest) => [step, ...rest])]);
  const leads = (row: Row, [step, ...others]: readonly Step[]): boolean => {
    if (!step) return true;
    const key = row[step.nearField] ?? null;
    return tables[step.far]!.some(
      (partner) =>
        key !== null && partner[step.farField] === key && isAllowed(step.far, partner) && leads(partner, others),
    );
  };
  const visible = (table: string, row: Row) =>
    isAllowed(table, row) &&
    chains(table, [table])
      .filter((chain) => restricted.includes(chain.at(-1)!.far))
      .every((chain) => leads(row, chain));
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => [table, rows.filter((row) => visible(table, row))]),
  );
}

function stepsOf({ cardinality, from, to }: Relationship): Step[] {
  const step = (near: typeof from, far: typeof to): Step => ({
    near: near.tableId,
    far: far.tableId,
    nearField: near.fieldId,
    farField: far.fieldId,
  });
  if (cardinality === 'N:M') return [];
  return cardinality === '1:1' ? [step(to, from), step(from, to)] : [step(to, from)];
}
