import { type TokenKind, tokens } from '../../data/sql/lexer.ts';
import { AppError } from '../../platform/errors/app-error.ts';

/** Statements that people and programs write have few; each costs a part of a read. */
const MAX_NAMES = 5000;
const LONGEST_NAME = 255;

/** Reserved words behind which a table may stand. */
const BEFORE_TABLES = /^(from|join|table|lateral|pivot(_wider|_longer)?|unpivot|describe|show|summarize)$/i;
/** Unquoted, these are no names. */
const NO_NAME = /^(select|with)$/i;
/** What ends a list of tables, where it is no name for a column. */
const AFTER_TABLES = /^(select|where|having|qualify)$/i;

/**
 * What can be the name of a table in the statement, in lower case and each once: words, quoted identifiers and texts that stand
 * where a table may. A first sieve, through which every table goes and some names of other things: the engine finds out what
 * the statement really reads. Throws SQL_ERROR for a statement of more than 5,000 names.
 */
export function mentionedNames(sql: string): string[] {
  const names = new Set<string>();
  for (const name of namesOfTables(sql)) {
    if (name.length <= LONGEST_NAME) names.add(name.toLowerCase());
    if (names.size > MAX_NAMES) {
      const message = `The statement holds more than ${MAX_NAMES} names.`;
      throw new AppError('SQL_ERROR', {
        detail: message,
        errors: [{ pointer: '/sql', code: 'SQL_ERROR', message }],
      });
    }
  }
  return [...names];
}

function* namesOfTables(sql: string): Generator<string> {
  const pieces = piecesOf(sql);
  /** For each open bracket whether tables are listed in it, as far as it has been read. */
  const lists = [false];
  for (const [at, { kind, text }] of pieces.entries()) {
    const before = pieces[at - 1]?.text ?? '';
    const isTable = BEFORE_TABLES.test(before) || (lists.at(-1)! && separates(pieces, at - 1));
    if (text === '(') lists.push(isTable);
    else if (text === '[' || text === '{') lists.push(false);
    else if (text === ')' || text === ']' || text === '}') {
      if (lists.length > 1) lists.pop();
    } else if (kind === 'word' && before !== '.') {
      if (/^(from|join)$/i.test(text)) lists[lists.length - 1] = true;
      else if (endsTables(text, before)) lists[lists.length - 1] = false;
    }
    // What is followed by a bracket is a function.
    const name = isTable && pieces[at + 1]?.text !== '(' ? nameIn(kind, text) : undefined;
    if (name && !(kind === 'word' && (BEFORE_TABLES.test(name) || NO_NAME.test(name)))) yield name;
  }
}

/** `a, b`, `(a JOIN b)` and `alias : a`, but not `x::type`. */
function separates(pieces: readonly Piece[], at: number): boolean {
  const text = pieces[at]?.text;
  return text === ',' || text === '(' || (text === ':' && pieces[at - 1]?.text !== ':');
}

function endsTables(word: string, before: string): boolean {
  if (/^by$/i.test(word)) return /^(group|order)$/i.test(before);
  return AFTER_TABLES.test(word) && !/^as$/i.test(before);
}

interface Piece {
  kind: TokenKind;
  text: string;
}

/** What the statement consists of, without white space and comments. */
function piecesOf(sql: string): Piece[] {
  const pieces: Piece[] = [];
  for (const { kind, start, end, open } of tokens(sql)) {
    if (kind !== 'space' && kind !== 'comment' && !open) pieces.push({ kind, text: sql.slice(start, end) });
  }
  return pieces;
}

function nameIn(kind: TokenKind, text: string): string | undefined {
  if (kind === 'word') return text;
  if (kind === 'identifier' && text.startsWith('"')) return text.slice(1, -1).replaceAll('""', '"');
  if (kind === 'string' && text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  return undefined;
}

/** Every word and quoted identifier of the statement in lower case, wherever it stands: columns are among them. */
export function mentionedWords(sql: string): Set<string> {
  const words = new Set<string>();
  for (const { kind, text } of piecesOf(sql)) {
    const name = kind === 'word' || kind === 'identifier' ? nameIn(kind, text) : undefined;
    if (name) words.add(name.toLowerCase());
  }
  return words;
}
