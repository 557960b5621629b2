import { type ColumnText, type FittedColumns, fitColumns, type TableMeasure } from '../charts/table-columns.ts';

/** Columns that lie beside each other on a page or a slide. */
export interface TablePart extends FittedColumns {
  /** The indexes of its columns. */
  columns: number[];
}

/** More would be a document of their own. */
const MAX_PARTS = 10;

/**
 * The columns of a table in parts, so that no number and no date is cut: those that do not fit beside the others
 * continue below, with the first column again if it names the rows.
 */
export function tableParts(columns: readonly ColumnText[], measure: TableMeasure, from = 0): TablePart[] {
  const parts: TablePart[] = [];
  for (let next = from; next < columns.length && parts.length < MAX_PARTS; ) {
    const repeated = next > 0 && columns[0]!.isNumber !== true ? [0] : [];
    const rest = columns.map((_, at) => at).slice(next);
    const part = partOf(columns, [...repeated, ...rest], measure);
    const isLonger = part.columns.length > repeated.length;
    parts.push(isLonger ? part : partOf(columns, [next], measure));
    next += isLonger ? part.columns.length - repeated.length : 1;
  }
  return parts;
}

function partOf(columns: readonly ColumnText[], wanted: readonly number[], measure: TableMeasure): TablePart {
  const fit = fitColumns(
    wanted.map((at) => columns[at]!),
    measure,
  );
  return { ...fit, columns: wanted.slice(0, fit.places.length) };
}
