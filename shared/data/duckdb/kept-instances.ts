import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine, EngineOptions } from './engine-contract.ts';
import { KeptInstance, type UnchangingTable, writeEmptyDatabase } from './kept-instance.ts';
import type { VersionFile } from './native-copies.ts';

/** A table of a statement that reads all of it. */
export interface KeptTable {
  name: string;
  /** All files of the version. */
  files: readonly VersionFile[];
  /** The path of the native copy of the files, if there is one. */
  nativeCopy?: string | undefined;
}

/** What an instance is kept for. */
export interface KeptUse {
  /** The workspace of the readers. */
  workspaceId: string;
  timezone: string;
  tables: readonly KeptTable[];
}

export interface KeptEvent {
  kind: 'opened' | 'closed' | 'failed';
  workspaceId: string;
  tables: readonly string[];
  /** How many instances there are now, and their memory. */
  instances: number;
  bytes: number;
}

interface KeptInstancesOptions {
  engine: EngineOptions;
  /** How many instances may wait for a statement. */
  maxInstances: number;
  /** The memory that they may hold together, as the engine counts it. */
  maxBytes: number;
  /** While the whole process holds more after a statement, instances are closed. */
  maxRssBytes: number;
  /** The paths of Parquet files on the disk; fetches what is not there. */
  onDisk(files: readonly VersionFile[]): Promise<string[]>;
  report(event: KeptEvent): void;
  now(): number;
}

interface Kept {
  key: string;
  use: KeptUse;
  instance: KeptInstance;
  bytes: number;
  usedAt: number;
  /** A file of it has gone. */
  isGone: boolean;
  /** Whether it can serve a statement, once its state after the last one is known. */
  isReady: Promise<boolean>;
}

/** An engine of a kept instance, for one statement. */
export interface TakenEngine {
  engine: Engine;
  /** Ends the statement. If it has not succeeded, its instance ends too. */
  end(succeeded: boolean): Promise<void>;
}

/** An instance is opened once so many statements have asked for it. */
const ASKED = 2;
/** The uses of which statements are counted. */
const MAX_COUNTED = 200;
/** After a failure, or where the tables need too much memory, none is opened for so long. */
const RETRY_MS = 10 * 60 * 1000;
const UNUSED_MS = 5 * 60 * 1000;

/**
 * Instances over versions of tables that are asked for repeatedly by readers of one workspace who may see all of them.
 * A statement that finds one need not open an instance, and finds the blocks that earlier statements have read in
 * memory. An instance reaches exactly the tables of its statements, serves one statement at a time, and is closed if a
 * statement does not succeed or leaves anything behind.
 */
export class KeptInstances {
  readonly #options: KeptInstancesOptions;
  /** Those that wait for a statement, from the least to the most recently used. */
  readonly #waiting = new Map<string, Kept>();
  readonly #all = new Set<Kept>();
  readonly #asked = new Map<string, number>();
  readonly #wanted = new Map<string, KeptUse>();
  readonly #refused = new Map<string, number>();
  #empty: Promise<string> | undefined;
  #opening: Promise<void> | undefined;

  constructor(options: KeptInstancesOptions) {
    this.#options = options;
  }

