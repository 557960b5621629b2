import { Writable } from 'node:stream';
import { DataError } from '../../../platform/errors/data-error.ts';
import { MAX_LINE_BYTES, tooLongLine } from '../../duckdb/exact-csv.ts';
import type { PlainParquet } from '../../duckdb/plain-parquet/plain-parquet.ts';
import type { BinaryFormat, SentValue } from './binary-values.ts';

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const HEADER_BYTES = SIGNATURE.length + 8;
const [GROUP_ROWS, GROUP_BYTES] = [122_880, 32 * 1024 ** 2];

const malformed = () => new DataError('CONNECTION_FAILED', 'The server sent rows in an unknown format.');

/**
 * Writes the rows that COPY sends in its binary format into a file of plain values, without making an object of a row
 * or a value.
 */
export class BinaryRows extends Writable {
  /** Columns with a value that they cannot hold exactly. The file is of no use if there are any. */
  readonly inexact = new Set<number>();
  readonly #file: PlainParquet;
  readonly #formats: readonly BinaryFormat[];
  /** Which columns hold bytes, which would take twice the space as text. */
  readonly #isBytes: boolean[];
  readonly #value: SentValue = { bytes: new Uint8Array(), view: new DataView(new ArrayBuffer(0)), at: 0, length: 0 };
  #buffer = Buffer.allocUnsafeSlow(64 * 1024);
  #kept = 0;
  #hasBegun = false;
  #hasEnded = false;
  #groupBytes = 0;

  constructor(file: PlainParquet, formats: readonly BinaryFormat[]) {
    super();
    this.#file = file;
    this.#formats = formats;
    this.#isBytes = formats.map(({ stored }) => stored.physical === 'BYTE_ARRAY' && stored.as === undefined);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#take(chunk).then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    if (!this.#hasEnded) done(malformed());
    else this.#file.end().then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const closed = this.writableFinished ? Promise.resolve() : this.#file.close();
    closed.then(
      () => done(error),
      () => done(error),
    );
  }

  async #take(chunk: Buffer): Promise<void> {
    const bytes = this.#joined(chunk);
    let at = 0;
    if (!this.#hasBegun) {
      if (bytes.length < HEADER_BYTES) return this.#keep(bytes);
      if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw malformed();
      at = HEADER_BYTES + bytes.readInt32BE(HEADER_BYTES - 4);
      this.#hasBegun = true;
    }
    this.#value.bytes = bytes;
    this.#value.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (;;) {
      const next = this.#rows(at);
      this.#groupBytes += next - at;
      at = next;
      if (!this.#isFull()) break;
      await this.#file.flush();
      this.#groupBytes = 0;
    }
    this.#keep(bytes.subarray(at));
    if (this.inexact.size > 0) for (const column of this.#file.columns) column.clear();
  }

  #isFull(): boolean {
    return this.#file.columns[0]!.rows >= GROUP_ROWS || this.#groupBytes >= GROUP_BYTES;
  }

  /** Adds whole rows until the group is full, and returns where the next row begins. */
  #rows(start: number): number {
    const { view } = this.#value;
    const space = GROUP_ROWS - this.#file.columns[0]!.rows;
    let at = start;
    for (let row = 0; row < space; row += 1) {
      if (view.byteLength - at < 2 || this.#hasEnded) return at;
      const fields = view.getInt16(at);
      if (fields === -1) {
        this.#hasEnded = true;
        return at + 2;
      }
      if (fields !== this.#formats.length) throw malformed();
      const end = this.#endOf(at);
      if (end === undefined) return at;
      this.#addRow(at + 2);
      at = end;
    }
    return at;
  }

  /** The end of the row; undefined if the rest of it has not arrived yet. */
  #endOf(row: number): number | undefined {
    const { view } = this.#value;
    let at = row + 2;
    let counted = 0;
    for (const isBytes of this.#isBytes) {
      if (at + 4 > view.byteLength) return undefined;
      const length = view.getInt32(at);
      if (length > 0) {
        at += length;
        counted += isBytes ? 2 * length : length;
        if (counted > MAX_LINE_BYTES) throw tooLongLine();
      }
      at += 4;
    }
    return at <= view.byteLength ? at : undefined;
  }

  #addRow(start: number): void {
    const { columns } = this.#file;
    const value = this.#value;
    let at = start;
    for (let i = 0; i < columns.length; i += 1) {
      const length = value.view.getInt32(at);
      at += 4;
      if (length < 0) {
        columns[i]!.addNull();
        continue;
      }
      value.at = at;
      value.length = length;
      if (!this.#formats[i]!.add(columns[i]!, value)) this.inexact.add(i);
      at += length;
    }
  }

  /** The bytes kept of an incomplete row, and the next ones after them. */
  #joined(chunk: Buffer): Buffer {
    if (this.#kept === 0) return chunk;
    const length = this.#kept + chunk.length;
    if (length > this.#buffer.length) {
      const longer = Buffer.allocUnsafe(Math.max(length, 2 * this.#buffer.length));
      this.#buffer.copy(longer, 0, 0, this.#kept);
      this.#buffer = longer;
    }
    chunk.copy(this.#buffer, this.#kept);
    return this.#buffer.subarray(0, length);
  }

  /** A long row arrives in many chunks, and what is already in place is not copied again. */
  #keep(rest: Buffer): void {
    this.#kept = rest.length;
    if (rest.buffer === this.#buffer.buffer && rest.byteOffset === this.#buffer.byteOffset) return;
    if (rest.length > this.#buffer.length) this.#buffer = Buffer.from(rest);
    else rest.copy(this.#buffer);
  }
}
