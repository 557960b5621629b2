import { isDeepStrictEqual } from 'node:util';
import { clockOf, nestingOf, type Typed, type TypedCall } from '../expressions/index.ts';
import { partsOf } from './aggregate-parts.ts';
import { type Leg, type LegsContext, planLegs } from './legs.ts';
import type { Question } from './question.ts';
import { keyOf } from './tree-keys.ts';

/** Aggregates of a table by some dimensions, which are computed once and answer the questions that fit. */
export interface Rollup {
  id: string;
  name: string;
  /** Expressions over rows. */
  dimensions: readonly Typed[];
  aggregates: readonly TypedCall[];
}

/** A rollup as a table, which stands for the joined rows of one table. */
export interface RollupTable {
  rollup: Rollup;
  leg: Leg;
  /** The columns of dimensions, by the keys of their trees. */
  dimensions: ReadonlyMap<string, { tree: Typed; column: string }>;
  /** The columns of aggregates, by the keys of their calls. */
  components: ReadonlyMap<string, { aggregate: TypedCall; column: string }>;
  /** Computes the rows of the table; its labels are the columns. */
  question: Question;
}

export type RollupResult = RollupTable | { reason: string };

/** How a leg is computed from the rows of a rollup. Trees read columns of the rollup instead of fields. */
export interface RollupUse {
  table: RollupTable;
  dimensions: readonly Typed[];
  filters: readonly Typed[];
  values: ReadonlyMap<TypedCall, RollupValue>;
}

export interface RollupValue {
  aggregate: TypedCall;
  /** The columns of the parts. */
  columns: readonly string[];
  /** Whether each group of the question is one row of the rollup, whose value is taken as it is. */
  isWhole: boolean;
}

/** The table of a rollup, or why it cannot answer questions. */
export function rollupTable(context: LegsContext, rollup: Rollup): RollupResult {
  const components = componentsOf(rollup.aggregates);
  const unfit = [...components.values()].map(({ aggregate }) => reasonAgainst(aggregate)).find((reason) => reason);
  if (unfit !== undefined) return { reason: unfit };
  // Calculated integers can have more digits than integers of Parquet files.
  if (rollup.dimensions.some((tree) => tree.type === 'integer' && !isPlain(tree)))
    return { reason: 'a calculated integer cannot be one of its dimensions' };
  const dimensions = rollup.dimensions.map((tree, index) => ({ tree, column: `k${index + 1}` }));
  const question: Question = {
    dimensions: dimensions.map(({ tree, column }) => ({ tree, label: column })),
    measures: [...components.values()].map(({ aggregate, column }) => ({ tree: aggregate, label: column })),
    filters: [],
    resultFilters: [],
    sort: [],
    totals: 'none',
  };
  const leaves = [...components.values()].map(({ aggregate }) => ({
    aggregate,
    scope: { kind: 'group' } as const,
    node: aggregate,
  }));
  const planned = planLegs(context, question, leaves);
  if ('problems' in planned) return { reason: planned.problems[0]!.message };
  const [leg, ...others] = planned.legs;
  if (others.length > 0) return { reason: 'its measures aggregate several tables' };
  if (leg!.repeatsRows) return { reason: 'a row of the aggregated table can have several values of a dimension' };
  if (leg!.addsGroups) return { reason: 'a full join adds groups without rows' };
  const byKey = new Map(dimensions.map((dimension) => [keyOf(dimension.tree), dimension]));
  return { rollup, leg: leg!, dimensions: byKey, components, question };
}

/** What is stored: for an average, what it is made from. */
function componentsOf(aggregates: readonly TypedCall[]): RollupTable['components'] {
  const components = new Map<string, { aggregate: TypedCall; column: string }>();
  for (const aggregate of aggregates.flatMap(partsOf)) {
    const key = keyOf(aggregate);
    if (!components.has(key)) components.set(key, { aggregate, column: `v${components.size + 1}` });
  }
  return components;
}

function reasonAgainst(aggregate: TypedCall): string | undefined {
  if (nestingOf(aggregate)) return `${aggregate.name} has to read the rows themselves`;
  const [value] = aggregate.args;
  if (clockOf(aggregate) !== 'none') return 'a measure depends on the time of the question';
  if (aggregate.name === 'SUM' && value?.type === 'number')
    return 'the sum of floating-point numbers depends on the order of its parts';
  if ((aggregate.name === 'MIN' || aggregate.name === 'MAX') && !isPlain(value!))
    return `${aggregate.name} needs a field of the source`;
  return undefined;
}

const isPlain = (tree: Typed): boolean => tree.kind === 'field' && tree.body === undefined;

/** Whether both join the same tables by inner joins, which drop rows. */
export function dropsSameRows({ model }: LegsContext, one: Leg, other: Leg): boolean {
  const inner = new Set(model.relationships.filter(({ joinType }) => joinType === 'inner').map(({ id }) => id));
  const hopsOf = ({ hops }: Leg) =>
    hops
      .filter(({ relationshipId }) => inner.has(relationshipId))
      .map(({ relationshipId, to }) => `${relationshipId} ${to.tableId}`)
      .sort();
  return isDeepStrictEqual(hopsOf(one), hopsOf(other));
}
