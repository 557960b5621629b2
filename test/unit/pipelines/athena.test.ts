import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelRun } from '../../../shared/domains/pipelines/runs/cancel-run.ts';
import { attemptPrefix } from '../../../shared/domains/pipelines/store/run-keys.ts';
import { readStepLog } from '../../../shared/domains/pipelines/store/step-logs.ts';
import { QueryFailed } from '../../support/small-athena.ts';
import { dagOf, into, load, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

const ATHENA = { engine: 'athena' };
let setup: RunSetup;
beforeEach(async () => {
  setup = await RunSetup.open();
  // Every step with an input is too large for anything else.
  await setup.openAthena(0);
});
afterEach(() => setup.close());

const source = sql('src', "SELECT range AS id, 'n' || (range % 3) AS name FROM range(10)");
const grouped = sql('big', 'SELECT name, count(*) AS n, sum(id) AS total FROM src GROUP BY name', ['src']);

async function logOf(runId: string, stepId: string): Promise<string[]> {
  const step = (await setup.steps(runId)).find((candidate) => candidate.stepId === stepId)!;
  const { lines } = (await readStepLog(setup.worker.objects, step))!;
  return lines.map(({ message }) => message);
}

describe('a step whose inputs outgrow everything else', () => {
  it('is worked on by Athena, with the rows that DuckDB would make', async () => {
    const run = await setup.run(
      await setup.pipeline(dagOf(source, grouped, load('keep', 'big', { target: into('totals'), mode: 'overwrite' }))),
    );
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
    expect(setup.moved).toContainEqual(ATHENA);
    const step = (await setup.steps(run.id)).find(({ stepId }) => stepId === 'big')!;
    expect(step).toMatchObject({ status: 'succeeded', attempt: 1, rowsIn: 10, rowsOut: 3 });
    expect(step.output!.columns).toEqual([
      { name: 'name', type: 'string' },
      { name: 'n', type: 'integer' },
      { name: 'total', type: 'decimal(38,0)' },
    ]);
    expect(step.output!.files.every(({ key }) => key.startsWith(`${attemptPrefix(step)}/athena/rows/`))).toBe(true);
    expect(await setup.rows('totals', 'name, n, total::INT')).toEqual([
      ['n0', '4', 18],
      ['n1', '3', 12],
      ['n2', '3', 15],
    ]);
    expect(await logOf(run.id, 'big')).toEqual([
      'Attempt 1 of transform_sql step big begins.',
      'It runs on Athena with inputs of 1 MB.',
      'Athena finished the query.',
      'Athena wrote 2 files.',
      expect.stringMatching(/^Succeeded: 10 rows in, 3 rows out/),
    ]);
    expect(setup.athena!.tables.size).toBe(0);
    expect(setup.open.size).toBe(0);
  });

  it('is checked by its gates as anywhere else', async () => {
    const gates = [{ id: 'g', type: 'not_null', column: 'name', action: 'fail', severity: 'critical', config: {} }];
    const gated = sql('big', "SELECT nullif(name, 'n1') AS name, id FROM src", ['src'], {
      config: { sql: "SELECT nullif(name, 'n1') AS name, id FROM src", gates },
    });
    const run = await setup.run(await setup.pipeline(dagOf(source, gated)));
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({
      status: 'failed',
      error: { code: 'GATE_FAILED', stepId: 'big' },
    });
  });

  it('stays where it is when its statement cannot move, and its log says why', async () => {
    const stays = sql('big', 'SELECT hash(id) AS h FROM src', ['src']);
    const run = await setup.run(await setup.pipeline(dagOf(source, stays)));
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
    expect(setup.moved).toEqual([]);
    expect(await logOf(run.id, 'big')).toContain(
      'It cannot run in Athena. The function hash has no counterpart in Athena.',
    );
  });

  it('stays where a file is gone, which the worker finds out', async () => {
    const { objects } = setup.worker;
    const readEnd = objects.readEnd.bind(objects);
    objects.readEnd = async (key, bytes) => {
      await objects.remove([key]);
      return readEnd(key, bytes);
    };
    const run = await setup.run(await setup.pipeline(dagOf(source, { ...grouped, retry: { maxAttempts: 1 } })));
    await setup.drain();
    // Who has made it still has a copy.
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
    expect(setup.moved).toEqual([]);
    expect(await logOf(run.id, 'big')).toContain('It cannot run in Athena. An input file no longer exists.');
  });

  it('stays if whether it moves cannot be determined, and reports that to the operator', async () => {
    const issue = Object.assign(new Error('User arn:aws:sts::1:assumed-role/x may not'), { name: 'AccessDenied' });
    setup.worker.objects.readEnd = async () => {
      throw issue;
    };
    const run = await setup.run(await setup.pipeline(dagOf(source, grouped)));
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
    expect(setup.moved).toEqual([]);
    expect((await setup.steps(run.id))[1]).toMatchObject({ status: 'succeeded', attempt: 1 });
    expect(await logOf(run.id, 'big')).toContain(
      'It cannot run in Athena. Something went wrong on our side (AccessDenied).',
    );
    expect(setup.reported).toContain(issue);
  });

  it('fails an attempt each time when its inputs cannot be registered with Athena', async () => {
    const { objects } = setup.worker;
    const write = objects.write.bind(objects);
    objects.write = async (key, ...content) => {
      if (key.includes('/athena/inputs/')) throw Object.assign(new Error('no'), { name: 'AccessDenied' });
      return write(key, ...content);
    };
    const again = { ...grouped, retry: { maxAttempts: 2, initialIntervalMs: 10 } };
    const run = await setup.run(await setup.pipeline(dagOf(source, again)));
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({
      status: 'failed',
      error: { code: 'INTERNAL', message: 'Something went wrong on our side (AccessDenied).' },
    });
    expect((await setup.steps(run.id))[1]).toMatchObject({ status: 'failed', attempt: 2 });
    expect(setup.moved).toEqual([ATHENA, ATHENA]);
    expect(await logOf(run.id, 'big')).toContain(
      'Failed with INTERNAL: Something went wrong on our side (AccessDenied).',
    );
    expect(setup.open.size).toBe(0);
  });

  it.each([
    [
      'Athena.AmazonAthenaException',
      'User: arn:aws:sts::1:assumed-role/x is not authorized to perform: glue:CreateTable',
    ],
    [
      'States.TaskFailed',
      '{"QueryExecution":{"Status":{"StateChangeReason":"Insufficient permissions of arn:aws:iam::1:role/x"}}}',
    ],
  ])('fails by what the deployment may not do without naming its roles: %s', async (name, cause) => {
    setup.athena!.run = async (statement) => {
      if (statement.startsWith('CREATE')) throw new QueryFailed(name, cause);
    };
    const run = await setup.run(await setup.pipeline(dagOf(source, { ...grouped, retry: { maxAttempts: 1 } })));
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({
      status: 'failed',
      error: { code: 'PERMISSION_DENIED', message: 'Athena: the deployment lacks a permission for the query.' },
    });
  });

  it('stays where Athena can read nothing of an input', async () => {
    const times = sql('src', "SELECT TIMESTAMP '2026-01-01 00:00:00' AS at FROM range(2)");
    const run = await setup.run(
      await setup.pipeline(dagOf(times, sql('big', 'SELECT count(*) AS n FROM src', ['src']))),
    );
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
    expect(await logOf(run.id, 'big')).toContain(
      'It cannot run in Athena. The input src has no column that Athena can read.',
    );
  });

  it('stays where a file holds what Athena would read as something else', async () => {
    const odd = sql('src', 'SELECT 1 AS id, 1.5::FLOAT AS share');
    const run = await setup.run(await setup.pipeline(dagOf(odd, sql('big', 'SELECT share FROM src', ['src']))));
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
    expect(await logOf(run.id, 'big')).toContain(
      'It cannot run in Athena. The column share is of type double, but stored as FLOAT.',
    );
  });

  it('fails with what Athena says, and leaves no table', async () => {
    setup.athena!.fails = 'EXCEEDED_MEMORY_LIMIT: Query exceeded per-node memory limit';
    const once = { ...grouped, retry: { maxAttempts: 1 } };
    const run = await setup.run(await setup.pipeline(dagOf(source, once)));
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({
      status: 'failed',
      error: { code: 'SQL_ERROR', message: 'Athena: EXCEEDED_MEMORY_LIMIT: Query exceeded per-node memory limit' },
    });
    expect(setup.athena!.tables.size).toBe(0);
    expect(setup.open.size).toBe(0);
  });

  it('fails as a statement does where what Athena says is cut off', async () => {
    const run = await setup.run(await setup.pipeline(dagOf(source, { ...grouped, retry: { maxAttempts: 1 } })));
    const runStatement = setup.athena!.run.bind(setup.athena);
    setup.athena!.run = async (statement) => {
      if (!statement.startsWith('UNLOAD')) return runStatement(statement);
      throw new QueryFailed('States.TaskFailed', '{"QueryExecution":{"Query":"UNLOAD ('.padEnd(32_768, 'x'));
    };
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({
      status: 'failed',
      error: { code: 'SQL_ERROR', message: 'Athena: The query failed.' },
    });
  });

  it('is tried again after an issue, into a place of its own', async () => {
    setup.athena!.fails = 'HIVE_CANNOT_OPEN_SPLIT';
    const again = { ...grouped, retry: { maxAttempts: 2, initialIntervalMs: 10 } };
    const run = await setup.run(await setup.pipeline(dagOf(source, again)));
    await setup.drain();
    expect((await setup.steps(run.id))[1]).toMatchObject({ status: 'succeeded', attempt: 2, rowsOut: 3 });
  });

  it.each(['before', 'after'] as const)(
    'survives the death of the function that takes the rows over, %s the end is written',
    async (when) => {
      let deaths = 0;
      setup.crash = ({ input }) => {
        const isEnd = JSON.stringify(input).includes('"succeeded"') && JSON.stringify(input).includes('#000001');
        return isEnd && setup.holds.length > 0 && deaths++ === 0 ? when : undefined;
      };
      const again = { ...grouped, retry: { maxAttempts: 3, initialIntervalMs: 10 } };
      const run = await setup.run(
        await setup.pipeline(dagOf(source, again, load('keep', 'big', { target: into('totals'), mode: 'overwrite' }))),
      );
      expect(await setup.untilOver(run.id)).toMatchObject({ status: 'succeeded' });
      expect(deaths).toBeGreaterThan(0);
      expect(await setup.rows('totals', 'name, n')).toEqual([
        ['n0', '4'],
        ['n1', '3'],
        ['n2', '3'],
      ]);
      expect(setup.athena!.tables.size).toBe(0);
    },
  );

  it('stops when its run is cancelled', async () => {
    const run = await setup.run(await setup.pipeline(dagOf(source, grouped)));
    const runStatement = setup.athena!.run.bind(setup.athena);
    setup.athena!.run = async (statement) => {
      if (statement.startsWith('CREATE')) await cancelRun(setup.context, setup.place(run.id), 'user');
      return runStatement(statement);
    };
    await setup.drain();
    expect(setup.holds).toEqual(['stop']);
    expect(await setup.stored(run.id)).toMatchObject({ status: 'cancelled' });
    expect((await setup.steps(run.id))[1]).toMatchObject({ status: 'cancelled' });
    expect(setup.athena!.tables.size).toBe(0);
  });
});
