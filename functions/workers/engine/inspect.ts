import { openEngine } from '../../../shared/engine/engine.ts';
import { runGuarded } from '../../../shared/engine/watchdog.ts';
import type { InspectAnswer, InspectRequest } from '../../../shared/engine-function/protocol.ts';
import { inspectFile } from '../../../shared/files/read-file.ts';
import type { ObjectCache } from '../../../shared/objects/object-cache.ts';
import { engineOptions, GUARD } from './limits.ts';

const INSPECT_TIMEOUT_MS = 20_000;

/** Reads the start of a file to tell its columns. */
export async function inspect(request: InspectRequest, objects: ObjectCache): Promise<InspectAnswer> {
  const engine = await openEngine(engineOptions());
  try {
    return await runGuarded(
      {
        interrupt: () => engine.interrupt(),
        run: async () => {
          const path = await objects.fetch(request.file);
          const { format, options, sampleRows } = request;
          const { columns, rowsJson } = await inspectFile(engine, path, { format, options, sampleRows });
          return { columns, rowsJson };
        },
      },
      { ...GUARD, timeoutMs: INSPECT_TIMEOUT_MS },
    );
  } finally {
    await engine.close();
  }
}
