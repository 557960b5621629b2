/** An aggregate of one numeric field with what it means, in words of our own. */
export interface KnownAggregate {
  /** The expression over a field. */
  text(field: string): string;
  value(inputs: readonly number[]): number | null;
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

const above3 = (values: readonly number[]) => values.filter((value) => value > 3);

export const AGGREGATES: readonly KnownAggregate[] = [
  { text: (x) => `SUM(${x})`, value: (v) => orNull(v, sum) },
  { text: (x) => `COUNT(${x})`, value: (v) => v.length },
  { text: (x) => `COUNT_DISTINCT(${x})`, value: (v) => new Set(v).size },
  { text: (x) => `AVG(${x})`, value: (v) => orNull(v, mean) },
  { text: (x) => `MIN(${x})`, value: (v) => orNull(v, (all) => Math.min(...all)) },
  { text: (x) => `MAX(${x})`, value: (v) => orNull(v, (all) => Math.max(...all)) },
  { text: (x) => `MEDIAN(${x})`, value: (v) => percentile(v, 0.5) },
  { text: (x) => `PERCENTILE(${x}, 0.9)`, value: (v) => percentile(v, 0.9) },
  {
    text: (x) => `STDDEV(${x})`,
    value: (v) => {
      const square = variance(v);
      return square === null ? null : Math.sqrt(square);
    },
  },
  { text: (x) => `VARIANCE(${x})`, value: variance },
  { text: (x) => `SUM_IF(${x}, ${x} > 3)`, value: (v) => orNull(above3(v), sum) },
  { text: (x) => `COUNT_IF(${x} > 3)`, value: (v) => above3(v).length },
];
