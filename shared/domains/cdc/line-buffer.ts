/** UTF-8 needs at most so many bytes for a character of a text. */
export const MAX_PER_CHARACTER = 3;

/** Lines of a file on their way, as bytes: kept as texts, a few megabytes of them would be hundreds of thousands of objects. */
export class LineBuffer {
  #content = Buffer.allocUnsafe(16 * 1024);
  #bytes = 0;

  /** Answers how many bytes the line has. */
  add(line: string): number {
    const needed = this.#bytes + line.length * MAX_PER_CHARACTER;
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

  /** All lines; the buffer is not to be used any more. */
  content(): Buffer {
    return this.#content.subarray(0, this.#bytes);
  }
}
