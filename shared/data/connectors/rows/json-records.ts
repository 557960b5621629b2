import { DataError } from '../../../platform/errors/data-error.ts';
import { elementsOf, placeAt } from './json-text.ts';

declare global {
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/** What JavaScript may write otherwise than it was. Most records have none, and are parsed several times as fast without looking at each value. */
const UNUSUAL_NUMBER = /\d[.eE]|\d{16}|-0/;

/** Parses JSON so that writing it again gives the same numbers, those beyond a double's precision included. */
export function parseExactly(text: string): unknown {
  try {
    if (!UNUSUAL_NUMBER.test(text)) return JSON.parse(text);
    return JSON.parse(text, (_key, value, { source }) =>
      typeof value === 'number' && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value,
    );
  } catch (cause) {
    throw new DataError('FILE_UNREADABLE', `The answer is not valid JSON: ${(cause as Error).message}`.slice(0, 300), {
      cause,
    });
  }
}

/** A record in memory takes fifty times as much as its text, when it has many small parts. */
export const MAX_RECORD_LENGTH = 16 * 1024 * 1024;

/** The text or number that a pointer leads to; undefined where there is none, which `null`, `false` and an empty text are, too. */
export function cursorAt(text: string, pointer: string): string | undefined {
  const place = placeAt(text, pointer);
  if (!place) return undefined;
  const found = text.slice(place.start, place.end);
  if (/^[[{]/.test(found)) {
    throw new DataError('FILE_UNREADABLE', 'The cursor of the answer is neither a text nor a number.');
  }
  const cursor = parseExactly(found);
  if (cursor === null || cursor === '' || cursor === false) return undefined;
  return typeof cursor === 'object' ? JSON.stringify(cursor) : String(cursor);
}

/**
 * The records of an answer, each as JSON in one line: of the list at the pointer, or the answer itself, which may be a single record.
 * They are parsed one by one: all of them would take fifty times the room of their text.
 */
export function* recordsOf(text: string, pointer: string | undefined, mostLength: number): Generator<string> {
  const found = placeAt(text, pointer);
  const place = pointer === undefined ? 'The answer' : `The answer at ${pointer}`;
  if (!found) throw new DataError('FILE_UNREADABLE', `${place} holds no records.`);
  if (text.slice(found.start, found.end) === 'null') return;
  let count = 0;
  for (const { start, end } of text[found.start] === '[' ? elementsOf(text, found.start) : [found]) {
    count += 1;
    if (text[start] !== '{') {
      throw new DataError('FILE_UNREADABLE', `${place} holds no objects, at record ${count}.`);
    }
    if (end - start > mostLength) {
      throw new DataError(
        'RESULT_TOO_LARGE',
        `${place} holds a record of more than ${mostLength} characters, record ${count}.`,
      );
    }
    yield inOneLine(text.slice(start, end), `${place}, record ${count}`);
  }
}

/** What parses and writes JSON descends into it: some thousands of levels exhaust its stack. */
function inOneLine(record: string, place: string): string {
  try {
    return JSON.stringify(parseExactly(record));
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new DataError('FILE_UNREADABLE', `${place}: the values are nested too deep.`, { cause });
  }
}
