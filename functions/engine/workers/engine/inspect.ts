import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import { runGuarded } from '../../../../shared/data/duckdb/watchdog.ts';
import { inspectFile } from '../../../../shared/data/files/read-file.ts';
import type { InspectAnswer, InspectRequest } from '../../../../shared/domains/engine/index.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import type { ObjectCache } from '../../../../shared/platform/objects/object-cache.ts';
import { engines } from './engines.ts';
import { GUARD } from './limits.ts';

const INSPECT_TIMEOUT_MS = 20_000;

/** Reads the start of a file to determine its columns. */
export async function inspect(request: InspectRequest, objects: ObjectCache): Promise<InspectAnswer> {
  const engine = await engines.take();
  try {
    return await runGuarded(
      {
        interrupt: () => engine.interrupt(),
        run: async () => {
          const path = await objects.fetch(request.file);
          return inspectWithin(engine, path, request, request.sampleRows);
        },
      },
      { ...GUARD, timeoutMs: INSPECT_TIMEOUT_MS },
    );
  } finally {
    await engine.close();
  }
}

/** Large values reduce the number of sample rows, if necessary to zero; the columns are always returned. */
async function inspectWithin(
  engine: Engine,
  path: string,
  request: InspectRequest,
  sampleRows: number,
): Promise<InspectAnswer> {
  const { format, isHint = false, compression, options } = request;
  try {
    const { columns, rowsJson, sheets } = await inspectFile(engine, path, {
      format,
      isHint,
      ...(compression ? { compression } : {}),
      options,
      sampleRows,
    });
    return { columns, rowsJson, ...(sheets ? { sheets } : {}) };
  } catch (error) {
    const isTooLarge = error instanceof DataError && error.code === 'RESULT_TOO_LARGE';
    if (!isTooLarge || sampleRows === 0) throw error;
    return inspectWithin(engine, path, request, Math.floor(sampleRows / 4));
  }
}
