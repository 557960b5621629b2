export type TokenKind = 'word' | 'number' | 'string' | 'identifier' | 'parameter' | 'comment' | 'space' | 'symbol';

/** A token of SQL, from `start` up to but not including `end` (UTF-16 units). */
export interface Token {
  kind: TokenKind;
  start: number;
  end: number;
  /** Set for a string, quoted identifier or block comment that is not closed. */
  open?: true;
  /** How deeply block comments are nested; 1 for a comment without another inside. */
  nesting?: number;
}

const PATTERNS: [TokenKind, RegExp][] = [
  ['space', /[ \t\r\n\f\v]+/y],
  ['comment', /--[^\n\r]*/y],
  ['string', /[eE]'(?:[^'\\]|\\[\s\S]|'')*'/y],
  ['string', /(?:[bBxXnN]|[uU]&)?'(?:[^']|'')*'/y],
  ['identifier', /(?:[uU]&)?"(?:[^"]|"")*"/y],
  ['parameter', /\$\d+/y],
  ['word', /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y],
  ['number', /(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y],
];

const DOLLAR_TAG = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;
const NAMED_PARAMETER = /\$[A-Za-z_]\w*/y;

/**
 * Splits SQL as DuckDB and Postgres do: strings, dollar quotes, quoted identifiers and nested comments are single
 * tokens. Never throws.
 */
export function* tokens(sql: string): Generator<Token> {
  for (let start = 0; start < sql.length; ) {
    const token = tokenAt(sql, start);
    yield token;
    start = token.end;
  }
}

function tokenAt(sql: string, start: number): Token {
  if (sql.startsWith('/*', start)) return blockComment(sql, start);
  if (sql[start] === '$') {
    const tag = match(DOLLAR_TAG, sql, start);
    if (tag !== undefined) return dollarString(sql, start, tag);
    const name = match(NAMED_PARAMETER, sql, start);
    if (name !== undefined) return { kind: 'parameter', start, end: start + name.length };
  }
  for (const [kind, pattern] of PATTERNS) {
    const text = match(pattern, sql, start);
    if (text !== undefined) return { kind, start, end: start + text.length };
  }
  if (sql[start] === "'") return { kind: 'string', start, end: sql.length, open: true };
  if (sql[start] === '"') return { kind: 'identifier', start, end: sql.length, open: true };
  return { kind: 'symbol', start, end: start + 1 };
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function dollarString(sql: string, start: number, tag: string): Token {
  const close = sql.indexOf(tag, start + tag.length);
  if (close < 0) return { kind: 'string', start, end: sql.length, open: true };
  return { kind: 'string', start, end: close + tag.length };
}

function blockComment(sql: string, start: number): Token {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = start;
  let depth = 0;
  let nesting = 0;
  for (let found = edge.exec(sql); found; found = edge.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    nesting = Math.max(nesting, depth);
    if (depth === 0) return { kind: 'comment', start, end: edge.lastIndex, nesting };
  }
  return { kind: 'comment', start, end: sql.length, open: true, nesting };
}
