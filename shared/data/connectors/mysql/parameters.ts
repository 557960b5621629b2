import { AppError } from '../../../platform/errors/app-error.ts';
import { type DataIssue, positionAt } from '../../../platform/errors/data-error.ts';
import type { BoundParameter, QueryParameters } from '../../duckdb/parameters.ts';
import { type PlainValue, plainValue } from '../../sql/positional-parameters.ts';
import { type MysqlPiece, mysqlPieces } from './lexer.ts';

const MAX_ISSUES = 50;

/**
 * Replaces `$1` and `$name` with MySQL's `?` and returns the values in order. Positions in the text do not change.
 * Throws SQL_ERROR for a parameter without a value, and for a `?`, which would shift the other values.
 */
export function mysqlParameters(sql: string, params: QueryParameters): { sql: string; values: PlainValue[] } {
  const issues: DataIssue[] = [];
  const values: PlainValue[] = [];
  let text = '';
  let end = 0;
  const report = (piece: MysqlPiece, message: string) =>
    issues.push({ code: 'SQL_ERROR', message, position: positionAt(sql, piece.at) });

  for (const piece of mysqlPieces(sql)) {
    if (issues.length === MAX_ISSUES) break;
    if (piece.text === '?') report(piece, 'Write parameters as $1 or $name.');
    if (!isParameter(piece)) continue;
    const value = valueNamed(params, piece.text.slice(1));
    if (value === undefined) report(piece, `There is no value for ${piece.text}.`);
    else values.push(plainValue(value));
    text += sql.slice(end, piece.at) + '?'.padEnd(piece.text.length);
    end = piece.at + piece.text.length;
  }
  if (issues[0]) {
    throw new AppError('SQL_ERROR', {
      detail: issues[0].message,
      errors: issues.map((issue) => ({ pointer: '/sql', ...issue })),
    });
  }
  return { sql: text + sql.slice(end), values };
}

/** Names of the parameters in order of appearance: `1` for `$1`, `name` for `$name`. */
export function mysqlParameterNames(sql: string): string[] {
  return [
    ...new Set(
      mysqlPieces(sql)
        .filter(isParameter)
        .map(({ text }) => text.slice(1)),
    ),
  ];
}

const isParameter = ({ kind, text }: MysqlPiece) => kind === 'word' && /^\$\w+$/.test(text);

function valueNamed(params: QueryParameters, name: string): BoundParameter | undefined {
  if (Array.isArray(params)) return /^\d+$/.test(name) ? params[Number(name) - 1] : undefined;
  return Object.hasOwn(params, name) ? params[name] : undefined;
}
