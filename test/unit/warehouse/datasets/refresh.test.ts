import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { datasetRefresh } from '../../../../functions/platform/workers/run-job/dataset-refresh/dataset-refresh.ts';
import { REFRESH_LIMITS } from '../../../../functions/platform/workers/run-job/dataset-refresh/refresh-worker.ts';
import type { JobWork } from '../../../../functions/platform/workers/run-job/job-kind.ts';
import { openEngine } from '../../../../shared/data/duckdb/engine.ts';
import { workspaceRecordKey } from '../../../../shared/domains/tenancy/workspaces/keys.ts';
import { cleanUpDataset } from '../../../../shared/domains/warehouse/datasets/clean-up.ts';
import { commitLoad } from '../../../../shared/domains/warehouse/datasets/commit.ts';
import { deleteDataset } from '../../../../shared/domains/warehouse/datasets/delete-dataset.ts';
import { readLastRefreshes } from '../../../../shared/domains/warehouse/datasets/last-refresh.ts';
import { datasetPrefix, readManifest } from '../../../../shared/domains/warehouse/datasets/manifests.ts';
import { type Dataset, emptyDataset } from '../../../../shared/domains/warehouse/datasets/record.ts';
import { refreshJob } from '../../../../shared/domains/warehouse/datasets/refresh-job.ts';
import { datasetRepository } from '../../../../shared/domains/warehouse/datasets/repository.ts';
import { readStorageUsage } from '../../../../shared/domains/warehouse/datasets/storage-usage.ts';
import { dataSourceRepository } from '../../../../shared/domains/warehouse/sources/repository.ts';
import { startJob } from '../../../../shared/platform/jobs/jobs.ts';
import type { StoredJob } from '../../../../shared/platform/jobs/record.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { companyKey, workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { cases } from '../../../support/cases.ts';
import { RunSetup } from '../../pipelines/run-setup.ts';
import { WorkedJobs } from '../../platform/jobs/worked-jobs.ts';
import { usePostgres } from '../sources/use-postgres.ts';

const under = usePostgres();
let setup: RunSetup;
let jobs: WorkedJobs;
beforeAll(async () => {
  setup = await RunSetup.open();
  jobs = new WorkedJobs(setup, datasetRefresh);
});
afterAll(() => setup.close());

async function dataset(more: Partial<Dataset>): Promise<Dataset> {
  const id = newId();
  const made = emptyDataset({ id, workspaceId: setup.workspaceId, name: id, createdBy: null, at: setup.context.now() });
  return datasetRepository(setup.context.table).create({ ...made, ...more });
}

const get = async (id: string) => (await datasetRepository(setup.context.table).get(setup.workspaceId, id))!;

async function refreshed(id: string): Promise<StoredJob> {
  const trigger = { kind: 'manual', scheduledAt: null, actor: null } as const;
  return startJob(jobs.workerOf(), refreshJob(newId(), await get(id), trigger), 'DATASET_REFRESHING');
}

async function valuesOf(id: string): Promise<number[]> {
  const current = await get(id);
  const manifest = await readManifest(setup.context.table, setup.worker.objects, current);
  if (!manifest) return [];
  const engine = await openEngine({ memoryLimitMb: 256, threads: 1, tempDir: setup.worker.scratchDir });
  try {
    await engine.attach('t', await setup.worker.cache.fetchAll(manifest.files), { emptySchema: manifest.columns });
    return (await engine.run('SELECT a FROM t ORDER BY a')).map(([a]) => Number(a));
  } finally {
    await engine.close();
  }
}

const csv = (until: number) => `a\n${Array.from({ length: until }, (_, n) => n).join('\n')}\n`;

