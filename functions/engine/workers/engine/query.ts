import { readFile } from 'node:fs/promises';
import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import type { KeptUse } from '../../../../shared/data/duckdb/kept-instances.ts';
import { MIN_BYTES, type NativeCopies } from '../../../../shared/data/duckdb/native-copies.ts';
import { writeResultFile } from '../../../../shared/data/duckdb/result-files.ts';
import { RESULT_MEDIA_TYPES } from '../../../../shared/data/duckdb/result-formats.ts';
import { runGuarded } from '../../../../shared/data/duckdb/watchdog.ts';
import { checkSelect } from '../../../../shared/data/sql/select-check.ts';
import type {
  FileAnswer,
  FileRequest,
  QueryAnswer,
  QueryRequest,
  TableInput,
} from '../../../../shared/domains/engine/index.ts';
import { attachTable, fetchFiles, neededFiles, sizeOf } from '../../../../shared/domains/semantics/queries/index.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import { withComputedFiles } from './computed-files.ts';
import { engines } from './engines.ts';
import { GUARD } from './limits.ts';
import type { Files } from './open-files.ts';

/** Runs one read-only statement and returns its rows. */
export function query(request: QueryRequest, files: Files): Promise<QueryAnswer> {
  const { limit, maxBytes, params } = request;
  return runStatement(request, files, async (engine, sql) => {
    await engine.lock();
    return engine.query(sql, { params, limit, maxBytes });
  });
}

/**
 * Runs one read-only statement and returns its rows as a file: a small one inline, a large one as an object in the
 * bucket.
 */
export function queryFile(request: FileRequest, files: Files, store: ObjectStore): Promise<FileAnswer> {
  const { limit, maxBytes, params, file } = request;
  return runStatement(request, files, async (engine, sql) => {
    await engine.lock();
    const path = engine.temporaryPath(file.format);
    const written = await writeResultFile(engine, sql, {
      format: file.format,
      params,
      limit,
      maxBytes,
      path,
      spreadsheet: file.spreadsheet,
    });
    if (written.bytes <= file.inlineBytes) return { ...written, content: await readFile(path, 'base64') };
    await store.upload(file.key, path, RESULT_MEDIA_TYPES[file.format]);
    return { ...written, content: null };
  });
}

/**
 * Runs the statement in an engine which can reach the given tables and nothing else: on an instance of its own, or on
 * one that is kept for exactly these tables. The SQL check runs under the same watchdog, because parsing alone can
 * exhaust memory or time.
 */
function runStatement<T>(
  request: QueryRequest | FileRequest,
  files: Files,
  compute: (engine: Engine, sql: string) => Promise<T>,
): Promise<Ran<T>> {
  return withComputedFiles(request, files.objects, (computed, timeoutMs) =>
    runOnFiles({ ...request, timeoutMs }, files, computed, compute),
  );
}

type Ran<T> = T & { tables: string[]; readBytes: number; ms: number };

async function runOnFiles<T>(
  request: QueryRequest | FileRequest,
  files: Files,
  computed: ReadonlyMap<string, string>,
  compute: (engine: Engine, sql: string) => Promise<T>,
): Promise<Ran<T>> {
  const startedAt = performance.now();
  const { timezone } = request;
  const use = keptUse(request, files.natives);
  const kept = use && (await files.kept.take(use));
  const engine = kept?.engine ?? (await engines.take(timezone));
  let succeeded = false;
  try {
    const answer = await runGuarded(
      {
        interrupt: () => engine.interrupt(),
        run: async () => {
          const names = request.tables.map((table) => table.name);
          const checked = await checkSelect(engine, request.sql, { tables: names, mayFail: request.mayFail });
          const { sql, tables } = checked;
          const bound = { params: request.params, timezone: timezone ?? 'UTC' };
          const needed = neededFiles(checked, request.tables, bound);
          if (!kept) await attachAll(engine, { needed, tables: request.tables, computed }, files);
          const result = await compute(engine, sql);
          const readBytes = sizeOf(needed);
          return { ...result, tables, readBytes, ms: Math.round(performance.now() - startedAt) };
        },
      },
      { ...GUARD, timeoutMs: request.timeoutMs, relieve: () => void files.kept.closeWaiting() },
    );
    succeeded = true;
    return answer;
  } finally {
    await (kept ? kept.end(succeeded) : engine.close());
  }
}

/**
 * What an instance is kept for, if one may be kept: the caller may see all of the tables, and each is small or has a
 * native copy. Only files of the workspace are in it.
 */
function keptUse(
  { keepFor, tables, timezone = 'UTC' }: QueryRequest | FileRequest,
  natives: NativeCopies,
): KeptUse | undefined {
  if (keepFor === undefined || tables.length === 0) return undefined;
  const isOwn = ({ key }: { key: string }) => key.startsWith(`W/${keepFor}/`);
  const isWhole = tables.every(
    ({ files, only, computed }) => !only && !computed && files.length > 0 && files.every(isOwn),
  );
  if (!isWhole) return undefined;
  const found = tables.map(({ name, files }) => ({ name, files, nativeCopy: natives.find(files, 0) }));
  const isFast = found.every(({ nativeCopy, files }) => nativeCopy !== undefined || sizeOf([{ files }]) < MIN_BYTES);
  return isFast ? { workspaceId: keepFor, timezone, tables: found } : undefined;
}

interface Attached {
  /** The tables that the statement reads, each with the files that can hold rows for it. */
  needed: readonly TableInput[];
  /** All tables, with all their files. */
  tables: readonly TableInput[];
  computed: ReadonlyMap<string, string>;
}

async function attachAll(engine: Engine, { needed, tables, computed }: Attached, files: Files): Promise<void> {
  const all = new Map(tables.map((table) => [table.name, table.files]));
  const wanted = needed.map((table) => {
    const nativeCopy = computed.has(table.name) ? undefined : files.natives.find(all.get(table.name)!, sizeOf([table]));
    return { table, nativeCopy };
  });
  const read = wanted.map(({ table, nativeCopy }) => (nativeCopy === undefined ? table : { ...table, files: [] }));
  const copies = await fetchFiles(read, files.objects);
  for (const { table, nativeCopy } of wanted) {
    const own = computed.get(table.name);
    const attach = (found: ReadonlyMap<string, string>, native?: string) => {
      const pathOf = (key: string) => found.get(key)!;
      const paths = native === undefined ? table.files.map(({ key }) => pathOf(key)) : [];
      return attachTable(engine, table, own ? [own] : paths, pathOf, native);
    };
    try {
      await attach(copies, nativeCopy);
    } catch (error) {
      const isBroken = nativeCopy !== undefined && error instanceof DataError && error.code === 'FILE_UNREADABLE';
      if (!isBroken) throw error;
      await files.natives.refuse(all.get(table.name)!);
      await attach(await fetchFiles([table], files.objects));
    }
  }
}
