import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import {
  dagOf,
  finishedRun,
  givenFiles,
  givenPipeline,
  load,
  runThatIs,
  type StepInput,
  sql,
  startedRun,
  UNKNOWN_ID,
} from './given.ts';

interface Use {
  node: string;
  column: string;
  transformations: { type: string; subtype: string }[];
}

async function lineage(api: Api, id: string) {
  const { status, body } = await api.as('viewer').get(`/api/pipelines/${id}/lineage`);
  expect(status, JSON.stringify(body)).toBe(200);
  const text = ({ node, column, transformations: [way] }: Use) => `${node}.${column} ${way!.subtype}`;
  const edges = body.fields.flatMap(({ output, inputs }: { output: Use; inputs: Use[] }) =>
    inputs.map((use) => `${output.node}.${output.column} < ${text(use)}`),
  ) as string[];
  const indirect = Object.fromEntries(
    body.datasetInputs.map(({ node, inputs }: { node: string; inputs: Use[] }) => [node, inputs.map(text)]),
  ) as Record<string, string[]>;
  return { body, edges, indirect };
}

const code: StepInput = {
  id: 'code',
  type: 'transform_code',
  config: { code: 'function transform(rows) { return rows; }', outputSchema: [{ name: 'k', type: 'string' }] },
  dependsOn: ['src'],
};

