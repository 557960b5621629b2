import { createReadStream, createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Stands for an empty name, for which the engine finds no values. */
export const EMPTY_NAME = '\u0001empty name';
const WRITTEN = Buffer.from(JSON.stringify(EMPTY_NAME).slice(1, -1));

const [QUOTE, BACKSLASH, COLON, SPACE] = [0x22, 0x5c, 0x3a, 0x20];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Copies JSON and gives members of its records with an empty name the name `EMPTY_NAME`. */
export async function nameEmptyMembers(path: string, outPath: string, recordDepth: number): Promise<void> {
  const naming = new Naming(recordDepth);
  const named = new Transform({
    transform: (bytes: Buffer, _encoding, done) => done(null, naming.of(bytes)),
    flush: (done) => done(null, naming.rest()),
  });
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), named, createWriteStream(outPath));
}

class Naming {
  readonly #recordDepth: number;
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #isEmpty = false;
  /** The end of an empty text and the white space after it, until what follows shows whether the text is a name. */
  #waiting: Buffer | undefined;

  constructor(recordDepth: number) {
    this.#recordDepth = recordDepth;
  }

  of(bytes: Buffer): Buffer {
    const parts: Buffer[] = [];
    let start = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]!;
      if (this.#isText) {
        if (!this.#endsEmptyText(byte)) continue;
        parts.push(bytes.subarray(start, at));
        [this.#waiting, start] = [Buffer.alloc(0), at];
        continue;
      }
      if (this.#waiting && byte > SPACE) {
        if (byte === COLON && this.#depth === this.#recordDepth) parts.push(WRITTEN);
        parts.push(this.#waiting, bytes.subarray(start, at));
        [this.#waiting, start] = [undefined, at];
      }
      this.#seeOutside(byte);
    }
    if (this.#waiting) this.#waiting = Buffer.concat([this.#waiting, bytes.subarray(start)]);
    else parts.push(bytes.subarray(start));
    return Buffer.concat(parts);
  }

  rest(): Buffer {
    return this.#waiting ?? Buffer.alloc(0);
  }

  #seeOutside(byte: number): void {
    if (byte === QUOTE) [this.#isText, this.#isEscaped, this.#isEmpty] = [true, false, true];
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth -= 1;
  }

  #endsEmptyText(byte: number): boolean {
    if (byte !== QUOTE || this.#isEscaped) {
      this.#isEscaped = byte === BACKSLASH && !this.#isEscaped;
      this.#isEmpty = false;
      return false;
    }
    this.#isText = false;
    return this.#isEmpty;
  }
}
