import { describe, expect, it } from 'vitest';
import { announceDue } from '../../../functions/platform/workers/minute-tick/announce-due.ts';
import { runAfterSync } from '../../../functions/platform/workers/minute-tick/run-after-sync.ts';
import { scheduledJobs } from '../../../functions/platform/workers/minute-tick/scheduled-jobs.ts';
import type { RefreshWorker } from '../../../functions/platform/workers/run-job/dataset-refresh/refresh-worker.ts';
import { qualityRun } from '../../../functions/platform/workers/run-job/quality/quality-run.ts';
import { MAX_WAITS, startDueJob } from '../../../functions/platform/workers/run-job/start-due-job.ts';
import type { JobWorker } from '../../../functions/platform/workers/run-job/work-on-job.ts';
import type { AlertMessage } from '../../../shared/domains/alerts/evaluations/index.ts';
import { tableKey } from '../../../shared/domains/quality/table.ts';
import type { StoredTest } from '../../../shared/domains/quality/tests/records.ts';
import { testRepository } from '../../../shared/domains/quality/tests/repository.ts';
import { commitLoad, notLoadedItem } from '../../../shared/domains/warehouse/datasets/commit.ts';
import { emptyDataset } from '../../../shared/domains/warehouse/datasets/record.ts';
import { datasetRepository } from '../../../shared/domains/warehouse/datasets/repository.ts';
import { startJob } from '../../../shared/platform/jobs/jobs.ts';
import type { JobMessage } from '../../../shared/platform/jobs/queue.ts';
import { jobList, jobRepository } from '../../../shared/platform/jobs/repository.ts';
import type { ObjectStore } from '../../../shared/platform/objects/object-store.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';
import { useLocalTable } from '../../support/local-table.ts';

const local = useLocalTable();
const NOW = new Date('2026-03-10T05:59:30Z');
const place = { sourceId: 'datasets', schemaName: '', tableName: 'orders' };
const KEY = tableKey(place);

const test = (workspaceId: string, body: Partial<StoredTest> = {}): StoredTest => ({
  id: newId(),
  workspaceId,
  name: newId(),
  description: '',
  testType: 'row_count',
  targetType: 'source_table',
  ...place,
  columnName: null,
  modelId: null,
  tableId: null,
  fieldId: null,
  config: { min: 1 },
  runOnSync: false,
  severity: 'medium',
  isActive: true,
  schedule: null,
  tableKey: KEY,
  createdBy: 'ada',
  updatedBy: 'ada',
  createdAt: '2026-03-09T12:00:00.000Z',
  updatedAt: '2026-03-09T12:00:00.000Z',
  revision: 1,
  ...body,
});

/** The tick and the worker of a workspace, with what they have sent. */
function setup() {
  const table = local.open();
  const workspaceId = newId();
  const messages: JobMessage[] = [];
  const queue = {
    send: async (sent: readonly { message: JobMessage }[]) => void messages.push(...sent.map((s) => s.message)),
  };
  const versions: AlertMessage[] = [];
  const alerts = {
    send: async (sent: readonly { message: AlertMessage }[]) => void versions.push(...sent.map((s) => s.message)),
  };
  const jobs = { jobs: jobRepository(table), queue, alerts, now: () => NOW };
  const list = async () =>
    (await jobs.jobs.list(workspaceId, { limit: 50, offset: 0 }, jobList('quality_run', KEY))).items;
  return { table, workspaceId, messages, versions, queue, jobs, list, tests: testRepository(table) };
}

async function loaded(table: Table, workspaceId: string): Promise<void> {
  const datasets = datasetRepository(table);
  const found = await datasets.find(workspaceId, 'orders');
  await commitLoad(table, {} as ObjectStore, {
    dataset: found ?? emptyDataset({ id: newId(), workspaceId, name: 'orders', createdBy: null, at: NOW }),
    isNew: !found,
    loadKey: newId(),
    mode: 'overwrite',
    kept: [],
    added: [],
    columns: [{ name: 'id', type: 'integer' }],
    rowsLoaded: 0,
    bytesLoaded: 0,
    origin: { kind: 'refresh', jobId: newId() },
    at: NOW,
    fence: notLoadedItem(table, workspaceId, newId()),
  });
}

describe('tests after a new version of a dataset', () => {
  it('start once for the newest version, and wait for a job that is still active', async () => {
    const { table, workspaceId, jobs, list, tests, versions } = setup();
    await tests.create(test(workspaceId, { runOnSync: true }));
    await tests.create(test(workspaceId));
    const tick = () =>
      runAfterSync(table, jobs, new Date(NOW.getTime() + 1), (failure) => {
        throw failure.error;
      });
    await loaded(table, workspaceId);
    await tick();
    await tick();
    expect(await list()).toMatchObject([{ input: { scope: 'sync', tableKey: KEY, version: 1 }, status: 'queued' }]);

    await loaded(table, workspaceId);
    await loaded(table, workspaceId);
    await tick();
    expect(await list()).toHaveLength(1);
    const [first] = await list();
    await jobs.jobs.end(first!, { status: 'cancelled' }, NOW);
    await tick();
    await tick();
    expect((await list()).map(({ input }) => input.version).sort()).toEqual([1, 3]);
    const mine = versions.filter((message) => message.workspaceId === workspaceId);
    expect(new Set(mine.map((message) => message.op))).toEqual(new Set(['version']));
  });
});

