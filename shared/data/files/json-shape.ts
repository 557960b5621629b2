import { createReadStream } from 'node:fs';
import { type ColumnChange, exampleOf, MAX_EXAMPLES } from './changed-values.ts';
import { NoRecords, unreadable } from './file-format.ts';
import { isExactDouble } from './json-numbers.ts';

/** The engine reads nested values recursively: some thousands of levels would crash its process. */
const MAX_LEVELS = 500;
/** Detecting the type of a text takes the engine most of a second per megabyte. */
const MAX_TEXT_BYTES = 4 * 1024 ** 2;

const [QUOTE, BACKSLASH, LINE_END, SPACE, COLON] = [0x22, 0x5c, 0x0a, 0x20, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const [ZERO, NINE, MINUS, PLUS, POINT, UPPER_E, LOWER_E] = [0x30, 0x39, 0x2d, 0x2b, 0x2e, 0x45, 0x65];

/** Every number of up to fifteen digits is a double. */
const MIN_ROUNDED_LENGTH = 16;

/** Numbers of a member of the records that no double represents exactly. */
export interface LongNumbers {
  isInteger: boolean;
  numbers: number;
  examples: ColumnChange['examples'];
}

export interface JsonShape {
  /** Whether records have a member whose name is empty. */
  hasEmptyName: boolean;
  /** By the name of the member. */
  longNumbers: Map<string, LongNumbers[]>;
}

const isDigit = (byte: number) => byte >= ZERO && byte <= NINE;
const isInNumber = (byte: number) =>
  isDigit(byte) || byte === POINT || byte === MINUS || byte === PLUS || byte === LOWER_E || byte === UPPER_E;

/** Checks UTF-8 JSON as it is streamed, and notes what the engine would change. */
class ShapeWatch {
  readonly shape: JsonShape = { hasEmptyName: false, longNumbers: new Map() };
  readonly #recordDepth: number;
  #depth = 0;
  #line = 1;
  #record = 0;
  #isText = false;
  #textBytes = 0;
  #isEscaped = false;
  #hasContent = false;
  /** The bytes of the newest text of a record, of its current member's name and of the current number. */
  #text = new Slice();
  #name = new Slice();
  #number = new Slice();
  #isNumber = false;

  constructor(recordDepth: number) {
    this.#recordDepth = recordDepth;
  }

  /** Whether the text was empty or an empty list. */
  get isEmpty(): boolean {
    return !this.#hasContent && this.#depth === 0;
  }

  /** Throws FILE_UNREADABLE, with the line, if a limit is exceeded. */
  see(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]!;
      if (byte === LINE_END) this.#line += 1;
      if (this.#isText) {
        this.#seeInText(byte);
        if (!this.#isText && this.#depth === this.#recordDepth) this.#text.endAt(bytes, at);
      } else this.#seeOutside(bytes, at, byte);
    }
    // The chunk is gone afterwards.
    for (const slice of [this.#text, this.#name, this.#number]) slice.keep(bytes);
  }

  #seeOutside(bytes: Uint8Array, at: number, byte: number): void {
    if (this.#isNumber) {
      if (isInNumber(byte)) return;
      this.#endNumber(bytes, at);
    }
    if (byte === QUOTE) this.#beginText(at);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#deeper(byte);
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth -= 1;
    else if (byte === COLON && this.#depth === this.#recordDepth) this.#nameMember();
    else if (byte > SPACE) {
      this.#hasContent = true;
      this.#isNumber = isDigit(byte) || byte === MINUS;
      if (this.#isNumber) this.#number.startAt(at);
    }
  }

  #beginText(at: number): void {
    [this.#isText, this.#textBytes, this.#hasContent] = [true, 0, true];
    if (this.#depth === this.#recordDepth) this.#text.startAt(at + 1);
  }

  #seeInText(byte: number): void {
    this.#textBytes += 1;
    if (this.#textBytes > MAX_TEXT_BYTES) {
      throw unreadable(`Line ${this.#line}: a text has more than ${MAX_TEXT_BYTES} bytes.`);
    }
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    // JSON texts cannot contain line ends, so an unclosed quote ends here and does not hide what follows.
    else if (byte === QUOTE || byte === LINE_END) this.#isText = false;
  }

  #deeper(byte: number): void {
    this.#depth += 1;
    if (byte === OPEN_OBJECT && this.#depth === this.#recordDepth) this.#record += 1;
    if (byte === OPEN_OBJECT || this.#depth > 1) this.#hasContent = true;
    if (this.#depth > MAX_LEVELS) {
      throw unreadable(`Line ${this.#line}: the values are nested more than ${MAX_LEVELS} levels deep.`);
    }
  }

  #nameMember(): void {
    [this.#name, this.#text] = [this.#text, this.#name];
    if (this.#name.length === 0) this.shape.hasEmptyName = true;
  }

  #endNumber(bytes: Uint8Array, at: number): void {
    this.#isNumber = false;
    this.#number.endAt(bytes, at);
    if (this.#number.length < MIN_ROUNDED_LENGTH || this.#depth < this.#recordDepth) return;
    const text = this.#number.toString();
    if (isExactDouble(text)) return;
    const isInteger = /^-?\d+$/.test(text);
    // A column with numbers beyond the range of doubles has texts.
    if (this.#depth === this.#recordDepth && !Number.isFinite(Number(text))) return;
    const name = nameOf(this.#name.toString());
    const known = this.shape.longNumbers.get(name) ?? [];
    let found = known.find((each) => each.isInteger === isInteger);
    if (!found) {
      found = { isInteger, numbers: 0, examples: [] };
      this.shape.longNumbers.set(name, [...known, found]);
    }
    found.numbers += 1;
    if (found.examples.length < MAX_EXAMPLES) found.examples.push(exampleOf(this.#record, text));
  }
}

/** Bytes that may begin in an earlier chunk; copied only when a chunk ends or when they are needed. */
class Slice {
  #before: Buffer = Buffer.alloc(0);
  #chunk: Uint8Array | undefined;
  #start = 0;
  #end: number | undefined;

  get length(): number {
    return this.#before.length + Math.max(0, (this.#end ?? this.#start) - this.#start);
  }

  startAt(at: number): void {
    [this.#before, this.#chunk, this.#start, this.#end] = [Buffer.alloc(0), undefined, at, undefined];
  }

  endAt(bytes: Uint8Array, at: number): void {
    [this.#chunk, this.#end] = [bytes, at];
  }

  keep(bytes: Uint8Array): void {
    const isOpen = this.#end === undefined;
    const end = this.#end ?? bytes.length;
    if (end > this.#start)
      this.#before = Buffer.concat([this.#before, (this.#chunk ?? bytes).subarray(this.#start, end)]);
    [this.#chunk, this.#start, this.#end] = [undefined, 0, isOpen ? undefined : 0];
  }

  toString(): string {
    const rest = this.#chunk?.subarray(this.#start, this.#end) ?? [];
    return Buffer.concat([this.#before, Buffer.from(rest)]).toString('utf8');
  }
}

function nameOf(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

/** How deep the members of a record are: records are objects in a list, or one in each line. */
export const recordDepth = (format: 'json' | 'ndjson') => (format === 'json' ? 2 : 1);

/**
 * Throws FILE_UNREADABLE for a JSON file that is nested too deeply or has too long a text, and NoRecords for an empty
 * one.
 */
export async function checkJsonShape(path: string, format: 'json' | 'ndjson'): Promise<JsonShape> {
  const watch = new ShapeWatch(recordDepth(format));
  for await (const bytes of createReadStream(path, { highWaterMark: 1024 * 1024 })) watch.see(bytes as Buffer);
  if (watch.isEmpty) throw new NoRecords();
  return watch.shape;
}
