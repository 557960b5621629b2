import type { Aggregate, ColumnSql } from '../../../../shared/data/semantics/question.ts';

/** An aggregate of one numeric field with what it means, in words of our own. */
export interface KnownAggregate {
  name: string;
  sql(column: string, condition: string): string;
  value(inputs: readonly number[]): number | null;
  isZeroWithoutRows?: boolean;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const orNull = (values: readonly number[], of: (values: readonly number[]) => number) =>
  values.length === 0 ? null : of(values);
const mean = (values: readonly number[]) => sum(values) / values.length;

function variance(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const middle = mean(values);
  return sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1);
}

/** Linear interpolation between the two nearest values, as SQL's `percentile_cont`. */
function percentile(values: readonly number[], fraction: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const position = fraction * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]];
  return below === undefined || above === undefined
    ? null
    : below + (above - below) * (position - Math.floor(position));
}

const filtered = (call: string, condition: string) => `${call}${condition && ` FILTER (WHERE ${condition})`}`;
const both = (a: string, b: string) => [a, b].filter(Boolean).join(' AND ');

export const AGGREGATES: readonly KnownAggregate[] = [
  { name: 'sum', sql: (x, c) => filtered(`sum(${x})`, c), value: (v) => orNull(v, sum) },
  { name: 'count', sql: (x, c) => filtered(`count(${x})`, c), value: (v) => v.length, isZeroWithoutRows: true },
  {
    name: 'count_distinct',
    sql: (x, c) => filtered(`count(DISTINCT ${x})`, c),
    value: (v) => new Set(v).size,
    isZeroWithoutRows: true,
  },
  { name: 'avg', sql: (x, c) => filtered(`avg(${x})`, c), value: (v) => orNull(v, mean) },
  { name: 'min', sql: (x, c) => filtered(`min(${x})`, c), value: (v) => orNull(v, (all) => Math.min(...all)) },
  { name: 'max', sql: (x, c) => filtered(`max(${x})`, c), value: (v) => orNull(v, (all) => Math.max(...all)) },
  {
    name: 'median',
    sql: (x, c) => filtered(`percentile_cont(0.5) WITHIN GROUP (ORDER BY ${x})`, c),
    value: (v) => percentile(v, 0.5),
  },
  {
    name: 'percentile',
    sql: (x, c) => filtered(`percentile_cont(0.9) WITHIN GROUP (ORDER BY ${x})`, c),
    value: (v) => percentile(v, 0.9),
  },
  {
    name: 'stddev',
    sql: (x, c) => filtered(`stddev_samp(${x})`, c),
    value: (v) => {
      const square = variance(v);
      return square === null ? null : Math.sqrt(square);
    },
  },
  { name: 'variance', sql: (x, c) => filtered(`var_samp(${x})`, c), value: variance },
  {
    name: 'sum_if',
    sql: (x, c) => filtered(`sum(${x})`, both(`${x} > 3`, c)),
    value: (v) =>
      orNull(
        v.filter((value) => value > 3),
        sum,
      ),
  },
  {
    name: 'count_if',
    sql: (x, c) => filtered(`count(${x})`, both(`${x} > 3`, c)),
    value: (v) => v.filter((value) => value > 3).length,
    isZeroWithoutRows: true,
  },
];

/** The aggregate over a field, for a question. */
export const over = (field: string, known: KnownAggregate): Aggregate => ({
  fields: [field],
  isZeroWithoutRows: known.isZeroWithoutRows ?? false,
  sql: (column: ColumnSql, condition = '') => known.sql(column(field), condition),
});