describe('a refresh', () => {
  it('whose workers die at any write brings each row once, and the old version can be read all the time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('full' as const, 'append' as const, 'merge' as const),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom('before' as const, 'after' as const)), {
          maxLength: 2,
        }),
        async (how, crashes) => {
          const sourceId = await setup.fileSource({ 'a.csv': csv(3) });
          const incremental = { cursorColumn: 'a', ...(how === 'merge' ? { mergeKey: ['a'] } : {}) };
          const { id } = await dataset({
            source: { kind: 'file', sourceId, path: 'a.csv', options: { raggedRows: 'skip' } },
            ...(how === 'full' ? {} : { mode: 'incremental', incremental }),
          });
          expect(await jobs.seeThrough(await refreshed(id))).toMatchObject({ status: 'succeeded' });
          await setup.putFile(sourceId, 'a.csv', `${csv(6)}6,too many\n`);
          const job = await refreshed(id);
          const losses = [...crashes];
          let writes = 0;
          setup.crash = () => {
            if (losses.length === 0 || writes++ < losses[0]![0]) return undefined;
            writes = 0;
            return losses.shift()![1];
          };
          await jobs.drain();
          const meanwhile = await valuesOf(id);
          expect([3, 6]).toContain(meanwhile.length);
          const ended = await jobs.seeThrough(job);
          setup.crash = () => undefined;
          expect(ended, JSON.stringify(ended.error)).toMatchObject({
            status: 'succeeded',
            result: { version: 2, rowCount: 6, rowsRejected: 1, firstRejectedLine: 8 },
          });
          expect(await valuesOf(id)).toEqual([0, 1, 2, 3, 4, 5]);
          expect((await get(id)).version).toBe(2);
          setup.aheadMs += 30 * 60 * 60 * 1000;
          await cleanUpDataset(
            { table: setup.context.table, objects: setup.worker.objects, now: setup.context.now },
            setup.workspaceId,
            id,
          );
          const manifests = await Promise.all(
            [1, 2].map((version) =>
              readManifest(setup.context.table, setup.worker.objects, { workspaceId: setup.workspaceId, id, version }),
            ),
          );
          const used = new Set(manifests.flatMap((manifest) => manifest?.files ?? []).map(({ key }) => key));
          const stored = await setup.worker.objects.list(datasetPrefix(setup.workspaceId, id));
          expect(stored.filter(({ key }) => !used.has(key))).toEqual([]);
        },
      ),
      { numRuns: cases(5, 30) },
    );
  });

  it('of a dataset that is deleted while it works ends as cancelled and commits nothing', async () => {
    const sourceId = await setup.fileSource({ 'a.csv': csv(3) });
    const made = await dataset({ source: { kind: 'file', sourceId, path: 'a.csv' } });
    const job = await refreshed(made.id);
    const worker = jobs.workerOf();
    const run = worker.kinds.dataset_refresh!.run;
    const deleting: JobWork = {
      ...worker.kinds.dataset_refresh!,
      run: async (stored, control) => {
        // The rows are read then, and not committed yet.
        let deleted: Promise<void> | undefined;
        return run(stored, {
          ...control,
          progress: () => {
            deleted ??= deleteDataset(setup.context.table, made, setup.context.now());
          },
        }).finally(() => deleted);
      },
    };
    await jobs.drain({ ...worker, kinds: { ...worker.kinds, dataset_refresh: deleting } });
    expect(await worker.jobs.get(setup.workspaceId, job.id)).toMatchObject({ status: 'cancelled', result: null });
    expect(await datasetRepository(setup.context.table).get(setup.workspaceId, made.id)).toBeUndefined();
  });

  it.each(['full', 'merge'])('that another load overtakes commits the rows that it has read (%s)', async (how) => {
    const { table } = setup.context;
    const sourceId = await setup.fileSource({ 'a.csv': csv(3) });
    const merging: Partial<Dataset> = { mode: 'incremental', incremental: { cursorColumn: 'a', mergeKey: ['a'] } };
    const made = await dataset({
      source: { kind: 'file', sourceId, path: 'a.csv' },
      ...(how === 'full' ? {} : merging),
    });
    await jobs.seeThrough(await refreshed(made.id));
    await setup.putFile(sourceId, 'a.csv', csv(5));
    const job = await refreshed(made.id);
    const seen = await get(made.id);
    const { files, columns, watermark } = (await readManifest(table, setup.worker.objects, seen))!;
    const worker = jobs.workerOf();
    const { run } = worker.kinds.dataset_refresh!;
    let reads = 0;
    const overtaken: JobWork = {
      ...worker.kinds.dataset_refresh!,
      run: (stored, control) => {
        let other: Promise<unknown> | undefined;
        const progress = () => {
          reads++;
          other ??= commitLoad(table, setup.worker.objects, {
            dataset: seen,
            isNew: false,
            loadKey: newId(),
            mode: 'append',
            kept: files,
            added: [],
            columns,
            rowsLoaded: 0,
            bytesLoaded: 0,
            origin: { kind: 'restore', version: 1, userId: newId() },
            ...(watermark ? { watermark } : {}),
            at: setup.context.now(),
            fence: control.fence(),
          });
        };
        return run(stored, { ...control, progress }).finally(() => other);
      },
    };
    await jobs.drain({ ...worker, kinds: { ...worker.kinds, dataset_refresh: overtaken } });
    expect(await worker.jobs.get(setup.workspaceId, job.id)).toMatchObject({ status: 'succeeded' });
    expect(reads).toBe(1);
    expect(await get(made.id)).toMatchObject({ version: 3, rowCount: 5 });
    expect(await valuesOf(made.id)).toEqual([0, 1, 2, 3, 4]);
  });

  it('that brings more than it may is refused before anything is stored', async () => {
    const sourceId = await setup.fileSource({ 'a.csv': csv(30) });
    const { id } = await dataset({ source: { kind: 'file', sourceId, path: 'a.csv' } });
    const job = await refreshed(id);
    await jobs.drain(jobs.workerOf({ ...REFRESH_LIMITS, rows: 10 }));
    expect(await jobs.workerOf().jobs.get(setup.workspaceId, job.id)).toMatchObject({
      status: 'failed',
      error: { code: 'TOO_LARGE', message: expect.stringContaining('30 rows') },
    });
    expect(await setup.worker.objects.list(datasetPrefix(setup.workspaceId, id))).toEqual([]);
    expect((await readLastRefreshes(setup.context.table, setup.workspaceId, [id])).get(id)).toMatchObject({
      status: 'failed',
      error: { code: 'TOO_LARGE' },
      jobId: job.id,
    });
  });

  it('reads a table or a query of a database, and goes on where it was', async () => {
    const { host, port, database, user, password } = under.config;
    const at = setup.context.now().toISOString();
    const made = { id: newId(), workspaceId: setup.workspaceId, createdBy: newId(), createdAt: at, updatedAt: at };
    const source = await dataSourceRepository(setup.context.table).create({
      ...made,
      name: made.id,
      type: 'postgres',
      schedule: null,
      config: { host, port, database, user, ssl: false },
      sealedSecrets: await setup.worker.secrets.seal(setup.workspaceId, JSON.stringify({ password })),
      revision: 1,
    });
    await under.postgres.run('CREATE TABLE numbers AS SELECT a, now() AS at FROM generate_series(1, 3) AS s(a)');
    const table = await dataset({
      source: { kind: 'table', sourceId: source.id, table: 'numbers' },
      mode: 'incremental',
      incremental: { cursorColumn: 'a' },
    });
    const query = await dataset({
      source: { kind: 'query', sourceId: source.id, query: 'SELECT a * 10 AS a FROM numbers' },
    });
    const wrong = await dataset({ source: { kind: 'query', sourceId: source.id, query: 'DELETE FROM numbers' } });
    for (const { id } of [table, query])
      expect(await jobs.seeThrough(await refreshed(id))).toMatchObject({ status: 'succeeded' });
    expect(await jobs.seeThrough(await refreshed(wrong.id))).toMatchObject({
      status: 'failed',
      error: { code: 'SQL_NOT_READ_ONLY' },
    });
    await under.postgres.run('INSERT INTO numbers VALUES (4, now())');
    expect(await jobs.seeThrough(await refreshed(table.id))).toMatchObject({ result: { rowsLoaded: 1, rowCount: 4 } });
    expect(await valuesOf(table.id)).toEqual([1, 2, 3, 4]);
    expect(await valuesOf(query.id)).toEqual([10, 20, 30]);
  });

  it('knows rows at the edge again however many they are, and the clean-up leaves what that takes', async () => {
    const days = (rows: number) => `a,day\n${Array.from({ length: rows }, (_, a) => `${a},2026-01-01\n`).join('')}`;
    const sourceId = await setup.fileSource({ 'a.csv': days(600) });
    const { id } = await dataset({
      source: { kind: 'file', sourceId, path: 'a.csv' },
      mode: 'incremental',
      incremental: { cursorColumn: 'day' },
    });
    const loaded = async () => (await jobs.seeThrough(await refreshed(id))).result;
    expect(await loaded()).toMatchObject({ rowsLoaded: 600 });
    setup.aheadMs += 30 * 60 * 60 * 1000;
    const { table, now } = setup.context;
    await cleanUpDataset({ table, objects: setup.worker.objects, now }, setup.workspaceId, id);
    await setup.putFile(sourceId, 'a.csv', days(601));
    expect(await loaded()).toMatchObject({ rowsLoaded: 1, rowCount: 601 });
    expect(await loaded()).toMatchObject({ rowsLoaded: 0, rowCount: 601 });
  });

  it('knows rows at the edge again without a column that is gone, or is refused where they are too many', async () => {
    await under.postgres.run(
      "CREATE TABLE narrowed AS SELECT a, date '2026-01-01' AS day, 1 AS gone FROM generate_series(1, 350000) AS s(a)",
    );
    const { host, port, database, user, password } = under.postgres;
    const config = { host, port, database, user, ssl: false };
    const sourceId = await setup.source('postgres', config, { password });
    const made = (query: string) =>
      dataset({
        source: { kind: 'query', sourceId, query },
        mode: 'incremental',
        incremental: { cursorColumn: 'day' },
      });
    const few = await made('SELECT * FROM narrowed WHERE a < 10');
    const many = await made('SELECT * FROM narrowed');
    const ended = async ({ id }: Dataset) => jobs.seeThrough(await refreshed(id));
    expect((await ended(few)).result).toMatchObject({ rowsLoaded: 9 });
    expect((await ended(many)).result).toMatchObject({ rowsLoaded: 350_000 });
    await under.postgres.run('ALTER TABLE narrowed DROP COLUMN gone');
    expect((await ended(few)).result).toMatchObject({ rowsLoaded: 0, rowCount: 9 });
    expect(await ended(many)).toMatchObject({
      status: 'failed',
      error: { code: 'TOO_LARGE', message: expect.stringMatching(/^The column gone no longer exists, .* mergeKey/) },
    });
    expect((await get(many.id)).rowCount).toBe(350_000);
  });

  it('that would store more than the plan allows is refused, and less is let through again', async () => {
    const companyId = newId();
    const put = (Item: Record<string, unknown>) =>
      setup.context.table.db.send(new PutCommand({ TableName: 'table', Item }));
    const allow = (gigabytes: number | null, overageOptIn = false) =>
      put({
        ...companyKey(companyId, 'ENTITLEMENT#PLAN#warehouse'),
        product: 'warehouse',
        allowance: gigabytes,
        overageOptIn,
      });
    await put({ ...workspaceRecordKey(setup.workspaceId), id: setup.workspaceId, companyId });
    const sourceId = await setup.fileSource({ 'a.csv': csv(3) });
    const { id } = await dataset({ source: { kind: 'file', sourceId, path: 'a.csv' } });
    const before = await readStorageUsage(setup.context.table, setup.workspaceId);
    await allow(1e-9);
    expect(await jobs.seeThrough(await refreshed(id))).toMatchObject({
      status: 'failed',
      error: { code: 'ALLOWANCE_EXHAUSTED' },
    });
    expect((await get(id)).version).toBe(0);
    expect(await readStorageUsage(setup.context.table, setup.workspaceId)).toEqual(before);
    await allow(1e-9, true);
    expect(await jobs.seeThrough(await refreshed(id))).toMatchObject({ status: 'succeeded' });
    await allow(null);
    expect(await jobs.seeThrough(await refreshed(id))).toMatchObject({ status: 'succeeded', result: { version: 2 } });
  });

  it('that a schedule has started announces its failure, once', async () => {
    const sourceId = await setup.fileSource({});
    const schedule = { everySeconds: 60, timezone: 'UTC', enabled: true };
    const { id } = await dataset({ source: { kind: 'file', sourceId, path: 'none.csv' }, schedule });
    const scheduledAt = new Date(Math.ceil(setup.context.now().getTime() / 60_000) * 60_000).toISOString();
    const due = {
      op: 'due' as const,
      workspaceId: setup.workspaceId,
      kind: 'dataset_refresh' as const,
      subjectId: id,
      scheduledAt,
    };
    jobs.messages.push(due, due);
    await jobs.drain();
    const { pk } = workspaceKey(setup.workspaceId, 'OUTBOX', '');
    const outbox = await setup.context.table.db.send(
      new QueryCommand({
        TableName: 'table',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
      }),
    );
    expect(outbox.Items?.filter(({ data }) => data.datasetId === id)).toMatchObject([
      { event: 'source.sync_failed', data: { sourceId, error: { code: 'NOT_FOUND' }, scheduledFor: scheduledAt } },
    ]);
    jobs.messages.push({ ...due, scheduledAt: new Date(Date.parse(scheduledAt) + 1000).toISOString() });
    await jobs.drain();
    const { total } = await jobs
      .workerOf()
      .jobs.list(setup.workspaceId, { limit: 10, offset: 0 }, `dataset_refresh#${id}`);
    expect(total).toBe(1);
  });
});
