import { describe, expect, vi } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import {
  dagOf,
  givenFiles,
  givenPipeline,
  hookUrl,
  load,
  runThatIs,
  SLOW,
  sendFiles,
  sql,
  startedRun,
  UNKNOWN_ID,
} from './given.ts';

const WEBHOOK = { trigger: { kind: 'webhook' } };
const startedBy = (pipelineId: string, on?: string) => ({
  trigger: { kind: 'pipeline', pipelineId, ...(on ? { on } : {}) },
});

async function hook(api: Api, dag: object = { ...dagOf(sql('a', 'SELECT 1 AS x')), ...WEBHOOK }, more: object = {}) {
  const { id } = await givenPipeline(api, dag, more);
  const url = await hookUrl(api, id);
  const { pathname, search } = url;
  return { id, path: `${pathname}${search}`, url: url.href, token: search.slice('?token='.length) };
}

/** As a caller who has nothing but the URL. */
const post = (api: Api, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  api.as('anonymous').post(path, body, { headers });

const runsOf = async (api: Api, id: string) => (await api.as('viewer').get(`/api/pipelines/${id}/runs`)).body;

describe('the webhook trigger', () => {
  it('starts a run with the body bound to parameters and at hand as a whole', async ({ api }) => {
    const { id, url } = await hook(api, {
      ...dagOf(
        sql(
          'a',
          "SELECT {{ params.region }} AS region, json_extract_string({{ trigger.body }}, '$.other.x') AS x, {{ trigger.body }}::VARCHAR AS body",
        ),
        load('b', 'a', 'called'),
      ),
      ...WEBHOOK,
      parameters: [{ name: 'region', type: 'string', required: true }],
    });
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{ "region": "nor'th", "other": { "x": "42" }, "id": 12345678901234567890, "price": 1.10 }`,
    });
    expect(reply.status).toBe(201);
    const started = (await reply.json()) as { id: string };
    expect(started).toMatchObject({ pipelineId: id, trigger: { kind: 'webhook', actor: null } });
    await runThatIs(api, started.id, 'succeeded');
    const rows = await api.as('editor').post('/api/query', { sql: 'SELECT * FROM called' });
    const body = `{"region":"nor'th","other":{"x":"42"},"id":12345678901234567890,"price":1.10}`;
    expect(rows.body.rows).toEqual([["nor'th", '42', body]]);
  });

  it('refuses every token but its own, and says nothing about what it was tried on', async ({ api }) => {
    const { id, path, token } = await hook(api);
    const other = await hook(api);
    const wrong = [
      '',
      'x',
      token.slice(0, -1),
      `${token}A`,
      token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      other.token,
      Buffer.alloc(50).toString('base64url'),
      'A'.repeat(200),
    ];
    for (const tried of wrong) {
      const reply = await post(api, `/api/pipelines/${id}/webhook?token=${tried}`, {});
      expect(reply, tried).toMatchObject({ status: 401, body: { code: 'WEBHOOK_TOKEN_INVALID' } });
      const unknown = await post(api, `/api/pipelines/${UNKNOWN_ID}/webhook?token=${tried}`, {});
      expect(unknown, tried).toMatchObject({ status: 401, body: { code: 'WEBHOOK_TOKEN_INVALID' } });
    }
    expect((await post(api, `/api/pipelines/${id}/webhook`, {})).status).toBe(401);
    expect((await runsOf(api, id)).total).toBe(0);
    expect((await post(api, path, {})).status).toBe(201);
  });

  it('answers a repeated call with the same run, and a call with another key with another', async ({ api }) => {
    const { id, path } = await hook(api, undefined, { concurrency: { maxConcurrentRuns: 5 } });
    const first = await post(api, path, { n: 1 }, { 'idempotency-key': 'one' });
    const again = await post(api, path, { n: 1 }, { 'idempotency-key': 'one' });
    const other = await post(api, path, { n: 1 }, { 'idempotency-key': 'two' });
    expect([first.status, again.status, other.status]).toEqual([201, 201, 201]);
    expect(again.body.id).toBe(first.body.id);
    expect(other.body.id).not.toBe(first.body.id);
    expect([first, again, other].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([
      null,
      'true',
      null,
    ]);
    expect(await post(api, path, { n: 2 }, { 'idempotency-key': 'one' })).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    expect((await runsOf(api, id)).total).toBe(2);
  });

  it('keeps the refusals of a start: parameters, overlap, pause, size', async ({ api }) => {
    const { id, path } = await hook(api, {
      ...dagOf(sql('a', SLOW)),
      ...WEBHOOK,
      parameters: [{ name: 'n', type: 'number', required: true }],
    });
    expect(await post(api, path, { n: 'x' })).toMatchObject({ status: 400, body: { code: 'RUN_PARAMETERS_INVALID' } });
    const bodyOf = (bytes: number) => ({ n: 1, more: 'x'.repeat(bytes - JSON.stringify({ n: 1, more: '' }).length) });
    expect(await post(api, path, bodyOf(262_145))).toMatchObject({
      status: 413,
      body: { code: 'TRIGGER_BODY_TOO_LARGE' },
    });
    const started = await post(api, path, bodyOf(262_144));
    expect(started.status).toBe(201);
    expect(await post(api, path, { n: 1 })).toMatchObject({ status: 409, body: { code: 'RUN_OVERLAP' } });
    await api.as('editor').post(`/api/pipelines/runs/${started.body.id}/cancel`);
    await runThatIs(api, started.body.id, 'cancelled');
    await api.as('editor').patch(`/api/pipelines/${id}`, { status: 'paused' });
    expect(await post(api, path, { n: 1 })).toMatchObject({ status: 409, body: { code: 'PIPELINE_PAUSED' } });
    expect((await runsOf(api, id)).total).toBe(1);
  });

  it('keeps what became of its calls: one record of each run, one of many refusals, none of wrong tokens', async ({
    api,
  }) => {
    const { id, path } = await hook(api, {
      ...dagOf(sql('a', SLOW)),
      ...WEBHOOK,
      parameters: [{ name: 'n', type: 'number', required: true }],
    });
    const call = (body: object) => post(api, path, body, { 'idempotency-key': 'one' });
    const { body: run } = await call({ n: 1 });
    expect((await call({ n: 1 })).body.id).toBe(run.id);
    for (let calls = 0; calls < 8; calls++) expect((await post(api, path, { n: 1 })).status).toBe(409);
    expect((await post(api, path, { n: 'x' })).status).toBe(400);
    expect((await post(api, path, { n: 1, more: 'x'.repeat(262_144) })).status).toBe(413);
    expect((await post(api, `${path}x`, { n: 1 })).status).toBe(401);
    await api.as('editor').post(`/api/pipelines/runs/${run.id}/cancel`);
    await runThatIs(api, run.id, 'cancelled');
    await api.as('editor').patch(`/api/pipelines/${id}`, { status: 'paused' });
    expect((await post(api, path, { n: 1 })).status).toBe(409);

    const { items } = (await api.as('viewer').get(`/api/pipelines/${id}/triggers`)).body;
    const record = (outcome: string, reason: string | null, more: object = {}) => ({
      kind: 'webhook',
      outcome,
      reason,
      runId: null,
      activeRunIds: [],
      scheduledAt: null,
      upstreamRunId: null,
      ...more,
    });
    const overlap = record('skipped', 'RUN_OVERLAP', { activeRunIds: [run.id] });
    const others = [
      record('started', null, { runId: run.id }),
      record('refused', 'RUN_PARAMETERS_INVALID'),
      record('refused', 'TRIGGER_BODY_TOO_LARGE'),
      record('refused', 'PIPELINE_PAUSED'),
    ];
    const isOverlap = ({ reason }: { reason: string }) => reason === 'RUN_OVERLAP';
    expect(items.filter((item: never) => !isOverlap(item))).toHaveLength(others.length);
    for (const expected of [overlap, ...others]) expect(items).toContainEqual(expect.objectContaining(expected));
    // A minute may have begun between two of the calls.
    expect(items.filter(isOverlap).length).toBeLessThanOrEqual(2);
  });

  it('forgets earlier URLs when it is rotated, and all of them when the trigger is taken away', async ({ api }) => {
    const { id, path } = await hook(api);
    const rotated = await api.as('editor').post(`/api/pipelines/${id}/webhook/rotate`);
    expect(rotated).toMatchObject({ status: 200, body: { method: 'POST', tokenCreatedAt: expect.any(String) } });
    expect((await post(api, path, {})).status).toBe(401);
    const { pathname, search } = new URL(rotated.body.url);
    const started = await post(api, `${pathname}${search}`, {});
    expect(started.status).toBe(201);
    await runThatIs(api, started.body.id, 'succeeded');

    await api.as('editor').patch(`/api/pipelines/${id}`, { dag: dagOf(sql('a', 'SELECT 1 AS x')) });
    const gone = { status: 404, body: { code: 'WEBHOOK_TRIGGER_NOT_FOUND' } };
    expect(await post(api, `${pathname}${search}`, {})).toMatchObject(gone);
    expect(await api.as('editor').get(`/api/pipelines/${id}/webhook`)).toMatchObject(gone);
    expect(await api.as('editor').post(`/api/pipelines/${id}/webhook/rotate`)).toMatchObject(gone);
    const deleted = await hook(api);
    await api.as('editor').delete(`/api/pipelines/${deleted.id}`);
    const unknown = { status: 404, body: { code: 'PIPELINE_NOT_FOUND' } };
    expect(await post(api, deleted.path, {})).toMatchObject(unknown);
  });

  it('shows its URL to callers who may start the pipeline, and to no stranger', async ({ api }) => {
    const { id } = await hook(api);
    for (const [method, path] of [
      ['GET', `/api/pipelines/${id}/webhook`],
      ['POST', `/api/pipelines/${id}/webhook/rotate`],
    ] as const) {
      expect((await api.as('viewer').send(method, path)).status).toBe(403);
      expect(await api.as('stranger').send(method, path)).toMatchObject({
        status: 404,
        body: { code: 'PIPELINE_NOT_FOUND' },
      });
    }
    expect((await api.as('stranger').get(`/api/pipelines/${id}/triggers`)).status).toBe(404);
  });
});

describe('the pipeline trigger', () => {
  it('starts one run for each end that it waits for, and keeps a record of it', async ({ api }) => {
    const upstream = await givenPipeline(api, dagOf(sql('a', 'SELECT 1 AS x')));
    const failing = await givenPipeline(api, dagOf(sql('a', "SELECT CAST('no' AS INTEGER) AS x")));
    const onSuccess = await givenPipeline(api, {
      ...dagOf(sql('a', 'SELECT {{ trigger.upstreamRunId }} AS x'), load('b', 'a', 'upstream_ids')),
      ...startedBy(upstream.id),
    });
    const onFailed = await givenPipeline(api, { ...dagOf(sql('a', 'SELECT 1 AS x')), ...startedBy(failing.id) });
    const onEnd = await givenPipeline(api, {
      ...dagOf(sql('a', 'SELECT 1 AS x')),
      ...startedBy(failing.id, 'completion'),
    });

    const [run, failed] = await Promise.all([startedRun(api, upstream.id), startedRun(api, failing.id)]);
    await Promise.all([runThatIs(api, run, 'succeeded'), runThatIs(api, failed, 'failed')]);
    const [mine] = await vi.waitFor(async () => {
      const [first, last] = [await runsOf(api, onSuccess.id), await runsOf(api, onEnd.id)];
      expect([first.total, last.total]).toEqual([1, 1]);
      return first.items;
    }, 60_000);
    expect(mine.trigger).toMatchObject({ kind: 'pipeline', upstreamRunId: run });
    await runThatIs(api, mine.id, 'succeeded');
    expect((await api.as('editor').post('/api/query', { sql: 'SELECT * FROM upstream_ids' })).body.rows).toEqual([
      [run],
    ]);
    expect((await runsOf(api, onFailed.id)).total).toBe(0);
    const { body } = await api.as('viewer').get(`/api/pipelines/${onSuccess.id}/triggers`);
    expect(body.items).toMatchObject([
      { kind: 'pipeline', outcome: 'started', runId: mine.id, upstreamRunId: run, reason: null },
    ]);
  });

  it('lets ends wait for a busy pipeline, and starts them one after the other as soon as it is free', async ({
    api,
  }) => {
    const upstream = await givenPipeline(api, dagOf(sql('a', 'SELECT 1 AS x')), {
      concurrency: { maxConcurrentRuns: 6 },
    });
    const mine = await givenPipeline(api, { ...dagOf(sql('a', SLOW)), ...startedBy(upstream.id) });
    const busy = await startedRun(api, mine.id);
    const ends: string[] = [];
    for (let end = 0; end < 4; end++) {
      const run = await runThatIs(api, await startedRun(api, upstream.id), 'succeeded');
      ends.push(run.id);
    }
    const waits = async () => (await api.as('viewer').get(`/api/pipelines/${mine.id}/triggers`)).body.items;
    await vi.waitFor(async () => expect(await waits()).toHaveLength(4), 30_000);
    const quick = { ...dagOf(sql('a', 'SELECT 1 AS x')), ...startedBy(upstream.id) };
    expect((await api.as('editor').patch(`/api/pipelines/${mine.id}`, { dag: quick })).status).toBe(200);
    const freedAt = Date.now();
    expect((await api.as('editor').post(`/api/pipelines/runs/${busy}/cancel`)).status).toBe(200);
    const runs = await vi.waitFor(async () => {
      const { items } = await runsOf(api, mine.id);
      expect(items.map(({ status }: { status: string }) => status)).toEqual([
        ...Array(4).fill('succeeded'),
        'cancelled',
      ]);
      return items;
    }, 60_000);
    // The minute tick alone would need more than three minutes.
    expect(Date.now() - freedAt).toBeLessThan(55_000);
    const started = runs.slice(0, 4).reverse();
    expect(started.map(({ trigger }: { trigger: { upstreamRunId: string } }) => trigger.upstreamRunId)).toEqual(ends);
    const outcomes = (await waits()).map(({ outcome }: { outcome: string }) => outcome).sort();
    expect(outcomes).toEqual([...Array(4).fill('skipped'), ...Array(4).fill('started')]);
  });

  it('is refused in a circle, for a stranger’s pipeline and for one that is not there', async ({ api }) => {
    const first = await givenPipeline(api, dagOf(sql('a', 'SELECT 1 AS x')));
    const second = await givenPipeline(api, { ...dagOf(sql('a', 'SELECT 1 AS x')), ...startedBy(first.id) });
    const circle = { dag: { ...dagOf(sql('a', 'SELECT 1 AS x')), ...startedBy(second.id) } };
    expect(await api.as('editor').patch(`/api/pipelines/${first.id}`, circle)).toMatchObject({
      status: 422,
      body: { code: 'PIPELINE_DAG_INVALID', errors: [{ pointer: '/dag/trigger/pipelineId', code: 'PIPELINE_CYCLE' }] },
    });
    const unknown = { name: 'unknown', dag: { ...dagOf(sql('a', 'SELECT 1 AS x')), ...startedBy(UNKNOWN_ID) } };
    expect(await api.as('editor').post('/api/pipelines', unknown)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/dag/trigger/pipelineId', code: 'PIPELINE_UNKNOWN' }] },
    });
    const theirs = { name: 'theirs', dag: { ...dagOf(sql('a', 'SELECT 1 AS x')), ...startedBy(first.id) } };
    expect(await api.as('stranger').post('/api/pipelines', theirs)).toMatchObject({
      status: 422,
      body: { errors: [{ code: 'PIPELINE_UNKNOWN' }] },
    });
    await api.as('editor').delete(`/api/pipelines/${first.id}`);
    expect((await api.as('editor').post(`/api/pipelines/${second.id}/validate`)).body).toMatchObject({
      valid: false,
      issues: [{ path: '/dag/trigger/pipelineId', code: 'PIPELINE_UNKNOWN' }],
    });
  });

  it('follows a changed definition: the old upstream starts it no more', async ({ api }) => {
    const [one, two] = [
      await givenPipeline(api, dagOf(sql('a', 'SELECT 1 AS x'))),
      await givenPipeline(api, dagOf(sql('a', 'SELECT 2 AS x'))),
    ];
    const mine = await givenPipeline(api, { ...dagOf(sql('a', 'SELECT 1 AS x')), ...startedBy(one.id) });
    const dag = { ...dagOf(sql('a', 'SELECT 1 AS x')), ...startedBy(two.id) };
    expect((await api.as('editor').patch(`/api/pipelines/${mine.id}`, { dag })).status).toBe(200);
    await runThatIs(api, await startedRun(api, one.id), 'succeeded');
    await runThatIs(api, await startedRun(api, two.id), 'succeeded');
    await vi.waitFor(async () => expect((await runsOf(api, mine.id)).total).toBe(1), 20_000);
    const { kind, upstreamRunId } = (await runsOf(api, mine.id)).items[0].trigger;
    expect(kind).toBe('pipeline');
    expect((await api.as('viewer').get(`/api/pipelines/runs/${upstreamRunId}`)).body.pipelineId).toBe(two.id);
  });
});

describe('the file trigger', () => {
  const onFiles = (sourceId: string, more: object = {}) => ({
    ...dagOf(sql('a', 'SELECT unnest({{ trigger.files }}) AS path'), load('b', 'a', 'arrived')),
    trigger: { kind: 'file_arrival', sourceId, path: 'in/**/*.csv', quietSeconds: 1, ...more },
  });

  it('starts one run for the files that have arrived together, and gives it their paths', async ({ api }) => {
    const sourceId = await givenFiles(api, { 'in/before.csv': 'x\n1\n' });
    const pipeline = await givenPipeline(api, onFiles(sourceId, { minFiles: 2 }));
    await sendFiles(api, sourceId, { 'in/b.csv': 'x\n1\n', 'in/2026/a.csv': 'x\n1\n', 'in/c.txt': 'no' });
    const [run] = await vi.waitFor(async () => {
      const { items, total } = await runsOf(api, pipeline.id);
      expect([total, items.length]).toEqual([1, 1]);
      return items;
    }, 90_000);
    expect(run.trigger).toMatchObject({ kind: 'file_arrival', actor: null });
    await runThatIs(api, run.id, 'succeeded');
    const rows = await api.as('editor').post('/api/query', { sql: 'SELECT path FROM arrived ORDER BY path' });
    expect(rows.body.rows).toEqual([['in/2026/a.csv'], ['in/b.csv']]);
    expect((await api.as('viewer').get(`/api/pipelines/${pipeline.id}/triggers`)).body.items).toMatchObject([
      { kind: 'file_arrival', outcome: 'started', runId: run.id },
    ]);
  });

  it('can read all files of the batch as one table, under the names of all their columns', async ({ api }) => {
    const sourceId = await givenFiles(api, {});
    const read = { id: 'read', type: 'extract', config: { sourceId, object: { path: '{{ trigger.files }}' } } };
    const dag = { ...onFiles(sourceId, { minFiles: 3 }), ...dagOf(read, load('keep', 'read', 'all_rows')) };
    const { id } = await givenPipeline(api, dag);
    await sendFiles(api, sourceId, {
      'in/a.csv': 'x,y\n1,a\n',
      'in/b.csv': 'x,z\n2,b\n',
      'in/c.csv': 'x,y\n3,c\n',
    });
    const [run] = await vi.waitFor(async () => {
      const { items, total } = await runsOf(api, id);
      expect([total, items.length]).toEqual([1, 1]);
      return items;
    }, 90_000);
    await runThatIs(api, run.id, 'succeeded');
    const rows = await api.as('editor').post('/api/query', { sql: 'SELECT x, y, z FROM all_rows ORDER BY x' });
    expect(rows.body.rows).toEqual([
      [1, 'a', null],
      [2, null, 'b'],
      [3, 'c', null],
    ]);
    const within = { ...read, config: { sourceId, object: { path: 'in/{{ trigger.files }}' } } };
    expect(await api.as('editor').patch(`/api/pipelines/${id}`, { dag: { ...dag, steps: [within] } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/dag/steps/0/config/object/path', code: 'NOT_ALLOWED' }] },
    });
  });

  it('lets files wait while the pipeline is paused, and starts when it goes on', async ({ api }) => {
    const sourceId = await givenFiles(api, {});
    const { id } = await givenPipeline(api, onFiles(sourceId, { quietSeconds: 0 }), { status: 'paused' });
    await sendFiles(api, sourceId, { 'in/a.csv': 'x\n1\n' });
    await vi.waitFor(async () => {
      const { body } = await api.as('viewer').get(`/api/pipelines/${id}/triggers`);
      expect(body.items).toMatchObject([{ outcome: 'refused', reason: 'PIPELINE_PAUSED' }]);
    }, 90_000);
    expect((await runsOf(api, id)).total).toBe(0);
    expect((await api.as('editor').patch(`/api/pipelines/${id}`, { status: 'active' })).status).toBe(200);
    await vi.waitFor(async () => expect((await runsOf(api, id)).total).toBe(1), 90_000);
  });

  it('is refused for a source that is not there, a stranger’s, and one without files', async ({ api }) => {
    const sourceId = await givenFiles(api, {});
    const refused = (code: string) => ({
      status: 422,
      body: { code: 'PIPELINE_DAG_INVALID', errors: [{ pointer: '/dag/trigger/sourceId', code }] },
    });
    const post = (actor: 'editor' | 'stranger', of: string) =>
      api.as(actor).post('/api/pipelines', { name: 'on files', dag: onFiles(of) });
    expect(await post('editor', UNKNOWN_ID)).toMatchObject(refused('SOURCE_UNKNOWN'));
    expect(await post('stranger', sourceId)).toMatchObject(refused('SOURCE_UNKNOWN'));
    const postgres = await api.as('owner').post('/api/data-sources', {
      name: 'no files',
      type: 'postgres',
      config: { host: 'db.example.com', database: 'd', user: 'u' },
      secrets: { password: 'p' },
    });
    expect(postgres.status, JSON.stringify(postgres.body)).toBe(201);
    expect(await post('editor', postgres.body.id)).toMatchObject(refused('SOURCE_WITHOUT_FILES'));
  });
});
