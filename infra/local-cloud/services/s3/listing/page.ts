import { encodeKey } from '../addressing.ts';
import { invalidArgument } from '../errors.ts';

/** Reads a count from the query, at most `most`. Throws `InvalidArgument` when it is not a whole number from 0 on. */
export function readCount(
  query: URLSearchParams,
  parameter: string,
  { fallback, most = Number.MAX_SAFE_INTEGER }: { fallback: number; most?: number },
): number {
  const text = query.get(parameter);
  if (text === null || text === '') return fallback;
  const count = Number(text);
  if (!/^\d{1,10}$/.test(text) || count > 2 ** 31 - 1) {
    throw invalidArgument('Provided max-keys not an integer or within integer range', parameter, text);
  }
  return Math.min(count, most);
}

/** How the names of a listing are written, by `encoding-type`. */
export function readEncoding(query: URLSearchParams): { encodingType?: string; encode: (name: string) => string } {
  const encodingType = query.get('encoding-type');
  if (encodingType === null) return { encode: (name) => name };
  if (encodingType !== 'url') {
    throw invalidArgument('Invalid Encoding Method specified in Request', 'encoding-type', encodingType);
  }
  return { encodingType, encode: encodeKey };
}

/** The prefix that a delimiter rolls a name up to, or `undefined` when the name stands for itself. */
export function commonPrefix(name: string, prefix: string, delimiter: string): string | undefined {
  if (delimiter === '') return undefined;
  const at = name.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : name.slice(0, at + delimiter.length);
}

/** The greatest character in the byte order of UTF-8, as often as it fits into a key of 1,024 bytes. */
const GREATEST_ENDING = '\u{10FFFF}'.repeat(256);

/** Not less than any key that starts with `prefix`, and less than every greater key that does not. */
export function afterPrefix(prefix: string): string {
  return prefix + GREATEST_ENDING;
}

export function isoSeconds(instant: number): string {
  return new Date(Math.floor(instant / 1000) * 1000).toISOString();
}
