import { type ChartData, kindOf } from '../charts/chart-columns.ts';
import { pivoted } from '../charts/pivot.ts';
import { showValue } from '../charts/show-value.ts';
import { printable } from '../charts/svg.ts';
import type { ColumnText } from '../charts/table-columns.ts';
import type { CardContent } from './documents.ts';

type Chart = Extract<CardContent, { kind: 'chart' }>;

export interface ShownTable {
  headings: string[];
  rows: string[][];
  isNumber: boolean[];
  /** Numbers and dates are never cut. */
  isWhole: boolean[];
  isHeadingWhole: boolean[];
  /** What is not shown, such as `12 more rows`. */
  leftOut: string;
}

export const isTable = ({ look }: Chart): boolean => !look.layer && /^(table|pivot)$/.test(look.mark.type);

/** A table or pivot table as texts, with as many rows and columns as there is room for. */
export function showTable({ look, data }: Chart, max: { rows: number; columns: number }): ShownTable {
  const source: ChartData = look.mark.type === 'pivot' ? pivoted(look.encoding ?? {}, data) : data;
  const wanted = look.mark.columns ?? source.columns.map(({ name }) => ({ field: name }));
  const found = wanted.flatMap(({ field, ...more }: { field: string; title?: string | null; format?: string }) => {
    const at = source.columns.findIndex(({ name }) => name === field);
    return at < 0 ? [] : [{ ...more, at, column: source.columns[at]! }];
  });
  const columns = found.slice(0, max.columns);
  const hidden = [
    counted(source.rows.length - max.rows, 'row'),
    counted(found.length - columns.length, 'column'),
  ].filter((text) => text !== '');
  return {
    headings: columns.map(({ title, column }) => printable(title ?? column.name)),
    rows: source.rows
      .slice(0, max.rows)
      .map((row) => columns.map(({ at, column, format }) => printable(showValue(column, row[at], format)))),
    isNumber: columns.map(({ column }) => kindOf(column) === 'number'),
    isWhole: columns.map(({ column }) => kindOf(column) !== 'other'),
    isHeadingWhole: columns.map(({ column }) => column.isNameWhole ?? false),
    leftOut: hidden.join(', '),
  };
}

/** What decides how wide the columns are. */
export const columnsOf = ({ headings, rows, isNumber, isWhole, isHeadingWhole }: ShownTable): ColumnText[] =>
  headings.map((heading, at) => ({
    heading,
    values: rows.map((row) => row[at]!),
    isWhole: isWhole[at]!,
    isNumber: isNumber[at]!,
    isHeadingWhole: isHeadingWhole[at]!,
  }));

const counted = (count: number, word: string): string =>
  count <= 0 ? '' : `${count} more ${word}${count === 1 ? '' : 's'}`;
