import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineOptions } from './engine-contract.ts';
import { type CopiedFile, writeNativeCopy } from './native-copy.ts';

/** A file of a version of a table, in the bucket. */
export interface VersionFile {
  key: string;
  etag?: string;
  sizeBytes: number;
  rows?: number;
}

export interface CopyEvent {
  kind: 'made' | 'removed' | 'failed';
  /** The first file of the version, which shows whose it is. */
  object: string;
  /** The size of the copy, or of the files of which none could be made. */
  bytes: number;
  ms?: number;
  /** How many copies there are now, and their size. */
  copies: number;
  copiesBytes: number;
}

interface NativeCopiesOptions {
  folder: string;
  /** For all copies together. */
  maxBytes: number;
  engine: EngineOptions;
  /** The paths of the Parquet files, in their order; undefined if one is not on the disk any more. */
  pathsOf(files: readonly VersionFile[]): Promise<string[] | undefined>;
  /** Awaited before a copy is removed, so that nothing reads it any more. */
  release(path: string): Promise<void>;
  report(event: CopyEvent): void;
  now(): number;
}

interface Copy {
  files: readonly VersionFile[];
  path: string;
  bytes: number;
  usedAt: number;
}

/** Statements over less data are answered as fast from Parquet. */
export const MIN_BYTES = 1024 * 1024;
/** A version is copied once so many statements have read it. */
const ASKED = 2;
/** The versions of which statements are counted. */
const MAX_COUNTED = 500;
/** After a failure, as for lack of space, no copy is tried for so long. */
const RETRY_MS = 10 * 60 * 1000;
/** A copy that is not used is removed. */
const UNUSED_MS = 60 * 60 * 1000;

/**
 * Copies of versions of tables in DuckDB's own format, on the function's scratch disk. A version is named by its files,
 * which never change. One that is asked for repeatedly is copied while no statement runs, piece by piece; statements
 * never wait for a copy. The least recently used copies are removed when the disk share is full.
 */
export class NativeCopies {
  readonly #options: NativeCopiesOptions;
  /** From the least to the most recently used. */
  readonly #copies = new Map<string, Copy>();
  readonly #asked = new Map<string, number>();
  readonly #wanted = new Map<string, readonly VersionFile[]>();
  /** Versions of which no copy could be made, with the time. */
  readonly #failed = new Map<string, number>();
  #running = 0;
  #idle = Promise.withResolvers<void>();
  #making: Promise<void> | undefined;

  constructor(options: NativeCopiesOptions) {
    this.#options = options;
    this.#idle.resolve();
  }

