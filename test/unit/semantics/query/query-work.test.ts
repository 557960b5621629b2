import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobControl } from '../../../../functions/platform/workers/run-job/job-kind.ts';
import { queryWork } from '../../../../functions/platform/workers/run-job/query/query-work.ts';
import { type QueryJobCommand, queryJobKeys } from '../../../../shared/domains/semantics/queries/query-job.ts';
import { datasetRepository } from '../../../../shared/domains/warehouse/datasets/repository.ts';
import { dataSourceRepository } from '../../../../shared/domains/warehouse/sources/repository.ts';
import { queuedJob } from '../../../../shared/platform/jobs/jobs.ts';
import type { StoredJob } from '../../../../shared/platform/jobs/record.ts';
import { createAddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { RunSetup } from '../../pipelines/run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

function worker() {
  const { table, now } = setup.context;
  const { objects, cache, secrets, scratchDir } = setup.worker;
  const tempDir = join(scratchDir, 'queries');
  mkdirSync(tempDir, { recursive: true });
  return queryWork({
    datasets: datasetRepository(table),
    manifest: async () => undefined,
    objects,
    cache,
    sources: dataSourceRepository(table),
    secrets,
    guard: createAddressGuard({ allowedPrivateCidrs: [] }),
    engineResources: { memoryMb: 2048, tempDir, scratchMb: 10_240 },
    now,
  });
}

const CONTROL: JobControl = {
  signal: new AbortController().signal,
  progress: () => undefined,
  fence: () => {
    throw new Error('commits nothing');
  },
  die: () => {
    throw new Error('the process would end');
  },
  dieAndContinue: () => {
    throw new Error('the process would end');
  },
};

/** A job in its n-th attempt, of which earlier ones have died while the engine was at work. */
async function attempt(number: number, diedAtWork: number[], sql = 'SELECT 1 AS a'): Promise<StoredJob> {
  const { workspaceId } = setup;
  const id = newId();
  const keys = queryJobKeys(workspaceId, id);
  const command: QueryJobCommand = {
    rights: { role: 'editor', rows: 'all' },
    sql,
    params: [],
    limit: 10,
    timeoutMs: 30_000,
    timezone: 'UTC',
  };
  await setup.worker.objects.write(keys.command, Buffer.from(JSON.stringify(command)), 'application/json');
  for (const died of diedAtWork)
    await setup.worker.objects.write(keys.attemptMarker(died), Buffer.from(''), 'text/plain');
  const trigger = { kind: 'manual', scheduledAt: null, actor: null } as const;
  const job = queuedJob({ id, workspaceId, kind: 'query', subjectId: id, trigger, input: {} }, setup.context.now());
  return { ...job, attempt: number };
}

const marksOf = async (job: StoredJob) => {
  const { attemptMarker } = queryJobKeys(job.workspaceId, job.id);
  const found = await Promise.all([1, 2, 3].map((number) => setup.worker.objects.find(attemptMarker(number))));
  return found.flatMap((mark, index) => (mark ? [index + 1] : []));
};

describe('the work on a query job', () => {
  it('is done again after a worker that died of something else', async () => {
    for (const [number, died] of [
      [1, []],
      [2, []],
      [3, []],
      [2, [1]],
      [3, [2]],
    ] as [number, number[]][]) {
      const job = await attempt(number, died);
      expect(await worker().run(job, CONTROL), `attempt ${number}`).toEqual({ rowCount: 1, truncated: false });
      expect(await marksOf(job)).toEqual(died);
    }
  });

  it('is not done a third time when two have died over the engine', async () => {
    await expect(worker().run(await attempt(3, [1, 2]), CONTROL)).rejects.toMatchObject({ code: 'QUERY_TOO_HEAVY' });
  });

  it('leaves no mark when it fails in order', async () => {
    const job = await attempt(1, [], 'SELECT 1 FROM nowhere');
    await expect(worker().run(job, CONTROL)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await marksOf(job)).toEqual([]);
  });
});
