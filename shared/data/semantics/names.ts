import type { TypedCall } from '../expressions/index.ts';
import type { Leaf, Scope } from './leaves.ts';
import type { Leg } from './legs.ts';
import type { SemanticModel } from './model.ts';
import type { Question } from './question.ts';

/** Numbers the rows of the home table, where each has to be counted once. */
export const ROW = '#row';
/** Whether a joined row has one of the home table. */
export const EXISTS = '#exists';
/** How many of the leading dimensions a row of the reply has values of: all, or fewer in totals. */
export const LEVEL = '"#level"';
/** Whether a group is one of the present; earlier values have groups of their own. */
export const PRESENT = '"#present"';
/** Whether a dense axis of time has all of its periods. */
export const FILLED = '"#filled"';

/** Parts of the statement with `WITH`. No table of a source is likely to be called so, even without its schema. */
export const PARTS = {
  first: '"#first"',
  seen: '"#seen"',
  axis: '"#axis"',
  periods: '"#periods"',
  combined: '"#combined"',
  accumulated: '"#accumulated"',
  shown: '"#shown"',
  ranked: '"#ranked"',
};

/** What the parts of a statement call each other. */
export class Names {
  readonly dimensions: readonly string[];
  readonly #legs: ReadonlyMap<Leg, string>;
  readonly #values = new Map<TypedCall, Map<string, string>>();
  #count = 0;

  constructor({ dimensions }: Question, legs: readonly Leg[], leaves: readonly Leaf[]) {
    this.dimensions = dimensions.map((_, index) => `d${index + 1}`);
    this.#legs = new Map(legs.map((leg, index) => [leg, `"#leg_${index + 1}"`]));
    for (const { aggregates, scope } of legs) for (const aggregate of aggregates) this.#add(aggregate, scope);
    for (const { aggregate, scope } of leaves) this.#add(aggregate, scope);
  }

  ofLeg(leg: Leg): string {
    return this.#legs.get(leg)!;
  }

  of(aggregate: TypedCall, scope: Scope): string {
    return this.#values.get(aggregate)!.get(JSON.stringify(scope))!;
  }

  #add(aggregate: TypedCall, scope: Scope): void {
    const names = this.#values.get(aggregate) ?? new Map<string, string>();
    this.#values.set(aggregate, names);
    const key = JSON.stringify(scope);
    if (!names.has(key)) names.set(key, `a${++this.#count}`);
  }
}

/** Postgres cuts longer names, after which two of them may be equal. */
const MAX_NAME_BYTES = 63;

/** What a statement calls the tables of a model: by their aliases where it can. */
export function tableNames({ tables }: SemanticModel): ReadonlyMap<string, string> {
  const isUsable = (alias: string) => Buffer.byteLength(alias) <= MAX_NAME_BYTES && !alias.startsWith('#');
  return new Map(tables.map(({ id, alias }, index) => [id, isUsable(alias) ? alias : `#table_${index + 1}`]));
}
