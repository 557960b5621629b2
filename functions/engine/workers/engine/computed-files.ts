import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runGuarded } from '../../../../shared/data/duckdb/watchdog.ts';
import { checkSelect } from '../../../../shared/data/sql/select-check.ts';
import type { ComputedRows, TableInput } from '../../../../shared/domains/engine/index.ts';
import { fetchFiles } from '../../../../shared/domains/semantics/queries/index.ts';
import type { ObjectCache } from '../../../../shared/platform/objects/object-cache.ts';
import { engines } from './engines.ts';
import { ENGINE, GUARD } from './limits.ts';

/**
 * Calls `work` with local files for the tables whose rows are computed, by the names of the tables, and with the time
 * that is left for it. Each statement runs in an engine of its own and writes the file that the run would have stored.
 */
export async function withComputedFiles<T>(
  request: { tables: readonly TableInput[]; timeoutMs: number },
  objects: ObjectCache,
  work: (files: ReadonlyMap<string, string>, timeoutMs: number) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const leftMs = () => Math.max(1, Math.round(request.timeoutMs - (performance.now() - startedAt)));
  const files = new Map<string, string>();
  try {
    for (const { name, computed } of request.tables) {
      if (computed) files.set(name, await writeRows(computed, objects, leftMs()));
    }
    return await work(files, leftMs());
  } finally {
    for (const path of files.values()) await rm(path, { force: true });
  }
}

function writeRows(rows: ComputedRows, objects: ObjectCache, timeoutMs: number): Promise<string> {
  return withComputedFiles({ tables: rows.tables, timeoutMs }, objects, async (computed, leftMs) => {
    const engine = await engines.take();
    const path = join(ENGINE.tempDir, `${randomUUID()}.parquet`);
    const run = async () => {
      const names = rows.tables.map(({ name }) => name);
      const { sql } = await checkSelect(engine, rows.sql, { tables: names, mayFail: rows.mayFail });
      const copies = await fetchFiles(rows.tables, objects);
      for (const { name, columns: emptySchema, files } of rows.tables) {
        await engine.attach(
          name,
          computed.has(name) ? [computed.get(name)!] : files.map(({ key }) => copies.get(key)!),
          {
            emptySchema,
          },
        );
      }
      await engine.lock([path]);
      await engine.copyToParquet(sql, { params: rows.params, path });
      return path;
    };
    try {
      return await runGuarded({ run, interrupt: () => engine.interrupt() }, { ...GUARD, timeoutMs: leftMs });
    } finally {
      await engine.close();
    }
  });
}
