import { writeFile } from 'node:fs/promises';
import type { Column } from '../../../../shared/data/duckdb/column-types.ts';
import { runGuarded } from '../../../../shared/data/duckdb/watchdog.ts';
import { answeredRows } from '../../../../shared/data/sandbox/answered-rows.ts';
import { inputBatches } from '../../../../shared/data/sandbox/batches.ts';
import type { ConsoleLine } from '../../../../shared/data/sandbox/messages.ts';
import { positionOf } from '../../../../shared/data/sandbox/position.ts';
import { Sandbox, SandboxBusy, SandboxError } from '../../../../shared/data/sandbox/sandbox.ts';
import type { RunCodeAnswer, RunCodeRequest } from '../../../../shared/domains/engine/index.ts';
import { fetchFiles } from '../../../../shared/domains/semantics/queries/index.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import type { ObjectCache } from '../../../../shared/platform/objects/object-cache.ts';
import { withComputedFiles } from './computed-files.ts';
import { engines } from './engines.ts';
import { GUARD } from './limits.ts';

/** Reserved for reading the rows and writing the reply. */
const RESERVED_MS = 1_500;
/** The processor time of the code itself: neither the start of its sandbox nor waiting for a busy machine counts. */
const COMPUTING_MS = 2_000;

/**
 * Calls the author's function with the first rows of a table, as a step would, and returns the rows that it returns.
 */
export function runCode(request: RunCodeRequest, objects: ObjectCache): Promise<RunCodeAnswer> {
  const { input, timeoutMs } = request;
  return withComputedFiles({ tables: [input], timeoutMs }, objects, (computed, leftMs) =>
    runOnFiles({ ...request, timeoutMs: leftMs }, objects, computed.get(input.name)),
  );
}

async function runOnFiles(
  request: RunCodeRequest,
  objects: ObjectCache,
  computed: string | undefined,
): Promise<RunCodeAnswer> {
  const { input, code, timeoutMs, limit, maxBytes } = request;
  const startedAt = performance.now();
  const lines: ConsoleLine[] = [];
  const engine = await engines.take();
  const run = async (): Promise<RunCodeAnswer> => {
    const copies = await fetchFiles([input], objects);
    const files = computed ? [computed] : input.files.map(({ key }) => copies.get(key)!);
    await engine.attach('input', files, { emptySchema: input.columns });
    const columns = await engine.describe('SELECT * FROM input');
    const output = request.output ?? columns;
    const batches = inputBatches(engine, columns);
    const { value: first } = await batches.next();
    const more = first !== undefined && !(await batches.next()).done;
    await batches.return(undefined);
    const waitMs = Math.max(0, timeoutMs - RESERVED_MS - (performance.now() - startedAt));
    const { csv, rows } = await answerOf(request, { columns, output, waitMs }, first?.text, lines);
    const path = engine.temporaryPath('csv');
    await writeFile(path, csv);
    const result = await engine.query(await answeredRows(output, rows, path), { limit, maxBytes });
    const truncated = result.truncated || more;
    const readBytes = input.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const ms = Math.round(performance.now() - startedAt);
    return { ...result, truncated, tables: [input.name], lines, readBytes, ms };
  };
  try {
    return await runGuarded({ run, interrupt: () => engine.interrupt() }, { ...GUARD, timeoutMs });
  } catch (error) {
    if (error instanceof SandboxBusy) throw new DataError('SERVICE_BUSY', error.message, { cause: error });
    if (!(error instanceof SandboxError)) throw error;
    const position = error.position && positionOf(code.code, error.position);
    const issue = { code: error.code, message: error.message, ...(position ? { position } : {}) };
    throw new DataError(error.code, error.message, { issues: [issue] });
  } finally {
    await engine.close();
  }
}

/** Without rows the code is only parsed, not called. */
async function answerOf(
  { code, context, memoryMb, seed, nowMs }: RunCodeRequest,
  { columns, output, waitMs }: { columns: readonly Column[]; output: readonly Column[]; waitMs: number },
  batch: string | undefined,
  lines: ConsoleLine[],
): Promise<{ csv: string; rows: number }> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(new SandboxBusy()), waitMs);
  try {
    const sandbox = await Sandbox.open(
      { ...code, context, memoryMb, seed, nowMs, batchMs: COMPUTING_MS, inputColumns: columns, outputColumns: output },
      (line) => lines.push(line),
      waiting.signal,
    );
    try {
      return batch === undefined ? { csv: '', rows: 0 } : await sandbox.run(batch);
    } finally {
      await sandbox.close();
    }
  } finally {
    clearTimeout(timer);
  }
}
