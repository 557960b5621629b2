import { describe, expect, vi } from 'vitest';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';

type Kind = 'source' | 'dataset' | 'pipeline' | 'flowlet' | 'workspace';

interface Reference {
  kind: Kind;
  method: 'POST' | 'PATCH';
  path: string;
  body: (id: string) => object;
}

const step = (type: string, config: object, more: object = {}) => ({ id: 'a', type, config, ...more });
const dagOf = (...steps: object[]) => ({ version: 1, steps });
const sql = (text: string) => step('transform_sql', { sql: text });
const ops = (flowletId: string) => [{ op: 'flowlet', flowletId }];
const inputs = [{ name: 'rows', columns: [{ name: 'a', type: 'integer' }] }];

/** Definitions of pipelines that name something by its id. */
const DAGS: [Kind, (id: string) => object][] = [
  ['source', (sourceId) => dagOf(step('extract', { sourceId, object: { path: 'a.csv' } }))],
  ['source', (sourceId) => dagOf(step('extract', { sourceId, object: { table: 't' } }))],
  ['source', (sourceId) => ({ ...dagOf(sql('SELECT 1')), trigger: { kind: 'file_arrival', sourceId, path: '*.csv' } })],
  ['pipeline', (pipelineId) => ({ ...dagOf(sql('SELECT 1')), trigger: { kind: 'pipeline', pipelineId } })],
  [
    'dataset',
    (datasetId) =>
      dagOf(sql('SELECT 1 AS a'), {
        ...step('load', { target: { kind: 'dataset', datasetId }, mode: 'overwrite' }),
        id: 'b',
        dependsOn: ['a'],
      }),
  ],
  [
    'source',
    (sourceId) =>
      dagOf(sql('SELECT 1 AS a'), {
        ...step('load', { target: { kind: 'table', sourceId, table: 't' }, mode: 'append' }),
        id: 'b',
        dependsOn: ['a'],
      }),
  ],
  [
    'flowlet',
    (id) => dagOf(sql('SELECT 1 AS a'), { ...step('transform_sql', { ops: ops(id) }), id: 'b', dependsOn: ['a'] }),
  ],
];

/** Every way to name in a body what belongs to a workspace. The ids in the paths are the caller's own. */
async function references(caller: Caller, api: Api): Promise<Reference[]> {
  const made = async (path: string, body: object) => {
    const reply = await caller.post(path, body);
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
    return `${path}/${reply.body.id}`;
  };
  const name = () => `mine ${newId()}`;
  const query = await made('/api/saved-queries', { name: name(), sql: 'SELECT 1 AS a' });
  const dataset = await made('/api/datasets', { name: name() });
  const pipeline = await made('/api/pipelines', { name: name(), dag: dagOf(sql('SELECT 1 AS a')) });
  const login = await api.password('viewer');
  const { refreshToken } = (await api.as('anonymous').post('/api/auth/login', login)).body;
  const post = (kind: Kind, path: string, body: Reference['body']): Reference => ({ kind, method: 'POST', path, body });
  const patch = (kind: Kind, path: string, body: Reference['body']): Reference => ({
    ...post(kind, path, body),
    method: 'PATCH',
  });
  const statement = { sql: 'SELECT 1 AS a' };
  const inSource = (sourceId: string) => ({ ...statement, sourceId });
  const inDatasets = (id: string) => ({ ...statement, datasetIds: [id] });
  const datasetSources = ['file', 'table', 'query'].map((kind) => (sourceId: string) => ({
    source: {
      kind,
      sourceId,
      ...{ file: { path: 'a.csv' }, table: { table: 't' }, query: { query: 'SELECT 1' } }[kind],
    },
  }));
  return [
    ...['/api/query', '/api/query/validate'].map((path) => post('source', path, inSource)),
    ...['/api/query', '/api/query/validate', '/api/query/jobs'].map((path) => post('dataset', path, inDatasets)),
    post('source', '/api/saved-queries', (id) => ({ name: 'x', ...inSource(id) })),
    post('dataset', '/api/saved-queries', (id) => ({ name: 'x', ...inDatasets(id) })),
    patch('source', query, (sourceId) => ({ sourceId })),
    patch('dataset', query, (id) => ({ datasetIds: [id] })),
    ...datasetSources.flatMap((body) => [
      post('source', '/api/datasets', (id) => ({ name: 'x', ...body(id) })),
      patch('source', dataset, body),
    ]),
    ...DAGS.flatMap(([kind, dag]) => [
      post(kind, '/api/pipelines', (id) => ({ name: newId(), dag: dag(id) })),
      patch(kind, pipeline, (id) => ({ dag: dag(id) })),
      post(kind, `${pipeline}/validate`, (id) => ({ dag: dag(id) })),
    ]),
    post('flowlet', '/api/pipelines/flowlets', (id) => ({ name: 'x', inputs, ops: ops(id) })),
    post('workspace', '/api/auth/login', (workspaceId) => ({ ...login, workspaceId })),
    post('workspace', '/api/auth/refresh', (workspaceId) => ({ refreshToken, workspaceId })),
  ];
}

