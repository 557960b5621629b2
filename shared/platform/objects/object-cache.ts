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
  /** The number of callers that wait for the download. */
  waiting: number;
  /** Aborts the download. */
  end: AbortController;
  /** Set for the only copy of an object that is not in the bucket: it is not evicted. */
  isOnly?: true;
}

/**
 * Local copies of immutable objects on the function's scratch disk, for later calls. The least recently used copies are
 * removed when the disk share is full. Concurrent callers share one download.
 */
export class ObjectCache {
  readonly #options: CacheOptions;
  readonly #signal: AbortSignal | undefined;
  readonly #copies: { files: Map<string, Copy>; bytes: number; emptied?: Promise<unknown> };

  constructor(options: CacheOptions, same?: { of: ObjectCache; signal: AbortSignal }) {
    this.#options = options;
    this.#signal = same?.signal;
    this.#copies = same ? same.of.#copies : { files: new Map(), bytes: 0 };
  }

  /** The disk share for copies in bytes; objects that are fetched together must fit. */
  get maxBytes(): number {
    return this.#options.maxBytes;
  }

  /** The same cache for work that ends when `signal` aborts: a download without other waiting callers is aborted. */
  within(signal: AbortSignal): ObjectCache {
    return new ObjectCache(this.#options, { of: this, signal });
  }

  /** The path of a local copy, which exists until later calls need the space. */
  async fetch(ref: ObjectRef): Promise<string> {
    const [path] = await this.fetchAll([ref]);
    return path!;
  }

  /** The paths of local copies in the order of the objects. None of them is evicted for another. */
  async fetchAll(refs: readonly ObjectRef[]): Promise<string[]> {
    const paths = await Promise.all(refs.map((ref) => this.#copyOf(ref)));
    await this.#evict(new Set(refs.map(idOf)));
    return paths;
  }

  /** The paths of local copies that are there already; undefined if one is missing. */
  async present(refs: readonly ObjectRef[]): Promise<string[] | undefined> {
    const copies = refs.flatMap((ref) => this.#copies.files.get(idOf(ref)) ?? []);
    return copies.length === refs.length ? Promise.all(copies.map(({ path }) => path)) : undefined;
  }

  async #copyOf(ref: ObjectRef): Promise<string> {
    this.#signal?.throwIfAborted();
    const id = idOf(ref);
    const { files } = this.#copies;
    const copy = files.get(id) ?? this.#startDownload(ref);
    // Moves the copy to the end of the map, which is evicted last.
    files.delete(id);
    files.set(id, copy);
    return this.#waitFor(id, copy);
  }

  #startDownload(ref: ObjectRef): Copy {
    const id = idOf(ref);
    const end = new AbortController();
    const path = this.#download(ref, end.signal).then(async (file) => {
      // The abort came too late, and no other caller has started a download since.
      if (!this.#copies.files.has(id)) this.#copies.files.set(id, copy);
      this.#addSize(id, copy, (await stat(file)).size);
      return file;
    });
    const copy: Copy = { path, bytes: 0, waiting: 0, end };
    path.catch(() => {
      if (this.#copies.files.get(id) === copy) this.#copies.files.delete(id);
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
      // Later callers start a new download. A download that has just finished stays.
      if (copy.bytes === 0 && this.#copies.files.get(id) === copy) this.#copies.files.delete(id);
      copy.end.abort(signal!.reason);
    };
    signal?.addEventListener('abort', leave);
    try {
      return await Promise.race([copy.path, unwanted]);
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  /** Moves a local file into the cache as the copy of an object that was uploaded from it. */
  async adopt(ref: ObjectRef, file: string): Promise<void> {
    await this.#take(ref, file);
  }

  /** Moves a local file into the cache as an object that is not in the bucket; it stays until it is dropped. */
  async keep(ref: ObjectRef, file: string): Promise<void> {
    const copy = await this.#take(ref, file);
    copy.isOnly = true;
  }

  /** Removes a local copy that no caller reads any more. */
  async drop(ref: ObjectRef): Promise<void> {
    const copy = this.#copies.files.get(idOf(ref));
    if (!copy) return;
    this.#drop(idOf(ref));
    await rm(await copy.path, { force: true });
  }

  async #take(ref: ObjectRef, file: string): Promise<Copy> {
    const path = this.#pathOf(ref);
    await this.#emptyFolder();
    await rename(file, path);
    const id = idOf(ref);
    const { size } = await stat(path);
    this.#drop(id);
    const copy: Copy = { path: Promise.resolve(path), bytes: 0, waiting: 0, end: new AbortController() };
    this.#copies.files.set(id, copy);
    this.#addSize(id, copy, size);
    await this.#evict(new Set([id]));
    return copy;
  }

  #addSize(id: string, copy: Copy, bytes: number): void {
    if (this.#copies.files.get(id) !== copy) return;
    copy.bytes = bytes;
    this.#copies.bytes += bytes;
  }

  #drop(id: string): void {
    this.#copies.bytes -= this.#copies.files.get(id)?.bytes ?? 0;
    this.#copies.files.delete(id);
  }

  /** A crashed process leaves its copies on the scratch disk, and its successor does not know them. */
  async #emptyFolder(): Promise<void> {
    const { folder } = this.#options;
    this.#copies.emptied ??= rm(folder, { recursive: true, force: true }).then(() =>
      mkdir(folder, { recursive: true }),
    );
    await this.#copies.emptied;
  }

  #pathOf(ref: ObjectRef): string {
    return join(this.#options.folder, createHash('sha256').update(idOf(ref)).digest('hex').slice(0, 32));
  }

  async #download(ref: ObjectRef, signal: AbortSignal): Promise<string> {
    const { s3, bucket } = this.#options;
    await this.#emptyFolder();
    const path = this.#pathOf(ref);
    // Unique, so that an aborted download and its successor do not write to the same file.
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

  async #evict(keep: ReadonlySet<string>): Promise<void> {
    for (const [id, file] of this.#copies.files) {
      if (this.#copies.bytes <= this.#options.maxBytes) return;
      if (keep.has(id) || file.isOnly || file.bytes === 0) continue;
      this.#drop(id);
      await rm(await file.path, { force: true });
    }
  }
}

const idOf = ({ key, etag = '' }: ObjectRef): string => `${key} ${etag}`;
