import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { dagOf, givenPipeline, sql } from '../../pipelines/pipelines/given.ts';

it('rejects a schedule whose texts are too long, wherever it can be set', async ({ api }) => {
  const long = { cron: `${'1,'.repeat(100_000)}1 * * * *`, timezone: 'x'.repeat(100_000) };
  const { id } = await givenPipeline(api, dagOf(sql('one', 'SELECT 1 AS id')));
  const issues = (place: string) => [
    { pointer: `${place}/cron`, code: 'MAX_LENGTH' },
    { pointer: `${place}/timezone`, code: 'MAX_LENGTH' },
  ];
  const editor = api.as('editor');
  const direct = await editor.put(`/api/pipelines/${id}/schedule`, long);
  expect(direct).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors: issues('') } });
  const beside = await editor.patch(`/api/pipelines/${id}`, { schedule: long });
  expect(beside).toMatchObject({ status: 400, body: { errors: issues('/schedule') } });
  const inside = await editor.post(`/api/pipelines/${id}/validate`, {
    dag: { ...dagOf(sql('one', 'SELECT 1 AS id')), schedule: long },
  });
  expect(inside.body.issues).toMatchObject(
    issues('/dag/schedule').map(({ pointer, code }) => ({ path: pointer, code })),
  );
});

it('ends a page before it is too large for a reply, and goes on after it without a gap', async ({ api }) => {
  const large = (pipeline: number) =>
    dagOf(
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((step) =>
        sql(`s${step}`, `SELECT ${pipeline} AS n /*${'x'.repeat(95_000)}*/`),
      ),
    );
  const ids: string[] = [];
  for (const pipeline of [1, 2, 3, 4, 5, 6, 7]) ids.unshift((await givenPipeline(api, large(pipeline))).id);
  for (const sort of ['-createdAt', '-updatedAt', 'createdAt']) {
    const found: string[] = [];
    let pages = 0;
    for (let offset = 0; offset < ids.length; pages++) {
      const { status, body } = await api.as('viewer').get(`/api/pipelines?limit=50&offset=${offset}&sort=${sort}`);
      expect(status, JSON.stringify(body).slice(0, 300)).toBe(200);
      expect(body.total).toBe(7);
      found.push(...body.items.map((item: { id: string }) => item.id));
      offset += body.limit;
    }
    expect(found).toEqual(sort === 'createdAt' ? ids.toReversed() : ids);
    expect(pages).toBe(2);
  }
});

it('saves each of fifty edits of one pipeline at once', async ({ api }) => {
  const { id } = await givenPipeline(api, dagOf(sql('one', 'SELECT 1 AS id')));
  await api.token('editor');
  const edits = Array.from({ length: 50 }, (_, edit) =>
    api.as('editor').patch(`/api/pipelines/${id}`, { name: `edit ${edit} of ${id}` }),
  );
  const statuses = (await Promise.all(edits)).map(({ status }) => status);
  expect(statuses).toEqual(Array(50).fill(200));
  expect((await api.as('viewer').get(`/api/pipelines/${id}`)).body.revision).toBe(51);
});

it('answers nesting and forbidden names in texts of a request with an error of the client', async ({ api }) => {
  const { id } = await givenPipeline(api, dagOf(sql('one', 'SELECT 1 AS id')));
  const deep = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
  const validate = (config: string) =>
    api.as('editor').send('POST', `/api/pipelines/${id}/validate`, {
      text: `{"dag":{"version":1,"steps":[{"id":"a","type":"transform_sql","config":${config}}]}}`,
    });
  expect(await validate(`{"sql":${deep(3_000)}}`)).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'MAX_NESTING' }] },
  });
  expect(await validate(`{"ops":[{"op":"derive","column":"x","expression":{"__proto__":1}}]}`)).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'UNKNOWN_MEMBER' }] },
  });
  const ops = await api.as('editor').send('POST', '/api/pipelines/flowlets', {
    text: `{"name":"deep","inputs":[{"name":"input","columns":[{"name":"a","type":"string"}]}],"ops":${deep(60_000)}}`,
  });
  expect(ops).toMatchObject({ status: 400, body: { errors: [{ code: 'MAX_NESTING' }] } });
  const headers = await api.as('editor').send('POST', '/api/webhooks', {
    text: '{"name":"x","url":"https://example.com/","kind":"generic","events":["*"],"headers":{"__proto__":{"a":"b"}}}',
  });
  expect(headers).toMatchObject({ status: 400, body: { errors: [{ pointer: '/headers/__proto__' }] } });
  for (const text of [
    `SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)} AS n`,
    `SELECT ${'['.repeat(20_000)}1${']'.repeat(20_000)} AS n`,
    `SELECT length('${deep(20_000)}'::JSON::VARCHAR) AS n`,
    `SELECT CAST(1 AS ${'STRUCT(a '.repeat(5_000)}INTEGER${')'.repeat(5_000)}) AS n`,
  ]) {
    const reply = await validate(JSON.stringify({ sql: text }));
    expect(reply.status, `${text.slice(0, 30)}: ${JSON.stringify(reply.body).slice(0, 300)}`).toBeLessThan(500);
    const query = await api.as('editor').post('/api/query', { sql: text });
    expect(query.status, `${text.slice(0, 30)}: ${JSON.stringify(query.body).slice(0, 300)}`).toBeLessThan(500);
  }
});

it('reports twelve endless codes of a definition, and the wrong references beside a broken step', async ({ api }) => {
  const { id } = await givenPipeline(api, dagOf(sql('one', 'SELECT 1 AS id')));
  const codes = Array.from({ length: 12 }, (_, index) => ({
    id: `code${index}`,
    type: 'transform_code',
    config: { code: `for (;;) {} // ${index}` },
    dependsOn: ['one'],
  }));
  const dag = {
    version: 1,
    steps: [sql('one', 'SELECT 1 AS id'), ...codes, { ...sql('late', 'SELECT 1 AS id', ['noe']), extra: 1 }],
  };
  const reply = await api.as('editor').post(`/api/pipelines/${id}/validate`, { dag });
  expect(reply.status, JSON.stringify(reply.body).slice(0, 500)).toBe(200);
  const found = reply.body.issues.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
  expect(found).toEqual(
    expect.arrayContaining([
      '/dag/steps/13/extra UNKNOWN_MEMBER',
      '/dag/steps/13/dependsOn/0 STEP_UNKNOWN',
      ...codes.map((_, index) => `/dag/steps/${index + 1}/config/code TIMEOUT`),
    ]),
  );
});
