import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

/** What the lines of a CSV file are like. */
export interface CsvLines {
  /** Bytes of the longest row, of those that have more than a megabyte; those of the file where it is too small to matter. */
  longestRow: number;
  /** Whether a value within quotes has several lines. */
  hasQuotedLines: boolean;
  /** Where a quote was opened that nothing closes, counted from 1. */
  openQuoteLine?: number;
}

interface LookOptions {
  /** An empty text where values are never quoted. */
  quote?: string;
  delimiter?: string;
  /** Smaller files are not looked at. */
  leastBytes?: number;
}

/** The engine gives smaller pieces to no second thread. */
const SHARED_BYTES = 8_000_000;

const [SPACE, LINE_FEED, CARRIAGE_RETURN] = [0x20, 0x0a, 0x0d];
const [BEFORE_VALUE, PLAIN, QUOTED, QUOTE_WITHIN] = [0, 1, 2, 3];

/**
 * Looks at a UTF-8 file as the engine reads it. Threads of the engine that share a file begin in the middle and take the first line end
 * for that of a row (DuckDB 1.5): within quotes they take lines of a text for rows, fail at most of them and leave out others. And a
 * thread that reads alone does not see that the last quote is open. So whoever lets it read alone looks for both.
 */
export async function lookAtLines(path: string, options: LookOptions = {}): Promise<CsvLines> {
  const { quote = '"', delimiter = ',', leastBytes = SHARED_BYTES } = options;
  const { size } = await stat(path);
  if (size < leastBytes) return { longestRow: size, hasQuotedLines: false };
  const look = new LineLook(quote === '' ? -1 : quote.charCodeAt(0), delimiter.charCodeAt(delimiter.length - 1));
  for await (const bytes of createReadStream(path, { highWaterMark: 1024 ** 2 })) look.see(bytes);
  const { longestRow, hasQuotedLines, openedAt } = look.end();
  if (openedAt === undefined) return { longestRow, hasQuotedLines };
  return { longestRow, hasQuotedLines, openQuoteLine: await lineAt(path, openedAt) };
}

class LineLook {
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

  see(bytes: Buffer): void {
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

  /** Bytes without a quote: only where rows end that began before, and how the last value stands. */
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

  /** The state after each byte in each state, looked up rather than computed because large files have billions of bytes. */
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
