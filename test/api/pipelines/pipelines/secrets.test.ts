import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { secretReferences } from '../../../../shared/domains/warehouse/secrets/references.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { dagOf, finishedRun, givenPipeline, load, runThatIs, type StepInput, sql, startedRun } from './given.ts';

const ROUNDS = 6;

const put = (api: Api, name: string, value: string, actor: 'owner' | 'stranger' = 'owner') =>
  api.as(actor).put(`/api/secrets/${name}`, { value });
const remove = (api: Api, name: string) => api.as('owner').delete(`/api/secrets/${name}`);
const code = (text: string, env: object, more: object = {}): StepInput => ({
  id: 'made',
  type: 'transform_code',
  dependsOn: ['rows'],
  config: { code: text, env, outputSchema: [{ name: 'text', type: 'string' }] },
  ...more,
});
const rows = sql('rows', 'SELECT 1 AS n');
/** Answers what it was given, in a form that no mask knows. */
const SPELLING = "function transform(rows, { env }) { return [{ text: [...env.KEY].join(' ') }]; }";
const spelt = (text: string) => [...text].join(' ');
const read = async (api: Api, query: string) => (await api.as('editor').post('/api/query', { sql: query })).body.rows;

describe('secrets in the env of code', () => {
  it('are what they are when the step begins, and never those of another workspace', async ({ api }) => {
    await put(api, 'TOKEN', 'the first value');
    await put(api, 'TOKEN', "a stranger's value", 'stranger');
    const dag = dagOf(rows, code(SPELLING, { KEY: 'Bearer {{ secrets.TOKEN }}' }), load('keep', 'made', 'reported'));
    const { pipeline, run } = await finishedRun(api, dag);
    expect(await read(api, 'SELECT * FROM reported')).toEqual([[spelt('Bearer the first value')]]);

    const next = 'line one is here\nline $& {{ params.x }}\u0000 ключ';
    await put(api, 'TOKEN', next);
    await runThatIs(api, await startedRun(api, pipeline.id), 'succeeded');
    expect(await read(api, 'SELECT * FROM reported')).toEqual([[spelt(`Bearer ${next}`)]]);

    const theirs = await api.as('stranger').post('/api/pipelines', { name: 'theirs', dag: dagOf(rows, dag.steps[1]!) });
    expect(theirs.status, JSON.stringify(theirs.body)).toBe(201);
    for (const path of [`/api/pipelines/${pipeline.id}`, `/api/pipelines/runs/${run.id}`]) {
      expect(JSON.stringify((await api.as('editor').get(path)).body)).not.toContain('the first value');
    }
  });

  it('are masked in the log, in errors and in a preview, whole, cut off and line by line', async ({ api }) => {
    const token = `tok-${'0123456789abcdef'.repeat(20)}`;
    await put(api, 'TOKEN', token);
    await put(api, 'PEM', '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\n-----END PRIVATE KEY-----\n');
    const env = { KEY: '{{ secrets.TOKEN }}', PEM: '{{secrets.PEM}}' };
    const telling = `function transform(rows, { env }) {
      console.log('token', env.KEY);
      for (const line of env.PEM.split('\\n')) console.log('pem', line);
      return [{ text: 'is ' + env.KEY }];
    }`;
    const { pipeline, run } = await finishedRun(api, dagOf(rows, code(telling, env)));
    const logs = (await api.as('viewer').get(`/api/pipelines/runs/${run.id}/steps/made/logs`)).body.lines;
    const messages = logs.map(({ message }: { message: string }) => message);
    expect(messages).toEqual(expect.arrayContaining(['token ******', 'pem ******']));
    expect(JSON.stringify(logs)).not.toMatch(/0123456789|MIIE|PRIVATE/);

    const preview = (dag?: object) =>
      api.as('editor').post(`/api/pipelines/${pipeline.id}/transform-preview`, { stepId: 'made', ...(dag && { dag }) });
    const shown = await preview();
    expect(shown, JSON.stringify(shown.body)).toMatchObject({ status: 200, body: { rows: [['is ******']] } });
    expect(JSON.stringify(shown.body)).not.toMatch(/0123456789|MIIE|PRIVATE/);

    const unfit = code('function transform(rows, { env }) { return [{ n: env.KEY }]; }', env, {
      config: {
        code: 'function transform(rows, { env }) { return [{ n: env.KEY }]; }',
        env,
        outputSchema: [{ name: 'n', type: 'integer' }],
      },
      retry: { maxAttempts: 1 },
    });
    const refused = await preview(dagOf(rows, unfit));
    expect(refused).toMatchObject({ status: 422, body: { code: 'PREVIEW_FAILED', errors: [{ code: 'CODE_ERROR' }] } });
    const failed = await finishedRun(api, dagOf(rows, unfit), 'failed');
    for (const said of [refused.body, failed.run]) {
      expect(JSON.stringify(said)).toContain('******');
      expect(JSON.stringify(said)).not.toContain('0123456789');
    }
  });

  it('are masked in the samples of gates, which are kept, and settings beside them are not', async ({ api }) => {
    await put(api, 'TOKEN', 'tok-0123456789abcdef');
    const text = 'rows => [{ text: env.KEY }, { text: env.KIND }]';
    const config = {
      code: `function transform(rows, { env }) { return (${text})(rows).map((row) => ({ ...row, n: null })); }`,
      env: { KEY: '{{ secrets.TOKEN }}', KIND: 'invoice' },
      outputSchema: [
        { name: 'text', type: 'string' },
        { name: 'n', type: 'integer' },
      ],
      gates: [{ id: 'numbered', type: 'not_null', column: 'n', action: 'warn' }],
    };
    const { pipeline } = await finishedRun(api, dagOf(rows, code('', {}, { config })));
    const { body } = await api.as('editor').get(`/api/pipelines/${pipeline.id}/quality`);
    expect(body.items).toMatchObject([
      {
        stepId: 'made',
        sample: {
          columns: ['text', 'n'],
          rows: [
            ['******', null],
            ['invoice', null],
          ],
        },
      },
    ]);
  });

  it('that fill env beyond its limit fail the step once and refuse a preview', async ({ api }) => {
    await put(api, 'LONG', 'x'.repeat(32 * 1024));
    const tooMuch = code(SPELLING, { KEY: '{{secrets.LONG}}'.repeat(9) });
    const { pipeline, run } = await finishedRun(api, dagOf(rows, tooMuch), 'failed');
    expect(run.steps[1]).toMatchObject({ status: 'failed', attempt: 1, error: { code: 'RESULT_TOO_LARGE' } });
    expect(
      await api.as('editor').post(`/api/pipelines/${pipeline.id}/transform-preview`, { stepId: 'made' }),
    ).toMatchObject({
      status: 422,
      body: { code: 'PREVIEW_FAILED', errors: [{ pointer: '/stepId', code: 'RESULT_TOO_LARGE' }] },
    });
  });

  it('are refused by name where there is none, and where they cannot stand', async ({ api }) => {
    await put(api, 'known', 'x');
    await put(api, 'theirs', 'x', 'stranger');
    const env = { A: '{{ secrets.known }}', B: 'x {{ secrets.theirs }}', C: '{{ secrets.KNOWN }}' };
    const dag = dagOf(rows, code(SPELLING, env));
    const errors = ['B', 'C'].map((name) => ({
      pointer: `/dag/steps/1/config/env/${name}`,
      code: 'SECRET_UNKNOWN',
      message: `The workspace has no secret "${name === 'B' ? 'theirs' : 'KNOWN'}".`,
    }));
    expect(await api.as('editor').post('/api/pipelines', { name: 'p', dag })).toMatchObject({
      status: 422,
      body: { code: 'PIPELINE_DAG_INVALID', errors },
    });
    const { id } = await givenPipeline(api, dagOf(rows));
    const validated = await api.as('editor').post(`/api/pipelines/${id}/validate`, { dag });
    expect(validated.body.issues).toHaveLength(2);
    const inSql = dagOf(sql('rows', 'SELECT {{ secrets.known }} AS a'));
    expect(await api.as('editor').patch(`/api/pipelines/${id}`, { dag: inSql })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/dag/steps/0/config/sql', code: 'SECRET_NOT_ALLOWED' }] },
    });
    const many = Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`E${n}`, `{{ secrets.s${n} }}`]));
    expect(
      await api.as('editor').patch(`/api/pipelines/${id}`, { dag: dagOf(rows, code(SPELLING, many)) }),
    ).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/dag/steps', code: 'TOO_MANY_SECRETS' }] },
    });
  });

  it('cannot be deleted while a pipeline names them, however close the two come', async ({ api }) => {
    const editor = api.as('editor');
    const dag = (name: string) => dagOf(rows, code(SPELLING, { KEY: `{{ secrets.${name} }}` }));
    const save = (secret: string, name: string) => editor.post('/api/pipelines', { name, dag: dag(secret) });
    for (let round = 0; round < ROUNDS; round++) {
      const secret = `S${round}`;
      await put(api, secret, 'x');
      const [saved, removed] = await Promise.all([save(secret, `pipeline ${round}`), remove(api, secret)]);
      if (saved.status === 201) {
        expect(removed).toMatchObject({ status: 409, body: { code: 'REFERENCED' } });
      } else {
        expect(saved.body.errors).toMatchObject([{ code: 'SECRET_UNKNOWN' }]);
        expect(removed.status).toBe(204);
        expect(await secretReferences(api.table).read(api.workspaceId, secret)).toEqual([]);
      }
    }
    for (const name of ['one', 'other']) await put(api, name, 'x');
    const { id } = (await save('one', 'p')).body;
    const referencedBy = [{ type: 'pipeline', id, name: 'p' }];
    expect(await remove(api, 'one')).toMatchObject({ status: 409, body: { code: 'REFERENCED', referencedBy } });
    expect((await editor.patch(`/api/pipelines/${id}`, { dag: dag('other') })).status).toBe(200);
    expect((await remove(api, 'one')).status).toBe(204);
    expect((await remove(api, 'other')).status).toBe(409);
    expect((await editor.delete(`/api/pipelines/${id}`)).status).toBe(204);
    expect((await remove(api, 'other')).status).toBe(204);
  });

  it('that are gone by then fail the step once, by name', async ({ api }) => {
    await put(api, 'GONE', 'here for now');
    const failing = "function transform() { throw new Error('not yet'); }";
    const once = { retry: { maxAttempts: 3, nonRetryableErrors: ['CODE_ERROR'] } };
    const dag = dagOf(rows, code(failing, { KEY: '{{ secrets.GONE }}' }, once));
    const { pipeline, run } = await finishedRun(api, dag, 'failed');
    expect((await api.as('editor').patch(`/api/pipelines/${pipeline.id}`, { dag: dagOf(rows) })).status).toBe(200);
    expect((await remove(api, 'GONE')).status).toBe(204);
    // A run that is tried again goes on with the definition that it began with.
    expect((await api.as('editor').post(`/api/pipelines/runs/${run.id}/retry`)).status).toBe(200);
    const error = {
      code: 'SECRET_NOT_FOUND',
      stepId: 'made',
      message: 'The workspace has no secret GONE; create it or remove the reference.',
    };
    await expect
      .poll(async () => (await api.as('viewer').get(`/api/pipelines/runs/${run.id}`)).body, { timeout: 90_000 })
      .toMatchObject({ status: 'failed', error });
    const again = (await api.as('viewer').get(`/api/pipelines/runs/${run.id}`)).body;
    // Of which the first was the one before.
    expect(again.steps[1].attempt).toBe(2);
  });

  it('that are gone by then refuse a preview, by name', async ({ api }) => {
    await put(api, 'GONE', 'here for now');
    const { pipeline } = await finishedRun(api, dagOf(rows, code(SPELLING, { KEY: '{{ secrets.GONE }}' })));
    const Key = workspaceKey(api.workspaceId, 'SECRET', 'GONE');
    await api.table.db.send(new DeleteCommand({ TableName: api.table.name, Key }));
    expect(
      await api.as('editor').post(`/api/pipelines/${pipeline.id}/transform-preview`, { stepId: 'made' }),
    ).toMatchObject({
      status: 422,
      body: { code: 'PREVIEW_FAILED', errors: [{ pointer: '/stepId', code: 'SECRET_NOT_FOUND' }] },
    });
  });
});
