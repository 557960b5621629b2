import type { BoundParameter, QueryParameters } from '../../../data/duckdb/parameters.ts';
import { type TokenKind, tokens } from '../../../data/sql/lexer.ts';
import { plainValue } from '../../../data/sql/positional-parameters.ts';

/**
 * Returns the same text for statements that differ only in layout, comments and trailing semicolons. Case is kept,
 * because it appears in the names of result columns.
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
    // Two literals with a line break between them are one literal; elsewhere a line break is only a space.
    const joins = before === 'string' && kind === 'string' && gap.includes('\n');
    if (gap !== '' && text !== '') text += joins ? '\n' : ' ';
    text += piece;
    gap = '';
    before = kind;
  }
  return text.replace(/[\s;]+$/, '');
}

const VOLATILE_NAMES = new Set(
  `now current_date current_timestamp current_time localtime localtimestamp today age ago get_current_time
   get_current_timestamp current_localtime current_localtimestamp transaction_timestamp statement_timestamp
   sample tablesample`.split(/\s+/),
);

/** Databases read these texts as instants, also together with a time. */
const CLOCK_WORD = /^[\s\d:.,+-]*(now|today|tomorrow|yesterday|allballs)[\s\d:.,+-]*$/i;
const DELIMITER = /^(\w*'|\$\w*\$)|('|\$\w*\$)$/g;

/**
 * Whether the result may differ over the same data, so that caching it is wrong. A parameter with a word for an instant
 * counts, because the statement may cast it.
 */
export function isVolatile({ sql, params }: { sql: string; params: QueryParameters }): boolean {
  if (Object.values(params).some(isClockWord)) return true;
  for (const { kind, start, end } of tokens(sql)) {
    const piece = sql.slice(start, end);
    if (kind === 'string' && CLOCK_WORD.test(piece.replace(DELIMITER, ''))) return true;
    if ((kind === 'word' || kind === 'identifier') && VOLATILE_NAMES.has(piece.replaceAll('"', '').toLowerCase()))
      return true;
  }
  return false;
}

function isClockWord(value: BoundParameter): boolean {
  const text = plainValue(value);
  if (Array.isArray(text)) return (text as readonly BoundParameter[]).some(isClockWord);
  return typeof text === 'string' && CLOCK_WORD.test(text);
}
