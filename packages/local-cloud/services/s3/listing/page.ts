import { encodeKey } from '../addressing.ts';
import { invalidArgument } from '../errors.ts';

/** Reads a count from the query, at most `max`. Throws `InvalidArgument` if it is not a whole number from 0 on. */
export function readCount(
  query: URLSearchParams,
  parameter: string,
  { fallback, max = Number.MAX_SAFE_INTEGER }: { fallback: number; max?: number },
): number {
  const text = query.get(parameter);
  if (text === null || text === '') return fallback;
  const count = Number(text);
  if (!/^\d{1,10}$/.test(text) || count > 2 ** 31 - 1) {
    throw invalidArgument('Provided max-keys not an integer or within integer range', parameter, text);
  }
  return Math.min(count, max);
}

/** How a listing encodes names, by `encoding-type`. */
export function readEncoding(query: URLSearchParams): { encodingType?: string; encode: (name: string) => string } {
  const encodingType = query.get('encoding-type');
  if (encodingType === null) return { encode: (name) => name };
  if (encodingType !== 'url') {
    throw invalidArgument('Invalid Encoding Method specified in Request', 'encoding-type', encodingType);
  }
  return { encodingType, encode: encodeKey };
}

/** The common prefix of a name, or `undefined` if the name is listed itself. */
export function commonPrefix(name: string, prefix: string, delimiter: string): string | undefined {
  if (delimiter === '') return undefined;
  const at = name.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : name.slice(0, at + delimiter.length);
}

/** The highest character in UTF-8 byte order, as often as fits into a key of 1,024 bytes. */
const HIGHEST_ENDING = '\u{10FFFF}'.repeat(256);

/** A bound after every key that starts with `prefix` and before every greater key. */
export function afterPrefix(prefix: string): string {
  return prefix + HIGHEST_ENDING;
}

export function isoSeconds(instant: number): string {
  return new Date(Math.floor(instant / 1000) * 1000).toISOString();
}
