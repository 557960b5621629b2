import { type Token, tokens } from './lexer.ts';

/** Removes semicolons, comments and white space at the end, so that the statement can be put in brackets. */
export function withoutTerminator(sql: string): string {
  let end = 0;
  for (const token of tokens(sql)) {
    if (!isBlank(token) && sql[token.start] !== ';') end = token.end;
  }
  return sql.slice(0, end);
}

/** The offset of the first word after comments and opening brackets, and whether it is SELECT or WITH. */
export function firstWord(sql: string): { offset: number; reads: boolean } {
  for (const token of tokens(sql)) {
    if (isBlank(token) || sql[token.start] === '(') continue;
    return { offset: token.start, reads: /^(select|with)$/i.test(sql.slice(token.start, token.end)) };
  }
  return { offset: 0, reads: false };
}

const isBlank = ({ kind }: Token) => kind === 'space' || kind === 'comment';
