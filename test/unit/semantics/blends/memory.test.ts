import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BlendDeps, runBlend } from '../../../../functions/semantics/workers/join-sides/run-blend.ts';
import { type WarmPool, warmPool } from '../../../../shared/data/duckdb/warm-pool.ts';
import { type BlendRequest, blendFunction } from '../../../../shared/domains/semantics/blends/index.ts';
import type { StoredDataSource } from '../../../../shared/domains/warehouse/sources/index.ts';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { secretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { guardFromEnvironment } from '../../../../shared/platform/net/guard-from-environment.ts';
import { ObjectCache } from '../../../../shared/platform/objects/object-cache.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';

type SideStatement = BlendRequest['left'];

const workspaceId = '01a2287c-0000-7000-8000-000000000001';
const secrets = secretBox(new MasterSecret(async () => ({ version: 1, secret: Buffer.alloc(32, 7) })));

let folder: string;
let engines: WarmPool;
let database: TestDatabase;
beforeAll(async () => {
  database = await openDatabase();
  await database.run(`CREATE VIEW slow AS SELECT 'x'::text AS k1 FROM pg_sleep(15) AS blend_is_slow`);
});
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blend-memory-'));
});
afterEach(async () => {
  await engines.close();
  await rm(folder, { recursive: true });
});

/** What joins with so much memory and disk. */
function depsWith(maxTempMb: number): BlendDeps {
  engines = warmPool({ memoryLimitMb: 64, threads: 1, tempDir: folder, maxTempMb });
  const s3 = new S3Client({ region: 'eu-central-1' });
  const { host, port, user, password } = database;
  const source = async (): Promise<StoredDataSource> =>
    ({
      ...{ workspaceId, type: 'postgres', config: { host, port, database: database.database, user, ssl: false } },
      sealedSecrets: await secrets.seal(workspaceId, JSON.stringify({ password })),
    }) as StoredDataSource;
  return {
    engines,
    objects: new ObjectCache({ s3, bucket: 'unused', folder: join(folder, 'objects'), maxBytes: 1e6 }),
    sources: { get: source },
    secrets,
    guard: guardFromEnvironment(),
    ownBucket: 'unused',
  };
}

/** Rows with long keys, all of them different. */
const long = (rows: number): SideStatement => ({
  sql: `SELECT repeat('key', 70) || i AS k1 FROM range(${rows}) AS t(i)`,
  params: [],
  from: { tables: [] },
});

const request = (left: SideStatement, right: SideStatement): BlendRequest => ({
  ...{ workspaceId, left, right, pushedKeys: [], limit: 1, maxBytes: 1e6, timeoutMs: 60_000, timezone: 'UTC' },
  keys: [{ as: 'text', left: { column: 'k1', kind: 'text' }, right: { column: 'k1', kind: 'text' } }],
  result: {
    columns: [{ side: 'left', name: 'key', column: 'k1' }],
    join: 'inner',
    sort: [{ position: 0, descending: true }],
  },
});

const ROWS = 400_000;

describe('A blend with too little memory', () => {
  it('fails as a whole, and the same worker joins the next one', async () => {
    const deps = depsWith(4);
    const large = runBlend(deps, request(long(ROWS), long(ROWS)));
    await expect(large).rejects.toMatchObject({ name: 'DataError', code: 'OUT_OF_MEMORY' });
    const next = await runBlend(deps, request(long(3), long(3)));
    expect(next).toMatchObject({ rowCount: 1, truncated: true, statistics: { matchedLeft: 3 } });
    expect(await readdir(folder)).toEqual([]);
  });

  it('fails as the side that needs too much, and stops the other one immediately', async () => {
    const deps = depsWith(4);
    const startedAt = performance.now();
    const slow: SideStatement = { sql: 'SELECT k1 FROM slow', params: [], from: { sourceId: 'any' } };
    const result: BlendRequest['result'] = { join: 'left', statement: { sql: 'SELECT 1 AS one', params: [] } };
    const failing = runBlend(deps, { ...request(long(ROWS), slow), result });
    await expect(failing).rejects.toMatchObject({ side: 'left', cause: { code: 'OUT_OF_MEMORY' } });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    const running = `SELECT count(*)::int FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'active' AND query LIKE '%slow%' AND pid <> pg_backend_pid()`;
    await vi.waitFor(async () => expect(await database.rows(running)).toEqual([[0]]), {
      timeout: 10_000,
      interval: 50,
    });
    expect(await runBlend(deps, request(long(2), long(2)))).toMatchObject({ statistics: { matchedLeft: 2 } });
    expect(await readdir(folder)).toEqual([]);
  });

  it('spills to the disk as far as that has room, and leaves nothing there', async () => {
    const answer = await runBlend(depsWith(2_000), request(long(ROWS), long(ROWS)));
    expect(answer).toMatchObject({ statistics: { leftRows: ROWS, matchedLeft: ROWS, pairs: ROWS } });
    expect(await readdir(folder)).toEqual([]);
  });

  it('has an error of its own in the API: of the join, or of the side', async () => {
    const replied = (side: 'left' | null) => {
      const reply = { ok: false, side, code: 'OUT_OF_MEMORY', message: 'The query needs more memory than it may use' };
      const lambda = { send: async () => ({ Payload: Buffer.from(JSON.stringify(reply)) }) };
      return blendFunction('join-sides', lambda as unknown as LambdaClient)(request(long(1), long(1)));
    };
    await expect(replied(null)).rejects.toMatchObject({ code: 'BLEND_TOO_LARGE' });
    await expect(replied('left')).rejects.toMatchObject({
      code: 'BLEND_SIDE_FAILED',
      members: { side: 'left', reason: 'QUERY_TOO_HEAVY' },
    });
  });
});