  /** Returns an engine of an instance for this use; undefined if there is none yet. */
  async take(use: KeptUse): Promise<TakenEngine | undefined> {
    const key = keyOf(use);
    const kept = this.#waiting.get(key);
    if (!kept) {
      this.#count(key, use);
      await this.#closeWhere((other) => isReplaced(other.use, use));
      return undefined;
    }
    this.#waiting.delete(key);
    if (!(await kept.isReady)) return undefined;
    try {
      // Parquet files may have been evicted since.
      for (const { files, nativeCopy } of use.tables) if (nativeCopy === undefined) await this.#options.onDisk(files);
      const engine = await kept.instance.connect();
      return { engine, end: (succeeded) => this.#end(kept, engine, succeeded) };
    } catch {
      await this.#close(kept);
      return undefined;
    }
  }

  #count(key: string, use: KeptUse): void {
    const refusedAt = this.#refused.get(key);
    if (refusedAt !== undefined && this.#options.now() - refusedAt < RETRY_MS) return;
    const asked = (this.#asked.get(key) ?? 0) + 1;
    this.#asked.delete(key);
    this.#asked.set(key, asked);
    if (asked >= ASKED) this.#wanted.set(key, use);
    if (this.#asked.size > MAX_COUNTED) this.#asked.delete(this.#asked.keys().next().value!);
  }

  async #end(kept: Kept, engine: Engine, succeeded: boolean): Promise<void> {
    try {
      await engine.close();
    } catch {
      return this.#close(kept);
    }
    if (!succeeded || kept.isGone || this.#waiting.has(kept.key)) return this.#close(kept);
    this.#wait(kept);
  }

  /** Its state is checked meanwhile: the statement need not wait for that, but the next one does. */
  #wait(kept: Kept): void {
    kept.usedAt = this.#options.now();
    this.#waiting.set(kept.key, kept);
    kept.isReady = this.#check(kept).catch(() => false);
  }

  async #check(kept: Kept): Promise<boolean> {
    const found = await kept.instance.check().catch(() => undefined);
    if (!found?.isUnchanged || kept.isGone) {
      await this.#close(kept);
      return false;
    }
    kept.bytes = found.bytes;
    await this.#closeUntilFits(kept);
    return this.#all.has(kept);
  }

  async #closeUntilFits(last: Kept): Promise<void> {
    const { maxInstances, maxBytes, maxRssBytes } = this.#options;
    for (const kept of [...this.#waiting.values()]) {
      const fits =
        this.#waiting.size <= maxInstances && this.#bytes() <= maxBytes && process.memoryUsage.rss() <= maxRssBytes;
      if (fits) return;
      // It is alone and still too large, as it would be each time.
      if (kept === last) this.#refuse(kept.key);
      await this.#close(kept);
    }
  }

  /** Opens the instances that are wanted, one after the other. Never rejects. */
  openWanted(): Promise<void> {
    this.#opening ??= this.#openAll().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #openAll(): Promise<void> {
    for (;;) {
      const [next] = this.#wanted;
      if (!next) return;
      const [key, use] = next;
      this.#wanted.delete(key);
      this.#asked.delete(key);
      const isThere = [...this.#all].some((kept) => kept.key === key);
      if (!isThere) await this.#open(key, use).catch(() => this.#refuse(key, use));
    }
  }

  async #open(key: string, use: KeptUse): Promise<void> {
    const { engine, onDisk, now } = this.#options;
    this.#empty ??= emptyDatabase(engine.tempDir);
    const empty = await this.#empty;
    const tables: UnchangingTable[] = [];
    for (const { name, files, nativeCopy } of use.tables) {
      const source = nativeCopy === undefined ? { parquetFiles: await onDisk(files) } : { nativeCopy };
      tables.push({ name, source });
    }
    const instance = await KeptInstance.open({ ...engine, timezone: use.timezone }, empty, tables);
    const kept = { key, use, instance, bytes: 0, usedAt: now(), isGone: false, isReady: Promise.resolve(true) };
    this.#all.add(kept);
    this.#wait(kept);
    await kept.isReady;
    this.#report('opened', use);
  }

  #refuse(key: string, use?: KeptUse): void {
    if (this.#refused.size >= MAX_COUNTED) this.#refused.clear();
    this.#refused.set(key, this.#options.now());
    if (use) this.#report('failed', use);
  }

  /** Closes the instances that read a file of which `isThere` says that it is gone. Returns the files that are gone. */
  async closeGone(isThere: (file: VersionFile) => Promise<boolean>): Promise<VersionFile[]> {
    const gone: VersionFile[] = [];
    for (const kept of [...this.#all]) {
      for (const file of kept.use.tables.flatMap(({ files }) => files)) {
        if (!(await isThere(file))) gone.push(file);
      }
    }
    const keys = new Set(gone.map(({ key }) => key));
    await this.#closeWhere(({ use }) => use.tables.some(({ files }) => files.some(({ key }) => keys.has(key))));
    return gone;
  }

  /** Closes the instances that read the native copy, which is about to be removed. */
  closeReading(nativeCopy: string): Promise<void> {
    return this.#closeWhere(({ use }) => use.tables.some((table) => table.nativeCopy === nativeCopy));
  }

  /** Closes the instances that were not used for a while. */
  closeUnused(): Promise<void> {
    const usedSince = this.#options.now() - UNUSED_MS;
    return this.#closeWhere(({ usedAt }) => usedAt < usedSince);
  }

  /** Closes the instances that wait for a statement, so that a statement has their memory. */
  async closeWaiting(): Promise<void> {
    for (const kept of [...this.#waiting.values()]) await this.#close(kept);
  }

  /** One that runs a statement is closed after it. */
  async #closeWhere(matches: (kept: Kept) => boolean): Promise<void> {
    for (const kept of [...this.#all].filter(matches)) {
      kept.isGone = true;
      if (this.#waiting.get(kept.key) === kept) await this.#close(kept);
    }
  }

  async #close(kept: Kept): Promise<void> {
    if (this.#waiting.get(kept.key) === kept) this.#waiting.delete(kept.key);
    if (!this.#all.delete(kept)) return;
    await kept.instance.close();
    this.#report('closed', kept.use);
  }

  #bytes(): number {
    return [...this.#waiting.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #report(kind: KeptEvent['kind'], { workspaceId, tables }: KeptUse): void {
    const names = tables.map(({ name }) => name);
    this.#options.report({ kind, workspaceId, tables: names, instances: this.#all.size, bytes: this.#bytes() });
  }
}

async function emptyDatabase(folder: string): Promise<string> {
  const own = join(folder, `empty-${randomUUID()}`);
  await mkdir(own, { recursive: true });
  // The database is called like the file, and as no table can be.
  const path = join(own, '#empty.duckdb');
  await writeEmptyDatabase(path);
  return path;
}

/** Everything that an instance depends on. */
const keyOf = ({ workspaceId, timezone, tables }: KeptUse): string =>
  JSON.stringify([
    workspaceId,
    timezone,
    tables
      .map(({ name, files, nativeCopy }) => [name, versionOf(files), nativeCopy ?? null])
      .sort(([one], [other]) => (one! < other! ? -1 : 1)),
  ]);

const versionOf = (files: readonly VersionFile[]) => files.map(({ key, etag = '' }) => [key, etag]);

/** Whether a statement reads another version of a table, or the same in another form. */
function isReplaced(kept: KeptUse, now: KeptUse): boolean {
  if (kept.workspaceId !== now.workspaceId) return false;
  const partOf = ({ files, nativeCopy }: KeptTable) => JSON.stringify([versionOf(files), nativeCopy ?? null]);
  return kept.tables.some((table) =>
    now.tables.some((other) => other.name === table.name && partOf(other) !== partOf(table)),
  );
}
