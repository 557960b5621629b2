import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { fusionOf, materializeIssues } from '../../../shared/domains/pipelines/definition/fusion.ts';
import { lastInputsOf } from '../../../shared/domains/pipelines/runs/last-outputs.ts';
import { haveInputsExpired } from '../../../shared/domains/pipelines/runs/retried-inputs.ts';
import { retryRun } from '../../../shared/domains/pipelines/runs/retry-run.ts';
import { toStepRun } from '../../../shared/domains/pipelines/runs/views.ts';
import { attemptPrefix } from '../../../shared/domains/pipelines/store/run-keys.ts';
import { readStepLog } from '../../../shared/domains/pipelines/store/step-logs.ts';
import { dagOf, into, load, ranOn, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

const numbers = sql('numbers', 'SELECT range AS id FROM range(10)');
const even = sql('even', 'SELECT id FROM numbers WHERE id % 2 = 0', ['numbers']);
const keep = (name: string, from = 'even', more: Partial<Step> = {}) =>
  load('keep', from, { target: into(name), mode: 'append' }, more);
const asking = (step: Step, materialize: string): Step => ({ ...step, config: { ...step.config, materialize } });
const gate = { id: 'g', type: 'not_null', column: 'id', action: 'warn', config: {} };

const filesOf = async (runId: string, stepId: string) => {
  const step = (await setup.steps(runId)).find((one) => one.stepId === stepId)!;
  const stored = await setup.worker.objects.list(`${attemptPrefix(step)}/`);
  return stored.map(({ key }) => key).filter((key) => key.endsWith('.parquet'));
};

async function linesOf(runId: string, stepId: string, attempt?: number): Promise<string[]> {
  const step = (await setup.steps(runId)).find((one) => one.stepId === stepId)!;
  const log = await readStepLog(setup.worker.objects, attempt === undefined ? step : { ...step, attempt });
  return (log?.lines ?? []).map(({ message }) => message);
}

const view = async (runId: string, stepId: string) =>
  toStepRun((await setup.steps(runId)).find((one) => one.stepId === stepId)!).materialization;

describe('the definition of a transform', () => {
  const other = sql('other', 'SELECT * FROM even', ['even']);
  const block = { id: 'each', items: ['a'], steps: ['even'] };
  it.each<[string, Dag, object]>([
    ['into its only reader', dagOf(numbers, even, keep('x')), { into: 'keep' }],
    ['not when it asks for it', dagOf(numbers, asking(even, 'always'), keep('x')), { reason: 'always' }],
    [
      'not with gates',
      dagOf(numbers, { ...even, config: { ...even.config, gates: [gate] } }, keep('x')),
      { reason: 'gates' },
    ],
    ['not without a reader', dagOf(numbers, even), { reason: 'unread' }],
    [
      'not before a step that only waits',
      dagOf(numbers, even, sql('late', 'SELECT 1 AS a', ['even'], { config: { sql: 'SELECT 1 AS a', inputs: {} } })),
      { reason: 'unread' },
    ],
    ['not with two dependents', dagOf(numbers, even, other, keep('x')), { reason: 'readers' }],
    ['not out of a block', { ...dagOf(numbers, even, keep('x')), forEach: [block] }, { reason: 'block' }],
    [
      'not into a block',
      { ...dagOf(numbers, even, other), forEach: [{ ...block, steps: ['other'] }] },
      { reason: 'block' },
    ],
    [
      'within a block',
      { ...dagOf(numbers, even, other), forEach: [{ ...block, steps: ['even', 'other'] }] },
      { into: 'other' },
    ],
  ])('fuses it %s', (_what, dag, expected) => {
    expect(fusionOf(dag, dag.steps.find(({ id }) => id === 'even')!)).toEqual(expected);
  });

  it('must not ask for what cannot be', () => {
    expect(materializeIssues(dagOf(numbers, asking(even, 'never')))).toEqual([
      {
        pointer: '/dag/steps/1/config/materialize',
        code: 'NOT_ALLOWED',
        message:
          'must be auto or always, because the rows have to be written: no other step of the pipeline reads them',
      },
    ]);
    expect(materializeIssues(dagOf(numbers, asking(even, 'never'), keep('x')))).toEqual([]);
  });
});

describe('a fused step', () => {
  it('stores no rows, and its record and the run show what it did', async () => {
    const { run, steps } = await ranOn(setup, dagOf(numbers, even, keep('quick')));
    expect(run).toMatchObject({ status: 'succeeded', rowsMoved: 5 });
    expect(steps.get('even')).toMatchObject({
      rowsIn: 10,
      rowsOut: 5,
      attempt: 1,
      output: { fused: { into: 'keep' } },
    });
    expect(await filesOf(run.id, 'numbers')).toEqual([]);
    expect(await filesOf(run.id, 'even')).toEqual([]);
    expect(await setup.rows('quick')).toHaveLength(5);
    expect(await view(run.id, 'even')).toEqual({
      written: false,
      into: 'keep',
      reason: 'Only the step keep reads the rows.',
    });
    expect(await view(run.id, 'keep')).toBeNull();
  });

  it.each([
    ['with always', asking(even, 'always'), 'The rows are written, because materialize is always.'],
    [
      'when it reads the clock',
      sql('even', 'SELECT id FROM numbers WHERE id % 2 = 0 AND now() IS NOT NULL', ['numbers']),
      'The rows are written, because the statement can return different rows each time it runs.',
    ],
    [
      'when it keeps first rows',
      sql('even', '', ['numbers'], {
        config: {
          ops: [
            { op: 'dedupe', keys: ['id'] },
            { op: 'filter', condition: 'id % 2 = 0' },
          ],
        },
      }),
      'The rows are written, because its dedupe keeps the first rows, which depend on the order of the input.',
    ],
  ])('is written instead %s', async (name, step, reason) => {
    const { run } = await ranOn(setup, dagOf(numbers, step, keep(name)));
    expect(await setup.rows(name)).toHaveLength(5);
    expect(await filesOf(run.id, 'even')).toHaveLength(1);
    expect(await view(run.id, 'even')).toEqual({ written: true, into: null, reason });
  });

  it('is written where another worker goes on, unless that is never', async () => {
    const [auto, never] = ['auto elsewhere', 'never elsewhere'];
    for (const [name, step] of [
      [auto, even],
      [never, asking(even, 'never')],
    ] as const) {
      const run = await setup.run(await setup.pipeline(dagOf(numbers, step, keep(name))));
      await setup.drain({ mayContinue: false });
      expect((await setup.stored(run.id)).status).toBe('succeeded');
      expect(await setup.rows(name)).toHaveLength(5);
      expect(await filesOf(run.id, 'even')).toHaveLength(name === auto ? 1 : 0);
      const line = 'The rows of step even were not written, so they are computed again.';
      expect((await linesOf(run.id, 'keep')).includes(line)).toBe(name === never);
    }
  });

  it('fails with its own name and its own retries', async () => {
    const wrong = sql('even', "SELECT 'x'::INTEGER + id AS id FROM numbers", ['numbers'], {
      retry: { maxAttempts: 2, initialIntervalMs: 100, backoffCoefficient: 1 },
    });
    const { run, steps } = await ranOn(setup, dagOf(numbers, wrong, keep('wrong')));
    expect(run).toMatchObject({ status: 'failed', error: { code: 'SQL_ERROR', stepId: 'even' } });
    expect(steps.get('even')).toMatchObject({ status: 'failed', attempt: 2 });
    expect(steps.get('keep')).toMatchObject({ status: 'skipped', skipReason: 'upstream_failed', attempt: 0 });
  });

  it('fails although the reader ignores what fails', async () => {
    const wrong = sql('even', "SELECT id, CASE WHEN id = 3 THEN 'x' ELSE '1' END::INTEGER AS bad FROM numbers", [
      'numbers',
    ]);
    const blind = sql('blind', 'SELECT id FROM even WHERE id = 1 LIMIT 1', ['even']);
    const { run } = await ranOn(setup, dagOf(numbers, wrong, blind, keep('blind', 'blind')));
    expect(run).toMatchObject({ status: 'failed', error: { code: 'SQL_ERROR', stepId: 'even' } });
  });

  it('is computed again by the worker that takes over after a crash, also through several steps', async () => {
    const odd = sql('odd', 'SELECT id + 1 AS id FROM even', ['even']);
    const again = { maxAttempts: 3, initialIntervalMs: 100, backoffCoefficient: 1 };
    const run = await setup.run(
      await setup.pipeline(dagOf(numbers, even, odd, keep('again', 'odd', { retry: again }))),
    );
    let died = false;
    setup.crash = ({ command, input }) => {
      const commits = command.startsWith('Transact') && JSON.stringify(input).includes('"entity":"load"');
      if (died || !commits) return undefined;
      died = true;
      return 'before';
    };
    await setup.drain();
    setup.crash = () => undefined;
    expect((await setup.untilOver(run.id)).status).toBe('succeeded');
    expect(died).toBe(true);
    expect(await setup.rows('again')).toHaveLength(5);
    expect((await linesOf(run.id, 'keep')).filter((line) => line.includes('computed again'))).toEqual([
      'The rows of step odd were not written, so they are computed again.',
      'The rows of step even were not written, so they are computed again.',
      'The rows of step numbers were not written, so they are computed again.',
    ]);
    expect((await setup.steps(run.id)).map(({ attempt }) => attempt)).toEqual([1, 1, 1, 2]);
  });

  it('names itself when what it reads is gone', async () => {
    const file = { object: { path: 'a.csv' }, sourceId: await setup.fileSource({ 'a.csv': 'id\n1\n2\n' }) };
    const rows: Step = { id: 'numbers', type: 'extract', config: file, dependsOn: [] };
    const fails = sql('fails', "SELECT 'x'::INTEGER AS id FROM even", ['even']);
    const { run, steps } = await ranOn(setup, dagOf(rows, even, fails));
    expect(run.error).toMatchObject({ code: 'SQL_ERROR', stepId: 'fails' });
    const { files } = steps.get('numbers')!.output!;
    await setup.worker.objects.remove(files.map(({ key }) => key));
    for (const gone of files) await setup.worker.cache.drop(gone);
    await retryRun(setup.context, setup.place(run.id));
    await setup.drain();
    expect((await setup.stored(run.id)).error).toMatchObject({
      code: 'NOT_FOUND',
      stepId: 'fails',
      message: 'The rows of step even could not be computed again: A file that it reads was deleted or replaced.',
    });
  });

  it('is no base of previews when an input was skipped, and written unless that is never', async () => {
    const off = sql('off', 'SELECT 1::BIGINT AS id', [], { when: { param: 'wanted', op: 'truthy' } });
    const text = 'SELECT id FROM numbers UNION ALL SELECT id FROM off';
    const parameters: Dag['parameters'] = [{ name: 'wanted', type: 'boolean', default: false }];
    for (const materialize of ['auto', 'never']) {
      const merged = asking(sql('merged', text, ['numbers', 'off']), materialize);
      const last = sql('last', 'SELECT count(*) AS n FROM merged', ['merged']);
      const dag: Dag = { ...dagOf(numbers, off, merged, last), parameters };
      const { run, pipeline, steps } = await ranOn(setup, dag);
      expect(run.status).toBe('succeeded');
      expect(steps.get('last')).toMatchObject({ rowsIn: 10, rowsOut: 1 });
      const place = { workspaceId: setup.workspaceId, pipelineId: pipeline.id };
      const found = await lastInputsOf(setup.context.table, place, dag, last, setup.context.now());
      expect(found?.run.id).toBe(materialize === 'auto' ? run.id : undefined);
      expect(await filesOf(run.id, 'merged')).toHaveLength(materialize === 'auto' ? 1 : 0);
    }
  });

  it('counts for the age of what a retry reads', async () => {
    const rows = sql('numbers', 'SELECT range AS id FROM range(4)', [], {});
    const fails = sql('fails', "SELECT 'x'::INTEGER AS id FROM even", ['even']);
    const stored = asking(rows, 'always');
    const { run } = await ranOn(setup, dagOf(stored, even, fails));
    const old = new Date(setup.context.now().getTime() + 31 * 24 * 3600 * 1000);
    const later = { ...run, finishedAt: old.toISOString() };
    expect(await haveInputsExpired(setup.context, later)).toBe(false);
    const { now } = setup.context;
    expect(
      await haveInputsExpired(
        { ...setup.context, now: () => new Date(now().getTime() + 31 * 24 * 3600 * 1000) },
        later,
      ),
    ).toBe(true);
  });
});
