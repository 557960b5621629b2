import { type TimeGrain, type TimeUnit, timeUnit } from '../../platform/schedule/fiscal-calendar.ts';
import type { FiscalCalendar } from '../../platform/schedule/fiscal-years.ts';
import type { Grain } from '../../platform/schedule/periods.ts';
import { aggregatesOf, column, quotient, type Typed, type TypedCall } from '../expressions/index.ts';
import { replaceParts } from './trees.ts';

/** Which rows the value of an aggregate is about, seen from one group of the reply. */
export type Scope =
  | { kind: 'group' }
  /** All rows that the filters leave. */
  | { kind: 'total' }
  /** The rows that have the dimensions of the group apart from the last. */
  | { kind: 'parent' }
  /** The same group some periods earlier, whatever the filters say about the time of the present one. */
  | { kind: 'prior'; grain: Grain; count: number }
  /** The grains that end with the period of the group, whatever the filters say about the beginning of the time. */
  | { kind: 'trailing'; grain: Grain; count: number }
  /** The groups up to this one in time, or those of them in the same period of the grain. */
  | { kind: 'cumulative'; grain?: TimeUnit };

/** The place of a group by the value of a tree, in a column of its own. */
export interface Rank {
  column: string;
  tree: Typed;
}

/** The value of an aggregate for a group of the reply. */
export interface Leaf {
  aggregate: TypedCall;
  scope: Scope;
  /** What stands for the value in the trees of the measures. */
  node: Typed;
}

const GROUP: Scope = { kind: 'group' };

/**
 * Rewrites trees of measures so that TOTAL, SHARE, RANK, PRIOR and their like are gone: the measure inside them is
 * computed from its aggregates in another scope. So a ratio is never summed; it is computed from its parts.
 */
export class Leaves {
  readonly #leaves = new Map<TypedCall, Map<string, Leaf>>();
  readonly #ranks: Rank[] = [];
  readonly #calendar: FiscalCalendar | null | undefined;

  /** `calendar`: that of the model. */
  constructor(calendar?: FiscalCalendar | null) {
    this.#calendar = calendar;
  }

  /** All values that the trees so far need. */
  get all(): readonly Leaf[] {
    return [...this.#leaves.values()].flatMap((scopes) => [...scopes.values()]);
  }

  get ranks(): readonly Rank[] {
    return this.#ranks;
  }

  resolve(tree: Typed): Typed {
    return this.#within(tree, GROUP);
  }

  #within(tree: Typed, scope: Scope): Typed {
    const aggregates = new Set<Typed>(aggregatesOf(tree));
    return replaceParts(tree, (node) => {
      if (aggregates.has(node)) return this.#leaf(node as TypedCall, scope).node;
      return node.kind === 'call' ? this.#window(node, scope) : undefined;
    });
  }

  #window(call: TypedCall, around: Scope): Typed | undefined {
    const measure = call.args[0]!;
    switch (call.name) {
      case 'TOTAL':
        return this.#within(measure, { kind: 'total' });
      case 'SHARE':
        return quotient(this.#within(measure, around), this.#within(measure, { kind: 'total' }));
      case 'SHARE_OF_PARENT':
        return quotient(this.#within(measure, around), this.#within(measure, { kind: 'parent' }));
      case 'RANK':
        return this.#rank(this.#within(measure, around));
      case 'PRIOR':
        return this.#within(measure, { kind: 'prior', grain: grainOf(call.args[1])!, count: countOf(call.args[2]) });
      case 'TRAILING':
        return this.#within(measure, { kind: 'trailing', grain: grainOf(call.args[1])!, count: countOf(call.args[2]) });
      case 'CUMULATIVE': {
        const grain = textOf(call.args[1]) as TimeGrain | undefined;
        const unit = grain && timeUnit(grain, this.#calendar);
        return this.#within(measure, { kind: 'cumulative', ...(unit ? { grain: unit } : {}) });
      }
      default:
        return undefined;
    }
  }

  #rank(tree: Typed): Typed {
    const name = `r${this.#ranks.length + 1}`;
    this.#ranks.push({ column: name, tree });
    return column(name, 'integer');
  }

  #leaf(aggregate: TypedCall, scope: Scope): Leaf {
    const scopes = this.#leaves.get(aggregate) ?? new Map<string, Leaf>();
    this.#leaves.set(aggregate, scopes);
    const key = JSON.stringify(scope);
    const leaf = scopes.get(key) ?? { aggregate, scope, node: { ...aggregate } };
    scopes.set(key, leaf);
    return leaf;
  }
}

const grainOf = (node: Typed | undefined) => textOf(node) as Grain | undefined;

function textOf(node: Typed | undefined): string | undefined {
  return node?.kind === 'literal' && node.literal.type === 'string' ? node.literal.text.toLowerCase() : undefined;
}

function countOf(node: Typed | undefined): number {
  return node?.kind === 'literal' && 'text' in node.literal ? Number(node.literal.text) : 1;
}
