/** UTF-8 needs at most this many bytes for a UTF-16 code unit. */
export const MAX_BYTES_PER_CHARACTER = 3;

/** Collects the lines of a file as bytes. As strings, a few megabytes would be hundreds of thousands of objects. */
export class LineBuffer {
  #content = Buffer.allocUnsafe(16 * 1024);
  #bytes = 0;

  /** Returns how many bytes the line has. */
  add(line: string): number {
    const needed = this.#bytes + line.length * MAX_BYTES_PER_CHARACTER;
    if (needed > this.#content.length) this.#grow(needed);
    const bytes = this.#content.write(line, this.#bytes);
    this.#bytes += bytes;
    return bytes;
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#content.length * 2));
    this.#content.copy(larger, 0, 0, this.#bytes);
    this.#content = larger;
  }

  /** All lines. The buffer must not be used afterwards. */
  content(): Buffer {
    return this.#content.subarray(0, this.#bytes);
  }
}