describe('an id of another workspace in a body', () => {
  it('is answered like one that does not exist, and nothing is made', async ({ api }) => {
    const stranger = api.as('stranger');
    const owner = api.as('owner');
    const made = async (path: string, body: object) => (await owner.post(path, body)).body.id as string;
    const foreign: Record<Kind, string> = {
      source: await made('/api/data-sources', { name: 'x', type: 'file' }),
      dataset: (await givenDataset(api, { name: 'x', sql: 'SELECT 1 AS a' })).id,
      pipeline: await made('/api/pipelines', { name: 'x', dag: dagOf(sql('SELECT 1 AS a')) }),
      flowlet: await made('/api/pipelines/flowlets', { name: 'x', inputs, ops: [{ op: 'limit', count: 1 }] }),
      workspace: (await stranger.get('/api/auth/me')).body.workspaceId,
    };
    expect(
      Object.values(foreign).every((id) => typeof id === 'string'),
      JSON.stringify(foreign),
    ).toBe(true);
    for (const { kind, method, path, body } of await references(stranger, api)) {
      const send = async (id: string) => {
        const { status, body: said } = await stranger.send(method, path, { text: JSON.stringify(body(id)) });
        const { code, detail, errors, valid } = said;
        return { status, text: JSON.stringify({ code, detail, errors, valid }).replaceAll(id, '<id>') };
      };
      const what = `${method} ${path} ${kind} ${JSON.stringify(body('<id>'))}`;
      const answer = await send(foreign[kind]);
      expect(answer, what).toEqual(await send(newId()));
      // A pipeline may be saved before what it names is there: it is looked for when it runs.
      if (!path.startsWith('/api/pipelines')) {
        const isRefused = answer.status >= 400 || /"valid":false/.test(answer.text);
        expect(isRefused, `${what} ${answer.status} ${answer.text}`).toBe(true);
      }
    }
  });

  it('is not found by a run', async ({ api }) => {
    const stranger = api.as('stranger');
    const dataset = (await givenDataset(api, { name: 'x', sql: 'SELECT 1 AS a' })).id;
    const ends: Record<string, unknown>[] = [];
    // A source is looked for when the pipeline is saved, a dataset when it is loaded.
    for (const [kind, dag] of DAGS.filter(([about]) => about === 'dataset')) {
      for (const id of [dataset, newId()]) {
        const made = await stranger.post('/api/pipelines', { name: newId(), dag: dag(id) });
        expect(made.status).toBe(201);
        const run = await stranger.post(`/api/pipelines/${made.body.id}/run`);
        const { error } = await vi.waitFor(
          async () => {
            const { body } = await stranger.get(`/api/pipelines/runs/${run.body.id}`);
            expect(body.status).toBe('failed');
            return body;
          },
          { timeout: 60_000, interval: 200 },
        );
        ends.push({ kind, code: error.code, message: error.message.replaceAll(id, '<id>') });
      }
    }
    expect(ends.length).toBeGreaterThanOrEqual(2);
    for (const [index, end] of ends.entries()) if (index % 2 === 1) expect(end).toEqual(ends[index - 1]);
    const rows = await api.as('editor').post('/api/query', { sql: 'SELECT * FROM x' });
    expect(rows.body.rows).toEqual([[1]]);
  });
});
