import type { AnswerColumn } from './binder.ts';
import type { Fill, QuestionInput } from './schemas.ts';

/** The rows of an answer. */
export interface AnswerRows {
  /** JSON text: an array of arrays in the order of the columns. */
  rowsJson: string;
  rowCount: number;
  truncated: boolean;
  /** Whether rows that were cut off are as good as the last one. */
  tiesCut: boolean;
  totals: readonly Total[];
}

export interface Total {
  /** How many of the leading dimensions the total is for: 0 for the grand total. */
  level: number;
  row: readonly unknown[];
}

/** Rows and subtotals together, before rows are cut to the limit. */
export const MAX_ROWS_WITH_SUBTOTALS = 50_000;

/** How many rows of its statement an answer needs: one more than wanted shows whether there are more. */
export const rowsToRead = ({ limit, totals }: Pick<QuestionInput, 'limit' | 'totals'>): number =>
  totals === 'all' ? MAX_ROWS_WITH_SUBTOTALS : limit + (totals === 'grand' ? 2 : 1);

type Row = unknown[];
type Asked = Pick<QuestionInput, 'limit' | 'totals' | 'sort'> & {
  dimensions: readonly Pick<QuestionInput['dimensions'][number], 'fill'>[];
};

/**
 * The rows of the statement as the question wants them: totals apart, cut to the limit, gaps in time filled. `isFilled`
 * is false if gaps were left because of their number.
 */
export function answerRows(
  { payload, rowCount, truncated }: { payload: string; rowCount: number; truncated: boolean },
  question: Asked,
  columns: readonly AnswerColumn[],
): AnswerRows & { isFilled: boolean } {
  const { limit, totals, sort, dimensions } = question;
  const time = dimensions.findIndex(({ fill }) => fill);
  const fill = dimensions[time]?.fill;
  const hasHidden = columns.some(({ hidden }) => hidden);
  // Most answers go to the client as the engine has written them.
  if (totals === 'none' && !fill && !hasHidden && rowCount <= limit)
    return { rowsJson: payload, rowCount, truncated, tiesCut: false, totals: [], isFilled: true };
  const read = JSON.parse(payload) as Row[];
  // Of a row, the level comes first and `#filled` last.
  const all = totals === 'none' ? read : read.map((row) => row.slice(1));
  const levels = read.map((row) => (totals === 'none' ? dimensions.length : Number(row[0])));
  const isFilled = !fill || all.every((row) => row[columns.length] === true);
  const values = fill ? all.map((row) => row.slice(0, columns.length)) : all;
  const detailed = values.filter((_, index) => levels[index] === dimensions.length);
  if (fill) fillGaps(detailed, { fill, time }, columns);
  const rows = detailed.slice(0, limit);
  const next = detailed[limit];
  const shown = (row: Row) => (hasHidden ? row.filter((_, at) => !columns[at]!.hidden) : row);
  const sorted = sort.map(({ column }) => columns.findIndex(({ name }) => name === column));
  return {
    rowsJson: JSON.stringify(rows.map(shown)),
    rowCount: rows.length,
    truncated: truncated || next !== undefined,
    tiesCut: next !== undefined && sorted.length > 0 && sorted.every((at) => rows.at(-1)![at] === next[at]),
    totals: values.flatMap((row, index) =>
      levels[index]! < dimensions.length ? [{ level: levels[index]!, row: shown(row) }] : [],
    ),
    isFilled,
  };
}

const ZEROS: Readonly<Record<string, unknown>> = { integer: 0, number: 0, decimal: '0' };

/** Gives measures without a value one. `previous` follows time within each group of the other dimensions. */
function fillGaps(
  rows: readonly Row[],
  { fill, time }: { fill: Fill; time: number },
  columns: readonly AnswerColumn[],
): void {
  if (fill === 'null') return;
  const measures = columns.flatMap(({ role }, at) => (role === 'measure' ? [at] : []));
  if (fill === 'zero') {
    for (const row of rows) for (const at of measures) row[at] ??= ZEROS[columns[at]!.type] ?? null;
    return;
  }
  const others = columns.flatMap(({ role }, at) => (role === 'dimension' && at !== time ? [at] : []));
  const groups = Map.groupBy(rows, (row) => JSON.stringify(others.map((at) => row[at])));
  for (const group of groups.values()) {
    const inTime = group
      .filter((row) => row[time] !== null)
      .sort((a, b) => (String(a[time]) < String(b[time]) ? -1 : 1));
    for (const [index, row] of inTime.entries()) for (const at of measures) row[at] ??= inTime[index - 1]?.[at] ?? null;
  }
}
