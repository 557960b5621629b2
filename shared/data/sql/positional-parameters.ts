import { AppError } from '../../platform/errors/app-error.ts';
import { positionAt } from '../../platform/errors/data-error.ts';
import type { BoundParameter, QueryParameters } from '../duckdb/parameters.ts';
import { tokens } from './lexer.ts';

/**
 * Replaces `$name` with `$1`, `$2`, … for a database without named parameters. Positions in the text do not change
 * unless a number is longer than the name. Throws SQL_ERROR for a name without a value.
 */
export function positionalParameters(sql: string, params: QueryParameters): { sql: string; values: PlainValue[] } {
  if (isList(params)) return { sql, values: params.map(plainValue) };
  const names: string[] = [];
  let text = '';
  for (const { kind, start, end } of tokens(sql)) {
    const piece = sql.slice(start, end);
    const name = kind === 'parameter' ? piece.slice(1) : undefined;
    if (name === undefined || /^\d/.test(name)) {
      text += piece;
      continue;
    }
    if (!Object.hasOwn(params, name)) {
      const message = `There is no value for $${name}.`;
      throw new AppError('SQL_ERROR', {
        detail: message,
        errors: [{ pointer: '/sql', code: 'SQL_ERROR', message, position: positionAt(sql, start) }],
      });
    }
    if (!names.includes(name)) names.push(name);
    text += `$${names.indexOf(name) + 1}`.padEnd(piece.length);
  }
  return { sql: text, values: names.map((name) => plainValue(params[name] ?? null)) };
}

/** The text with the numbers of `$1`, `$2`, … raised by that of the parameters before them. */
export function renumberedParameters(sql: string, before: number): string {
  if (before === 0) return sql;
  const pieces = [...tokens(sql)].map(({ kind, start, end }) => {
    const piece = sql.slice(start, end);
    return kind === 'parameter' ? `$${Number(piece.slice(1)) + before}` : piece;
  });
  return pieces.join('');
}

/** Names of the parameters in order of appearance: `1` for `$1`, `name` for `$name`. */
export function parameterNames(sql: string): string[] {
  const found = [...tokens(sql)].filter(({ kind }) => kind === 'parameter');
  return [...new Set(found.map(({ start, end }) => sql.slice(start + 1, end)))];
}

export type PlainValue = string | number | boolean | null | readonly PlainValue[];

const isList = (value: BoundParameter | QueryParameters): value is readonly BoundParameter[] => Array.isArray(value);

/** The value to bind: for a typed value its text. */
export function plainValue(value: BoundParameter): PlainValue {
  if (isList(value)) return value.map(plainValue);
  return typeof value === 'object' && value !== null ? value.text : value;
}
