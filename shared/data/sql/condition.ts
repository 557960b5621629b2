import { DataError, positionAt } from '../../platform/errors/data-error.ts';
import { tokens } from './lexer.ts';

const BEFORE = 'SELECT 1 FROM input WHERE (';

/** The statement with which a condition over the columns of one table, called `input`, is checked. */
export function conditionStatement(condition: string): string {
  return `${BEFORE}${condition}\n)`;
}

/** The statement with which an expression over the columns of one row is checked. It has no FROM clause. */
export function expressionStatement(expression: string): string {
  return `SELECT (${expression}\n)`;
}

/** Converts an offset in the statement to one in the condition. */
export const offsetInCondition = (offset: number) => offset - BEFORE.length;

/** The issue of a text that closes the brackets around it or contains a second statement. */
export function balancedIssue(condition: string): DataError | undefined {
  let depth = 0;
  for (const token of tokens(condition)) {
    const symbol = token.kind === 'symbol' ? condition[token.start] : '';
    if (symbol === '(') depth += 1;
    if (symbol === ')') depth -= 1;
    if (depth >= 0 && symbol !== ';') continue;
    const message = 'The condition is not a single expression.';
    const position = positionAt(condition, token.start);
    return new DataError('SQL_PARSE', message, { issues: [{ code: 'SQL_PARSE', message, position }] });
  }
  return undefined;
}
