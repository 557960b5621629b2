/** Agents read with a context of limited size, which a table of thousands of rows would fill. */
export const DEFAULT_ROWS = 100;
export const MAX_ROWS = 1000;
/** The size of a list in a result, as JSON. */
export const MAX_LIST_BYTES = 64 * 1024;

/** The argument `limit` of tools that return rows. */
export const limit = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_ROWS,
  default: DEFAULT_ROWS,
  description: 'The maximum number of rows to return.',
};

/** The first items, at most so many, that fit. */
export function fittingItems<T>(items: readonly T[], maxItems: number): T[] {
  let bytes = 0;
  const kept: T[] = [];
  for (const item of items.slice(0, maxItems)) {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes > MAX_LIST_BYTES) break;
    kept.push(item);
  }
  return kept;
}

/** A sentence about what was left out, and how to get it; none if everything is there. */
export function omissionOf(what: string, kept: readonly unknown[], all: readonly unknown[], advice: string): string[] {
  if (kept.length === all.length) return [];
  return [`The result has the first ${kept.length} of ${all.length} ${what}; ${advice}.`];
}

interface Rows {
  rows: unknown[];
  totals?: unknown[];
  truncated: boolean;
  warnings: string[];
}

/** An answer with the rows that fit. */
export function boundedRows<A extends Rows>(answer: A, maxRows: number): A & { rowCount: number } {
  const rows = fittingItems(answer.rows, maxRows);
  const totals = answer.totals && fittingItems(answer.totals, maxRows);
  const isLimited = rows.length === maxRows && maxRows < MAX_ROWS;
  const fewer = 'ask for fewer with a filter or fewer columns';
  const advice = isLimited ? `${fewer}, or for more with \`limit\`` : fewer;
  const omissions = [
    ...omissionOf('rows', rows, answer.rows, advice),
    ...(totals ? omissionOf('totals', totals, answer.totals!, advice) : []),
  ];
  return {
    ...answer,
    rows,
    ...(totals && { totals }),
    rowCount: rows.length,
    truncated: answer.truncated || omissions.length > 0,
    warnings: [...answer.warnings, ...omissions],
  };
}
