import { variableLength } from './thrift.ts';

const FIRST_BYTES = 4096;

/**
 * The values of a column of a row group, in Parquet's plain encoding. A value is written at the place that `room`
 * returns, through `view` or `bytes`, which `room` may replace.
 */
export class PlainColumn {
  bytes = new Uint8Array(FIRST_BYTES);
  view = new DataView(this.bytes.buffer);
  #size = 0;
  #rows = 0;
  /** A bit for each row, set for values; undefined while there are no nulls. */
  #present: Uint8Array | undefined;

  get rows(): number {
    return this.#rows;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a value of `length` bytes and returns its place. */
  room(length: number): number {
    const at = this.#size;
    this.#size += length;
    if (this.#size > this.bytes.length) this.#grow();
    if (this.#present) this.#mark(this.#present);
    this.#rows += 1;
    return at;
  }

  addNull(): void {
    this.#present ??= this.#allPresent();
    if (this.#rows >> 3 >= this.#present.length) this.#present = lengthened(this.#present, this.#rows >> 3);
    this.#rows += 1;
  }

  /** The levels of the rows so far: 1 for a value, 0 for null. */
  levels(): Buffer {
    const packed = this.#present
      ? [Buffer.from(variableLength((Math.ceil(this.#rows / 8) << 1) | 1)), this.#bitmap(this.#present)]
      : [Buffer.from([...variableLength(this.#rows * 2), 1])];
    const length = Buffer.alloc(4);
    length.writeUInt32LE(packed.reduce((sum, part) => sum + part.length, 0));
    return Buffer.concat([length, ...packed]);
  }

  values(): Uint8Array {
    return this.bytes.subarray(0, this.#size);
  }

  clear(): void {
    this.#size = 0;
    this.#rows = 0;
    this.#present = undefined;
  }

  #grow(): void {
    this.bytes = lengthened(this.bytes, this.#size);
    this.view = new DataView(this.bytes.buffer);
  }

  #allPresent(): Uint8Array {
    const present = new Uint8Array(Math.max(1024, (this.#rows >> 2) + 1));
    present.fill(0xff, 0, this.#rows >> 3);
    present[this.#rows >> 3] = (1 << (this.#rows & 7)) - 1;
    return present;
  }

  #mark(present: Uint8Array): void {
    const at = this.#rows >> 3;
    const marked = at < present.length ? present : lengthened(present, at);
    marked[at] = marked[at]! | (1 << (this.#rows & 7));
    this.#present = marked;
  }

  #bitmap(present: Uint8Array): Buffer {
    const length = Math.ceil(this.#rows / 8);
    const whole = present.length < length ? lengthened(present, length) : present;
    return Buffer.from(whole.subarray(0, length));
  }
}

function lengthened(bytes: Uint8Array, needed: number): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(Math.max(bytes.length * 2, needed + 1));
  longer.set(bytes);
  return longer;
}
