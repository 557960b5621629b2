/** A record of the beginning of a file. */
export interface CsvRecord {
  /** The number of its first line, starting at 1. */
  line: number;
  values: string[];
}

export function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

const YEAR = /^(?:19|20)\d\d$/;
const VALUE_NOT_NAME =
  /^\s*(?:[-+]?[\d.,]+%?(?:[eE][-+]?\d+)?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*|true|false|null|nan)\s*$/i;

/** Consecutive years at the end of a record are column names if no record has years in these columns. */
function isOfYears(first: readonly string[], others: readonly string[][]): boolean {
  const start = first.findIndex((value) => VALUE_NOT_NAME.test(value));
  const years = first.slice(start);
  const follow = years.every((value, i) => YEAR.test(value) && (i === 0 || Number(value) === Number(years[i - 1]) + 1));
  if (years.length < 2 || !follow || others.length === 0) return false;
  return others.every((record) => !record.slice(start).some((value) => YEAR.test(value)));
}

/**
 * Whether the first record has column names. A record with a number, date or truth value is data, unless it ends with
 * consecutive years. A record that occurs again is data, too.
 */
export function looksLikeHeader(first: readonly string[], others: readonly string[][]): boolean {
  if (first.every((value) => value.trim() === '')) return false;
  if (first.some((value) => VALUE_NOT_NAME.test(value)) && !isOfYears(first, others)) return false;
  return !others.some((record) => record.join('\u0000') === first.join('\u0000'));
}

/** Titles are at most this many records. */
const MAX_TITLES = 50;

/**
 * The line of the names if the records above it are titles: they have values in at most half of the columns, and are
 * either narrower than the table or padded. Padded records may be data, so the names must also differ from the values
 * below them. Undefined if the first record may belong to the table.
 */
export function proposedHeader(records: readonly CsvRecord[]): number | undefined {
  const width = mostFrequent(records.map(({ values }) => values.length));
  if (width < 2) return undefined;
  const at = records.findIndex(({ values }) => values.length === width && values.every(isFilled));
  const titles = records.slice(0, at);
  if (at < 1 || at > MAX_TITLES || !titles.every(({ values }) => isTitle(values, width))) return undefined;
  const names = records[at]!;
  const others = records.slice(at + 1).map(({ values }) => values);
  if (!looksLikeHeader(names.values, others)) return undefined;
  const isNarrow = titles.some(({ values }) => values.length < width);
  return isNarrow || isOverValues(names.values, others) ? names.line : undefined;
}

const isFilled = (value: string) => value.trim() !== '';

const isTitle = (values: readonly string[], width: number) =>
  values.length <= width && values.filter(isFilled).length <= width / 2;

/** Whether most values of some column are numbers, dates or truth values, while its name is a text. */
function isOverValues(names: readonly string[], others: readonly string[][]): boolean {
  return names.some((name, i) => {
    const filled = others.map((values) => values[i] ?? '').filter(isFilled);
    return (
      !VALUE_NOT_NAME.test(name) && filled.filter((value) => VALUE_NOT_NAME.test(value)).length > filled.length / 2
    );
  });
}
