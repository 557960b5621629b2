import { describe, expect } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { it } from '../../../support/api.ts';
import { dagOf, givenPipeline, simpleDag, sql, UNKNOWN_ID } from './given.ts';

describe('pipelines', () => {
  it('are created with their defaults, listed with their latest run, and kept from strangers', async ({ api }) => {
    const created = await api.as('editor').post('/api/pipelines', {
      name: 'numbers',
      dag: simpleDag(),
      schedule: { cron: '0 6 * * *', timezone: 'Europe/Berlin' },
    });
    expect(created).toMatchObject({
      status: 201,
      body: {
        name: 'numbers',
        status: 'active',
        dagVersion: 1,
        dag: simpleDag(),
        schedule: { cron: '0 6 * * *', timezone: 'Europe/Berlin', enabled: true, nextRunAt: expect.any(String) },
        concurrency: { maxConcurrentRuns: 1, onOverlap: 'skip' },
        failureRecipients: [],
        latestRun: null,
        latestRuns: [],
        activeRuns: 0,
        queuedRuns: 0,
        permission: 'editor',
      },
    });
    const { id } = created.body;
    const seen = { ...created.body, permission: 'viewer' };
    expect((await api.as('viewer').get(`/api/pipelines/${id}`)).body).toEqual(seen);
    expect((await api.as('viewer').get('/api/pipelines')).body).toEqual({
      items: [seen],
      total: 1,
      limit: 50,
      offset: 0,
    });

    for (const path of [`/api/pipelines/${id}`, `/api/pipelines/${UNKNOWN_ID}`]) {
      const reply = await api.as('stranger').get(path);
      expect(reply).toMatchObject({ status: 404, body: { code: 'PIPELINE_NOT_FOUND' } });
    }
    expect((await api.as('stranger').get('/api/pipelines')).body.items).toEqual([]);
    expect(await api.as('viewer').get('/api/pipelines?offset=10001')).toMatchObject({
      status: 400,
      body: { code: 'OFFSET_TOO_LARGE' },
    });
  });

  it('have a name of their own', async ({ api }) => {
    await api.as('editor').post('/api/pipelines', { name: 'Orders', dag: simpleDag() });
    const other = await givenPipeline(api, simpleDag());
    const taken = { status: 409, body: { code: 'PIPELINE_NAME_TAKEN' } };
    expect(await api.as('editor').post('/api/pipelines', { name: 'orders', dag: simpleDag() })).toMatchObject(taken);
    expect(await api.as('editor').patch(`/api/pipelines/${other.id}`, { name: 'ORDERS' })).toMatchObject(taken);
    expect((await api.as('viewer').get('/api/pipelines')).body.total).toBe(2);
  });

  it('are created once per idempotency key, also by requests at the same moment', async ({ api }) => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const post = (name: string) => api.as('editor').post('/api/pipelines', { name, dag: simpleDag() }, { headers });
    const replies = await Promise.all([1, 2, 3, 4].map(() => post('once')));
    const again = await post('once');
    expect(again.status).toBe(201);
    for (const { status, body } of replies) {
      // A repetition during the first request is rejected; `idempotency.test.ts` tests that for each route.
      if (status === 409) expect(body.code).toBe('IDEMPOTENCY_IN_PROGRESS');
      else expect({ status, id: body.id }).toEqual({ status: 201, id: again.body.id });
    }
    expect(await post('other')).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect((await api.as('viewer').get('/api/pipelines')).body.total).toBe(1);
  });

  it('are created once per idempotency key also where they are larger than what a reply is kept of', async ({
    api,
  }) => {
    const large = [1, 2, 3, 4, 5].map((n) => sql(`s${n}`, `SELECT ${n} AS x -- ${'-'.repeat(90_000)}`));
    const post = () =>
      api
        .as('editor')
        .post('/api/pipelines', { name: 'large', dag: dagOf(...large) }, { headers: { 'idempotency-key': 'large' } });
    const [first, again] = [await post(), await post()];
    expect(first.status).toBe(201);
    expect(again).toMatchObject({ status: 201, body: { id: first.body.id, name: 'large' } });
  });

  it('change only as they were read', async ({ api }) => {
    const { id, updatedAt } = await givenPipeline(api, simpleDag());
    const patch = (body: object) => api.as('editor').patch(`/api/pipelines/${id}`, body);
    const changed = await patch({
      name: 'second',
      status: 'paused',
      compute: { size: 'large' },
      expectedUpdatedAt: updatedAt,
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'second', status: 'paused', compute: { size: 'large' }, dagVersion: 1 },
    });
    const stale = await patch({ name: 'third', expectedUpdatedAt: updatedAt });
    expect(stale).toMatchObject({ status: 409, body: { code: 'PIPELINE_CHANGED', current: { name: 'second' } } });
    expect((await api.as('viewer').get(`/api/pipelines/${id}`)).body.name).toBe('second');

    const next = dagOf(sql('a', 'SELECT 2 AS x'));
    expect((await patch({ dag: next })).body).toMatchObject({ dagVersion: 2, dag: next });
    expect(await patch({ dag: dagOf(sql('a', 'SELECT 1', ['a'])) })).toMatchObject({
      status: 422,
      body: { code: 'PIPELINE_DAG_INVALID' },
    });
    expect(await patch({ schedule: { timezone: 'Mars/Olympus' } })).toMatchObject({
      status: 422,
      body: { code: 'PIPELINE_SCHEDULE_INVALID' },
    });
    expect(await api.as('stranger').patch(`/api/pipelines/${id}`, { name: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'PIPELINE_NOT_FOUND' },
    });
    expect((await api.as('viewer').get(`/api/pipelines/${id}`)).body).toMatchObject({ name: 'second', dag: next });
  });

  it('leave their name free when they are deleted', async ({ api }) => {
    const { body } = await api.as('editor').post('/api/pipelines', { name: 'gone', dag: simpleDag() });
    expect(await api.as('stranger').delete(`/api/pipelines/${body.id}`)).toMatchObject({ status: 404 });
    expect(await api.as('editor').delete(`/api/pipelines/${body.id}`)).toMatchObject({ status: 204 });
    expect(await api.as('editor').delete(`/api/pipelines/${body.id}`)).toMatchObject({
      status: 404,
      body: { code: 'PIPELINE_NOT_FOUND' },
    });
    expect(await api.stored(workspaceKey(api.workspaceId, 'DELETED-PIPELINE', body.id))).toMatchObject({
      name: 'gone',
    });
    expect(await api.as('editor').post('/api/pipelines', { name: 'gone', dag: simpleDag() })).toMatchObject({
      status: 201,
    });
  });

  it('can be large', async ({ api }) => {
    const comment = `/* ${'x'.repeat(900)} */`;
    const dag = dagOf(
      ...Array.from({ length: 100 }, (_, index) => sql(`s${index}`, `SELECT ${index} AS x ${comment}`)),
    );
    const { id } = await givenPipeline(api, dag);
    expect((await api.as('viewer').get(`/api/pipelines/${id}`)).body.dag).toMatchObject(dag);
  });
});