  /** Runs a statement, during which no piece of a copy is begun and no copy is removed. */
  async during<T>(statement: () => Promise<T>): Promise<T> {
    if (this.#running === 0) this.#idle = Promise.withResolvers<void>();
    this.#running += 1;
    try {
      return await statement();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#idle.resolve();
    }
  }

  /**
   * The path of the copy, for a statement within `during` that would read so many bytes of the files; undefined if
   * there is none yet.
   */
  find(files: readonly VersionFile[], readBytes: number): string | undefined {
    const id = idOf(files);
    const copy = this.#copies.get(id);
    if (!copy) {
      if (readBytes >= MIN_BYTES) this.#count(id, files);
      return undefined;
    }
    copy.usedAt = this.#options.now();
    this.#copies.delete(id);
    this.#copies.set(id, copy);
    return copy.path;
  }

  #count(id: string, files: readonly VersionFile[]): void {
    const bytes = bytesOf(files);
    // Half of the share, so that two versions of a table have room.
    const isCopyable = files.every(({ rows }) => rows !== undefined) && bytes <= this.#options.maxBytes / 2;
    if (!isCopyable || this.#hasFailed(id)) return;
    const asked = (this.#asked.get(id) ?? 0) + 1;
    this.#asked.delete(id);
    this.#asked.set(id, asked);
    if (asked >= ASKED) this.#wanted.set(id, files);
    if (this.#asked.size > MAX_COUNTED) this.#asked.delete(this.#asked.keys().next().value!);
  }

  #hasFailed(id: string): boolean {
    const failedAt = this.#failed.get(id);
    return failedAt !== undefined && this.#options.now() - failedAt < RETRY_MS;
  }

  #fail(id: string): void {
    if (this.#failed.size >= MAX_COUNTED) this.#failed.clear();
    this.#failed.set(id, this.#options.now());
  }

  /** Makes the copies that are wanted, one after the other. Never rejects. */
  makeWanted(): Promise<void> {
    this.#making ??= this.#makeAll().finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #makeAll(): Promise<void> {
    for (;;) {
      const [next] = this.#wanted;
      if (!next) return;
      const [id, files] = next;
      this.#wanted.delete(id);
      this.#asked.delete(id);
      const startedAt = this.#options.now();
      const copy = this.#copies.has(id) ? undefined : await this.#make(id, files).catch(() => undefined);
      if (copy) {
        this.#copies.set(id, copy);
        this.#report('made', copy, this.#options.now() - startedAt);
        await this.#removeUntilFits(id);
      } else if (!this.#copies.has(id)) {
        this.#fail(id);
        this.#report('failed', { files, bytes: bytesOf(files) });
      }
    }
  }

  async #make(id: string, files: readonly VersionFile[]): Promise<Copy | undefined> {
    const { folder, engine, maxBytes, pathsOf, now } = this.#options;
    await this.#idle.promise;
    await mkdir(folder, { recursive: true });
    const paths = await pathsOf(files);
    if (!paths) return undefined;
    const sources: CopiedFile[] = files.map(({ rows }, index) => ({ path: paths[index]!, rows: rows! }));
    // A process that dies leaves a file that no copy is called like.
    const partial = join(folder, `${randomUUID()}.partial`);
    const beforePiece = () => this.#idle.promise;
    const bytes = await writeNativeCopy(sources, partial, { engine, maxBytes, beforePiece });
    if (bytes === undefined) return undefined;
    const path = join(folder, `${id}.duckdb`);
    await rename(partial, path);
    return { files, path, bytes, usedAt: now() };
  }

  async #removeUntilFits(kept: string): Promise<void> {
    for (const [id, copy] of this.#copies) {
      if (this.#bytes() <= this.#options.maxBytes) return;
      if (id !== kept) await this.#remove(id, copy);
    }
  }

  /**
   * Removes the copy of a version that cannot be read, and asks for no other. The statement goes on with the Parquet
   * files.
   */
  async refuse(files: readonly VersionFile[]): Promise<void> {
    const id = idOf(files);
    const copy = this.#copies.get(id);
    this.#fail(id);
    if (copy) await this.#remove(id, copy);
  }

  /**
   * Removes the copies that were not used for an hour, and those of versions of which a file is gone from the bucket:
   * what was erased there must not stay here. Returns the files that are gone.
   */
  async removeGone(isThere: (file: VersionFile) => Promise<boolean>): Promise<VersionFile[]> {
    const gone: VersionFile[] = [];
    for (const [id, copy] of [...this.#copies]) {
      const missing: VersionFile[] = [];
      for (const file of copy.files) if (!(await isThere(file))) missing.push(file);
      gone.push(...missing);
      const isUnused = this.#options.now() - copy.usedAt > UNUSED_MS;
      if (missing.length === 0 && !isUnused) continue;
      await this.#idle.promise;
      if (this.#copies.get(id) === copy) await this.#remove(id, copy);
    }
    return gone;
  }

  async #remove(id: string, copy: Copy): Promise<void> {
    this.#copies.delete(id);
    await this.#options.release(copy.path);
    await rm(copy.path, { force: true });
    this.#report('removed', copy);
  }

  #bytes(): number {
    return [...this.#copies.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #report(kind: CopyEvent['kind'], { files, bytes }: Pick<Copy, 'files' | 'bytes'>, ms?: number): void {
    const all = { copies: this.#copies.size, copiesBytes: this.#bytes() };
    this.#options.report({ kind, object: files[0]!.key, bytes, ...(ms === undefined ? {} : { ms }), ...all });
  }
}

const bytesOf = (files: readonly VersionFile[]): number => files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

const idOf = (files: readonly VersionFile[]): string =>
  createHash('sha256')
    .update(JSON.stringify(files.map(({ key, etag = '' }) => [key, etag])))
    .digest('hex')
    .slice(0, 32);
