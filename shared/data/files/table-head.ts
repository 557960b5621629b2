import { headingOf, headingSigns } from './heading.ts';
import { isFilled, kindOf } from './value-kinds.ts';

/** A record of the beginning of a file. */
export interface HeadRecord {
  /** The number of its first line or of its row, starting at 1. */
  line: number;
  values: string[];
}

/** A cell over several columns of one row; columns start at 0. */
export interface WideCell {
  line: number;
  from: number;
  to: number;
}

export function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** Titles are at most this many records. */
const MAX_TITLES = 50;

/**
 * What is wrong with taking the names of the columns from the first record: they are below titles, or in several rows.
 * Undefined if nothing is.
 */
export function headIssue(records: readonly HeadRecord[], wide: readonly WideCell[] = []): string | undefined {
  const below = proposedHeader(records, wide);
  if (below) {
    const [titles, { line }] = [
      below.titles === 1 ? 'The first row seems to be a title' : `The first ${below.titles} rows seem to be titles`,
      below,
    ];
    return `${titles}. Row ${line} looks like the header; set headerRow: ${line}. If row ${records[0]!.line} has the names, set headerRow: ${records[0]!.line}.`;
  }
  const last = lastHeading(records, wide);
  if (last === undefined) return undefined;
  const first = records[0]!.line;
  return `The column names seem to be in rows ${first} to ${last}. Set headerRow: ${last} to use those of row ${last}, or headerRow: ${first} if row ${first + 1} is data.`;
}

/**
 * The line of the names if the records above it are titles: they have values in at most half of the columns, and are
 * either narrower than the table or padded. Padded records may be data, so the names must also differ from the values
 * below them. Undefined if the first record may belong to the table.
 */
function proposedHeader(
  records: readonly HeadRecord[],
  wide: readonly WideCell[],
): { line: number; titles: number } | undefined {
  const width = mostFrequent(records.map(({ values }) => values.length));
  if (width < 2) return undefined;
  const at = records.findIndex(({ values }) => values.length === width && values.every(isFilled));
  const titles = records.slice(0, at);
  if (at < 1 || at > MAX_TITLES || !titles.every(({ values }) => isTitle(values, width))) return undefined;
  const names = records[at]!;
  const others = records.slice(at + 1).map(({ values }) => values);
  if (headingOf(names.values, others) !== 'names') return undefined;
  const isNarrow = titles.some(({ values }) => values.length < width);
  const isWide = titles.some(({ line }) => wide.some((cell) => cell.line === line));
  return isNarrow || isWide || isOverValues(names.values, others) ? { line: names.line, titles: at } : undefined;
}

const isTitle = (values: readonly string[], width: number) =>
  values.length <= width && values.filter(isFilled).length <= width / 2;

/** Whether most values of some column are numbers, dates or truth values, while its name is a text. */
function isOverValues(names: readonly string[], others: readonly string[][]): boolean {
  return names.some((name, i) => {
    const filled = others.map((values) => values[i] ?? '').filter(isFilled);
    return (
      kindOf(name) === 'text' &&
      filled.filter((value) => (kindOf(value) ?? 'text') !== 'text').length > filled.length / 2
    );
  });
}

const MAX_HEADINGS = 4;
/** With more than two rows of names, so many records have to show that those rows are none of them. */
const MIN_RECORDS = 5;

/** The line of the last of several rows with names, such as `2024` over `Q1` and `Q2`, or units below the names. */
function lastHeading(records: readonly HeadRecord[], wide: readonly WideCell[]): number | undefined {
  for (let last = MAX_HEADINGS - 1; last > 0; last -= 1) {
    const others = records.slice(last + 1).map(({ values }) => values);
    if (others.length < (last === 1 ? 1 : MIN_RECORDS)) continue;
    const rows = records.slice(1, last + 1);
    if (rows.every((record, i) => isBelowNames(record, records[i]!, others, wide))) return records[last]!.line;
  }
  return undefined;
}

/** Whether the record has names below those of the record above it. */
function isBelowNames(
  { values }: HeadRecord,
  above: HeadRecord,
  others: readonly string[][],
  wide: readonly WideCell[],
): boolean {
  const signs = headingSigns(values, others);
  if (signs.values.length > 0 || headingOf(above.values, others) === 'data') return false;
  const groups = wide.filter(({ line }) => line === above.line);
  if (groups.some(({ from, to }) => values.slice(from + 1, to + 1).some(isFilled))) return true;
  if (signs.names.length === 0 || !isOverAllValues(values, others, signs.names)) return false;
  const hasGap = values.some((value, i) => isFilled(value) && !isFilled(above.values[i]));
  return others.length > 1 && (hasGap || signs.names.length > 1);
}

/** Whether no column with values of one kind has a value of this record. */
function isOverAllValues(values: readonly string[], others: readonly string[][], names: readonly number[]): boolean {
  return values.every((value, i) => {
    if (!isFilled(value) || names.includes(i)) return true;
    const kinds = new Set(others.map((other) => kindOf(other[i] ?? '')).filter((kind) => kind !== undefined));
    return kinds.size !== 1 || kinds.has('text');
  });
}
