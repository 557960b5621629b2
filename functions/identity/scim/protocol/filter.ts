import { AppError } from '../../../../shared/platform/errors/app-error.ts';

/** A filter (RFC 7644, section 3.4.2.2) of the operators `eq` and `and`, and value paths. */
export type Filter =
  | { kind: 'equals'; path: string; value: string | number | boolean | null }
  /** A single value of the attribute matches the inner filter. */
  | { kind: 'some'; path: string; filter: Filter }
  | { kind: 'all'; filters: Filter[] };

const MAX_LENGTH = 4_096;
const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y;
const OTHER_OPERATORS = ['ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr'];
const NAME = /^[A-Za-z][\w:.$-]*$/;

export const invalidFilter = (detail: string) => new AppError('SCIM_INVALID_FILTER', { detail });

/** Throws `SCIM_INVALID_FILTER` for anything else. */
export function parseFilter(text: string): Filter {
  if (text.length > MAX_LENGTH) throw invalidFilter(`The filter is longer than ${MAX_LENGTH} characters.`);
  const tokens = tokensOf(text);
  const filter = readAll(tokens);
  if (tokens.length > 0) throw unexpected(tokens[0]);
  return filter;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) throw invalidFilter(`The filter cannot be read at position ${at + 1}: a text lacks its closing quote.`);
    tokens.push(match[1] ?? match[2] ?? match[3]!);
  }
  return tokens;
}

function readAll(tokens: string[]): Filter {
  const filters = [readOne(tokens)];
  while (isWord(tokens[0], 'and')) {
    tokens.shift();
    filters.push(readOne(tokens));
  }
  if (isWord(tokens[0], 'or')) throw unsupported('or');
  return filters.length === 1 ? filters[0]! : { kind: 'all', filters };
}

function readOne(tokens: string[]): Filter {
  const first = tokens.shift();
  if (first === '(') {
    const inner = readAll(tokens);
    expectToken(tokens, ')');
    return inner;
  }
  if (isWord(first, 'not')) throw unsupported('not');
  if (first === undefined || !NAME.test(first)) throw unexpected(first);
  return tokens[0] === '[' ? readValuePath(first, tokens) : readComparison(first, tokens);
}

/** `emails[type eq "work"]`, also with `.value eq "x"` behind it. */
function readValuePath(path: string, tokens: string[]): Filter {
  tokens.shift();
  const inner = readAll(tokens);
  expectToken(tokens, ']');
  if (!tokens[0]?.startsWith('.')) return { kind: 'some', path, filter: inner };
  const further = readComparison(tokens.shift()!.slice(1), tokens);
  return { kind: 'some', path, filter: { kind: 'all', filters: [inner, further] } };
}

function readComparison(path: string, tokens: string[]): Filter {
  const operator = tokens.shift()?.toLowerCase();
  if (operator !== undefined && OTHER_OPERATORS.includes(operator)) throw unsupported(operator);
  if (operator !== 'eq') throw unexpected(operator);
  return { kind: 'equals', path, value: readValue(tokens.shift()) };
}

function readValue(token: string | undefined): string | number | boolean | null {
  const literal = token !== undefined && /^(true|false|null)$/i.test(token) ? token.toLowerCase() : token;
  try {
    const value: unknown = JSON.parse(literal ?? '');
    if (typeof value !== 'object' || value === null) return value as string | number | boolean | null;
  } catch {
    // Not a value of JSON; reported below.
  }
  throw unexpected(token);
}

const isWord = (token: string | undefined, word: string): boolean => token?.toLowerCase() === word;

function expectToken(tokens: string[], wanted: string): void {
  const token = tokens.shift();
  if (token !== wanted) throw unexpected(token, `"${wanted}"`);
}

const unsupported = (operator: string) =>
  invalidFilter(`The operator "${operator}" is not supported; use "eq", "and" and value paths.`);

const unexpected = (token: string | undefined, wanted = 'such as userName eq "ada@example.com"') =>
  invalidFilter(`The filter has ${token === undefined ? 'its end' : `"${token}"`} where it needs ${wanted}.`);
