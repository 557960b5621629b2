import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { dagOf, givenFiles, givenPipeline, load, runThatIs, sendFiles, startedRun, UNKNOWN_ID } from './given.ts';

const MERGE = { mode: 'merge', mergeKey: ['id'] };

/** A pipeline that reads `orders.csv` incrementally into the dataset `orders`, after its first run. */
async function given(api: Api, config: object = MERGE) {
  const sourceId = await givenFiles(api, { 'orders.csv': 'id,at\n1,2026-01-01\n2,2026-01-02\n' });
  const read = {
    id: 'read',
    type: 'extract',
    config: {
      sourceId,
      mode: 'incremental',
      object: { path: 'orders.csv' },
      incremental: { cursorColumn: 'at', primaryKey: ['id'] },
    },
    retry: { maxAttempts: 1 },
  };
  const into = (dataset: string) => dagOf(read, load('keep', 'read', dataset, config));
  const { id } = await givenPipeline(api, into('orders'));
  await runThatIs(api, await startedRun(api, id), 'succeeded');
  return { id, sourceId, into };
}

const idsOf = async (api: Api) => {
  const { body } = await api.as('editor').post('/api/query', { sql: 'SELECT id FROM orders ORDER BY id' });
  return (body.rows as unknown[][]).flat();
};

/** A dataset can be deleted while no pipeline uses it. */
async function dropTarget(api: Api, { id, into }: { id: string; into(dataset: string): object }): Promise<void> {
  const save = (dataset: string) => api.as('editor').patch(`/api/pipelines/${id}`, { dag: into(dataset) });
  expect((await save('others')).status).toBe(200);
  const { items } = (await api.as('viewer').get('/api/datasets?name=orders')).body;
  const dropped = await api.as('owner').delete(`/api/datasets/${items[0].id}`);
  expect(dropped.status, JSON.stringify(dropped.body)).toBe(204);
  expect((await save('orders')).status).toBe(200);
}

const addRow = (api: Api, sourceId: string) =>
  sendFiles(api, sourceId, { 'orders.csv': 'id,at\n1,2026-01-01\n2,2026-01-02\n3,2026-01-03\n' });

describe('an incremental load whose dataset was dropped', () => {
  it('fails with and without new rows, and a full refresh loads all rows again', async ({ api }) => {
    const pipeline = await given(api);
    const { id, sourceId } = pipeline;
    await dropTarget(api, pipeline);
    const unchanged = await runThatIs(api, await startedRun(api, id), 'failed');
    expect(unchanged.error).toMatchObject({ code: 'TARGET_MISSING', stepId: 'keep' });
    expect(unchanged.error.message).toContain('"fullRefresh": ["read"]');
    await addRow(api, sourceId);
    const grown = await runThatIs(api, await startedRun(api, id), 'failed');
    expect(grown.error.code).toBe('TARGET_MISSING');

    const refreshed = await runThatIs(api, await startedRun(api, id, { fullRefresh: ['read'] }), 'succeeded');
    expect(refreshed).toMatchObject({ fullRefresh: ['read'], rowsMoved: 3 });
    expect(await idsOf(api)).toEqual([1, 2, 3]);
    const next = await runThatIs(api, await startedRun(api, id), 'succeeded');
    expect(next).toMatchObject({ fullRefresh: null, rowsMoved: 0 });
  });

  it('fails when it appends, too', async ({ api }) => {
    const pipeline = await given(api, { mode: 'append' });
    const { id } = pipeline;
    await dropTarget(api, pipeline);
    const { error } = await runThatIs(api, await startedRun(api, id), 'failed');
    expect(error.code).toBe('TARGET_MISSING');
    await runThatIs(api, await startedRun(api, id, { fullRefresh: true }), 'succeeded');
    expect(await idsOf(api)).toEqual([1, 2]);
  });
});

describe('a full refresh', () => {
  it('merges all rows again, also those that have changed below the watermark', async ({ api }) => {
    const { id, sourceId } = await given(api);
    await sendFiles(api, sourceId, { 'orders.csv': 'id,at\n1,2026-01-01\n2,2026-01-02\n0,2025-12-31\n' });
    await runThatIs(api, await startedRun(api, id), 'succeeded');
    expect(await idsOf(api)).toEqual([1, 2]);
    await runThatIs(api, await startedRun(api, id, { fullRefresh: true }), 'succeeded');
    expect(await idsOf(api)).toEqual([0, 1, 2]);
  });

  it('does not append rows to a dataset that holds them', async ({ api }) => {
    const { id } = await given(api, { mode: 'append' });
    const { error } = await runThatIs(api, await startedRun(api, id, { fullRefresh: true }), 'failed');
    expect(error).toMatchObject({ code: 'TARGET_NOT_EMPTY', stepId: 'keep' });
    expect(await idsOf(api)).toEqual([1, 2]);
    // The watermark is as before.
    const next = await runThatIs(api, await startedRun(api, id), 'succeeded');
    expect(next.rowsMoved).toBe(0);
  });

  it('forgets the watermark although it finds no rows', async ({ api }) => {
    const { id, sourceId } = await given(api);
    await sendFiles(api, sourceId, { 'orders.csv': 'id,at\n' });
    await runThatIs(api, await startedRun(api, id, { fullRefresh: true }), 'succeeded');
    await sendFiles(api, sourceId, { 'orders.csv': 'id,at\n0,2025-12-31\n' });
    await runThatIs(api, await startedRun(api, id), 'succeeded');
    expect(await idsOf(api)).toEqual([0, 1, 2]);
  });

  it('is rejected for steps that read all rows anyway and for unknown ones', async ({ api }) => {
    const { id } = await given(api);
    const refused = (fullRefresh: unknown) => api.as('editor').post(`/api/pipelines/${id}/run`, { fullRefresh });
    expect(await refused(['reed', 'keep'])).toMatchObject({
      status: 400,
      body: {
        code: 'FULL_REFRESH_INVALID',
        errors: [
          { pointer: '/fullRefresh/0', code: 'STEP_UNKNOWN', message: expect.stringContaining('did you mean "read"') },
          { pointer: '/fullRefresh/1', code: 'NOT_INCREMENTAL' },
        ],
      },
    });
    expect((await refused([])).status).toBe(400);
    expect((await refused('read')).status).toBe(400);
    const stranger = await api.as('stranger').post(`/api/pipelines/${id}/run`, { fullRefresh: true });
    expect(stranger.status).toBe(404);
    const unknown = await api.as('editor').post(`/api/pipelines/${UNKNOWN_ID}/run`, { fullRefresh: true });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'PIPELINE_NOT_FOUND' } });
  });
});
