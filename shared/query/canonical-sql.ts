import { type TokenKind, tokens } from '../sql/lexer.ts';

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

/** Postgres and MySQL take these texts for instants. */
const CLOCK_WORD = /^'\s*(now|today|tomorrow|yesterday|allballs)\s*'$/i;

/** Whether the statement may answer differently over the same data: such an answer is not worth remembering. */
export function isVolatile(sql: string): boolean {
  for (const { kind, start, end } of tokens(sql)) {
    const piece = sql.slice(start, end);
    if (kind === 'string' && CLOCK_WORD.test(piece)) return true;
    if ((kind === 'word' || kind === 'identifier') && CLOCK_AND_CHANCE.has(piece.replaceAll('"', '').toLowerCase()))
      return true;
  }
  return false;
}
