import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { dagOf, finishedRun, givenPipeline, load, sql } from './given.ts';

const ROWS = "SELECT * FROM (VALUES (1, 'a'), (2, NULL), (3, 'c')) v(id, name)";
const named = { id: 'named', type: 'not_null', column: 'name' };
const gated = (gates: object[], dataset = 'gated') =>
  dagOf(sql('rows', ROWS), load('keep', 'rows', dataset, { mode: 'append', gates }));

describe('GET /api/pipelines/{id}/quality', () => {
  it('lists the results of gates, newest first, and shows rows only to callers who may query', async ({ api }) => {
    const { pipeline, run } = await finishedRun(
      api,
      gated([
        { ...named, severity: 'low', action: 'quarantine' },
        { id: 'some', type: 'row_count', config: { min: 1 }, action: 'fail' },
      ]),
    );
    expect(run.steps[1]).toMatchObject({
      rowsIn: 3,
      rowsOut: 2,
      gates: [
        { gateId: 'named', status: 'failed', severity: 'low', failedRows: 1, removedRows: 1 },
        { gateId: 'some', status: 'passed', evaluatedRows: 3, failedRows: null },
      ],
    });
    const path = `/api/pipelines/${pipeline.id}/quality`;
    const { body } = await api.as('editor').get(path);
    expect(body.items).toHaveLength(2);
    const own = body.items.find(({ gateId }: { gateId: string }) => gateId === 'named');
    expect(own).toMatchObject({ runId: run.id, stepId: 'keep', column: 'name', evaluatedRows: 3 });
    expect(own.sample).toEqual({ columns: ['id', 'name'], rows: [[2, null]] });
    const seen = await api.as('viewer').get(path);
    expect(seen.body.items.map(({ sample }: { sample: unknown }) => sample)).toEqual([null, null]);
    expect((await api.as('viewer').get(`${path}?limit=1`)).body.items).toHaveLength(1);
    const rows = await api.as('editor').post('/api/query', { sql: 'SELECT id, _gate_id FROM gated__quarantine' });
    expect(rows.body.rows).toEqual([[2, 'named']]);
  });

  it('is for callers of the workspace alone', async ({ api }) => {
    const { id } = await givenPipeline(api, gated([{ ...named, action: 'warn' }]));
    const missing = { status: 404, body: { code: 'PIPELINE_NOT_FOUND' } };
    expect(await api.as('stranger').get(`/api/pipelines/${id}/quality`)).toMatchObject(missing);
    expect((await api.as('anonymous').get(`/api/pipelines/${id}/quality`)).status).toBe(401);
    expect((await api.as('viewer').get(`/api/pipelines/${id}/quality?limit=0`)).status).toBe(400);
    expect((await api.as('viewer').get(`/api/pipelines/${id}/quality`)).body).toEqual({ items: [] });
  });
});

describe('GET /api/pipelines/quality/summary', () => {
  it('counts by pipeline what gates said, of loads that they refused too', async ({ api }) => {
    const refused = await finishedRun(api, gated([{ ...named, action: 'fail' }], 'refused'), 'failed');
    expect(refused.run.error).toMatchObject({ code: 'GATE_FAILED', stepId: 'keep' });
    expect(refused.run.steps[1]).toMatchObject({ attempt: 1, gates: [{ status: 'failed' }] });
    const warned = await finishedRun(api, gated([{ ...named, action: 'warn' }], 'warned'));
    await finishedRun(api, dagOf(sql('rows', ROWS)));
    const { body } = await api.as('viewer').get('/api/pipelines/quality/summary?days=2');
    const of = (id: string) => body.items.find(({ pipelineId }: { pipelineId: string }) => pipelineId === id);
    expect(body.items).toHaveLength(2);
    expect(of(refused.pipeline.id)).toMatchObject({ evaluations: 1, passed: 0, failed: 1, warned: 0, passRate: 0 });
    expect(of(refused.pipeline.id).lastFailedAt).toEqual(expect.any(String));
    expect(of(warned.pipeline.id)).toMatchObject({ evaluations: 1, failed: 0, warned: 1, lastFailedAt: null });
    const rows = await api.as('editor').post('/api/query', { sql: 'SELECT * FROM refused' });
    expect(rows.status).not.toBe(200);
    expect((await api.as('stranger').get('/api/pipelines/quality/summary')).body).toEqual({ items: [] });
    expect((await api.as('anonymous').get('/api/pipelines/quality/summary')).status).toBe(401);
    expect((await api.as('viewer').get('/api/pipelines/quality/summary?days=91')).status).toBe(400);
  });
});

