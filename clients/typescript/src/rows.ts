/** An answer with its rows as lists of values, as the query operations reply. */
export interface Table {
  columns: readonly { name: string }[];
  rows: readonly (readonly unknown[])[];
}

/** The rows of an answer as objects by the names of its columns. Of columns with the same name, the last one counts. */
export function* objects(table: Table): Generator<Record<string, unknown>> {
  const names = table.columns.map(({ name }) => name);
  for (const row of table.rows) yield Object.fromEntries(names.map((name, index) => [name, row[index]]));
}
