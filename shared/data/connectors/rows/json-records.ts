import { DataError } from '../../../platform/errors/data-error.ts';
import { elementsOf, placeAt } from './json-text.ts';

declare global {
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/**
 * Numbers that JavaScript may write differently. Most records have none and parse several times as fast without a
 * reviver.
 */
const UNUSUAL_NUMBER = /\d[.eE]|\d{16}|-0/;

/** Parses JSON so that serializing it again preserves all numbers, even beyond the precision of a double. */
export function parseExactly(text: string): unknown {
  if (!UNUSUAL_NUMBER.test(text)) return parsed(text);
  return parsed(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value,
  );
}

function parsed(text: string, reviver?: Parameters<typeof JSON.parse>[1]): unknown {
  try {
    return JSON.parse(text, reviver!);
  } catch (cause) {
    throw new DataError('FILE_UNREADABLE', `The answer is not valid JSON: ${(cause as Error).message}`.slice(0, 300), {
      cause,
    });
  }
}

/** A record with many small parts takes fifty times as much memory as its text. */
export const MAX_RECORD_LENGTH = 16 * 1024 * 1024;

/** The text or number at a pointer; undefined if there is none, or if it is `null`, `false` or an empty text. */
export function cursorAt(text: string, pointer: string): string | undefined {
  const place = placeAt(text, pointer);
  if (!place) return undefined;
  const found = text.slice(place.start, place.end);
  if (/^[[{]/.test(found)) {
    throw new DataError('FILE_UNREADABLE', 'The cursor of the answer must be a text or a number.');
  }
  const cursor = parseExactly(found);
  if (cursor === null || cursor === '' || cursor === false) return undefined;
  return typeof cursor === 'object' ? JSON.stringify(cursor) : String(cursor);
}

/**
 * Yields the records of a response, each as one line of JSON: those of the list at the pointer, or the response itself,
 * which may be a single record. They are parsed one by one, because all of them together would take fifty times the
 * memory of their text.
 */
export function* recordsOf(text: string, pointer: string | undefined, maxLength: number): Generator<string> {
  const found = placeAt(text, pointer);
  const place = pointer === undefined ? 'The answer' : `The answer at ${pointer}`;
  if (!found) throw new DataError('FILE_UNREADABLE', `${place} contains no records.`);
  if (text.slice(found.start, found.end) === 'null') return;
  let count = 0;
  for (const { start, end } of text[found.start] === '[' ? elementsOf(text, found.start) : [found]) {
    count += 1;
    if (text[start] !== '{') {
      throw new DataError('FILE_UNREADABLE', `${place} must contain objects only; see record ${count}.`);
    }
    if (end - start > maxLength) {
      throw new DataError(
        'RESULT_TOO_LARGE',
        `${place} contains a record of more than ${maxLength} characters, record ${count}.`,
      );
    }
    yield inOneLine(text.slice(start, end), `${place}, record ${count}`);
  }
}

/** What parses and writes JSON descends into it: some thousands of levels exhaust its stack. */
function inOneLine(record: string, place: string): string {
  try {
    // Only to check it. What is read is the text itself, with repeated members and all digits of its numbers.
    JSON.stringify(parsed(record));
    return record.replaceAll(/[\n\r]/g, ' ');
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new DataError('FILE_UNREADABLE', `${place}: the values are nested too deep.`, { cause });
  }
}
