import { describe, expect, vi } from 'vitest';
import { callEcs } from '../../../../packages/local-cloud/testing/index.ts';
import { type Api, it } from '../../../support/api.ts';
import { dagOf, finishedRun, givenFiles, givenPipeline, load, runThatIs, SLOW, sql, startedRun } from './given.ts';

const CLUSTER = 'AnalyticsRuntime-run-step';
const long = (step: ReturnType<typeof sql>, seconds = 3600) => ({
  ...step,
  config: { ...step.config, timeoutSeconds: seconds },
});

async function runningTasks({ endpoint }: Pick<Api, 'endpoint'>): Promise<string[]> {
  return (await callEcs<{ taskArns: string[] }>(endpoint, 'ListTasks', { cluster: CLUSTER })).taskArns;
}

/** Waits until an attempt of the only step is at work. */
const attemptAtWork = (api: Api, runId: string, attempt: number) =>
  vi.waitFor(
    async () => {
      const { body } = await api.as('viewer').get(`/api/pipelines/runs/${runId}`);
      expect(body.steps[0]).toMatchObject({ status: 'running', attempt });
    },
    { timeout: 60_000, interval: 100 },
  );

describe('a step that may take longer than a function lives', () => {
  it('runs in a container between steps in functions, and gives the same rows', async ({ api }) => {
    const source = await givenFiles(api, { 'a.csv': 'n\n1\n2\n3\n' });
    const dag = dagOf(
      { id: 'a', type: 'extract', config: { sourceId: source, object: { path: 'a.csv' } } },
      long(sql('b', 'SELECT n, n * n AS square FROM a', ['a'])),
      load('c', 'b', 'squares'),
    );
    const { run } = await finishedRun(api, dag);
    const rows = await api.as('editor').post('/api/query', { sql: 'SELECT n, square FROM squares ORDER BY n' });
    expect(rows.body.rows).toEqual([
      [1, 1],
      [2, 4],
      [3, 9],
    ]);
    const log = await api.as('viewer').get(`/api/pipelines/runs/${run.id}/steps/b/logs`);
    const lines = JSON.stringify(log.body);
    expect(lines).toMatch(/It runs in a container with \d+ MB of memory: its timeout is 3600 seconds\./);
    expect(run.steps.map(({ attempt }: { attempt: number }) => attempt)).toEqual([1, 1, 1]);
    const usage = await api.as('owner').get('/api/usage/products');
    expect(usage.body.products.pipelines.currentPeriod.execution_seconds).toBeGreaterThan(0);
    expect(await runningTasks(api)).toEqual([]);
  });

  it('is tried again in another container when its container is stopped, and ends when it is cancelled', async ({
    api,
  }) => {
    const retry = { maxAttempts: 2, initialIntervalMs: 100 };
    const { id } = await givenPipeline(api, dagOf(long(sql('a', SLOW, [], { retry }))));
    const runId = await startedRun(api, id);
    await attemptAtWork(api, runId, 1);
    const [task] = await runningTasks(api);
    await callEcs(api.endpoint, 'StopTask', { cluster: CLUSTER, task, reason: 'the host is needed' });
    await attemptAtWork(api, runId, 2);
    expect(await runningTasks(api)).not.toContain(task);

    expect((await api.as('editor').post(`/api/pipelines/runs/${runId}/cancel`)).status).toBe(200);
    const ended = await runThatIs(api, runId, 'cancelled');
    expect(ended.steps).toMatchObject([{ status: 'cancelled', attempt: 2 }]);
    await vi.waitFor(async () => expect(await runningTasks(api)).toEqual([]), { timeout: 90_000 });
  });

  it('may take a day and no longer', async ({ api }) => {
    const { id } = await givenPipeline(api, dagOf(long(sql('a', 'SELECT 1 AS x'), 86_400)));
    const dag = dagOf(long(sql('a', 'SELECT 1 AS x'), 86_401));
    const { status, body } = await api.as('editor').post(`/api/pipelines/${id}/validate`, { dag });
    expect({ status, valid: body.valid }).toEqual({ status: 200, valid: false });
    expect(body.issues).toMatchObject([
      { path: '/dag/steps/0/config/timeoutSeconds', message: expect.stringContaining('86400') },
    ]);
    expect(await api.as('editor').post('/api/pipelines', { name: 'too long', dag })).toMatchObject({ status: 422 });
  });
});
