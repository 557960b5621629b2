import type { QueryParameter, QueryParameters } from '../../data/duckdb/parameters.ts';
import { type TokenKind, tokens } from '../../data/sql/lexer.ts';

/**
 * The same text for statements that differ in layout, comments and closing semicolons only. Letters keep their case:
 * they name columns.
 */
export function canonicalSql(sql: string): string {
  let text = '';
  let gap = '';
  let before: TokenKind | undefined;
  for (const { kind, start, end } of tokens(sql)) {
    const piece = sql.slice(start, end);
    if (kind === 'space' || kind === 'comment') {
      gap += piece;
      continue;
    }
    // A line break joins two literals into one; nowhere else does it mean more than a space.
    const joins = before === 'string' && kind === 'string' && gap.includes('\n');
    if (gap !== '' && text !== '') text += joins ? '\n' : ' ';
    text += piece;
    gap = '';
    before = kind;
  }
  return text.replace(/[\s;]+$/, '');
}

const CLOCK_AND_CHANCE = new Set(
  `now current_date current_timestamp current_time localtime localtimestamp today age ago get_current_time
   get_current_timestamp current_localtime current_localtimestamp transaction_timestamp statement_timestamp
   sample tablesample`.split(/\s+/),
);

/** Databases take these texts for instants, also with a time beside them. */
const CLOCK_WORD = /^[\s\d:.,+-]*(now|today|tomorrow|yesterday|allballs)[\s\d:.,+-]*$/i;
const DELIMITER = /^(\w*'|\$\w*\$)|('|\$\w*\$)$/g;

/**
 * Whether the statement may answer differently over the same data: such an answer is not worth remembering. A parameter with a
 * word for an instant counts, for the statement may cast it.
 */
export function isVolatile({ sql, params }: { sql: string; params: QueryParameters }): boolean {
  if (Object.values(params).some(isClockWord)) return true;
  for (const { kind, start, end } of tokens(sql)) {
    const piece = sql.slice(start, end);
    if (kind === 'string' && CLOCK_WORD.test(piece.replace(DELIMITER, ''))) return true;
    if ((kind === 'word' || kind === 'identifier') && CLOCK_AND_CHANCE.has(piece.replaceAll('"', '').toLowerCase()))
      return true;
  }
  return false;
}

function isClockWord(value: QueryParameter): boolean {
  const text = typeof value === 'object' && value !== null ? value.text : value;
  return typeof text === 'string' && CLOCK_WORD.test(text);
}
