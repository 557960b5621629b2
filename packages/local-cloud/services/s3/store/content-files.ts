import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sink } from '../model.ts';

const READ_CHUNK_BYTES = 256 * 1024;

/**
 * Bodies as immutable files. A body arrives in `incoming/` and is renamed into place before anything refers to it. A
 * file without holds and without parts is deleted; on start the same rule removes leftovers of a crash.
 */
export class ContentFiles {
  readonly #incoming: string;
  readonly #folder: string;
  readonly #isReferenced: (content: string) => boolean;
  readonly #holds = new Map<string, number>();

  constructor(dataDir: string, isReferenced: (content: string) => boolean) {
    this.#incoming = join(dataDir, 'incoming');
    this.#folder = join(dataDir, 'content');
    this.#isReferenced = isReferenced;
    rmSync(this.#incoming, { recursive: true, force: true });
    mkdirSync(this.#incoming, { recursive: true });
    mkdirSync(this.#folder, { recursive: true });
    this.#removeOrphans();
  }

  /**
   * Stores the data that `fill` writes and returns the file's id, held: call `release` once a part refers to it or it
   * is not needed. If `fill` throws, nothing remains.
   */
  async receive<T>(fill: (sink: Sink) => Promise<T>): Promise<{ content: string; result: T }> {
    const content = randomUUID();
    const arriving = join(this.#incoming, content);
    try {
      const file = await open(arriving, 'wx');
      let result: T;
      try {
        result = await fill((chunk) => writeAll(file, chunk));
      } finally {
        await file.close();
      }
      this.hold([content]);
      await this.#moveIntoPlace(arriving, content);
      return { content, result };
    } catch (error) {
      await rm(arriving, { force: true });
      this.release([content]);
      throw error;
    }
  }

  /** Protects the files from deletion until they are released as often as they were held. */
  hold(contents: string[]): void {
    for (const content of contents) this.#holds.set(content, (this.#holds.get(content) ?? 0) + 1);
  }

  release(contents: string[]): void {
    for (const content of contents) {
      const holds = (this.#holds.get(content) ?? 0) - 1;
      if (holds > 0) this.#holds.set(content, holds);
      else this.#holds.delete(content);
    }
    this.removeUnused(contents);
  }

  removeUnused(contents: string[]): void {
    for (const content of contents) {
      if (this.#holds.has(content) || this.#isReferenced(content)) continue;
      rmSync(this.#pathOf(content), { force: true });
    }
  }

  /** Bytes `start` to `end` (inclusive) of the concatenated files. The caller holds the files. */
  async *read(parts: readonly { content: string; size: number }[], start: number, end: number): AsyncGenerator<Buffer> {
    let partStart = 0;
    for (const { content, size } of parts) {
      const from = Math.max(start - partStart, 0);
      const to = Math.min(end - partStart, size - 1);
      if (from <= to) yield* readFileRange(this.#pathOf(content), from, to);
      partStart += size;
      if (partStart > end) return;
    }
  }

  #pathOf(content: string): string {
    return join(this.#folder, content.slice(0, 2), content);
  }

  async #moveIntoPlace(arriving: string, content: string): Promise<void> {
    const place = this.#pathOf(content);
    try {
      await rename(arriving, place);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await mkdir(join(this.#folder, content.slice(0, 2)), { recursive: true });
      await rename(arriving, place);
    }
  }

  #removeOrphans(): void {
    for (const shard of readdirSync(this.#folder)) this.removeUnused(readdirSync(join(this.#folder, shard)));
  }
}

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    written += (await file.write(chunk, written, chunk.length - written)).bytesWritten;
  }
}

async function* readFileRange(path: string, start: number, end: number): AsyncGenerator<Buffer> {
  const file = await open(path, 'r');
  try {
    for (let position = start; position <= end; ) {
      const wanted = Math.min(READ_CHUNK_BYTES, end - position + 1);
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(wanted), 0, wanted, position);
      if (bytesRead === 0) throw new Error(`Content file ${path} ends at ${position}, before ${end}.`);
      yield buffer.subarray(0, bytesRead);
      position += bytesRead;
    }
  } finally {
    await file.close();
  }
}
