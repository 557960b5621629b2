import type { Static } from 'typebox';
import * as Type from 'typebox';
import { DataError } from '../../platform/errors/data-error.ts';
import type { Column } from '../duckdb/column-types.ts';

/** How many columns and examples of each are reported. */
export const MAX_CHANGED_COLUMNS = 20;
export const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 64;

export const ChangedValues = Type.Object(
  {
    column: Type.String(),
    nulls: Type.Integer({ description: 'Values that became null because the type of the column has no such value.' }),
    rounded: Type.Integer({ description: 'Values with more digits than the type of the column.' }),
    examples: Type.Array(
      Type.Object({
        row: Type.Integer({ description: 'Starts at 1: the row of the sheet, or the row in the order of the source.' }),
        value: Type.String({ description: 'Value as in the source; long values are cut off.' }),
      }),
      { description: `The first of them, at most ${MAX_EXAMPLES}.` },
    ),
  },
  { $id: 'ChangedValues', description: 'Values of a column that could not be kept exactly.' },
);
export type ChangedValues = Static<typeof ChangedValues>;

/** What a read finds out about a column with values that it cannot keep exactly. */
export interface ColumnChange extends ChangedValues {
  /** Set if no value of the column is left. */
  isEmptied?: true;
}

export const exampleOf = (row: number, value: string): ChangedValues['examples'][number] => ({
  row,
  value: value.length > MAX_EXAMPLE_LENGTH ? `${value.slice(0, MAX_EXAMPLE_LENGTH - 1)}…` : value,
});

/** The columns with the most changed values, to be stored and shown; undefined if nothing changed. */
export function reportedChanges(changes: readonly ColumnChange[]): ChangedValues[] | undefined {
  if (changes.length === 0) return undefined;
  const count = ({ nulls, rounded }: ChangedValues) => nulls + rounded;
  return [...changes]
    .sort((a, b) => count(b) - count(a))
    .slice(0, MAX_CHANGED_COLUMNS)
    .map(({ column, nulls, rounded, examples }) => ({ column, nulls, rounded, examples }));
}

/** The changes of several reads that become one table. */
export function mergedChanges(
  parts: readonly { columns: readonly Column[]; changes: readonly ColumnChange[] }[],
): ColumnChange[] {
  const all = parts.flatMap(({ changes }) => changes);
  return [...new Set(all.map(({ column }) => column))].map((column) => {
    const own = all.filter((change) => change.column === column);
    const readers = parts.filter(({ columns }) => columns.some(({ name }) => name === column));
    const sum = (count: (change: ColumnChange) => number) => own.reduce((total, change) => total + count(change), 0);
    const isEmptied = own.filter((change) => change.isEmptied).length === readers.length;
    return {
      column,
      nulls: sum(({ nulls }) => nulls),
      rounded: sum(({ rounded }) => rounded),
      examples: own.flatMap(({ examples }) => examples).slice(0, MAX_EXAMPLES),
      ...(isEmptied ? { isEmptied } : {}),
    };
  });
}

/** A sentence for the log of a step. */
export function changeSentence({ column, nulls, rounded, examples }: ColumnChange): string {
  const counts = [...(nulls > 0 ? [`${nulls} became null`] : []), ...(rounded > 0 ? [`${rounded} were rounded`] : [])];
  return `Values of ${column} cannot be kept exactly: ${counts.join(', ')}${placesText(examples)}.`;
}

const placesText = (examples: ChangedValues['examples']) =>
  examples.length === 0 ? '' : `, such as ${examples.map(({ row, value }) => `"${value}" in row ${row}`).join(', ')}`;

/** Throws VALUES_LOST if a column would be null throughout although the source has values, unless it is accepted. */
export function rejectEmptied(changes: readonly ColumnChange[], accepted: readonly string[] = []): void {
  const lost = changes.filter(({ column, isEmptied }) => isEmptied && !accepted.includes(column));
  if (lost.length === 0) return;
  throw DataError.ofIssues(
    lost.map(({ column, nulls, examples }) => ({
      code: 'VALUES_LOST' as const,
      message: `All ${nulls} values of the column "${column}" would become null${placesText(examples)}. Convert them in a query over the source, or accept the nulls by adding "${column}" to acceptNullColumns.`,
    })),
  );
}
