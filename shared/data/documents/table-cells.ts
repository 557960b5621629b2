import { kindOf } from '../charts/chart-columns.ts';
import { isHeadingWhole } from '../charts/draw-table.ts';
import { pivoted } from '../charts/pivot.ts';
import { showValue } from '../charts/show-value.ts';
import { showColumns, titleOf } from '../charts/shown-columns.ts';
import { printable } from '../charts/svg.ts';
import type { ColumnText } from '../charts/table-columns.ts';
import { withTotals } from '../charts/total-rows.ts';
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
  const source = look.mark.type === 'pivot' ? pivoted(look.encoding ?? {}, data) : withTotals(data);
  const found = showColumns(look.mark.columns, source.columns);
  const columns = found.slice(0, max.columns);
  const hidden = [
    counted(source.rows.length - max.rows, 'row'),
    counted(found.length - columns.length, 'column'),
  ].filter((text) => text !== '');
  return {
    headings: columns.map((column) => printable(titleOf(column))),
    rows: source.rows
      .slice(0, max.rows)
      .map((row) => columns.map(({ at, column, format }) => printable(showValue(column, row[at], format)))),
    isNumber: columns.map(({ column }) => kindOf(column) === 'number'),
    isWhole: columns.map(({ column }) => kindOf(column) !== 'other'),
    isHeadingWhole: columns.map(isHeadingWhole),
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
