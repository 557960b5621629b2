import { AppError } from '../errors/app-error.ts';
import { tokens } from '../sql/lexer.ts';

/** Statements that people and programs write have hundreds; each costs a part of a read. */
const MOST_NAMES = 5000;
const LONGEST_NAME = 255;

/**
 * What can be the name of a table in the statement, in lower case and each once: words and quoted identifiers that do not follow
 * a dot, and texts after FROM or JOIN. A first sieve: the engine finds out what the statement really reads. Throws SQL_ERROR
 * for a statement of more than 5,000 names.
 */
export function mentionedNames(sql: string): string[] {
  const names = new Set<string>();
  let before = '';
  for (const { kind, start, end, open } of tokens(sql)) {
    if (kind === 'space' || kind === 'comment') continue;
    const piece = sql.slice(start, end);
    const name = open ? undefined : nameIn(kind, piece, before);
    before = piece;
    if (name && name.length <= LONGEST_NAME) names.add(name.toLowerCase());
    if (names.size > MOST_NAMES) {
      const message = `The statement holds more than ${MOST_NAMES} names.`;
      throw new AppError('SQL_ERROR', {
        detail: message,
        errors: [{ pointer: '/sql', code: 'SQL_ERROR', message }],
      });
    }
  }
  return [...names];
}

function nameIn(kind: string, piece: string, before: string): string | undefined {
  if (before === '.') return undefined;
  if (kind === 'word') return piece;
  if (kind === 'identifier' && piece.startsWith('"')) return piece.slice(1, -1).replaceAll('""', '"');
  const isTable = kind === 'string' && piece.startsWith("'") && /^(from|join)$/i.test(before);
  return isTable ? piece.slice(1, -1).replaceAll("''", "'") : undefined;
}

/** Every word and quoted identifier of the statement in lower case, wherever it stands: columns are among them. */
export function mentionedWords(sql: string): Set<string> {
  const words = new Set<string>();
  for (const { kind, start, end } of tokens(sql)) {
    const name = kind === 'word' || kind === 'identifier' ? nameIn(kind, sql.slice(start, end), '') : undefined;
    if (name) words.add(name.toLowerCase());
  }
  return words;
}
