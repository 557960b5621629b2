import { AppError } from '../../platform/errors/app-error.ts';
import { type TokenKind, tokens } from './lexer.ts';

/** Far more than real statements have; each name costs a part of a read. */
const MAX_NAMES = 5000;
const MAX_NAME_LENGTH = 255;

/** Reserved words that a table may follow. */
const TABLE_KEYWORD = /^(from|join|table|lateral|pivot(_wider|_longer)?|unpivot|describe|show|summarize)$/i;
/** Reserved words that are never names unless quoted. */
const NOT_A_NAME = /^(select|with)$/i;
/** Words that end a list of tables, unless they are the alias of a column. */
const END_OF_TABLES = /^(select|where|having|qualify)$/i;

/**
 * Every possible name of a table in the statement, once and in lower case: words, quoted identifiers and texts where a
 * table may stand. The list contains every table and some other names; the engine finds out which ones the statement
 * reads. Throws SQL_ERROR for a statement of more than 5,000 names.
 */
export function mentionedNames(sql: string): string[] {
  const names = new Set<string>();
  for (const name of tableNames(sql)) {
    if (name.length <= MAX_NAME_LENGTH) names.add(name.toLowerCase());
    if (names.size > MAX_NAMES) {
      const message = `The statement mentions more than ${MAX_NAMES} names; split it.`;
      throw new AppError('SQL_ERROR', {
        detail: message,
        errors: [{ pointer: '/sql', code: 'SQL_ERROR', message }],
      });
    }
  }
  return [...names];
}

function* tableNames(sql: string): Generator<string> {
  const pieces = piecesOf(sql);
  /** For each open bracket, whether it lists tables at this position. */
  const lists = [false];
  for (const [at, piece] of pieces.entries()) {
    const before = pieces[at - 1]?.text ?? '';
    const isTable = TABLE_KEYWORD.test(before) || (lists.at(-1)! && isTableSeparator(pieces, at - 1));
    trackLists(lists, piece, before, isTable);
    // A name followed by a bracket is a function.
    if (!isTable || pieces[at + 1]?.text === '(') continue;
    const name = nameIn(piece);
    if (name && !isKeyword(piece)) yield name;
  }
}

function trackLists(lists: boolean[], { kind, text }: Piece, before: string, isTable: boolean): void {
  if (text === '(') lists.push(isTable);
  else if (text === '[' || text === '{') lists.push(false);
  else if (text === ')' || text === ']' || text === '}') {
    if (lists.length > 1) lists.pop();
  } else if (kind === 'word' && before !== '.') {
    if (/^(from|join)$/i.test(text)) lists[lists.length - 1] = true;
    else if (endsTables(text, before)) lists[lists.length - 1] = false;
  }
}

const isKeyword = ({ kind, text }: Piece) => kind === 'word' && (TABLE_KEYWORD.test(text) || NOT_A_NAME.test(text));

/** `a, b`, `(a JOIN b)` and `alias : a`, but not `x::type`. */
function isTableSeparator(pieces: readonly Piece[], at: number): boolean {
  const text = pieces[at]?.text;
  return text === ',' || text === '(' || (text === ':' && pieces[at - 1]?.text !== ':');
}

function endsTables(word: string, before: string): boolean {
  if (/^by$/i.test(word)) return /^(group|order)$/i.test(before);
  return END_OF_TABLES.test(word) && !/^as$/i.test(before);
}

interface Piece {
  kind: TokenKind;
  text: string;
}

/** The tokens of the statement, without white space and comments. */
function piecesOf(sql: string): Piece[] {
  const pieces: Piece[] = [];
  for (const { kind, start, end, open } of tokens(sql)) {
    if (kind !== 'space' && kind !== 'comment' && !open) pieces.push({ kind, text: sql.slice(start, end) });
  }
  return pieces;
}

function nameIn({ kind, text }: Piece): string | undefined {
  if (kind === 'word') return text;
  if (kind === 'identifier' && text.startsWith('"')) return text.slice(1, -1).replaceAll('""', '"');
  if (kind === 'string' && text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  return undefined;
}

/** Every word and quoted identifier of the statement in lower case, columns included. */
export function mentionedWords(sql: string): Set<string> {
  const words = new Set<string>();
  for (const piece of piecesOf(sql)) {
    const name = piece.kind === 'word' || piece.kind === 'identifier' ? nameIn(piece) : undefined;
    if (name) words.add(name.toLowerCase());
  }
  return words;
}
