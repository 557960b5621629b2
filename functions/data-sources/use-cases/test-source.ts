import type { StoredDataSource } from '../../../shared/data-sources/record.ts';
import type { Connections } from '../connections.ts';
import type { NewDataSource, TestResult } from '../schemas.ts';

/** A source of files needs no connection: it works when it exists. */
const ALWAYS_WORKS: TestResult = { ok: true, latencyMs: 0 };

export async function testNewSource(deps: { connections: Connections }, source: NewDataSource): Promise<TestResult> {
  if (source.type === 'file') return ALWAYS_WORKS;
  await deps.connections.checkHost(source.config.host);
  return deps.connections.test(source.config, source.secrets);
}

export async function testStoredSource(
  deps: { connections: Connections },
  source: StoredDataSource,
): Promise<TestResult> {
  return source.type === 'file' ? ALWAYS_WORKS : deps.connections.testStored(source);
}
