import type { TimeUnit } from '../../platform/schedule/fiscal-calendar.ts';
import type { FiscalCalendar } from '../../platform/schedule/fiscal-years.ts';
import type { Typed } from '../expressions/index.ts';

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
  /**
   * Conditions on rows with all dimensions, not on totals: expressions over the trees of the dimensions and measures.
   */
  resultFilters: readonly Typed[];
  /** `position`: among the dimensions, then the measures. */
  sort: readonly { position: number; descending: boolean }[];
  /** Rows with all dimensions; totals come besides. */
  limit?: number;
  /**
   * `grand` adds the row over everything, `all` also the subtotals of each leading part of the dimensions. Totals are
   * computed from the rows, not from the rows of the reply.
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
  /** The field that the dimension truncates. */
  fieldId: string;
  grain: TimeUnit;
  /**
   * Whether groups without rows are in the reply too, in all periods to which the filters reach, if they are not too
   * many.
   */
  isDense: boolean;
}

/** Asks for the rows behind a number. Its trees are valid expressions over rows. */
export interface RowsQuestion {
  /** The table whose rows are wanted, each at most once; by default the one whose rows the measures aggregate. */
  home?: string;
  /** The measures whose rows are wanted. */
  measures?: readonly Typed[];
  /** Values of the rows, or of rows that each of them has at most one of. */
  columns: readonly Labelled[];
  /** Conditions, all of which must hold for the row together with the same rows of other tables. */
  filters: readonly Typed[];
  /** The group that the number is of: its dimensions with their values, which are null where a row has none. */
  group?: readonly { tree: Typed; value: Typed | null }[];
  /** The dimension of time of the group, which PRIOR and CUMULATIVE refer to. */
  time?: TimeDimension;
  /** That of the model. */
  calendar?: FiscalCalendar;
  /** Further expressions whose tables the number joins: an inner join to one of them drops rows. */
  joined?: readonly Typed[];
  /** `position`: among the columns. */
  sort?: readonly { position: number; descending: boolean }[];
  /** All rows, in any order, if absent. */
  limit?: number;
}
