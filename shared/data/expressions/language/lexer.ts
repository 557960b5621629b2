import type { Diagnostics } from './diagnostics.ts';
import { readFieldName, readMeasureName } from './names.ts';

export type Token = { from: number; to: number } & (
  | { kind: 'word' | 'symbol' | 'number'; text: string }
  | { kind: 'string'; value: string }
  | { kind: 'field'; alias?: string; name: string }
  | { kind: 'measure'; name: string }
  /** Part of the text that has been reported already. */
  | { kind: 'invalid' }
  | { kind: 'end' }
);

export const MAX_BYTES = 64 * 1024;
export const MAX_TOKENS = 10_000;

const SPACE = /\s+/y;
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const REST_OF_NUMBER = /[\p{L}\p{N}_.]+/uy;
const SYMBOL = /<=|>=|<>|!=|==|&&|\|\||[-+*/(),.=<>]/y;

/** Splits a text into tokens, the last of which is `end`. Never throws: what is invalid is reported and skipped. */
export function tokens(text: string, diagnostics: Diagnostics): Token[] {
  const found: Token[] = [];
  const end: Token = { kind: 'end', from: text.length, to: text.length };
  const invalid: Token = { kind: 'invalid', from: 0, to: text.length };
  if (text.length > MAX_BYTES || Buffer.byteLength(text) > MAX_BYTES) {
    const message = `The expression is longer than ${MAX_BYTES / 1024} KB.`;
    diagnostics.error(1001, { from: 0, to: text.length }, message, 'Split it into several measures.');
    return [invalid, end];
  }
  for (let at = match(SPACE, text, 0).length; at < text.length; ) {
    const token = tokenAt(text, at, diagnostics);
    found.push(token);
    if (found.length >= MAX_TOKENS) {
      const message = `The expression has more than ${MAX_TOKENS} names, values and symbols.`;
      diagnostics.error(1001, { from: token.from, to: text.length }, message, 'Split it into several measures.');
      return [invalid, end];
    }
    at = token.to + match(SPACE, text, token.to).length;
  }
  return [...found, end];
}

function tokenAt(text: string, from: number, diagnostics: Diagnostics): Token {
  const first = text[from]!;
  if (first === '[') return fieldAt(text, from, diagnostics);
  if (first === '{') return measureAt(text, from, diagnostics);
  if (first === "'" || first === '"') return stringAt(text, from, diagnostics);
  const word = match(WORD, text, from);
  if (word) return { kind: 'word', text: word, from, to: from + word.length };
  const number = match(NUMBER, text, from);
  if (number) return numberAt(text, from, number, diagnostics);
  const symbol = match(SYMBOL, text, from);
  if (symbol) return { kind: 'symbol', text: symbol, from, to: from + symbol.length };
  const to = from + String.fromCodePoint(text.codePointAt(from)!).length;
  diagnostics.error(1001, { from, to }, `The character ${text.slice(from, to)} has no meaning here.`, hintFor(first));
  return { kind: 'invalid', from, to };
}

function hintFor(character: string): string | undefined {
  if (character === ']' || character === '}')
    return 'Put names with brackets or braces in double quotes, as in ["a]b"].';
  if (character === '^') return 'Write POWER(base, exponent).';
  if (character === '%') return 'Write MOD(dividend, divisor), or divide by 100.';
  return character === ';' ? 'An expression has no semicolon.' : undefined;
}

function numberAt(text: string, from: number, number: string, diagnostics: Diagnostics): Token {
  const rest = match(REST_OF_NUMBER, text, from + number.length);
  if (!rest) return { kind: 'number', text: number, from, to: from + number.length };
  const to = from + number.length + rest.length;
  diagnostics.error(1004, { from, to }, `${text.slice(from, to)} is not a number.`, 'Write numbers as 1234.5 or 1e6.');
  return { kind: 'invalid', from, to };
}

function stringAt(text: string, from: number, diagnostics: Diagnostics): Token {
  const quote = text[from]!;
  let to = from + 1;
  for (; to < text.length; to += 1) {
    if (text[to] !== quote) continue;
    if (text[to + 1] !== quote) break;
    to += 1;
  }
  if (to >= text.length) {
    diagnostics.error(
      1004,
      { from, to: text.length },
      'The text that starts here is never closed.',
      `Add ${quote} at its end.`,
    );
    return { kind: 'invalid', from, to: text.length };
  }
  const value = text.slice(from + 1, to).replaceAll(quote + quote, quote);
  to += 1;
  if (value.isWellFormed() && !value.includes('\0')) return { kind: 'string', value, from, to };
  diagnostics.error(1004, { from, to }, 'The text contains a character that databases cannot store.', 'Remove it.');
  return { kind: 'invalid', from, to };
}

function fieldAt(text: string, from: number, diagnostics: Diagnostics): Token {
  const name = readFieldName(text, from);
  if ('parts' in name) {
    const [first, second] = name.parts;
    const parts = second === undefined ? { name: first } : { alias: first, name: second };
    return { kind: 'field', ...parts, from, to: name.to };
  }
  const hint =
    'Write [table.field]; put names with brackets, braces, quotes or points in double quotes, as in ["a.b"."c"].';
  const to = endOfName(text, name.stoppedAt, ']');
  diagnostics.error(1001, { from, to }, 'The name of a field is not complete.', hint);
  return { kind: 'invalid', from, to };
}

function measureAt(text: string, from: number, diagnostics: Diagnostics): Token {
  const name = readMeasureName(text, from);
  if ('parts' in name) return { kind: 'measure', name: name.parts[0], from, to: name.to };
  const hint =
    'Write {Name of the measure}; put names with brackets, braces or quotes in double quotes, as in {"a}b"}.';
  const to = endOfName(text, name.stoppedAt, '}');
  diagnostics.error(1001, { from, to }, 'The name of a measure is not complete.', hint);
  return { kind: 'invalid', from, to };
}

/** Where to go on after an incomplete name: behind the bracket that closes it, if that is near. */
function endOfName(text: string, stoppedAt: number, bracket: string): number {
  if (text[stoppedAt] === '[') return stoppedAt;
  const near = text.slice(stoppedAt, stoppedAt + 100).split(/[\r\n]/)[0]!;
  return stoppedAt + near.indexOf(bracket) + 1;
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
