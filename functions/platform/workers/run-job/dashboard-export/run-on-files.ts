import { readFile } from 'node:fs/promises';
import type { Engine } from '../../../../../shared/data/duckdb/engine.ts';
import { writeResultFile } from '../../../../../shared/data/duckdb/result-files.ts';
import { RESULT_MEDIA_TYPES } from '../../../../../shared/data/duckdb/result-formats.ts';
import { checkSelect } from '../../../../../shared/data/sql/select-check.ts';
import type { FileAnswer, FileRequest, QueryAnswer, QueryRequest } from '../../../../../shared/domains/engine/index.ts';
import { attachTable, fetchFiles, neededFiles, sizeOf } from '../../../../../shared/domains/semantics/queries/index.ts';
import type { ObjectCache } from '../../../../../shared/platform/objects/object-cache.ts';
import type { ObjectStore } from '../../../../../shared/platform/objects/object-store.ts';

type Request = QueryRequest | FileRequest;
type Known = 'tables' | 'readBytes' | 'ms';

interface OnFiles {
  engine: Engine;
  objects: ObjectCache;
}

/** Runs one read-only statement in an engine of its own and returns its rows. */
export function queryOnFiles(request: QueryRequest, at: OnFiles): Promise<QueryAnswer> {
  const { limit, maxBytes, params } = request;
  return runOnFiles(request, at, async (engine, sql) => {
    await engine.lock();
    return engine.query(sql, { params, limit, maxBytes });
  });
}

/** The same as a file: a small one inline, a large one as an object in the bucket. */
export function fileOnFiles(
  request: FileRequest,
  { store, ...at }: OnFiles & { store: Pick<ObjectStore, 'upload'> },
): Promise<FileAnswer> {
  const { limit, maxBytes, params, file } = request;
  return runOnFiles(request, at, async (engine, sql) => {
    const path = engine.temporaryPath(file.format);
    await engine.lock([path]);
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

/** The engine can reach the given tables and nothing else. */
async function runOnFiles<T>(
  request: Request,
  { engine, objects }: OnFiles,
  compute: (engine: Engine, sql: string) => Promise<T>,
): Promise<T & Pick<QueryAnswer, Known>> {
  const startedAt = performance.now();
  const { timezone } = request;
  const names = request.tables.map((table) => table.name);
  const checked = await checkSelect(engine, request.sql, { tables: names, mayFail: request.mayFail });
  const { sql, tables } = checked;
  const bound = { params: request.params, timezone: timezone ?? 'UTC' };
  const needed = neededFiles(checked, request.tables, bound);
  const copies = await fetchFiles(needed, objects);
  for (const table of needed) {
    const pathOf = (key: string) => copies.get(key)!;
    await attachTable(
      engine,
      table,
      table.files.map(({ key }) => pathOf(key)),
      pathOf,
    );
  }
  const result = await compute(engine, sql);
  return { ...result, tables, readBytes: sizeOf(needed), ms: Math.round(performance.now() - startedAt) };
}
