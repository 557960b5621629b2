/** Trino has no QUALIFY: the condition becomes a column of a query of its own, in which the rows are chosen. */
export function keptRows(
  { outputs, where, rest }: { outputs: readonly string[]; where: string; rest: string },
  names: string,
): string {
  const checked = `SELECT ${outputs.join(', ')}, ${where} AS "row is kept"${rest}`;
  return `SELECT ${names} FROM (${checked}) AS "checked rows" WHERE "row is kept"`;
}
