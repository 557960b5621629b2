import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';

/** A directory that goes away with the test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'engine-test-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** An engine and a directory of its own, both gone with the test. */
export async function openTestEngine(
  options: { maxTempMb?: number; memoryLimitMb?: number } = {},
): Promise<{ engine: Engine; dir: string }> {
  const dir = await temporaryDirectory();
  const engine = await openEngine({ memoryLimitMb: 256, threads: 2, tempDir: dir, ...options });
  onTestFinished(() => engine.close());
  return { engine, dir };
}

/** The rows of a query as JSON values, as a client reads them. */
export async function rowsOf(
  engine: Engine,
  sql: string,
  params: Parameters<Engine['query']>[1]['params'] = [],
): Promise<unknown[][]> {
  const { rowsJson } = await engine.query(sql, { params, limit: 10_000, maxBytes: 10_000_000 });
  return JSON.parse(rowsJson);
}
