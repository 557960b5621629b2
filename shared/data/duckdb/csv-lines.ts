import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileChunks } from './file-chunks.ts';

/** Properties of the lines of a CSV file. */
export interface CsvLines {
  /**
   * Size of the longest row in bytes; for a file below `minBytes`, the size of the file. Shorter rows within one chunk
   * of a megabyte may be ignored.
   */
  longestRow: number;
  /** Whether a quoted value contains line ends. */
  hasQuotedLines: boolean;
  /** The line of a quote that is never closed, starting at 1. */
  openQuoteLine?: number;
}

interface ScanOptions {
  /** An empty text if values are never quoted. */
  quote?: string;
  delimiter?: string;
  /** Smaller files are not scanned. */
  minBytes?: number;
}

/** The engine does not split smaller files between threads. */
const SHARED_BYTES = 8_000_000;

const [SPACE, LINE_FEED, CARRIAGE_RETURN] = [0x20, 0x0a, 0x0d];
const [BEFORE_VALUE, PLAIN, QUOTED, QUOTE_WITHIN] = [0, 1, 2, 3];

/**
 * Scans a UTF-8 file for what DuckDB 1.5 misreads. Threads that share a file start in the middle and treat the first
 * line end as the end of a row: within quotes they read lines of a text as rows, fail at most of them and skip others.
 * A single thread does not notice that the last quote is open. Callers use the result to choose how to read the file.
 */
export async function scanLines(path: string, options: ScanOptions = {}): Promise<CsvLines> {
  const { quote = '"', delimiter = ',', minBytes = SHARED_BYTES } = options;
  const { size } = await stat(path);
  if (size < minBytes) return { longestRow: size, hasQuotedLines: false };
  const scanner = new LineScanner(quote === '' ? -1 : quote.charCodeAt(0), delimiter.charCodeAt(delimiter.length - 1));
  for await (const bytes of fileChunks(path)) scanner.scan(bytes);
  const { longestRow, hasQuotedLines, openedAt } = scanner.end();
  if (openedAt === undefined) return { longestRow, hasQuotedLines };
  return { longestRow, hasQuotedLines, openQuoteLine: await lineAt(path, openedAt) };
}

class LineScanner {
  readonly #quote: number;
  readonly #delimiter: number;
  readonly #transitions: Uint8Array;
  #state = BEFORE_VALUE;
  #read = 0;
  #rowStart = 0;
  #longestRow = 0;
  #openedAt = 0;
  #hasQuotedLines = false;

  constructor(quote: number, delimiter: number) {
    this.#quote = quote;
    this.#delimiter = delimiter;
    this.#transitions = this.#transitionTable();
  }

  scan(bytes: Buffer): void {
    if (this.#state !== QUOTED && (this.#quote < 0 || !bytes.includes(this.#quote))) this.#skip(bytes);
    else this.#walk(bytes);
    this.#read += bytes.length;
  }

  end() {
    this.#endRow(this.#read);
    return {
      longestRow: this.#longestRow,
      hasQuotedLines: this.#hasQuotedLines,
      ...(this.#state === QUOTED ? { openedAt: this.#openedAt } : {}),
    };
  }

  /**
   * Handles bytes without a quote: only the ends of rows that began before, and the state after the last value, matter.
   */
  #skip(bytes: Buffer): void {
    const ends = [bytes.indexOf(LINE_FEED), bytes.lastIndexOf(LINE_FEED)];
    for (const at of ends) if (at >= 0) this.#endRow(this.#read + at);
    let last = bytes.length - 1;
    while (last >= 0 && bytes[last] === SPACE) last -= 1;
    if (last >= 0) this.#state = this.#isEnd(bytes[last]!) ? BEFORE_VALUE : PLAIN;
  }

  #walk(bytes: Buffer): void {
    const [transitions, read] = [this.#transitions, this.#read];
    let state = this.#state;
    for (let i = 0; i < bytes.length; i += 1) {
      const byte = bytes[i]!;
      const next = transitions[state * 256 + byte]!;
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) this.#endLine(state, byte, read + i);
      else if (state === BEFORE_VALUE && next === QUOTED) this.#openedAt = read + i;
      state = next;
    }
    this.#state = state;
  }

  #endLine(state: number, byte: number, at: number): void {
    if (state === QUOTED) this.#hasQuotedLines = true;
    else if (byte === LINE_FEED) this.#endRow(at);
  }

  /**
   * The state after each byte in each state, looked up rather than computed because large files have billions of bytes.
   */
  #transitionTable(): Uint8Array {
    const states = [BEFORE_VALUE, PLAIN, QUOTED, QUOTE_WITHIN];
    return Uint8Array.from({ length: states.length * 256 }, (_, i) => this.#nextState(Math.floor(i / 256), i % 256));
  }

  #nextState(state: number, byte: number): number {
    if (state === QUOTED) return byte === this.#quote ? QUOTE_WITHIN : QUOTED;
    if (byte === this.#quote && state !== PLAIN) return QUOTED;
    if (this.#isEnd(byte)) return BEFORE_VALUE;
    return state === BEFORE_VALUE && byte !== SPACE ? PLAIN : state;
  }

  #isEnd = (byte: number) => byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === this.#delimiter;

  #endRow(at: number): void {
    if (at - this.#rowStart > this.#longestRow) this.#longestRow = at - this.#rowStart;
    this.#rowStart = at + 1;
  }
}

async function lineAt(path: string, offset: number): Promise<number> {
  let line = 1;
  for await (const bytes of createReadStream(path, { end: offset })) {
    for (const byte of bytes as Buffer) if (byte === LINE_FEED) line += 1;
  }
  return line;
}
