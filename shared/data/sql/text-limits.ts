import { type DataIssue, positionAt } from '../../platform/errors/data-error.ts';
import { type Token, tokens } from './lexer.ts';

const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 100;
const MAX_COMMENT_NESTING = 8;

/**
 * Control characters other than tab and line ends. A null byte, for example, ends the text for DuckDB but not for this
 * check.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/**
 * Characters that DuckDB treats as white space or that a reader cannot see. They are rejected outside of quotes and
 * comments.
 */
const INVISIBLE = /[\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb]/;

/**
 * Issues of a text that must not reach a parser: more than 256 KiB, more than 100 nested brackets or 8 nested comments
 * (either can keep a parser busy for many seconds), control characters, invisible characters outside of quotes, and
 * unclosed quotes.
 */
export function textIssues(sql: string): DataIssue[] {
  if (Buffer.byteLength(sql) > MAX_BYTES) {
    return [{ code: 'SQL_PARSE', message: `The SQL text is longer than ${MAX_BYTES} bytes.` }];
  }
  const control = CONTROL.exec(sql);
  if (control) return [issue(sql, control.index, 'The SQL text contains a control character.')];
  if (!sql.isWellFormed()) return [{ code: 'SQL_PARSE', message: 'The SQL text is not valid Unicode.' }];
  return tokenIssues(sql);
}

function tokenIssues(sql: string): DataIssue[] {
  let depth = 0;
  for (const token of tokens(sql)) {
    const problem = tokenProblem(sql, token);
    if (problem) return [issue(sql, token.start, problem)];
    if (token.kind !== 'symbol') continue;
    if ('([{'.includes(sql[token.start]!)) depth += 1;
    if (')]}'.includes(sql[token.start]!)) depth -= 1;
    if (depth > MAX_DEPTH) return [issue(sql, token.start, `Brackets are nested more than ${MAX_DEPTH} deep.`)];
  }
  return [];
}

function tokenProblem(sql: string, token: Token): string | undefined {
  if (token.open) return token.kind === 'comment' ? 'A comment is never closed.' : 'A quote is never closed.';
  if ((token.nesting ?? 0) > MAX_COMMENT_NESTING) return `Comments are nested more than ${MAX_COMMENT_NESTING} deep.`;
  const visible = token.kind === 'string' || token.kind === 'identifier' || token.kind === 'comment';
  if (!visible && INVISIBLE.test(sql.slice(token.start, token.end)))
    return 'The SQL text contains an invisible character.';
  return undefined;
}

const issue = (sql: string, offset: number, message: string): DataIssue => ({
  code: 'SQL_PARSE',
  message,
  position: positionAt(sql, offset),
});