describe('scheduled tests', () => {
  it('of one table start together, once for each instant', async () => {
    const { table, workspaceId, messages, queue, jobs, list, tests } = setup();
    const schedule = { cron: '0 6 * * *', timezone: 'UTC', enabled: true };
    const due = [test(workspaceId, { schedule }), test(workspaceId, { schedule })];
    const others = [
      test(workspaceId, { schedule, isActive: false }),
      test(workspaceId, { schedule: { ...schedule, enabled: false } }),
      test(workspaceId, { schedule: { ...schedule, cron: '30 7 * * *' } }),
    ];
    for (const each of [...due, ...others]) await tests.create(each);
    await announceDue({ table, now: () => NOW }, scheduledJobs(table, queue), (failure) => {
      throw failure.error;
    });
    const mine = messages.filter((message) => message.workspaceId === workspaceId);
    const instant = { op: 'due', kind: 'quality_run', subjectId: KEY, scheduledAt: '2026-03-10T06:00:00.000Z' };
    expect(mine).toMatchObject([instant, instant]);
    const worker = {
      ...jobs,
      kinds: { quality_run: qualityRun({ table, now: () => NOW } as RefreshWorker) },
    } as unknown as JobWorker;
    const outcomes: string[] = [];
    for (const message of mine) await startDueJob(worker, message as never, (outcome) => outcomes.push(outcome));
    expect(await list()).toMatchObject([{ input: { scope: 'due' }, trigger: { kind: 'schedule' } }]);
    expect(new Set(outcomes)).toEqual(new Set([(await list())[0]!.id]));
    const late = { ...(mine[0] as object), scheduledAt: '2026-03-10T06:01:00.000Z' };
    await startDueJob(worker, late as never, (outcome) => outcomes.push(outcome));
    expect(outcomes.at(-1)).toBe('NOT_PLANNED');
  });

  it('wait while their table is being tested, and then run once', async () => {
    const { table, workspaceId, jobs, messages, list, tests } = setup();
    await tests.create(test(workspaceId, { schedule: { cron: '0 6 * * *', timezone: 'UTC', enabled: true } }));
    const other = { id: newId(), workspaceId, kind: 'quality_run', subjectId: KEY } as const;
    const trigger = { kind: 'manual', scheduledAt: null, actor: null } as const;
    const active = await startJob(jobs, { ...other, trigger, input: {} }, 'JOB_ACTIVE');
    messages.length = 0;
    const worker = (now: Date) =>
      ({
        ...jobs,
        kinds: { quality_run: qualityRun({ table, now: () => now } as RefreshWorker) },
      }) as unknown as JobWorker;
    const outcomes: string[] = [];
    const deliver = async (message: JobMessage | undefined, now = NOW) =>
      startDueJob(worker(now), message as never, (outcome) => outcomes.push(outcome));
    const due: JobMessage = {
      op: 'due',
      kind: 'quality_run',
      workspaceId,
      subjectId: KEY,
      scheduledAt: '2026-03-10T06:00:00.000Z',
    };
    await deliver(due);
    await deliver(messages.pop());
    expect(outcomes).toEqual(['WAITS', 'WAITS']);
    expect(messages).toEqual([{ ...due, waits: 2 }]);
    const waiting = messages.pop();

    await deliver({ ...due, waits: MAX_WAITS } as JobMessage);
    await deliver(waiting, new Date('2026-03-11T06:00:10Z'));
    expect(outcomes.slice(2)).toEqual(['JOB_ACTIVE', 'NOT_PLANNED']);

    await jobs.jobs.end(active, { status: 'cancelled' }, NOW);
    // A message that is only late is not taken for one that has waited.
    await deliver({ ...due, scheduledAt: '2026-03-09T06:00:00.000Z' });
    expect(outcomes.pop()).toBe((await list())[0]!.id);
    await jobs.jobs.end((await list())[0]!, { status: 'cancelled' }, NOW);
    await deliver(waiting);
    await deliver(waiting);
    const job = (await list()).find(({ id }) => id === outcomes[4]);
    expect(job).toMatchObject({ input: { scope: 'due', scheduledAt: due.scheduledAt }, status: 'queued' });
    expect(outcomes[5]).toBe(outcomes[4]);
    expect(await list()).toHaveLength(3);
  });
});
