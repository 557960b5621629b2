import { type Token, tokens } from './lexer.ts';

/** A statement without the semicolons, comments and white space behind it: fit to stand in brackets. */
export function withoutTerminator(sql: string): string {
  let end = 0;
  for (const token of tokens(sql)) {
    if (!isBlank(token) && sql[token.start] !== ';') end = token.end;
  }
  return sql.slice(0, end);
}

/** Where the first word stands, past comments and opening brackets; whether it is SELECT or WITH. */
export function firstWord(sql: string): { offset: number; reads: boolean } {
  for (const token of tokens(sql)) {
    if (isBlank(token) || sql[token.start] === '(') continue;
    return { offset: token.start, reads: /^(select|with)$/i.test(sql.slice(token.start, token.end)) };
  }
  return { offset: 0, reads: false };
}

const isBlank = ({ kind }: Token) => kind === 'space' || kind === 'comment';
