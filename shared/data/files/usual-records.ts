import { ANY, DOUBLE, DOUBLE_LENGTH, endIn, INTEGER, plainValue, typesIn } from './plain-values.ts';

/** The bytes that separate and quote the values of a file. */
interface Signs {
  delimiter: number;
  /** -1 if values are never quoted. */
  quote: number;
  /** The first byte of each line end. */
  lineEnd: number;
  /** Marks these bytes, and all that can end a line. */
  areSigns: Uint8Array;
}

const [LINE_FEED, CARRIAGE_RETURN, POINT, ZERO, NINE] = [0x0a, 0x0d, 0x2e, 0x30, 0x39];
const NUMBER = INTEGER | DOUBLE;

/**
 * Skips records that add nothing to what is known about a file: each of their values has all types that are still
 * possible for its column. Nearly all records are like this. Returns the position of the first record that may not be.
 * `types` has the types of each column and one place more, and the last byte before `end` is a line feed.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: with a function call per value, large files take 10 to 25 percent longer
export function skipUsual(bytes: Uint8Array, first: number, end: number, types: Uint8Array, signs: Signs): number {
  const { delimiter, quote, lineEnd, areSigns } = signs;
  const last = types.length - 2;
  let at = first;
  while (at < end) {
    const record = at;
    for (let column = 0; column <= last; column += 1) {
      const known = types[column]!;
      const start = at;
      let byte = bytes[at]!;
      if (byte > ZERO && byte <= NINE && (known === NUMBER || known === DOUBLE)) {
        do byte = bytes[++at]!;
        while (byte >= ZERO && byte <= NINE);
        if (byte === POINT && known === DOUBLE) {
          do byte = bytes[++at]!;
          while (byte >= ZERO && byte <= NINE);
          if (bytes[at - 1] === POINT) return record;
        }
        if (at - start > DOUBLE_LENGTH) return record;
      } else if ((known & ANY) === 0) {
        if (byte === quote) {
          at = endOfQuoted(bytes, at + 1, quote);
          if (bytes[at] !== quote) return record;
          byte = bytes[++at]!;
        } else while (areSigns[byte] === 0) byte = bytes[++at]!;
      } else if (areSigns[byte] === 0 || byte === quote) {
        if (byte === quote) at += 1;
        const value = plainValue(bytes, at);
        if ((typesIn(value) & known) !== known) return record;
        at = endIn(value);
        if (byte === quote && bytes[at++] !== quote) return record;
        byte = bytes[at]!;
      }
      if (byte !== (column < last ? delimiter : lineEnd)) return record;
      at += 1;
    }
    if (lineEnd === CARRIAGE_RETURN && bytes[at++] !== LINE_FEED) return record;
  }
  return at;
}

/** The closing quote, or a line end before it. Two quotes are part of the text. */
function endOfQuoted(bytes: Uint8Array, start: number, quote: number): number {
  let at = start;
  for (let byte = bytes[at]!; byte !== LINE_FEED && byte !== CARRIAGE_RETURN; byte = bytes[++at]!) {
    if (byte !== quote) continue;
    if (bytes[at + 1] !== quote) break;
    at += 1;
  }
  return at;
}
