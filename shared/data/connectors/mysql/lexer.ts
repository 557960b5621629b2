import { DataError, positionAt } from '../../../platform/errors/data-error.ts';

/** A token of MySQL's SQL, other than white space and comments. */
export interface MysqlPiece {
  kind: MysqlPieceKind;
  text: string;
  at: number;
}

export type MysqlPieceKind = 'hint' | 'string' | 'identifier' | 'number' | 'word' | 'variable' | 'symbol';

/**
 * The rules that our sessions set: a backslash escapes, and double quotes enclose strings. `--` begins a comment before
 * any white space, carriage returns included: every comment of the server must be a comment here.
 */
const PATTERNS: [kind: MysqlPieceKind | 'space' | 'comment', pattern: RegExp][] = [
  ['space', /[ \t\r\n\f\v]+/y],
  ['hint', /\/\*(?:!|M!|\+)/y],
  ['comment', /\/\*[\s\S]*?\*\/|--(?:[ \t\r\f\v][^\n]*|(?=\n)|$)|#[^\n]*/y],
  ['string', /'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"/y],
  ['identifier', /`(?:[^`]|``)*`/y],
  ['number', /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w$\u0080-\uffff])/y],
  ['word', /[\w$\u0080-\uffff]+/y],
  ['variable', /@/y],
];

const MAX_BYTES = 256 * 1024;

/**
 * Splits a text in linear time. Throws SQL_PARSE for a text that must not reach a server: too long, with control
 * characters, or with an unclosed quote or comment.
 */
export function mysqlPieces(sql: string): MysqlPiece[] {
  if (Buffer.byteLength(sql) > MAX_BYTES) {
    throw new DataError('SQL_PARSE', `The SQL text is longer than ${MAX_BYTES} bytes.`);
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const control = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufeff\u200b-\u200f\u2028-\u202f]/.exec(sql);
  if (control || !sql.isWellFormed()) {
    throw new DataError('SQL_PARSE', 'The SQL text contains a control character or is not valid Unicode.');
  }
  const pieces: MysqlPiece[] = [];
  for (let at = 0; at < sql.length; ) {
    const { kind, text } = pieceAt(sql, at);
    if (kind !== 'space' && kind !== 'comment') pieces.push({ kind, text, at });
    at += text.length;
  }
  return pieces;
}

function pieceAt(sql: string, at: number): { kind: (typeof PATTERNS)[number][0]; text: string } {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const [text] = pattern.exec(sql) ?? [];
    if (text) return { kind, text };
  }
  // Skipping the quote would search for the same end again from each later quote.
  if (/['"`]/.test(sql[at]!)) throw unclosed(sql, at, 'A quote is never closed.');
  if (sql.startsWith('/*', at)) throw unclosed(sql, at, 'A comment is never closed.');
  return { kind: 'symbol', text: sql[at]! };
}

function unclosed(sql: string, at: number, message: string): DataError {
  return DataError.ofIssues([{ code: 'SQL_PARSE', message, position: positionAt(sql, at) }]);
}
