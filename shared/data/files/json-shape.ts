import { createReadStream } from 'node:fs';
import { NoRecords, unreadable } from './file-format.ts';

/** The engine reads nested values recursively: some thousands of levels would crash its process. */
const MAX_LEVELS = 500;
/** Detecting the type of a text takes the engine most of a second per megabyte. */
const MAX_TEXT_BYTES = 4 * 1024 ** 2;

const [QUOTE, BACKSLASH, LINE_END, SPACE] = [0x22, 0x5c, 0x0a, 0x20];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Checks the nesting depth and the length of texts of UTF-8 JSON as it is streamed. */
class ShapeWatch {
  #depth = 0;
  #line = 1;
  #isText = false;
  #textBytes = 0;
  #isEscaped = false;
  #hasContent = false;

  /** Whether the text was empty or an empty list. */
  get isEmpty(): boolean {
    return !this.#hasContent && this.#depth === 0;
  }

  /** Throws FILE_UNREADABLE, with the line, if a limit is exceeded. */
  see(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === LINE_END) this.#line += 1;
      if (this.#isText) this.#seeInText(byte);
      else if (byte === QUOTE) [this.#isText, this.#textBytes, this.#hasContent] = [true, 0, true];
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#deeper(byte);
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth -= 1;
      else if (byte > SPACE) this.#hasContent = true;
    }
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
    if (byte === OPEN_OBJECT || this.#depth > 1) this.#hasContent = true;
    if (this.#depth > MAX_LEVELS) {
      throw unreadable(`Line ${this.#line}: the values are nested more than ${MAX_LEVELS} levels deep.`);
    }
  }
}

/**
 * Throws FILE_UNREADABLE for a JSON file that is nested too deeply or has too long a text, and NoRecords for an empty
 * one.
 */
export async function checkJsonShape(path: string): Promise<void> {
  const watch = new ShapeWatch();
  for await (const bytes of createReadStream(path, { highWaterMark: 1024 * 1024 })) watch.see(bytes as Buffer);
  if (watch.isEmpty) throw new NoRecords();
}
