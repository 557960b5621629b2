/** Loaded on demand, because this module is as large as the one that draws charts. */
import { type ChartColumn, type ChartData, kindOf } from '../../../../shared/data/charts/chart-columns.ts';
import type { ChartLook } from '../../../../shared/data/charts/chart-look.ts';
import { kpiOf } from '../../../../shared/data/charts/kpi.ts';
import { pivoted } from '../../../../shared/data/charts/pivot.ts';
import { showValue } from '../../../../shared/data/charts/show-value.ts';
import { showColumns, titleOf } from '../../../../shared/data/charts/shown-columns.ts';
import type { Block } from '../../../../shared/platform/mail/compose.ts';

/** As much as is readable on a phone; the dashboard has the rest. */
const MAX_ROWS = 8;
const MAX_COLUMNS = 6;
const MAX_CELL = 60;

export interface CardContent extends ChartData {
  title: string;
  /** Undefined for a saved query without a chart. */
  look: ChartLook | undefined;
  /** Whether there are more rows than these. */
  truncated?: boolean;
}

/** The rows of a card as an email shows them: a number, or the first rows of a table. */
export function blockOf(card: CardContent): Block {
  const { title, look, columns, rows, truncated = false } = card;
  if (rows.length === 0) return { name: title, text: 'No rows' };
  if (look && !look.layer && look.mark.type === 'kpi') return kpiBlock(title, look, { columns, rows });
  const data = look?.mark.type === 'pivot' ? pivoted(look.encoding ?? {}, { columns, rows }) : { columns, rows };
  const shown = showColumns(look?.mark.columns, data.columns);
  const table = shown.slice(0, MAX_COLUMNS);
  const left = [
    moreRows(data.rows.length - MAX_ROWS, truncated),
    counted(shown.length - table.length + ('columnsLeftOut' in data ? data.columnsLeftOut : 0), 'column'),
  ].filter((text) => text !== '');
  return {
    name: title,
    columns: table.map((column) => ({
      name: cut(titleOf(column)),
      isNumber: isNumber(column.column),
      ...(kindOf(column.column) === 'time' && { isWhole: true }),
    })),
    rows: data.rows
      .slice(0, MAX_ROWS)
      .map((row) => table.map(({ column, at, format }) => textOf(column, showValue(column, row[at], format)) || '–')),
    note: left.length === 0 ? null : left.join(', '),
  };
}

function kpiBlock(title: string, look: ChartLook, data: ChartData): Block {
  const { title: measure, period, value, isWhole, comparisons } = kpiOf(look, data);
  const names = [title && title !== measure ? measure : '', period].filter((name) => name !== '');
  const lines = [
    ...(names.length > 0 ? [{ text: names.join(' · '), tone: 'plain' as const }] : []),
    ...comparisons.map(({ text, tone }) => ({ text, tone })),
  ];
  return { name: title || measure, value: isWhole ? value : cut(value), lines };
}

/** Numbers and dates are never cut. */
const isWhole = (column: ChartColumn): boolean => kindOf(column) !== 'other';
const textOf = (column: ChartColumn, text: string): string => (isWhole(column) ? text : cut(text));
const isNumber = (column: ChartColumn): boolean => kindOf(column) === 'number';
const moreRows = (count: number, isTruncated: boolean): string =>
  !isTruncated ? counted(count, 'row') : count > 0 ? `at least ${counted(count, 'row')}` : 'more rows';
const counted = (count: number, word: string): string =>
  count <= 0 ? '' : `${count} more ${word}${count === 1 ? '' : 's'}`;
const cut = (text: string): string => (text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text);
