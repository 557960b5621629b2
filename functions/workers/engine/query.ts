import { openEngine } from '../../../shared/engine/engine.ts';
import { EngineError } from '../../../shared/engine/engine-error.ts';
import { runGuarded } from '../../../shared/engine/watchdog.ts';
import type { QueryAnswer, QueryRequest, TableInput } from '../../../shared/engine-function/protocol.ts';
import type { ObjectCache } from '../../../shared/objects/object-cache.ts';
import { checkSelect } from '../../../shared/sql/select-gate.ts';
import { engineOptions, GUARD } from './limits.ts';

/**
 * Runs one read-only statement in an instance of its own that can reach the given tables and nothing else. The gate runs
 * under the same watchdog: a text can be a bomb before it is a query.
 */
export async function query(request: QueryRequest, objects: ObjectCache): Promise<QueryAnswer> {
  const startedAt = performance.now();
  const engine = await openEngine(engineOptions());
  try {
    return await runGuarded(
      {
        interrupt: () => engine.interrupt(),
        run: async () => {
          const names = request.tables.map((table) => table.name);
          const checked = await checkSelect(engine, request.sql, { tables: names });
          const needed = request.tables.filter((table) => checked.tables.includes(table.name));
          const copies = await fetchFiles(needed, objects);
          for (const table of needed) {
            const files = table.files.map(({ key }) => copies.get(key)!);
            await engine.attach(table.name, files, { emptySchema: table.columns });
          }
          await engine.lock();
          const { limit, maxBytes, params } = request;
          const result = await engine.query(checked.sql, { params, limit, maxBytes });
          return { ...result, tables: checked.tables, ms: Math.round(performance.now() - startedAt) };
        },
      },
      { ...GUARD, timeoutMs: request.timeoutMs },
    );
  } finally {
    await engine.close();
  }
}

/** Local copies of all files by their keys, held together while the statement runs. */
async function fetchFiles(tables: readonly TableInput[], objects: ObjectCache): Promise<Map<string, string>> {
  const files = tables.flatMap((table) => table.files);
  const bytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  if (bytes > objects.maxBytes) {
    const [wanted, room] = [bytes, objects.maxBytes].map((size) => Math.ceil(size / 1024 / 1024));
    throw new EngineError('OUT_OF_MEMORY', `The query reads ${wanted} MB of files; ${room} MB are allowed.`);
  }
  const paths = await objects.fetchAll(files);
  return new Map(files.map(({ key }, index) => [key, paths[index]!]));
}
