import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import type { StoredPipeline } from '../../../shared/domains/pipelines/store/pipeline-record.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

const sql = (id: string, text: string, dependsOn: string[] = [], more: object = {}): Step =>
  ({ id, type: 'transform_sql', config: { sql: text }, dependsOn, retry: { maxAttempts: 1 }, ...more }) as Step;
const code = (id: string, dependsOn: string[], outputSchema?: object): Step =>
  ({
    id,
    type: 'transform_code',
    config: { code: 'function transform(rows) { return rows; }', ...(outputSchema ? { outputSchema } : {}) },
    dependsOn,
    retry: { maxAttempts: 1 },
  }) as Step;
const wanted = { when: { param: 'wanted', op: 'truthy' } };

/** A definition whose steps marked `wanted` run only when the parameter says so. */
const dagOf = (steps: Step[], more: object = {}) =>
  ({ version: 1, parameters: [{ name: 'wanted', type: 'boolean', default: false }], steps, ...more }) as Dag;

async function ran(pipeline: StoredPipeline, parameters: Record<string, boolean> = {}) {
  const run = await setup.run(pipeline, { parameters: { wanted: false, ...parameters } });
  await setup.drain();
  const steps = new Map((await setup.steps(run.id)).map((step) => [step.stepId, step]));
  return { run: await setup.stored(run.id), steps };
}

const columnsOf = (step: { output?: { columns: { name: string; type: string }[] } } | undefined) =>
  step?.output?.columns.map(({ name, type }) => `${name} ${type}`);

const always = sql('always', 'SELECT 1 AS id');
const both = (skipped: string) =>
  sql('both', `SELECT * FROM always LEFT JOIN ${skipped} USING (id)`, ['always', skipped]);

