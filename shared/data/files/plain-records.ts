import {
  ANY,
  BOOLEAN,
  DATE,
  DOUBLE,
  EMPTY,
  endIn,
  INTEGER,
  isWord,
  plainValue,
  TEXT,
  TIMESTAMP,
  typesIn,
} from './plain-values.ts';
import { skipUsual } from './usual-records.ts';

export interface PlainDialect {
  delimiter: string;
  quote: string;
  header: boolean;
  /** The number of columns. */
  width: number;
}

/** What reading every byte of a CSV file proves about it. */
export interface PlainColumns {
  /** Whether a quoted value contains line ends. */
  hasQuotedLines: boolean;
  /** For each column, the types of which all its values are, from the narrowest to the widest. */
  types: string[][];
  /** For each column, whether a value begins with a letter that no value of another type than text begins with. */
  areTexts: boolean[];
}

const TYPES: [type: string, bit: number][] = [
  ['boolean', BOOLEAN],
  ['integer', INTEGER],
  ['double', DOUBLE],
  ['date', DATE],
  ['timestamp', TIMESTAMP],
];

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];
/** What a byte outside of quotes may be. */
const [VALUE, END, QUOTE] = [0, 1, 2];

/** Keeps the types that all values of each column have had so far. */
export class PlainRecords {
  readonly #delimiter: number;
  readonly #quote: number;
  readonly #kinds = new Uint8Array(256);
  /** Marks the bytes that values without quotes do not have. */
  readonly #areSigns: Uint8Array;
  /** The types of each column, and a place for values beyond the last column. */
  readonly #types: Uint8Array;
  #isHeader: boolean;
  /** Whether every reader splits the file into the same values. */
  #isRegular = true;
  /** The first byte of the line ends. */
  #lineEnd: number | undefined;
  #hasQuotedLines = false;

  constructor({ delimiter, quote, header, width }: PlainDialect) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#quote = quote === '' ? -1 : quote.charCodeAt(0);
    for (const end of [this.#delimiter, LINE_FEED, CARRIAGE_RETURN]) this.#kinds[end] = END;
    if (this.#quote >= 0) this.#kinds[this.#quote] = QUOTE;
    this.#isHeader = header;
    this.#areSigns = this.#kinds.map((kind) => (kind === VALUE ? 0 : 1));
    this.#types = new Uint8Array(width + 1).fill(ANY, 0, width);
  }

  get areProvable(): boolean {
    return this.#isRegular && this.#types.some((types) => (types & ANY) !== 0);
  }

  get lineEnd(): string {
    return this.#lineEnd === CARRIAGE_RETURN ? '\r\n' : '\n';
  }

  proven(): PlainColumns {
    const namesOf = (bits: number) => TYPES.flatMap(([type, bit]) => ((bits & bit) === 0 ? [] : [type]));
    const columns = [...this.#types.subarray(0, -1)];
    return {
      hasQuotedLines: this.#hasQuotedLines,
      // A column without a value has no type.
      types: columns.map((bits) => ((bits & EMPTY) === 0 ? namesOf(bits) : [])),
      areTexts: columns.map((bits) => (bits & TEXT) !== 0),
    };
  }

  /** Reads the records before `end`, where a line ends, and returns the place after the last one that is complete. */
  read(bytes: Uint8Array, end: number): number {
    const [kinds, delimiter, width] = [this.#kinds, this.#delimiter, this.#types.length - 1];
    let record = this.#skipUsual(bytes, 0, end);
    let [at, column] = [record, 0];
    while (at < end) {
      const start = at;
      if (kinds[bytes[at]!] !== END) at = this.#readValue(bytes, start, end, column);
      if (at >= end) return record;
      const byte = bytes[at]!;
      at += 1;
      if (byte === delimiter) {
        if (column < width) column += 1;
      } else {
        at = this.#endRecord(bytes, at, column, column === 0 && at === start + 1);
        if (!this.#isRegular) return end;
        record = this.#skipUsual(bytes, at, end);
        at = record;
        column = 0;
      }
    }
    return record;
  }

  /** Skips nothing before the first record has been read: it shows how lines end, and may be the header. */
  #skipUsual(bytes: Uint8Array, at: number, end: number): number {
    const [delimiter, quote, areSigns, lineEnd] = [this.#delimiter, this.#quote, this.#areSigns, this.#lineEnd];
    if (lineEnd === undefined) return at;
    return skipUsual(bytes, at, end, this.#types, { delimiter, quote, areSigns, lineEnd });
  }

  /** Returns the place after the value, which is not before `end` if a quoted value does not end there. */
  #readValue(bytes: Uint8Array, start: number, end: number, column: number): number {
    const [kinds, possible] = [this.#kinds, this.#types[column]!];
    if (kinds[bytes[start]!] === QUOTE) return this.#readQuoted(bytes, start, end, column);
    let at = start;
    if ((possible & ANY) !== 0) {
      const value = plainValue(bytes, start);
      at = endIn(value);
      this.#types[column] = kinds[bytes[at]!] === END ? possible & typesIn(value) : textIf(isWord(bytes[start]!));
    }
    while (kinds[bytes[at]!] === VALUE) at += 1;
    return at;
  }

  #readQuoted(bytes: Uint8Array, start: number, end: number, column: number): number {
    let at = start + 1;
    for (; at < end; at += 1) {
      const byte = bytes[at]!;
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) this.#hasQuotedLines = true;
      if (byte !== this.#quote) continue;
      if (bytes[at + 1] !== this.#quote) break;
      at += 1;
    }
    const possible = this.#types[column]!;
    if ((possible & ANY) !== 0) {
      const value = plainValue(bytes, start + 1);
      this.#types[column] = endIn(value) === at ? possible & typesIn(value) : textIf(isWord(bytes[start + 1]!));
    }
    return at + 1;
  }

  /** `at` is the place after the byte that ends the last value. Returns the place after the line end. */
  #endRecord(bytes: Uint8Array, at: number, column: number, isBlank: boolean): number {
    const byte = bytes[at - 1];
    const isPair = byte === CARRIAGE_RETURN && bytes[at] === LINE_FEED;
    const isComplete = isBlank || column === this.#types.length - 2;
    this.#lineEnd ??= byte;
    if (!isComplete || !(isPair || byte === LINE_FEED) || byte !== this.#lineEnd) this.#isRegular = false;
    if (this.#isHeader) this.#types.fill(ANY, 0, -1);
    this.#isHeader = false;
    return isPair ? at + 1 : at;
  }
}

const textIf = (isText: boolean) => (isText ? TEXT : 0);
