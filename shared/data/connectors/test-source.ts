import { DataError } from '../../platform/errors/data-error.ts';
import type { ConnectionTest } from './connection/connector.ts';
import type { OpenedSource } from './open-source.ts';

/** Opens a new connection, runs one query and closes it. Errors of the source are returned rather than thrown. */
export async function testSource(opened: OpenedSource): Promise<ConnectionTest> {
  const startedAt = performance.now();
  try {
    const serverVersion = await versionOf(opened);
    const latencyMs = Math.round(performance.now() - startedAt);
    return { ok: true, latencyMs, ...(serverVersion === undefined ? {} : { serverVersion }) };
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    return { ok: false, code: error.code, message: error.message };
  }
}

async function versionOf(opened: OpenedSource): Promise<string | undefined> {
  if (opened.kind === 'files') {
    await (await opened.store()).test();
    return undefined;
  }
  const connection = await opened.dial();
  try {
    return await connection.version();
  } finally {
    await connection.close();
  }
}
