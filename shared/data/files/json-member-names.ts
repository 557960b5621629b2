import { createReadStream, createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { folded } from '../duckdb/column-names.ts';

/** The names that members were given, and the ones that they have in the file. */
export type RenamedMembers = ReadonlyMap<string, string>;

/** Surrounds the number before a name that was given. */
const MARK = '\u0001';
const GIVEN = new RegExp(`^${MARK}\\d+${MARK}`);

/** The name that a member has in the file, whether it was given another one or not. */
export const nameInFile = (name: string) => name.replace(GIVEN, '');

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Copies JSON and gives other names to the members of its records that the engine would not find: those with an empty
 * name, and those whose name differs only by case from one before.
 */
export async function renameMembers(path: string, outPath: string, recordDepth: number): Promise<RenamedMembers> {
  const naming = new Naming(recordDepth);
  const named = new Transform({
    transform: (bytes: Buffer, _encoding, done) => done(null, naming.of(bytes)),
    flush: (done) => done(null, naming.rest()),
  });
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), named, createWriteStream(outPath));
  return naming.renamed;
}

class Naming {
  readonly #recordDepth: number;
  readonly #names = new Names();
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** Whether the next text at the depth of the members is a name. */
  #isNameNext = false;
  /** The start of a name that a chunk cut off. */
  #name: Buffer | undefined;

  constructor(recordDepth: number) {
    this.#recordDepth = recordDepth;
  }

  get renamed(): RenamedMembers {
    return this.#names.renamed;
  }

  of(bytes: Buffer): Buffer {
    const parts: Buffer[] = [];
    let start = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]!;
      if (!this.#isText) {
        this.#seeOutside(byte);
        if (!this.#name) continue;
        parts.push(bytes.subarray(start, at + 1));
        start = at + 1;
      } else if (this.#endsText(byte) && this.#name) {
        parts.push(this.#names.written(Buffer.concat([this.#name, bytes.subarray(start, at)])));
        [this.#name, start] = [undefined, at];
      }
    }
    if (this.#name) this.#name = Buffer.concat([this.#name, bytes.subarray(start)]);
    else parts.push(bytes.subarray(start));
    return Buffer.concat(parts);
  }

  rest(): Buffer {
    return this.#name ?? Buffer.alloc(0);
  }

  #seeOutside(byte: number): void {
    if (byte === QUOTE) {
      [this.#isText, this.#isEscaped] = [true, false];
      if (this.#isNameNext && this.#depth === this.#recordDepth) this.#name = Buffer.alloc(0);
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      this.#depth += 1;
      this.#isNameNext = byte === OPEN_OBJECT;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth -= 1;
    else if (byte === COLON) this.#isNameNext = false;
    else if (byte === COMMA) this.#isNameNext = true;
  }

  #endsText(byte: number): boolean {
    if (byte !== QUOTE || this.#isEscaped) {
      this.#isEscaped = byte === BACKSLASH && !this.#isEscaped;
      return false;
    }
    this.#isText = false;
    return true;
  }
}

/** Gives each name of the file one that differs from all others by more than case. */
class Names {
  readonly renamed = new Map<string, string>();
  readonly #taken = new Set<string>();
  /** By the name in the file. */
  readonly #given = new Map<string, string>();
  /** By the bytes in the file: a name may be written in several ways. */
  readonly #written = new Map<string, Buffer>();

  written(bytes: Buffer): Buffer {
    const key = bytes.toString('latin1');
    let written = this.#written.get(key);
    if (!written) {
      written = this.#writtenAs(bytes);
      this.#written.set(key, written);
    }
    return written;
  }

  #writtenAs(bytes: Buffer): Buffer {
    const name = readName(bytes.toString('utf8'));
    // The engine reports the place of a text that is not valid.
    if (name === undefined) return bytes;
    const given = this.#given.get(name) ?? this.#give(name);
    return given === name ? bytes : Buffer.from(JSON.stringify(given).slice(1, -1));
  }

  #give(name: string): string {
    let given = name;
    for (let n = 1; given === '' || this.#taken.has(folded(given)); n += 1) given = `${MARK}${n}${MARK}${name}`;
    this.#taken.add(folded(given));
    this.#given.set(name, given);
    if (given !== name) this.renamed.set(given, name);
    return given;
  }
}

function readName(text: string): string | undefined {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return undefined;
  }
}
