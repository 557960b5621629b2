import type { Column } from '../duckdb/column-types.ts';
import type { ColumnStats, DataFile } from './data-file.ts';
/**
 * A condition on one column. Several conditions must all hold. Values are in the engine's text form, such as
 * `2026-01-31`.
 */
export type ColumnPredicate =
  | { column: string; op: 'eq' | 'lt' | 'lte' | 'gt' | 'gte'; value: string }
  | { column: string; op: 'in'; values: readonly string[] }
  | { column: string; op: 'is_null' | 'not_null' };

export type PrunableFile = Partial<Pick<DataFile, 'rows' | 'stats' | 'form'>>;

/**
 * The files of a version that a statement needs if it reads them once for each list of predicates. The first file of
 * every form is included: together they have the columns and types of all files, in the same order.
 */
export function filesForReadings<F extends PrunableFile>(
  table: { files: readonly F[]; columns: readonly Column[] },
  readings: readonly (readonly ColumnPredicate[])[],
): F[] {
  const needed = new Set(readings.flatMap((predicates) => filesFor(table, predicates)));
  const forms = new Set<string>();
  return table.files.filter((file) => {
    const isFirst = file.form === undefined || !forms.has(file.form);
    if (file.form !== undefined) forms.add(file.form);
    return isFirst || needed.has(file);
  });
}

/**
 * The files of a version that may have rows for which all predicates are true. A file is left out only if its bounds
 * exclude it, so applying the conditions to the remaining files gives the same rows as applying them to all.
 */
export function filesFor<F extends PrunableFile>(
  { files, columns }: { files: readonly F[]; columns: readonly Column[] },
  predicates: readonly ColumnPredicate[],
): F[] {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  return files.filter((file) =>
    predicates.every((predicate) => {
      const stats = file.stats?.[predicate.column];
      const compare = comparisonOf(types.get(predicate.column));
      return !stats || !compare || file.rows === undefined || mayHold(stats, file.rows, predicate, compare);
    }),
  );
}

/** Returns a negative number, zero or a positive number; undefined if the texts cannot be compared. */
type Compare = (one: string, other: string) => number | undefined;

function mayHold(stats: ColumnStats, rows: number, predicate: ColumnPredicate, compare: Compare): boolean {
  if (predicate.op === 'is_null') return stats.nulls > 0;
  if (stats.nulls >= rows) return false;
  if (predicate.op === 'not_null') return true;
  const { min, max } = stats;
  const isBelow = (value: string) => min !== undefined && (compare(value, min) ?? 0) < 0;
  const isAbove = (value: string) => max !== undefined && (compare(value, max) ?? 0) > 0;
  switch (predicate.op) {
    case 'in':
      return predicate.values.some((value) => !isBelow(value) && !isAbove(value));
    case 'eq':
      return !isBelow(predicate.value) && !isAbove(predicate.value);
    case 'lt':
      return min === undefined || (compare(min, predicate.value) ?? -1) < 0;
    case 'lte':
      return !isBelow(predicate.value);
    case 'gt':
      return max === undefined || (compare(max, predicate.value) ?? 1) > 0;
    case 'gte':
      return !isAbove(predicate.value);
  }
}

function comparisonOf(type: string | undefined): Compare | undefined {
  if (type === 'integer' || type?.startsWith('decimal')) return compareDecimals;
  if (type === 'string') return (one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other));
  if (type === 'date' || type === 'timestamp' || type === 'timestamptz') return compareTimes;
  return undefined;
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

function compareDecimals(one: string, other: string): number | undefined {
  if (!DECIMAL.test(one) || !DECIMAL.test(other)) return undefined;
  const scale = Math.max(fractionOf(one).length, fractionOf(other).length);
  const scaled = (text: string) =>
    BigInt(text.replace('.', '').padEnd(text.replace('.', '').length + scale - fractionOf(text).length, '0'));
  const [left, right] = [scaled(one), scaled(other)];
  return left < right ? -1 : left > right ? 1 : 0;
}

const fractionOf = (text: string) => text.split('.')[1] ?? '';

/** Times with years of four digits in the same time zone compare as texts; others are left to the engine. */
const TIME = /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d{1,6})?(\+00)?)?$/;

function compareTimes(one: string, other: string): number | undefined {
  if (!TIME.test(one) || !TIME.test(other)) return undefined;
  const [left, right] = [one, other].map(fullTime) as [string, string];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Adds the time of day and pads the fraction to six digits. */
function fullTime(text: string): string {
  const [day, time = '00:00:00'] = text.replace('+00', '').split(' ') as [string, string?];
  const [seconds, fraction = ''] = time.split('.') as [string, string?];
  return `${day} ${seconds}.${fraction.padEnd(6, '0')}`;
}
