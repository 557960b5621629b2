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
  /** Counts and the like, which are 0 without rows; others are null. */
  isZeroWithoutRows: boolean;
  /** `condition`, if given, restricts the rows further. */
  sql(column: ColumnSql, condition?: string): string;
}

/** An expression over aggregates. */
export interface MeasureExpression {
  aggregates: readonly Aggregate[];
  /** `values`: the SQL of each aggregate's value. */
  sql(values: readonly string[]): string;
}

/** A condition on the values of a reply. */
export interface ResultFilter {
  /** `values`: the SQL of each dimension's value, then of each measure's. */
  sql(values: readonly string[]): string;
}

/** A question to a model, with every name resolved. */
export interface Question {
  dimensions: readonly { label: string; expression: RowExpression }[];
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
