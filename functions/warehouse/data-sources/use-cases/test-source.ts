import type { StoredDataSource } from '../../../../shared/domains/warehouse/sources/index.ts';
import type { Connections, ExternalSettings } from '../connections.ts';
import type { CreateDataSource, TestResult } from '../schemas.ts';
import type { CheckSettings } from './check-settings.ts';

/** A source of uploaded files has no connection that could fail. */
const ALWAYS_WORKS: TestResult = { ok: true, latencyMs: 0 };

export async function testNewSource(
  deps: { connections: Connections; checkSettings: CheckSettings },
  source: CreateDataSource,
): Promise<TestResult> {
  if (source.type === 'file') return ALWAYS_WORKS;
  await deps.checkSettings(source as ExternalSettings);
  return deps.connections.test(source as ExternalSettings);
}

export async function testStoredSource(
  deps: { connections: Connections },
  source: StoredDataSource,
): Promise<TestResult> {
  return source.type === 'file' ? ALWAYS_WORKS : deps.connections.testStored(source);
}
