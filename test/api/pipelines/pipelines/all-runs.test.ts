import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { runKey } from '../../../../shared/domains/pipelines/store/run-keys.ts';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { cursors } from '../../../../shared/platform/http/cursor.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { readMasterSecret } from '../../../support/master-secret.ts';
import { dagOf, givenPipeline, runThatIs, SLOW, sql, startedRun, UNKNOWN_ID } from './given.ts';

const RUNS = '/api/pipelines/runs';
const quick = () => dagOf(sql('a', 'SELECT 1 AS x'));
const failing = () => dagOf(sql('a', "SELECT CAST('no' AS INTEGER) AS x"));

const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
const list = async (api: Api, query = '') => (await api.as('viewer').get(`${RUNS}?${query}`)).body;

/** All pages of a list. */
async function listed(api: Api, query: string): Promise<string[]> {
  const found: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await list(api, `${query}${cursor}`);
    found.push(...ids(page));
    if (page.nextCursor === null) return found;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

describe('GET /api/pipelines/runs', () => {
  it('lists runs of all pipelines, newest first, by status, pipeline, trigger and time, and none to strangers', async ({
    api,
  }) => {
    expect(await list(api)).toEqual({ items: [], nextCursor: null, recordedSince: null });
    const [good, bad, slow] = [
      await givenPipeline(api, quick()),
      await givenPipeline(api, failing()),
      await givenPipeline(api, dagOf(sql('a', SLOW)), { concurrency: { onOverlap: 'queue' } }),
    ];
    const first = await startedRun(api, good.id);
    const done = await runThatIs(api, first, 'succeeded');
    const failed = await startedRun(api, bad.id);
    await runThatIs(api, failed, 'failed');
    const backfill = await api
      .as('editor')
      .post(`/api/pipelines/${good.id}/backfill`, { from: '2026-01-01', to: '2026-01-02' });
    const days = backfill.body.runs.map((run: { id: string }) => run.id);
    for (const day of days) await runThatIs(api, day, 'succeeded');
    const active = await startedRun(api, slow.id);
    await runThatIs(api, active, 'running');
    const queued = await startedRun(api, slow.id);

    const all = await list(api);
    expect(ids(all)).toEqual([queued, active, ...ids(all).slice(2, 4), failed, first]);
    expect(ids(all).slice(2, 4).toSorted()).toEqual(days.toSorted());
    expect(all).toMatchObject({ nextCursor: null, recordedSince: done.createdAt });
    const { steps: _steps, dependencies: _dependencies, stepsTotal: _total, stepsNextCursor: _next, ...shown } = done;
    expect(all.items[5]).toEqual(shown);
    expect(all.items[0]).toMatchObject({ status: 'queued', queuePosition: 1 });
    expect(all.items[4].error).toMatchObject({ stepId: 'a' });

    for (const limit of [1, 2, 5]) expect(await listed(api, `limit=${limit}`), String(limit)).toEqual(ids(all));
    for (const [query, expected] of [
      ['status=failed', [failed]],
      ['status=running', [active]],
      ['status=queued', [queued]],
      ['status=cancelled', []],
      ['trigger=backfill', ids(all).slice(2, 4)],
      ['status=succeeded&trigger=manual', [first]],
      [`pipelineId=${slow.id}`, [queued, active]],
      [`pipelineId=${good.id}&trigger=manual`, [first]],
      [`pipelineId=${UNKNOWN_ID}`, []],
      [`to=${all.items[4].createdAt}`, [first]],
      [`from=${all.items[4].createdAt}`, ids(all).slice(0, 5)],
      [`from=${all.items[4].createdAt}&pipelineId=${good.id}`, ids(all).slice(2, 4)],
    ] as const) {
      for (const limit of [1, 50]) expect(await listed(api, `limit=${limit}&${query}`), query).toEqual(expected);
    }
    expect((await api.as('stranger').get(RUNS)).body).toEqual({ items: [], nextCursor: null, recordedSince: null });
    expect((await api.as('stranger').get(`${RUNS}?pipelineId=${good.id}`)).body.items).toEqual([]);

    for (const id of [queued, active]) await api.as('editor').post(`${RUNS}/${id}/cancel`);
    await runThatIs(api, active, 'cancelled');
    await runThatIs(api, queued, 'cancelled');
    expect(await listed(api, 'status=cancelled')).toEqual([queued, active]);
    // A run that is tried again has its place, and another end.
    await api.as('editor').post(`${RUNS}/${failed}/retry`);
    await runThatIs(api, failed, 'failed');
    expect(await listed(api, 'status=failed')).toEqual([failed]);

    const deleted = await api.as('editor').delete(`/api/pipelines/${bad.id}`);
    expect(deleted.status).toBe(204);
    expect(await listed(api, 'status=failed')).toEqual([failed]);
  });

  it('says since when it is complete; older runs are in the lists of their pipelines', async ({ api }) => {
    const pipeline = await givenPipeline(api, quick());
    const old = await startedRun(api, pipeline.id);
    const { createdAt } = await runThatIs(api, old, 'succeeded');
    // As runs from before the list were stored.
    const { db, name: TableName } = api.table;
    const Key = runKey(api.workspaceId, old);
    await db.send(new UpdateCommand({ TableName, Key, UpdateExpression: 'REMOVE isListed' }));
    await db.send(new DeleteCommand({ TableName, Key: workspaceKey(api.workspaceId, 'RUNS', `${createdAt}#${old}`) }));
    const next = await runThatIs(api, await startedRun(api, pipeline.id), 'succeeded');
    expect(await list(api)).toMatchObject({ items: [{ id: next.id }], recordedSince: next.createdAt });
    const ofPipeline = await list(api, `pipelineId=${pipeline.id}&status=succeeded`);
    expect(ofPipeline).toMatchObject({ items: [{ id: next.id }, { id: old }], recordedSince: null });
    // Its next end does not enter it into the list, which would then be taken for complete since its creation.
    await api.as('editor').post(`${RUNS}/${old}/retry`, { fromStep: 'a' });
    await runThatIs(api, old, 'succeeded');
    expect(await list(api)).toMatchObject({ items: [{ id: next.id }], recordedSince: next.createdAt });
  });

  it('rejects a cursor that was made up, belongs to other filters or has expired, and impossible filters', async ({
    api,
  }) => {
    const pipeline = await givenPipeline(api, quick());
    for (let count = 0; count < 2; count++) await runThatIs(api, await startedRun(api, pipeline.id), 'succeeded');
    const { nextCursor } = await list(api, 'limit=1');
    const old = new Date(Date.now() - 24 * 60 * 60 * 1000);
    const expired = await cursors(new MasterSecret(() => readMasterSecret(api.endpoint))).seal(
      { after: old.toISOString(), asOf: old.toISOString() },
      { workspaceId: api.workspaceId, list: ['pipeline-runs', undefined, undefined, undefined, undefined, undefined] },
      old,
    );
    for (const [query, status, code] of [
      ['cursor=x', 400, 'CURSOR_INVALID'],
      [`status=failed&cursor=${nextCursor}`, 400, 'CURSOR_MISMATCH'],
      [`cursor=${expired}`, 404, 'CURSOR_EXPIRED'],
      ['status=over', 400, 'VALIDATION_FAILED'],
      ['pipelineId=x', 400, 'VALIDATION_FAILED'],
      ['from=yesterday', 400, 'VALIDATION_FAILED'],
      ['offset=1', 400, 'VALIDATION_FAILED'],
    ]) {
      expect(await api.as('viewer').get(`${RUNS}?${query}`), query as string).toMatchObject({ status, body: { code } });
    }
  });
});

it('lists pipelines with their latest five runs', async ({ api }) => {
  const pipeline = await givenPipeline(api, quick());
  const started: string[] = [];
  for (let count = 0; count < 6; count++) {
    started.unshift(await startedRun(api, pipeline.id));
    await runThatIs(api, started[0]!, 'succeeded');
  }
  const [shown] = (await api.as('viewer').get('/api/pipelines')).body.items;
  expect(shown.latestRuns.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual(
    started.slice(0, 5).map((id) => [id, 'succeeded']),
  );
  expect(shown.latestRun).toEqual(shown.latestRuns[0]);
  // A run that is repeated is the latest one again.
  await api.as('editor').post(`${RUNS}/${started[2]}/retry`, { fromStep: 'a' });
  await runThatIs(api, started[2]!, 'succeeded');
  const again = (await api.as('viewer').get(`/api/pipelines/${pipeline.id}`)).body.latestRuns;
  expect(again.map(({ id }: { id: string }) => id)).toEqual([2, 0, 1, 3, 4].map((place) => started[place]));
});
