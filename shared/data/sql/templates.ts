import { DataError, type DataIssue, positionAt } from '../../platform/errors/data-error.ts';
import { didYouMean } from '../../platform/text/nearest.ts';
import type { EngineParameter } from '../duckdb/parameters.ts';
import { tokens } from './lexer.ts';

export interface BoundSql {
  /** The text with `$1`, `$2`, … in place of the references. */
  sql: string;
  params: EngineParameter[];
  /** The references in the order of their parameters, such as `params.region`. */
  references: string[];
}

const REFERENCE = /\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}/y;
const ANY_REFERENCE = new RegExp(REFERENCE.source, 'g');

/**
 * Replaces references such as `{{ params.region }}` with bound parameters, so that a value can never become part of the
 * statement. `values` is looked up along the dots; an object is bound as JSON text. Repeated references share one
 * parameter, and the first parameter is `$<first>`. A backslash before a reference within quotes is removed and leaves
 * the reference as text. Throws a DataError (SQL_PARSE) with all issues: unknown references, unescaped references
 * within quotes, malformed references, and the text's own `$` parameters beside references.
 */
export function bindTemplates(sql: string, values: Record<string, unknown>, first = 1): BoundSql {
  const issues: DataIssue[] = [];
  const references: string[] = [];
  const params: EngineParameter[] = [];
  const own: number[] = [];
  let bound = '';
  let copied = 0;

  for (const piece of pieces(sql)) {
    if (piece.kind === 'quoted')
      issues.push(issue(sql, piece.start, `{{ ${piece.reference} }} is within quotes; remove the quotes.`));
    if (piece.kind === 'malformed')
      issues.push(issue(sql, piece.start, 'A reference must look like {{ params.name }}.'));
    if (piece.kind === 'parameter') own.push(piece.start);
    if (piece.kind === 'escaped') {
      bound += sql.slice(copied, piece.start);
      copied = piece.end;
    }
    if (piece.kind !== 'reference') continue;
    let index = references.indexOf(piece.reference);
    if (index < 0) {
      const value = lookUp(values, piece.reference);
      if (value === undefined) {
        issues.push(issue(sql, piece.start, unknownReference(piece.reference, values)));
      }
      index = references.push(piece.reference) - 1;
      params.push(asParameter(value));
    }
    bound += `${sql.slice(copied, piece.start)}$${index + first}`;
    copied = piece.end;
  }

  if (references.length > 0) {
    issues.push(...own.map((start) => issue(sql, start, 'Use either $ parameters or {{ references }}, not both.')));
  }
  if (issues.length > 0) throw DataError.ofIssues(issues);
  return { sql: bound + sql.slice(copied), params, references };
}

/** The message for an unknown reference, with the nearest known one. */
export const unknownReference = (reference: string, values: object): string =>
  `Unknown reference "${reference}"${didYouMean(reference, referencesTo(values))}`;

function referencesTo(values: object): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? referencesTo(value).map((inner) => `${name}.${inner}`)
      : [name],
  );
}

/**
 * Replaces each reference for which `write` returns a text. `problems` lists the others, and references within quotes.
 */
export function replaceReferences(
  sql: string,
  write: (reference: string) => string | undefined,
): { sql: string; problems: string[] } {
  const problems: string[] = [];
  let written = '';
  let copied = 0;
  for (const piece of pieces(sql)) {
    // `bindTemplates` handles escapes afterwards.
    if (piece.kind === 'parameter' || piece.kind === 'escaped') continue;
    const text = piece.kind === 'reference' ? write(piece.reference) : undefined;
    if (text === undefined) problems.push(`${sql.slice(piece.start, piece.end)} is not available here.`);
    written += `${sql.slice(copied, piece.start)}${text ?? ''}`;
    copied = piece.end;
  }
  return { sql: written + sql.slice(copied), problems };
}

/** All references of a text, also within quotes, for checks when it is saved. */
export function templateReferences(sql: string): string[] {
  const found = [...pieces(sql)].flatMap((piece) => ('reference' in piece ? [piece.reference] : []));
  return [...new Set(found)];
}

type Piece =
  | { kind: 'reference' | 'quoted'; start: number; end: number; reference: string }
  /** `escaped` is the backslash before a reference within quotes, which stays as it is. */
  | { kind: 'malformed' | 'parameter' | 'escaped'; start: number; end: number };

/**
 * Two adjacent opening braces have no meaning in SQL, so outside of quotes and comments they always begin a reference.
 */
function* pieces(sql: string): Generator<Piece> {
  let resumeAt = 0;
  for (const { kind, start, end } of tokens(sql)) {
    if (start < resumeAt) continue;
    if (kind === 'parameter') yield { kind, start, end };
    if (kind === 'string' || kind === 'identifier') yield* quotedPieces(sql, start, end);
    if (kind !== 'symbol' || !sql.startsWith('{{', start)) continue;
    const piece = referenceAt(sql, start);
    resumeAt = piece.end;
    yield piece;
  }
}

function* quotedPieces(sql: string, start: number, end: number): Generator<Piece> {
  for (const match of sql.slice(start, end).matchAll(ANY_REFERENCE)) {
    const at = start + match.index;
    if (sql[at - 1] === '\\') yield { kind: 'escaped', start: at - 1, end: at };
    else yield { kind: 'quoted', start: at, end: at + match[0].length, reference: match[1]! };
  }
}

function referenceAt(sql: string, start: number): Piece {
  REFERENCE.lastIndex = start;
  const match = REFERENCE.exec(sql);
  if (!match) return { kind: 'malformed', start, end: start + 2 };
  return { kind: 'reference', start, end: start + match[0].length, reference: match[1]! };
}

function lookUp(values: Record<string, unknown>, reference: string): unknown {
  let value: unknown = values;
  for (const name of reference.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function asParameter(value: unknown): EngineParameter {
  if (value === undefined || value === null) return null;
  if (value instanceof Date || ['boolean', 'number', 'bigint', 'string'].includes(typeof value))
    return value as EngineParameter;
  if (Array.isArray(value)) return value.map(asParameter);
  return JSON.stringify(value);
}

const issue = (sql: string, offset: number, message: string): DataIssue => ({
  code: 'SQL_PARSE',
  message,
  position: positionAt(sql, offset),
});
