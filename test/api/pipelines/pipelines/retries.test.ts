import { describe, expect, vi } from 'vitest';
import { it } from '../../../support/api.ts';
import {
  dagOf,
  finishedRun,
  givenFiles,
  givenPipeline,
  load,
  runThatIs,
  SLOW,
  sendFiles,
  sql,
  startedRun,
} from './given.ts';

const ONCE = { maxAttempts: 1 };

describe('POST /api/pipelines/runs/{runId}/retry', () => {
  it('does those items of a block again that failed, and leaves the others as they are', async ({ api }) => {
    const sourceId = await givenFiles(api, { 'a.csv': 'n\n1\n', 'c.csv': 'n\n3\n' });
    const read = {
      id: 'read',
      type: 'extract',
      config: { sourceId, object: { path: '{{ forEach.each.item }}.csv' } },
      retry: ONCE,
    };
    const { run } = await finishedRun(
      api,
      {
        ...dagOf(read, sql('twice', 'SELECT n * 2 AS n FROM read', ['read']), load('keep', 'twice', 'doubled')),
        forEach: [{ id: 'each', items: ['a', 'b', 'c'], steps: ['read', 'twice'] }],
      },
      'failed',
    );
    const reported = (steps: { stepId: string; item: string | null; status: string; attempt: number }[]) =>
      steps.map(({ stepId, item, status, attempt }) => `${stepId} ${item ?? ''} ${status} ${attempt}`).sort();
    expect(reported(run.steps)).toEqual([
      'keep  skipped 0',
      'read a succeeded 1',
      'read b failed 1',
      'read c succeeded 1',
      'twice a succeeded 1',
      'twice b skipped 0',
      'twice c succeeded 1',
    ]);

    await sendFiles(api, sourceId, { 'a.csv': 'n\n100\n', 'b.csv': 'n\n2\n' });
    expect((await api.as('editor').post(`/api/pipelines/runs/${run.id}/retry`)).status).toBe(200);
    expect(reported((await runThatIs(api, run.id, 'succeeded')).steps)).toEqual([
      'keep  succeeded 1',
      'read a succeeded 1',
      'read b succeeded 2',
      'read c succeeded 1',
      'twice a succeeded 1',
      'twice b succeeded 1',
      'twice c succeeded 1',
    ]);
    const { body } = await api.as('editor').post('/api/query', { sql: 'SELECT n FROM doubled ORDER BY n' });
    expect(body.rows).toEqual([[2], [4], [6]]);
  });

  it('goes by the definition that the run began with, as the run itself does', async ({ api }) => {
    const sourceId = await givenFiles(api, {});
    const extract = (id: string, retry: object, dependsOn: string[] = []) => ({
      id,
      type: 'extract',
      config: { sourceId, object: { path: `${id}.csv` } },
      dependsOn,
      retry,
    });
    const patient = { maxAttempts: 10, initialIntervalMs: 1000, backoffCoefficient: 1 };
    const pipeline = await givenPipeline(api, dagOf(extract('late', patient), extract('later', ONCE, ['late'])));
    const runId = await startedRun(api, pipeline.id);
    const stepsOf = async () => (await api.as('viewer').get(`/api/pipelines/runs/${runId}`)).body.steps;
    await vi.waitFor(async () => expect((await stepsOf())[0].attempt).toBeGreaterThan(0), { timeout: 90_000 });
    const changed = await api
      .as('editor')
      .patch(`/api/pipelines/${pipeline.id}`, { dag: dagOf(sql('other', 'SELECT 1 AS x')) });
    expect(changed).toMatchObject({ status: 200, body: { dag: { steps: [{ id: 'other' }] } } });

    await sendFiles(api, sourceId, { 'late.csv': 'n\n1\n' });
    const failed = await runThatIs(api, runId, 'failed');
    expect(failed).toMatchObject({
      error: { code: 'NOT_FOUND', stepId: 'later' },
      steps: [{ stepId: 'late', status: 'succeeded' }, { stepId: 'later' }],
    });
    await sendFiles(api, sourceId, { 'later.csv': 'n\n2\n' });
    expect((await api.as('editor').post(`/api/pipelines/runs/${runId}/retry`)).status).toBe(200);
    const { steps } = await runThatIs(api, runId, 'succeeded');
    expect(steps).toMatchObject([{ stepId: 'late', attempt: failed.steps[0].attempt }, { stepId: 'later' }]);

    const next = await runThatIs(api, await startedRun(api, pipeline.id), 'succeeded');
    expect(next.steps.map(({ stepId }: { stepId: string }) => stepId)).toEqual(['other']);
  });

  it('repeats a run from a step on with the stored rows of the steps before, also if it has succeeded', async ({
    api,
  }) => {
    const dag = dagOf(
      sql('first', 'SELECT 1 AS id'),
      sql('second', 'SELECT id FROM input', ['first']),
      load('keep', 'second', 'repeated', { mode: 'merge', mergeKey: ['id'] }),
    );
    const { run } = await finishedRun(api, dag);
    const repeat = (body: object, actor: 'editor' | 'viewer' | 'stranger' = 'editor') =>
      api.as(actor).post(`/api/pipelines/runs/${run.id}/retry`, body);
    expect(await repeat({})).toMatchObject({ status: 409, body: { code: 'RUN_NOT_FAILED' } });
    expect(await repeat({ fromStep: 'secnd' })).toMatchObject({
      status: 400,
      body: {
        code: 'RUN_STEP_UNKNOWN',
        errors: [{ pointer: '/fromStep', message: expect.stringContaining('"second"') }],
      },
    });
    expect((await repeat({ fromStep: 'second' }, 'viewer')).status).toBe(403);
    expect((await repeat({ fromStep: 'second' }, 'stranger')).status).toBe(404);
    expect((await repeat({ from: 'second' })).status).toBe(400);

    expect(await repeat({ fromStep: 'second' })).toMatchObject({ status: 200, body: { status: 'queued', attempt: 2 } });
    const again = await runThatIs(api, run.id, 'succeeded');
    const attempts = again.steps.map((step: { stepId: string; attempt: number }) => [step.stepId, step.attempt]);
    expect(attempts).toEqual([
      ['first', 1],
      ['second', 2],
      ['keep', 2],
    ]);
    const { body } = await api.as('editor').post('/api/query', { sql: 'SELECT id FROM repeated' });
    expect(body.rows).toEqual([[1]]);
  });

  it('does not repeat loads that have appended, nor runs that are active', async ({ api }) => {
    const dag = dagOf(sql('rows', 'SELECT 1 AS id'), load('keep', 'rows', 'appended', { mode: 'append' }));
    const { run } = await finishedRun(api, dag);
    expect(await api.as('editor').post(`/api/pipelines/runs/${run.id}/retry`, { fromStep: 'rows' })).toMatchObject({
      status: 409,
      body: { code: 'LOAD_NOT_REPEATABLE', stepId: 'keep' },
    });
    const active = await startedRun(api, (await givenPipeline(api, dagOf(sql('slow', SLOW)))).id);
    const busy = await api.as('editor').post(`/api/pipelines/runs/${active}/retry`, { fromStep: 'slow' });
    expect(busy).toMatchObject({ status: 409, body: { code: 'RUN_NOT_ENDED' } });
    await api.as('editor').post(`/api/pipelines/runs/${active}/cancel`);
    await runThatIs(api, active, 'cancelled');
  });
});
