import type { Typed } from '../expressions/index.ts';

export type Grain = 'day' | 'week' | 'month' | 'quarter' | 'year';
export type TimeGrain = Grain | 'hour' | 'minute' | 'second';

/** A question to a model. Its trees are valid expressions over the model's fields. */
export interface Question {
  /** Expressions over rows. */
  dimensions: readonly Labelled[];
  /** Expressions over aggregates. */
  measures: readonly Labelled[];
  /** The dimension of time that PRIOR and CUMULATIVE refer to. */
  time?: TimeDimension;
  /** Conditions on rows; all of them must hold. */
  filters: readonly Typed[];
  /** Conditions on values of the reply: expressions over the trees of its dimensions and measures. */
  resultFilters: readonly Typed[];
  /** `position`: among the dimensions, then the measures. */
  sort: readonly { position: number; descending: boolean }[];
  /** Rows of the reply, besides the grand total; not together with subtotals. */
  limit?: number;
  /**
   * `grand` adds the row over everything, `all` also the subtotals of each leading part of the dimensions. Totals are computed from
   * the rows, not from the rows of the reply.
   */
  totals: 'none' | 'grand' | 'all';
}

export interface Labelled {
  label: string;
  tree: Typed;
}

export interface TimeDimension {
  /** Among the dimensions. */
  position: number;
  /** The field that the dimension truncates, which has a column of its own. */
  fieldId: string;
  grain: TimeGrain;
  /** Whether groups without rows, between the first and the last, are in the reply too. */
  isDense: boolean;
}