describe('the lineage of a pipeline', () => {
  it('leads each column from dataset to source, with what decides about its rows', async ({ api }) => {
    const sourceId = await givenFiles(api, { 'a.csv': 'id,amount,note\n1,2.5,x\n' });
    const dag = {
      ...dagOf(
        { id: 'read', type: 'extract', config: { sourceId, object: { path: 'a.csv' } } },
        sql('calc', 'SELECT id, amount * {{ params.rate }} AS gross FROM read WHERE note IS NOT NULL', ['read']),
        {
          id: 'split',
          type: 'route',
          config: { routes: [{ port: 'big', condition: 'gross > 3' }] },
          dependsOn: ['calc'],
        },
        {
          id: 'sums',
          type: 'transform_sql',
          config: {
            ops: [{ op: 'aggregate', groupBy: ['id'], measures: [{ column: 'gross', fn: 'sum', as: 'total' }] }],
          },
          dependsOn: ['split'],
          fromPorts: { split: 'big' },
        },
        load('keep', 'sums', 'totals'),
      ),
      parameters: [{ name: 'rate', type: 'number', default: 2 }],
    };
    const { pipeline, run } = await finishedRun(api, dag);
    const { body, edges, indirect } = await lineage(api, pipeline.id);
    const file = `source:${sourceId}:a.csv`;
    expect(edges).toEqual(
      expect.arrayContaining([
        `read.amount < ${file}.amount IDENTITY`,
        'calc.id < read.id IDENTITY',
        'calc.gross < read.amount TRANSFORMATION',
        'split.gross < calc.gross IDENTITY',
        'split.big.gross < split.gross IDENTITY',
        'keep.total < sums.total IDENTITY',
        'dataset:totals.total < keep.total IDENTITY',
      ]),
    );
    expect(edges.filter((edge) => edge.startsWith('sums.total <'))).toEqual([
      expect.stringMatching(/^sums\.total < split\.big\.gross /),
    ]);
    expect(indirect.calc).toEqual(['read.note FILTER']);
    expect(indirect.split).toEqual(['calc.gross CONDITIONAL']);
    expect(indirect.sums).toEqual(['split.big.id GROUP_BY']);
    expect(body.completeness).toEqual({ read: 'full', calc: 'full', split: 'full', sums: 'full', keep: 'full' });
    expect(body.nodes.map(({ id, kind }: { id: string; kind: string }) => `${kind} ${id}`)).toEqual([
      `source ${file}`,
      'step read',
      'step calc',
      'step split',
      'port split.big',
      'port split.default',
      'step sums',
      'step keep',
      'dataset dataset:totals',
    ]);
    expect(body).toMatchObject({
      pipelineId: pipeline.id,
      observed: { runId: run.id, rowCounts: { read: 1, calc: 1 }, driftFromStatic: [] },
    });
    expect(body.observed.schemas.read.map(({ name }: { name: string }) => name)).toEqual(['id', 'amount', 'note']);
  });

  it('is reported without a run as far as it is known, and is never guessed', async ({ api }) => {
    const sourceId = await givenFiles(api, {});
    const { id } = await givenPipeline(
      api,
      dagOf(
        { id: 'read', type: 'extract', config: { sourceId, object: { path: 'a.csv' } } },
        sql('after', 'SELECT id FROM read', ['read']),
        sql('src', 'SELECT 1 AS a, 2 AS b'),
        code,
        sql('chosen', "SELECT COLUMNS('a|b') FROM src", ['src']),
        sql('unnamed', 'SELECT a AS kept, COLUMNS(name -> length(name) = 1) FROM src', ['src']),
        sql('last', 'SELECT k FROM code', ['code']),
      ),
    );
    const { body, edges } = await lineage(api, id);
    expect(body.observed).toBeNull();
    expect(body.completeness).toMatchObject({
      read: 'opaque',
      after: 'opaque',
      src: 'full',
      code: 'opaque',
      last: 'full',
      chosen: 'full',
      unnamed: 'partial',
    });
    expect(edges).toEqual(
      expect.arrayContaining([
        'last.k < code.k IDENTITY',
        'chosen.b < src.b IDENTITY',
        'unnamed.kept < src.a IDENTITY',
      ]),
    );
    expect(edges.filter((edge) => edge.startsWith('code.') || edge.startsWith('after.'))).toEqual([]);
    const byId = new Map(body.nodes.map((node: { id: string }) => [node.id, node]));
    expect(byId.get('code')).toMatchObject({ inputs: ['src'], columns: [{ name: 'k' }] });
    expect(byId.get('after')).toMatchObject({ inputs: ['read'], columns: null });
  });

  it('takes steps, ports and columns with names that every object has', async ({ api }) => {
    const sourceId = await givenFiles(api, { 'a.csv': 'valueOf\n1\n' });
    const read = (id: string) => ({ id, type: 'extract', config: { sourceId, object: { path: 'a.csv' } } });
    const dag = dagOf(
      read('constructor'),
      {
        id: 'toString',
        type: 'route',
        config: { routes: [{ port: 'valueOf', condition: '"valueOf" > 0' }] },
        dependsOn: ['constructor'],
      },
      sql('hasOwnProperty', 'SELECT "valueOf" AS "isPrototypeOf" FROM "toString"', ['toString'], {
        fromPorts: { toString: 'valueOf' },
      }),
    );
    const { id } = await givenPipeline(api, dag);
    const before = await lineage(api, id);
    expect(before.edges).toEqual([]);
    expect(before.body.nodes).toContainEqual(expect.objectContaining({ id: 'constructor', columns: null }));

    await runThatIs(api, await startedRun(api, id), 'succeeded');
    const { edges, indirect, body } = await lineage(api, id);
    expect(edges).toEqual([
      `constructor.valueOf < source:${sourceId}:a.csv.valueOf IDENTITY`,
      'toString.valueOf < constructor.valueOf IDENTITY',
      'toString.valueOf.valueOf < toString.valueOf IDENTITY',
      'toString.default.valueOf < toString.valueOf IDENTITY',
      'hasOwnProperty.isPrototypeOf < toString.valueOf.valueOf IDENTITY',
    ]);
    expect(indirect).toMatchObject({ toString: ['constructor.valueOf CONDITIONAL'] });
    expect(body.observed.rowCounts).toEqual({ constructor: 1, toString: 1, hasOwnProperty: 1 });
  });

  it('shows where the last run differs from the definition of today', async ({ api }) => {
    // One of the steps has a name that every object has.
    const before = dagOf(sql('a', 'SELECT 1 AS x, 2 AS y'), load('constructor', 'a', 'kept'));
    const { id } = await givenPipeline(api, before);
    await runThatIs(api, await startedRun(api, id), 'succeeded');
    const dag = dagOf(sql('a', 'SELECT 1 AS x, 3 AS z'));
    await api.as('editor').patch(`/api/pipelines/${id}`, { dag });
    const { body } = await lineage(api, id);
    expect(body.observed.driftFromStatic).toEqual([{ stepId: 'a', added: ['y'], removed: ['z'] }]);
    expect(body.observed.rowCounts).toEqual({ a: 1, constructor: 1 });
  });

  it('is not there for strangers', async ({ api }) => {
    const { id } = await givenPipeline(api, dagOf(sql('a', 'SELECT 1 AS x')));
    const gone = { status: 404, body: { code: 'PIPELINE_NOT_FOUND' } };
    expect(await api.as('stranger').get(`/api/pipelines/${id}/lineage`)).toMatchObject(gone);
    expect(await api.as('viewer').get(`/api/pipelines/${UNKNOWN_ID}/lineage`)).toMatchObject(gone);
  });
});
