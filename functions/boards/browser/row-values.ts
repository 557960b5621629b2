import { isScalar } from './conditions.ts';
import type { RowValues } from './exploring.ts';
import type { CardData, DataColumn } from './table.ts';

/** What a selection calls a dimension: its field, unless two dimensions show the same field. */
export function keyOf(columns: readonly DataColumn[], column: DataColumn): string {
  const { fieldId, name } = column;
  const isOnly = fieldId !== undefined && columns.filter((each) => each.fieldId === fieldId).length === 1;
  return isOnly ? fieldId : name;
}

/** The values of the row by which the card groups. Undefined for rows that cannot be named. */
export function valuesOfRow({ columns, rows }: Pick<CardData, 'columns' | 'rows'>, row: number): RowValues | undefined {
  const cells = rows[row];
  const pairs = columns.flatMap((column, at) =>
    column.role === 'dimension' ? [[keyOf(columns, column), cells?.[at] ?? null] as const] : [],
  );
  const isNamed =
    cells !== undefined && pairs.length > 0 && pairs.every(([, value]) => value === null || isScalar(value));
  return isNamed ? (Object.fromEntries(pairs) as RowValues) : undefined;
}

/** The place of the row that the values name. */
export const rowWith = (data: Pick<CardData, 'columns' | 'rows'>, values: RowValues): number =>
  data.rows.findIndex((_, row) => {
    const own = valuesOfRow(data, row);
    return own !== undefined && Object.entries(values).every(([key, value]) => own[key] === value);
  });
