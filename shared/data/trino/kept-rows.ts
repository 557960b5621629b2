/** Trino has no QUALIFY: the condition becomes a column of a subquery, by which the rows are filtered. */
export function keptRows(
  { outputs, where, rest }: { outputs: readonly string[]; where: string; rest: string },
  names: string,
): string {
  const checked = `SELECT ${outputs.join(', ')}, ${where} AS "row is kept"${rest}`;
  return `SELECT ${names} FROM (${checked}) AS "checked rows" WHERE "row is kept"`;
}
