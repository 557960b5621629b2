import { GetObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { cancelRun, forceCancel } from '../../../shared/domains/pipelines/runs/cancel-run.ts';
import { repairRun } from '../../../shared/domains/pipelines/runs/repair-run.ts';
import { readMonth } from '../../../shared/domains/pipelines/store/read-usage.ts';
import { usePostgres } from '../warehouse/sources/use-postgres.ts';
import { dagOf, load, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

const under = usePostgres();
let setup: RunSetup;
let postgres: string;
let bucket: Awaited<ReturnType<RunSetup['bucketSource']>>;
let checkAllowance: RunSetup['worker']['checkAllowance'];
beforeAll(async () => {
  setup = await RunSetup.open();
  const { host, port, database, user, password } = under.config;
  postgres = await setup.source('postgres', { host, port, database, user, ssl: false }, { password });
  bucket = await setup.bucketSource();
  ({ checkAllowance } = setup.worker);
});
afterEach(() => {
  vi.useRealTimers();
  setup.worker.checkAllowance = checkAllowance;
});
afterAll(() => setup.close());

/** Kinds of targets: how a step names one, and what is there. */
const TARGETS = {
  'a dataset': {
    target: (name: string) => ({ kind: 'dataset', name }),
    read: (name: string) => setup.rows(name),
  },
  'a table': {
    target: (table: string) => ({ kind: 'table', sourceId: postgres, table }),
    async read(table: string) {
      const source = await under.openSource();
      const { rows } = await source.query(`SELECT to_regclass($1)`, [table]);
      return rows[0]![0] === null ? undefined : (await source.query(`SELECT x FROM ${table}`)).rows;
    },
  },
  'a folder': {
    target: (path: string) => ({ kind: 'files', sourceId: bucket.sourceId, path, format: 'ndjson' }),
    async read(path: string) {
      const get = new GetObjectCommand({ Bucket: bucket.bucket, Key: `theirs/${path}/_manifest.json` });
      const manifest = await bucket.s3.send(get).catch(() => undefined);
      return manifest && JSON.parse(await manifest.Body!.transformToString());
    },
  },
};

/**
 * A worker that stops at the beginning of a load and continues later: its timers have not fired
 * meanwhile.
 */
async function zombieAt(target: object) {
  const [asleep, woken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let attempts = 0;
  setup.worker.checkAllowance = async () => {
    attempts += 1;
    if (attempts !== 2) return;
    asleep.resolve();
    await woken.promise;
  };
  const retry = { maxAttempts: 2, initialIntervalMs: 100 };
  const steps = [sql('rows', 'SELECT 1 AS x'), load('keep', 'rows', { target, mode: 'append' }, { retry })];
  const run = await setup.run(await setup.pipeline(dagOf(...steps)));
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const ended = setup.drain();
  await asleep.promise;
  return {
    run,
    async wake() {
      woken.resolve();
      await ended;
    },
  };
}

/** All that a run leaves behind. */
async function traces(runId: string, read: () => Promise<unknown>) {
  const month = setup.context.now().toISOString().slice(0, 7);
  const usage = await readMonth(setup.context.table, setup.workspaceId, month);
  // The number of an event that is then not written is used up.
  const { seq: _seq, ...run } = await setup.stored(runId);
  return { run, steps: await setup.steps(runId), usage, loaded: await read() };
}

describe.each(Object.entries(TARGETS))('a worker that comes back late to a load into %s', (kind, { target, read }) => {
  it('changes nothing any more when its run was cancelled without it', async () => {
    const name = `cancelled_${kind.slice(2)}`;
    const { run, wake } = await zombieAt(target(name));
    await cancelRun(setup.context, setup.place(run.id), 'requested');
    await forceCancel(setup.context, setup.place(run.id));
    const before = await traces(run.id, () => read(name));
    expect(before).toMatchObject({ run: { status: 'cancelled' }, loaded: undefined });
    await wake();
    expect(await traces(run.id, () => read(name))).toEqual(before);
  });

  it('changes nothing any more when another attempt has done the work', async () => {
    const name = `replaced_${kind.slice(2)}`;
    const { run, wake } = await zombieAt(target(name));
    setup.aheadMs += 61_000;
    await repairRun(setup.context, setup.place(run.id));
    setup.aheadMs += 1000;
    await setup.drain();
    const before = await traces(run.id, () => read(name));
    expect(before.run.status).toBe('succeeded');
    expect(before.steps[1]).toMatchObject({ status: 'succeeded', attempt: 2, rowsOut: 1 });
    expect(before.loaded).toBeDefined();
    await wake();
    expect(await traces(run.id, () => read(name))).toEqual(before);
  });

  it('changes nothing while another attempt is only beginning', async () => {
    const name = `beside_${kind.slice(2)}`;
    const { run, wake } = await zombieAt(target(name));
    setup.aheadMs += 61_000;
    await repairRun(setup.context, setup.place(run.id));
    const before = await traces(run.id, () => read(name));
    expect(before.steps[1]).toMatchObject({ status: 'waiting', attempt: 1, error: { code: 'WORKER_LOST' } });
    setup.jobs.splice(0);
    await wake();
    expect(await traces(run.id, () => read(name))).toEqual(before);
  });
});
