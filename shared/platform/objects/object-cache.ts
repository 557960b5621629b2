import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import { download, type ObjectRef } from './download.ts';

interface CacheOptions {
  s3: S3Client;
  bucket: string;
  folder: string;
  maxBytes: number;
}

interface Copy {
  path: Promise<string>;
  bytes: number;
  /** How many have asked for it while it was on its way. */
  waiting: number;
  /** Breaks the download off. */
  end: AbortController;
}

/**
 * Local copies of objects that never change, kept on the function's scratch disk for its next calls and dropped oldest
 * first when they fill their share. Concurrent callers share one download.
 */
export class ObjectCache {
  readonly #options: CacheOptions;
  readonly #signal: AbortSignal | undefined;
  readonly #kept: { files: Map<string, Copy>; bytes: number; emptied?: Promise<unknown> };

  constructor(options: CacheOptions, same?: { of: ObjectCache; signal: AbortSignal }) {
    this.#options = options;
    this.#signal = same?.signal;
    this.#kept = same ? same.of.#kept : { files: new Map(), bytes: 0 };
  }

  /** The room for copies in bytes; what is fetched together must fit in it. */
  get maxBytes(): number {
    return this.#options.maxBytes;
  }

  /** The same copies for work that is over when `signal` is aborted: a download that nobody else waits for is broken off. */
  within(signal: AbortSignal): ObjectCache {
    return new ObjectCache(this.#options, { of: this, signal });
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
    this.#signal?.throwIfAborted();
    const id = idOf(ref);
    const { files } = this.#kept;
    const copy = files.get(id) ?? this.#begin(ref);
    // The last one used is the last one dropped.
    files.delete(id);
    files.set(id, copy);
    return this.#waitFor(id, copy);
  }

  #begin(ref: ObjectRef): Copy {
    const id = idOf(ref);
    const end = new AbortController();
    const path = this.#download(ref, end.signal).then(async (file) => {
      // It was broken off too late, and nobody has asked for it again.
      if (!this.#kept.files.has(id)) this.#kept.files.set(id, copy);
      this.#weigh(id, copy, (await stat(file)).size);
      return file;
    });
    const copy: Copy = { path, bytes: 0, waiting: 0, end };
    path.catch(() => {
      if (this.#kept.files.get(id) === copy) this.#kept.files.delete(id);
    });
    return copy;
  }

  async #waitFor(id: string, copy: Copy): Promise<string> {
    const signal = this.#signal;
    copy.waiting += 1;
    const { promise: unwanted, reject } = Promise.withResolvers<never>();
    const leave = () => {
      copy.waiting -= 1;
      if (copy.waiting > 0) return reject(signal!.reason);
      // Whoever asks from now on begins anew. One that has just come stays.
      if (copy.bytes === 0 && this.#kept.files.get(id) === copy) this.#kept.files.delete(id);
      copy.end.abort(signal!.reason);
    };
    signal?.addEventListener('abort', leave);
    try {
      return await Promise.race([copy.path, unwanted]);
    } finally {
      signal?.removeEventListener('abort', leave);
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
    const copy = { path: Promise.resolve(path), bytes: 0, waiting: 0, end: new AbortController() };
    this.#kept.files.set(id, copy);
    this.#weigh(id, copy, size);
    await this.#makeRoom(new Set([id]));
  }

  #weigh(id: string, copy: Copy, bytes: number): void {
    if (this.#kept.files.get(id) !== copy) return;
    copy.bytes = bytes;
    this.#kept.bytes += bytes;
  }

  #forget(id: string): void {
    this.#kept.bytes -= this.#kept.files.get(id)?.bytes ?? 0;
    this.#kept.files.delete(id);
  }

  /** A process that died leaves its copies on the scratch disk of its successor, which knows nothing of them. */
  async #emptyFolder(): Promise<void> {
    const { folder } = this.#options;
    this.#kept.emptied ??= rm(folder, { recursive: true, force: true }).then(() => mkdir(folder, { recursive: true }));
    await this.#kept.emptied;
  }

  #pathOf(ref: ObjectRef): string {
    return join(this.#options.folder, createHash('sha256').update(idOf(ref)).digest('hex').slice(0, 32));
  }

  async #download(ref: ObjectRef, signal: AbortSignal): Promise<string> {
    const { s3, bucket } = this.#options;
    await this.#emptyFolder();
    const path = this.#pathOf(ref);
    // One that is broken off and the one that follows it do not meet.
    const partial = `${path}.${randomUUID()}.partial`;
    try {
      await download(s3, bucket, ref, partial, signal);
      await rename(partial, path);
      return path;
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  async #makeRoom(keep: ReadonlySet<string>): Promise<void> {
    for (const [id, file] of this.#kept.files) {
      if (this.#kept.bytes <= this.#options.maxBytes) return;
      if (keep.has(id) || file.bytes === 0) continue;
      this.#forget(id);
      await rm(await file.path, { force: true });
    }
  }
}

const idOf = ({ key, etag = '' }: ObjectRef): string => `${key} ${etag}`;