describe('a gate', () => {
  it.for<[string, object, string]>([
    [
      'asks for what its type does not know',
      { ...named, config: { min: 1 }, action: 'fail' },
      'config/min UNKNOWN_MEMBER',
    ],
    ['has an unknown type', { ...named, type: 'looks_nice', action: 'fail' }, 'type ENUM'],
    ['names no column', { id: 'x', type: 'email', action: 'fail' }, 'column REQUIRED'],
    [
      'has a column that its type has no use for',
      { ...named, type: 'row_count', config: { min: 1 }, action: 'fail' },
      'column NOT_ALLOWED',
    ],
    ['has a range without ends', { ...named, type: 'value_range', action: 'fail' }, 'config REQUIRED'],
    [
      'looks around',
      { ...named, type: 'regex', config: { pattern: '(?=a)' }, action: 'fail' },
      'config/pattern PATTERN',
    ],
    [
      'has a pattern that cannot be read',
      { ...named, type: 'regex', config: { pattern: '[' }, action: 'fail' },
      'config/pattern PATTERN',
    ],
    [
      'rejects rows that cannot be told apart',
      { id: 'x', type: 'custom_sql', config: { sql: 'SELECT 1' }, action: 'drop' },
      'action NOT_ALLOWED',
    ],
    ['takes rows out of the table', { ...named, scope: 'table', action: 'drop' }, 'action NOT_ALLOWED'],
    [
      'writes',
      { id: 'x', type: 'custom_sql', config: { sql: 'DROP TABLE input' }, action: 'fail' },
      'config/sql SQL_NOT_READ_ONLY',
    ],
    [
      'reads files',
      { ...named, config: { where: "id IN (SELECT content FROM read_text('/etc/passwd'))" }, action: 'fail' },
      'config/where',
    ],
    [
      'refers to nothing',
      { ...named, config: { where: 'id > {{ params.low }}' }, action: 'fail' },
      'config/where TEMPLATE_INVALID',
    ],
  ])('is refused when it %s', async ([, gate, issue], { api }) => {
    const reply = await api.as('editor').post('/api/pipelines', { name: 'bad', dag: gated([gate]) });
    const [place, code] = issue.split(' ');
    expect(reply, JSON.stringify(reply.body)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: `/dag/steps/1/config/gates/0/${place}`, ...(code ? { code } : {}) }] },
    });
  });

  it('is refused twice by one name, for a column that is known to be missing, and where there is no dataset to keep rows in', async ({
    api,
  }) => {
    const issuesOf = async (dag: object) =>
      (await api.as('editor').post('/api/pipelines', { name: 'bad', dag })).body.errors?.map(
        ({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`,
      );
    const gate = { ...named, action: 'fail' };
    expect(await issuesOf(gated([gate, gate]))).toEqual(['/dag/steps/1/config/gates/1/id DUPLICATE']);
    const recipe = { ...sql('rows', ROWS), config: { ops: [{ op: 'select', columns: ['id'] }] }, dependsOn: ['first'] };
    const keep = load('keep', 'rows', 'gated', { mode: 'append', gates: [gate] });
    expect(await issuesOf(dagOf(sql('first', ROWS), recipe, keep))).toEqual([
      '/dag/steps/2/config/gates/0 COLUMN_UNKNOWN',
    ]);
    const target = { kind: 'table', sourceId: '0199a000-0000-7000-8000-000000000000', table: 't' };
    const elsewhere = [
      { ...gate, action: 'quarantine' },
      { ...gate, id: 'all', scope: 'table' },
    ];
    const table = { ...keep, config: { target, mode: 'append', gates: elsewhere } };
    const first = { ...sql('rows', ROWS), config: { ...sql('rows', ROWS).config, gates: elsewhere } };
    expect(await issuesOf(dagOf(first, table))).toEqual([
      ...[0, 1].flatMap((step) => [
        `/dag/steps/${step}/config/gates/0/action SETTING_NOT_AVAILABLE`,
        `/dag/steps/${step}/config/gates/1/scope SETTING_NOT_AVAILABLE`,
      ]),
      '/dag/steps/1/config/target/sourceId SOURCE_UNKNOWN',
    ]);
  });
});
