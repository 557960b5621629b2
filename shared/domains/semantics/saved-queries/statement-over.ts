import type { QueryParameter } from '../../../data/duckdb/parameters.ts';
import { quoteIdentifier } from '../../../data/duckdb/quoting.ts';
import type { SqlParameter } from '../../../data/expressions/index.ts';
import { tokens } from '../../../data/sql/lexer.ts';
import { canonicalSql } from '../queries/index.ts';
import type { SavedQuery } from './records.ts';

/** The table by which a statement over a saved query reads its rows. */
export const SAVED_ROWS = '#rows';

/** A statement over the rows of a saved query, with the values of `$1`, `$2`, …. */
export interface OverSaved {
  sql: string;
  params: readonly SqlParameter[];
}

/**
 * The statement with the rows of the saved query, whose own parameters keep their names. The text of the saved query is
 * a SELECT by itself, and nothing of the other statement becomes a part of it.
 */
export function statementOver(
  { sql: rows, params: declared }: Pick<SavedQuery, 'sql' | 'params'>,
  { sql, params }: OverSaved,
): { sql: string; params: Record<string, QueryParameter> } {
  const prefix = freePrefix(declared.map(({ name }) => name));
  const used = new Set<number>();
  const pieces = [...tokens(sql)].map(({ kind, start, end }) => {
    const piece = sql.slice(start, end);
    if (kind !== 'parameter') return piece;
    used.add(Number(piece.slice(1)));
    return `$${prefix}${piece.slice(1)}`;
  });
  const named = pieces.join('');
  const next = named.startsWith('WITH\n') ? `,\n${named.slice('WITH\n'.length)}` : `\n${named}`;
  return {
    sql: `WITH ${quoteIdentifier(SAVED_ROWS)} AS (\n${canonicalSql(rows)}\n)${next}`,
    // Some texts decide how SQL is written, such as the unit of a date, and are not in it.
    params: Object.fromEntries([...used].map((number) => [`${prefix}${number}`, textOf(params[number - 1]!)])),
  };
}

/** Only conditions of row-level security bind lists, and a statement over a saved query has none of its own. */
function textOf(value: SqlParameter): string {
  if (typeof value === 'string') return value;
  throw new TypeError('a list cannot be bound by name');
}

/** Names of parameters are compared as by DuckDB, which ignores case. */
function freePrefix(names: readonly string[], prefix = 'filter_'): string {
  return names.some((name) => name.toLowerCase().startsWith(prefix)) ? freePrefix(names, `${prefix}_`) : prefix;
}
