import { column, nestingOf, type Typed, type TypedCall, type TypedField } from '../expressions/index.ts';
import { isCombinable, partsOf } from './aggregate-parts.ts';
import { isWholePeriod, type Leg, type LegsContext } from './legs.ts';
import type { Question } from './question.ts';
import { comparedPeriod } from './rollup-bounds.ts';
import { dropsSameRows, type RollupTable, type RollupUse, type RollupValue } from './rollup-table.ts';
import { isRunning } from './running-scope.ts';
import { keyOf } from './tree-keys.ts';
import { replaceParts } from './trees.ts';

export interface RollupContext extends LegsContext {
  /** That of the question and of the rollups. */
  timezone: string;
}

export type UseResult = { use: RollupUse } | { reason: string };

/** Whether a leg of a question can be computed from a rollup; with the reason in words if not. */
export function useRollup(
  context: RollupContext,
  { dimensions, filters, totals }: Question,
  leg: Leg,
  table: RollupTable,
): UseResult {
  const aliases = new Map(context.model.tables.map(({ id, alias }) => [id, alias]));
  if (leg.home !== table.leg.home) return { reason: `it aggregates ${aliases.get(table.leg.home)}` };
  if (leg.scope.kind === 'prior') return { reason: 'the question compares with earlier periods' };
  if (leg.scope.kind === 'parent') return { reason: 'the question compares groups with their parents' };
  if (isRunning(leg.scope)) return { reason: 'the question accumulates values of several periods' };
  const nested = leg.aggregates.find((aggregate) => nestingOf(aggregate));
  if (nested) return { reason: `${nested.name} has to read the rows themselves` };
  const shown = leg.scope.kind === 'total' ? [] : dimensions.map(({ tree }) => tree);
  const columns = new Columns(context, table);
  const grouped = shown.map((tree) => columns.replaced(tree));
  const conditions = filters.map((tree) => columns.replaced(tree));
  if (columns.missing.length > 0) return { reason: `it has no ${columns.missing.join(', ')}` };
  if (leg.repeatsRows || leg.addsGroups || !dropsSameRows(context, leg, table.leg))
    return { reason: 'it joins other tables than the question' };
  const isWhole = totals === 'none' && isEachGroup(shown, table);
  const values = new Map<TypedCall, RollupValue>();
  for (const aggregate of leg.aggregates) {
    const parts = partsOf(aggregate).map((part) => ({ part, found: table.components.get(keyOf(part)) }));
    if (parts.some(({ found }) => !found)) return { reason: `it has no ${aggregate.name} of this kind` };
    if (!isWhole && parts.some(({ part }) => !isCombinable(part)))
      return { reason: `${aggregate.name} of larger groups does not follow from that of smaller ones` };
    values.set(aggregate, { aggregate, columns: parts.map(({ found }) => found!.column), isWhole });
  }
  return { use: { table, dimensions: grouped, filters: conditions, values } };
}

/** Whether the dimensions are those of the rollup, so that no two rows of it fall into one group. */
function isEachGroup(dimensions: readonly Typed[], table: RollupTable): boolean {
  const keys = new Set(dimensions.map(keyOf));
  return [...table.dimensions.keys()].every((key) => keys.has(key));
}

/** Finds the columns of a rollup that stand for the parts of expressions. */
class Columns {
  readonly #context: RollupContext;
  readonly #table: RollupTable;
  readonly #missing = new Set<string>();

  constructor(context: RollupContext, table: RollupTable) {
    this.#context = context;
    this.#table = table;
  }

  /** The fields, by name, that the rollup has no column for. */
  get missing(): string[] {
    return [...this.#missing].sort();
  }

  replaced(tree: Typed): Typed {
    return replaceParts(tree, (node) => {
      const found = this.#table.dimensions.get(keyOf(node)) ?? this.#day(node);
      if (found) return column(found.column, node.type);
      const compared = comparedPeriod(node, (value) => this.#periods(value), this.#context.timezone);
      if (compared) return compared;
      if (node.kind === 'call' && node.name === 'DATE_TRUNC') return this.#period(node);
      if (node.kind === 'field' && node.body === undefined) this.#report(node);
      return undefined;
    });
  }

  /** A date is the day that it is in. */
  #day(node: Typed) {
    if (node.kind !== 'field' || node.type !== 'date') return undefined;
    return this.#periods(node).find(({ unit }) => unit === 'day');
  }

  /** A period is the one of any part of it. */
  #period(call: TypedCall): Typed | undefined {
    const [unit, value] = call.args as [Typed, Typed];
    const grain = unitOf(unit);
    const found = this.#periods(value).find((part) => grain !== undefined && isWholePeriod(grain, part.unit));
    return found && { ...call, args: [unit, column(found.column, found.tree.type)] };
  }

  /** The dimensions that are periods of a value, with their grains. */
  #periods(value: Typed) {
    const key = keyOf(value);
    return [...this.#table.dimensions.values()].flatMap((dimension) => {
      const { tree } = dimension;
      if (tree.kind !== 'call' || tree.name !== 'DATE_TRUNC' || keyOf(tree.args[1]!) !== key) return [];
      const unit = unitOf(tree.args[0]!);
      return unit === undefined ? [] : [{ ...dimension, unit }];
    });
  }

  #report({ table, field }: TypedField): void {
    const { model } = this.#context;
    const alias = model.tables.find(({ id }) => id === table)?.alias;
    const name = model.fields.find(({ id }) => id === field)?.name;
    this.#missing.add(`${alias}.${name}`);
  }
}

const unitOf = (node: Typed): string | undefined =>
  node.kind === 'literal' && node.literal.type === 'string' ? node.literal.text.toLowerCase() : undefined;
