import { createHash } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import { download, type ObjectRef } from './download.ts';

/**
 * Local copies of objects that never change, kept on the function's scratch disk for its next calls and dropped oldest
 * first when they fill their share. Concurrent callers share one download.
 */
export class ObjectCache {
  readonly #s3: S3Client;
  readonly #bucket: string;
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #files = new Map<string, { path: Promise<string>; bytes: number }>();
  #bytes = 0;
  #emptied: Promise<unknown> | undefined;

  constructor(options: { s3: S3Client; bucket: string; folder: string; maxBytes: number }) {
    this.#s3 = options.s3;
    this.#bucket = options.bucket;
    this.#folder = options.folder;
    this.#maxBytes = options.maxBytes;
  }

  /** The room for copies in bytes; what is fetched together must fit in it. */
  get maxBytes(): number {
    return this.#maxBytes;
  }

  /** Path of a local copy; it stays until later calls need the room. */
  async fetch(ref: ObjectRef): Promise<string> {
    const [path] = await this.fetchAll([ref]);
    return path!;
  }

  /** Paths of local copies in the order of the objects. None makes room for another of them. */
  async fetchAll(refs: readonly ObjectRef[]): Promise<string[]> {
    const paths = await Promise.all(refs.map((ref) => this.#copyOf(ref)));
    await this.#makeRoom(new Set(refs.map(idOf)));
    return paths;
  }

  async #copyOf(ref: ObjectRef): Promise<string> {
    const id = idOf(ref);
    const known = this.#files.get(id);
    if (known) {
      this.#files.delete(id);
      this.#files.set(id, known);
      return known.path;
    }
    const entry = { path: this.#download(ref), bytes: 0 };
    this.#files.set(id, entry);
    try {
      const path = await entry.path;
      this.#weigh(id, entry, (await stat(path)).size);
      return path;
    } catch (error) {
      this.#files.delete(id);
      throw error;
    }
  }

  /** Takes over a local file as the copy of an object, which was just made from it. */
  async adopt(ref: ObjectRef, file: string): Promise<void> {
    const path = this.#pathOf(ref);
    await this.#emptyFolder();
    await rename(file, path);
    const id = idOf(ref);
    const { size } = await stat(path);
    this.#forget(id);
    const entry = { path: Promise.resolve(path), bytes: 0 };
    this.#files.set(id, entry);
    this.#weigh(id, entry, size);
    await this.#makeRoom(new Set([id]));
  }

  #weigh(id: string, entry: { bytes: number }, bytes: number): void {
    if (this.#files.get(id) !== entry) return;
    entry.bytes = bytes;
    this.#bytes += bytes;
  }

  #forget(id: string): void {
    this.#bytes -= this.#files.get(id)?.bytes ?? 0;
    this.#files.delete(id);
  }

  /** A process that died leaves its copies on the scratch disk of its successor, which knows nothing of them. */
  async #emptyFolder(): Promise<void> {
    this.#emptied ??= rm(this.#folder, { recursive: true, force: true }).then(() =>
      mkdir(this.#folder, { recursive: true }),
    );
    await this.#emptied;
  }

  #pathOf(ref: ObjectRef): string {
    return join(this.#folder, createHash('sha256').update(idOf(ref)).digest('hex').slice(0, 32));
  }

  async #download(ref: ObjectRef): Promise<string> {
    await this.#emptyFolder();
    const path = this.#pathOf(ref);
    const partial = `${path}.${process.pid}.partial`;
    try {
      await download(this.#s3, this.#bucket, ref, partial);
      await rename(partial, path);
      return path;
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  async #makeRoom(keep: ReadonlySet<string>): Promise<void> {
    for (const [id, file] of this.#files) {
      if (this.#bytes <= this.#maxBytes) return;
      if (keep.has(id) || file.bytes === 0) continue;
      this.#forget(id);
      await rm(await file.path, { force: true });
    }
  }
}

const idOf = ({ key, etag = '' }: ObjectRef): string => `${key} ${etag}`;