describe('an input that was skipped', () => {
  it.each<[string, Step[], string[]]>([
    ['a statement', [sql('other', 'SELECT 1 AS id, 1.50::DECIMAL(5,2) AS price', [], wanted)], ['price decimal(5,2)']],
    [
      'a statement over a skipped one, with a parameter',
      [
        sql('first', "SELECT 1 AS id, DATE '2026-01-01' AS day", [], wanted),
        sql('other', 'SELECT *, {{ params.wanted }} AS yes FROM first', ['first']),
      ],
      ['day date', 'yes boolean'],
    ],
    [
      'a recipe',
      [
        sql('first', 'SELECT 1 AS id, 2 AS n', [], wanted),
        {
          ...sql('other', '', ['first']),
          config: { ops: [{ op: 'derive', column: 'twice', expression: 'n * 2.5::DOUBLE' }] },
        },
      ],
      ['n integer', 'twice double'],
    ],
    [
      'a recipe that may fail on purpose',
      [
        sql('first', 'SELECT 1 AS id, 2 AS n', [], wanted),
        { ...sql('other', '', ['first']), config: { ops: [{ op: 'assert', condition: 'n > 1' }] } },
      ],
      ['n integer'],
    ],
    [
      'code that declares its columns',
      [
        sql('first', 'SELECT 1 AS id', [], wanted),
        code(
          'other',
          ['first'],
          [
            { name: 'id', type: 'integer' },
            { name: 'note', type: 'json' },
          ],
        ),
      ],
      ['note json'],
    ],
    [
      'code that does not',
      [sql('first', "SELECT 1 AS id, 'x' AS s", [], wanted), code('other', ['first'])],
      ['s string'],
    ],
  ])('is an empty table with the columns of %s', async (_what, steps, columns) => {
    const pipeline = await setup.pipeline(dagOf([always, ...steps, both('other')]));
    const { run, steps: done } = await ran(pipeline);
    expect(run, JSON.stringify(run.error)).toMatchObject({ status: 'succeeded' });
    expect(done.get('other')).toMatchObject({ status: 'skipped' });
    expect(columnsOf(done.get('both'))).toEqual(['id integer', ...columns]);
    expect(done.get('both')).toMatchObject({ rowsOut: 1 });
  });

  it('has the columns of its last extract, and is rejected while they are unknown', async () => {
    const sourceId = await setup.fileSource({ 'rows.csv': 'id,name\n1,a\n' });
    const file = { id: 'file', type: 'extract', config: { sourceId, object: { path: 'rows.csv' } }, ...wanted } as Step;
    const pipeline = await setup.pipeline(dagOf([always, file, both('file')]));
    const first = await ran(pipeline);
    expect(first.run.error).toMatchObject({
      code: 'SCHEMA_MISMATCH',
      stepId: 'both',
      message: expect.stringContaining('step file was skipped'),
    });
    expect((await ran(pipeline, { wanted: true })).run).toMatchObject({ status: 'succeeded' });
    const again = await ran(pipeline);
    expect(again.run).toMatchObject({ status: 'succeeded' });
    expect(columnsOf(again.steps.get('both'))).toEqual(['id integer', 'name string']);
  });

  it('of a block without items is empty too, and what is loaded of it is nothing', async () => {
    const inner = sql('inner', "SELECT {{ forEach.each.item }} AS id, 'x' AS s");
    const keep = {
      id: 'keep',
      type: 'load',
      config: { input: 'inner', target: { kind: 'dataset', name: 'of nothing' }, mode: 'append' },
      dependsOn: ['inner', 'always'],
      retry: { maxAttempts: 1 },
    } as Step;
    const more = {
      parameters: [{ name: 'ids', type: 'list', default: [] }],
      forEach: [{ id: 'each', items: '{{ params.ids }}', steps: ['inner'] }],
    };
    const pipeline = await setup.pipeline(dagOf([always, inner, keep], more));
    const run = await setup.run(pipeline, { parameters: { ids: [] } });
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded', error: null });
    const steps = new Map((await setup.steps(run.id)).map((step) => [step.stepId, step]));
    expect(steps.get('inner')).toMatchObject({ status: 'skipped', skipReason: 'empty_items' });
    expect(steps.get('keep')).toMatchObject({ status: 'succeeded', rowsIn: 0, rowsOut: 0 });
  });

  it('of a block with items is their union by name, each column once', async () => {
    const inner = sql(
      'inner',
      "SELECT CASE {{ forEach.each.item }} WHEN 'a' THEN 1 END AS id, {{ forEach.each.item }} AS s",
    );
    const more = { forEach: [{ id: 'each', items: ['a', 'b'], steps: ['inner'] }] };
    const union = sql('union', 'SELECT * FROM inner_', ['inner']);
    union.config = { sql: 'SELECT * FROM o ORDER BY s', inputs: { o: 'inner' } };
    const { run, steps } = await ran(await setup.pipeline(dagOf([inner, union], more)));
    expect(run, JSON.stringify(run.error)).toMatchObject({ status: 'succeeded' });
    expect(steps.get('union')).toMatchObject({ rowsIn: 2, rowsOut: 2 });
    expect(columnsOf(steps.get('union'))).toEqual(['id integer', 's string']);
  });
});

describe('an upload that is replaced', () => {
  it('changes nothing for a run that has read it, nor for its later steps', async () => {
    const csv = await ran(await setup.pipeline(dagOf([sql('made', "SELECT 7 AS id, 'x' AS s")])));
    const [file] = await setup.worker.cache.fetchAll(csv.steps.get('made')!.output!.files);

    const source = await setup.fileSource({ 'in.parquet': await readFile(file!) });
    const read = { id: 'read', type: 'extract', config: { sourceId: source, object: { path: 'in.parquet' } } } as Step;
    const pipeline = await setup.pipeline(dagOf([read, sql('after', 'SELECT * FROM read', ['read'])]));
    const run = await setup.run(pipeline, { parameters: { wanted: false } });
    let jobs = 0;
    const { startStep } = setup.context.launcher;
    setup.context.launcher.startStep = async (job, again) => {
      if (++jobs === 2) await setup.putFile(source, 'in.parquet', 'no parquet at all');
      return startStep(job, again);
    };
    await setup.drain({ mayContinue: false });
    setup.context.launcher.startStep = startStep;
    expect(jobs).toBe(2);
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
    expect((await setup.steps(run.id)).at(-1)).toMatchObject({ rowsOut: 1 });
  });
});
