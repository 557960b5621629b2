/** The SQL of a field, in the place where it is used. */
export type ColumnSql = (fieldId: string) => string;

/** An expression over the fields of one row. */
export interface RowExpression {
  /** The fields with a column of their own that it reads. */
  fields: readonly string[];
  sql(column: ColumnSql): string;
}

/** One aggregate, such as `SUM` of an expression over rows. */
export interface Aggregate {
  fields: readonly string[];
  isBoolean?: boolean;
  /** The function that makes the value of several groups from theirs; absent where their values are not enough. */
  ofParts?: 'sum' | 'min' | 'max';
  /** Counts and the like, which are 0 without rows; others are null. */
  isZeroWithoutRows: boolean;
  /** `condition`, if given, restricts the rows further. */
  sql(column: ColumnSql, condition?: string): string;
}

/** Which rows the value of an aggregate is about, seen from one group of the reply. */
export type Scope =
  | { kind: 'group' }
  /** All rows that the filters leave. */
  | { kind: 'total' }
  /** The same group some periods earlier, whatever the filters say about the time of the present one. */
  | { kind: 'prior'; grain: Grain; count: number }
  /** The groups up to this one in time, or those of them in the same period of the grain. */
  | { kind: 'cumulative'; grain?: Grain };

export type Grain = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** The value of an aggregate for a group of the reply. */
export interface Leaf {
  aggregate: Aggregate;
  scope: Scope;
}

/** An expression over values of aggregates. */
export interface MeasureExpression {
  leaves: readonly Leaf[];
  /** `values`: the SQL of each leaf's value. */
  sql(values: readonly string[]): string;
}

export interface TimeDimension {
  /** Among the dimensions. */
  position: number;
  /** The field that the dimension truncates. */
  fieldId: string;
  grain: Grain | 'hour' | 'minute' | 'second';
  /** Whether groups without rows, between the first and the last, are in the reply too. */
  isDense: boolean;
}

/** How a dialect writes what depends on it. */
export interface TimeSql {
  /** The date or instant that many grains later. */
  later(sql: string, grain: Grain, count: number): string;
  /** The beginning of the period that the date or instant is in. */
  beginning(sql: string, grain: Grain): string;
  /** A query of one column, `period`: every period from the first to the last. */
  periods(first: string, last: string, grain: TimeDimension['grain']): string;
}

/** A condition on the values of a reply. */
export interface ResultFilter {
  /** `values`: the SQL of each dimension's value, then of each measure's. */
  sql(values: readonly string[]): string;
}

/** A question to a model, with every name resolved. */
export interface Question {
  dimensions: readonly { label: string; expression: RowExpression }[];
  /** The dimension of time that earlier and cumulative values refer to. */
  time?: TimeDimension;
  measures: readonly { label: string; expression: MeasureExpression }[];
  /** Conditions on rows; all of them must hold. */
  filters: readonly RowExpression[];
  resultFilters: readonly ResultFilter[];
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
