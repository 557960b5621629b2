import { readFileSync } from 'node:fs';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openEngine } from '../../../shared/data/duckdb/engine.ts';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { retryRun } from '../../../shared/domains/pipelines/runs/retry-run.ts';
import { usageCounters } from '../../../shared/domains/pipelines/store/read-usage.ts';
import { readEvents } from '../../../shared/domains/pipelines/store/run-events.ts';
import { readStepLog } from '../../../shared/domains/pipelines/store/step-logs.ts';
import { idFrom } from '../../../shared/platform/storage/ids.ts';
import { workspaceKey } from '../../../shared/platform/storage/keys.ts';
import { isAt } from './crash-points.ts';
import { reportedEvents } from './reported-events.ts';
import { code, dagOf, into, load, ONCE, ranOn, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

const monthNow = () => setup.context.now().toISOString().slice(0, 7);

describe('a run', () => {
  it('extracts, transforms and merges into a dataset, version by version', async () => {
    const source = await setup.fileSource({ 'orders.csv': 'id,amount\n1,10\n2,20\n3,30\n' });
    const dag = dagOf(
      { id: 'orders', type: 'extract', config: { sourceId: source, object: { path: 'orders.csv' } } },
      sql('big', 'SELECT id, amount * 2 AS doubled FROM orders WHERE amount > 10', ['orders']),
      load('keep', 'big', { target: into('orders'), mode: 'merge', mergeKey: ['id'] }),
    );
    const { pipeline, run, steps } = await ranOn(setup, dag);
    expect(run).toMatchObject({ status: 'succeeded', rowsMoved: 2, error: null });
    expect([...steps.values()].map((step) => [step.stepId, step.status, step.rowsIn, step.rowsOut])).toEqual([
      ['orders', 'succeeded', 0, 3],
      ['big', 'succeeded', 3, 2],
      ['keep', 'succeeded', 2, 2],
    ]);
    await setup.putFile(source, 'orders.csv', 'id,amount\n3,31\n4,40\n');
    await setup.run(pipeline);
    await setup.drain();
    expect(await setup.rows('orders', '*', 'id')).toEqual([
      ['2', '40'],
      ['3', '62'],
      ['4', '80'],
    ]);
    expect(await setup.dataset('orders')).toMatchObject({ version: 2, rowCount: 3 });
    // Every execution has ended.
    expect(setup.awaited.size).toBe(0);
  });

  it('takes numbers as its parameters and items up to the limits of what is stored, and refuses those beyond', async () => {
    const held = [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 1e-130, 0.1];
    const dag: Dag = {
      ...dagOf(sql('one', 'SELECT {{ forEach.n.item }}::DOUBLE AS n'), load('keep', 'one', { target: into('held') })),
      parameters: [{ name: 'ns', type: 'list', default: [1e20] }],
      forEach: [{ id: 'n', items: '{{ params.ns }}', steps: ['one'] }],
    };
    const pipeline = await setup.pipeline(dag);
    // As a definition was saved before its numbers were checked.
    await expect(setup.run(pipeline)).rejects.toMatchObject({ code: 'RUN_PARAMETERS_INVALID' });
    const run = await setup.run(pipeline, { parameters: { ns: held } });
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded', parameters: { ns: held } });
    expect((await setup.rows('held', 'n::VARCHAR', 'n'))?.flat().map(Number)).toEqual(held.toSorted((a, b) => a - b));
  });

  it('takes names of parameters, steps, ports and inputs that every object has', async () => {
    const names = ['constructor', 'toString', 'hasOwnProperty'];
    const dag: Dag = {
      ...dagOf(
        sql('given', `SELECT ${names.map((name) => `{{ params.${name} }} AS "${name}"`).join(', ')}`),
        {
          id: 'constructor',
          type: 'route',
          config: { routes: [{ port: 'constructor', condition: `"constructor" = 'x'` }] },
          dependsOn: ['given'],
        },
        sql('toString', 'SELECT 1 AS one'),
        sql('valueOf', 'SELECT * FROM "constructor", "toString"', ['constructor', 'toString'], {
          fromPorts: { constructor: 'constructor' },
        }),
        load('keep', 'valueOf', { target: into('names'), mode: 'append' }),
      ),
      parameters: [
        { name: 'constructor', type: 'string', default: 'x' },
        { name: 'toString', type: 'string' },
        { name: 'hasOwnProperty', type: 'number' },
      ],
    };
    const { run } = await ranOn(setup, dag, { parameters: { toString: 'y' } });
    expect(run).toMatchObject({ status: 'succeeded', error: null });
    expect(await setup.rows('names')).toEqual([['x', 'y', null, 1]]);
  });

  it('counts the rows that a step reads once, by however many names it knows them', async () => {
    const { steps } = await ranOn(
      setup,
      dagOf(
        sql('three', 'SELECT range AS n FROM range(3)'),
        {
          id: 'sorted',
          type: 'transform_sql',
          dependsOn: ['three'],
          config: { ops: [{ op: 'sort', by: [{ column: 'n' }] }] },
        },
        sql('twice', 'SELECT * FROM three UNION ALL SELECT * FROM input', ['three']),
      ),
    );
    expect(steps.get('sorted')).toMatchObject({ rowsIn: 3, rowsOut: 3 });
    expect(steps.get('twice')).toMatchObject({ rowsIn: 3, rowsOut: 6 });
  });

  it.each<[string, object]>([
    ['filter', { op: 'filter', condition: 'amount > 0' }],
    ['filter that the bounds of the file exclude', { op: 'filter', condition: 'amount > 100' }],
    ['limit', { op: 'limit', count: 1 }],
    ['join', { op: 'join', with: 'none', type: 'inner', on: [{ left: 'amount', right: 'amount' }] }],
  ])('fails where a row does not meet what a recipe asserts, though a %s leaves it out', async (_what, op) => {
    const { run, steps } = await ranOn(
      setup,
      dagOf(
        sql('rows', 'SELECT 10 AS amount FROM range(300000) UNION ALL SELECT -5'),
        sql('none', 'SELECT 1 AS amount WHERE false'),
        {
          id: 'sure',
          type: 'transform_sql',
          dependsOn: ['rows', 'none'],
          retry: ONCE,
          config: {
            inputs: { rows: 'rows', none: 'none' },
            ops: [{ op: 'assert', condition: 'amount >= 0' }, op],
          },
        },
      ),
    );
    expect(run.status).toBe('failed');
    expect(steps.get('sure')).toMatchObject({
      status: 'failed',
      error: { code: 'GATE_FAILED', message: expect.stringContaining('A row violates an assertion of the recipe.') },
    });
  });

  it.each(['file_row_number', 'FILE_INDEX'])('dedupes rows of several files that have a column %s', async (name) => {
    const rows = (id: string, from: number) =>
      sql(id, `SELECT range + ${from} AS id, 7 AS ${name}, 1 AS v FROM range(3)`);
    const { steps } = await ranOn(setup, {
      ...dagOf(
        rows('first', 0),
        { ...rows('second', 10), dependsOn: ['first'] },
        {
          id: 'made',
          type: 'transform_sql',
          dependsOn: ['first', 'second'],
          config: { inputs: { a: 'first', b: 'second' }, ops: [{ op: 'union', with: ['b'] }] },
        },
        {
          id: 'deduped',
          type: 'transform_sql',
          dependsOn: ['made'],
          config: { ops: [{ op: 'dedupe', keys: ['id'], orderBy: [{ column: 'v' }] }] },
        },
      ),
    });
    expect(steps.get('deduped')).toMatchObject({ rowsIn: 6, rowsOut: 6 });
  });

  it('takes a whole Parquet file over without reading and writing its rows', async () => {
    const engine = await openEngine({ memoryLimitMb: 500, threads: 1, tempDir: setup.worker.scratchDir });
    const path = `${setup.worker.scratchDir}/three.parquet`;
    // Not as we write it, so that it would have another size.
    await engine.run(
      `COPY (SELECT range AS n, '{}'::JSON AS doc FROM range(3)) TO '${path}' (FORMAT parquet, COMPRESSION brotli)`,
    );
    await engine.close();
    const source = await setup.fileSource({ 'three.parquet': readFileSync(path) });
    const { run, steps } = await ranOn(
      setup,
      dagOf({ id: 'x', type: 'extract', config: { sourceId: source, object: { path: 'three.parquet' } } }),
    );
    expect(run.status).toBe('succeeded');
    expect(steps.get('x')!.output!.files).toMatchObject([{ key: expect.stringContaining('/part-1.parquet'), rows: 3 }]);
    expect(steps.get('x')!.output!.bytes).toBe(readFileSync(path).length);
  });

  it('takes unsigned integers of a Parquet file for decimals, UUIDs for text, and nanoseconds for microseconds', async () => {
    const engine = await openEngine({ memoryLimitMb: 500, threads: 1, tempDir: setup.worker.scratchDir });
    const path = `${setup.worker.scratchDir}/unsigned.parquet`;
    await engine.run(`COPY (
      SELECT 18446744073709551615::UBIGINT AS n, UUID '11111111-1111-4111-8111-111111111111' AS u,
        TIMESTAMP_NS '2020-01-01 00:00:00.123456789' AS t
    ) TO '${path}' (FORMAT parquet)`);
    await engine.close();
    const source = await setup.fileSource({ 'unsigned.parquet': readFileSync(path) });
    await ranOn(
      setup,
      dagOf(
        { id: 'x', type: 'extract', config: { sourceId: source, object: { path: 'unsigned.parquet' } } },
        load('keep', 'x', { target: into('unsigned'), mode: 'append' }),
      ),
    );
    expect((await setup.dataset('unsigned'))?.columns.map(({ type }) => type)).toEqual([
      'decimal(20,0)',
      'string',
      'timestamp',
    ]);
    expect(await setup.rows('unsigned', 'typeof(n), n::VARCHAR, typeof(u), typeof(t), t::VARCHAR')).toEqual([
      ['DECIMAL(20,0)', '18446744073709551615', 'VARCHAR', 'TIMESTAMP', '2020-01-01 00:00:00.123456'],
    ]);
  });

  it('waits in the machine for the next attempt of a later step of a chain, and needs no tick for it', async () => {
    let attempts = 0;
    const { checkAllowance } = setup.worker;
    setup.worker.checkAllowance = async () => {
      if (++attempts === 2) throw new Error('the first attempt of the second step is unlucky');
    };
    const again = { retry: { maxAttempts: 2, initialIntervalMs: 30_000 } };
    const { run, steps } = await ranOn(
      setup,
      dagOf(sql('first', 'SELECT 1 AS x'), sql('second', 'SELECT * FROM first', ['first'], again)),
    );
    setup.worker.checkAllowance = checkAllowance;
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(steps.get('second')).toMatchObject({ status: 'succeeded', attempt: 2 });
  });

  it('fails with the first error, skips what depended on it, lets the rest go on, and announces it', async () => {
    const { pipeline, run, steps } = await ranOn(
      setup,
      dagOf(
        sql('bad', "SELECT CAST('no' AS INTEGER) AS x"),
        sql('after', 'SELECT * FROM bad', ['bad']),
        sql('beside', 'SELECT 1 AS x'),
      ),
    );
    expect(run).toMatchObject({ status: 'failed', error: { code: 'SQL_ERROR', stepId: 'bad' } });
    expect(steps.get('after')).toMatchObject({ status: 'skipped', skipReason: 'upstream_failed' });
    expect(steps.get('beside')).toMatchObject({ status: 'succeeded' });
    const announced = await setup.context.table.db.send(
      new GetCommand({
        TableName: 'table',
        Key: workspaceKey(setup.workspaceId, 'OUTBOX', idFrom('pipeline.run_failed', run.id, 1)),
      }),
    );
    expect(announced.Item).toMatchObject({
      event: 'pipeline.run_failed',
      data: { pipelineId: pipeline.id, runId: run.id, attempt: 1, error: { code: 'SQL_ERROR', stepId: 'bad' } },
    });
  });

  it.each([
    ['SQL_ERROR', 'A statement failed.', sql('bad', "SELECT CAST(x AS INTEGER) FROM (SELECT 'ada@example.com' AS x)")],
    [
      'CODE_ERROR',
      'The code of the step failed.',
      {
        ...sql('bad', '', ['rows']),
        type: 'transform_code',
        config: {
          code: 'function transform(rows) { throw new Error(rows[0].email); }',
        },
      } as Step,
    ],
  ])('of which a value is quoted in %s has the value in no event', async (code, message, step) => {
    const { run } = await ranOn(setup, dagOf(sql('rows', "SELECT 'ada@example.com' AS email"), step));
    expect(run.error).toMatchObject({ code, message: expect.stringContaining('ada@example.com') });
    const reports = await reportedEvents(setup, 'pipeline.run_failed');
    expect(reports.find(({ runId }) => runId === run.id)).toMatchObject({ error: { code, message, stepId: 'bad' } });
    expect(JSON.stringify(reports)).not.toContain('ada@');
  });

  it('retries a failed attempt after its interval and keeps a log of each', async () => {
    const { run, steps } = await ranOn(
      setup,
      dagOf(sql('bad', "SELECT CAST('no' AS INTEGER) AS x", [], { retry: { maxAttempts: 2, initialIntervalMs: 100 } })),
    );
    const step = steps.get('bad')!;
    expect(step).toMatchObject({ status: 'failed', attempt: 2, maxAttempts: 2 });
    for (const attempt of [1, 2]) {
      const tail = await readStepLog(setup.worker.objects, { ...step, runId: run.id, attempt });
      const lines = tail!.lines.map((line) => `${line.level} ${line.message}`);
      expect(lines[0]).toContain(`info Attempt ${attempt}`);
      expect(lines.at(-1)).toContain('error Failed with SQL_ERROR');
    }
  });

  it('continues a failed run where it failed, and counts its attempts from 1', async () => {
    const source = await setup.fileSource({});
    const dag = dagOf(
      sql('first', 'SELECT 1 AS x'),
      {
        id: 'late',
        type: 'extract',
        config: { sourceId: source, object: { path: 'late.csv' } },
        dependsOn: ['first'],
        retry: ONCE,
      },
      sql('last', 'SELECT * FROM late', ['late']),
    );
    const { run, steps } = await ranOn(setup, dag);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'NOT_FOUND' } });
    await setup.putFile(source, 'late.csv', 'a\n1\n');
    expect(await retryRun(setup.context, setup.place(run.id))).toMatchObject({ status: 'queued', attempt: 2 });
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded', attempt: 2, error: null });
    const after = new Map((await setup.steps(run.id)).map((step) => [step.stepId, step]));
    expect(after.get('first')).toMatchObject({ attempt: 1, finishedAt: steps.get('first')!.finishedAt });
    expect(after.get('late')).toMatchObject({ status: 'succeeded', attempt: 2 });
    await expect(retryRun(setup.context, setup.place(run.id))).rejects.toMatchObject({ code: 'RUN_NOT_FAILED' });
  });

  describe('that failed again when it was retried after 29 days', () => {
    const DAY_MS = 24 * 60 * 60 * 1000;
    afterEach(() => {
      setup.aheadMs = 0;
    });

    /** The rest of the definition beside a step whose file never comes, six days after the second failure. */
    async function failedTwice(last: Step[]) {
      const config = { sourceId: await setup.fileSource({}), object: { path: 'never.csv' } };
      const dag = dagOf(
        sql('first', 'SELECT 1 AS x'),
        { id: 'never', type: 'extract', config, dependsOn: ['first'], retry: ONCE },
        ...last,
      );
      const { run } = await ranOn(setup, dag);
      setup.aheadMs += 29 * DAY_MS;
      await retryRun(setup.context, setup.place(run.id));
      await setup.drain();
      expect(await setup.stored(run.id)).toMatchObject({ status: 'failed', attempt: 2 });
      setup.aheadMs += 6 * DAY_MS;
      return run;
    }

    it('is not retried on rows of the first time, which are gone', async () => {
      const run = await failedTwice([sql('both', 'SELECT * FROM first, never', ['first', 'never'])]);
      await expect(retryRun(setup.context, setup.place(run.id))).rejects.toMatchObject({ code: 'RUN_EXPIRED' });
      expect(await setup.stored(run.id)).toMatchObject({ status: 'failed', attempt: 2 });
    });

    it('is retried if no step reads what is gone', async () => {
      const run = await failedTwice([sql('done', 'SELECT * FROM first', ['first'])]);
      expect(await retryRun(setup.context, setup.place(run.id))).toMatchObject({ status: 'queued', attempt: 3 });
      await setup.drain();
    });
  });

  it('gives each item of a block a step of its own and its rows to those after', async () => {
    const dag: Dag = {
      version: 1,
      steps: [
        sql('one', 'SELECT {{ forEach.n.item }} AS n, {{ params.tag }} AS tag'),
        sql('all', 'SELECT sum(n)::INTEGER AS total, min(tag) AS tag FROM one', ['one']),
        load('keep', 'all', { target: into('items'), mode: 'overwrite' }),
      ],
      parameters: [{ name: 'tag', type: 'string', default: 'x' }],
      forEach: [{ id: 'n', items: [1, 2, 3], steps: ['one'] }],
    };
    const { run } = await ranOn(setup, dag, { parameters: { tag: "it's" } });
    expect(run.status).toBe('succeeded');
    expect(await setup.rows('items', '*', 'total')).toEqual([[6, "it's"]]);
  });

  it('takes braces behind a backslash as they stand, in SQL and in the env of code', async () => {
    const text = 'function transform(rows, { env }) { return rows.map((row) => ({ x: row.x + " " + env.A })) }';
    const dag: Dag = {
      ...dagOf(
        sql('rows', String.raw`SELECT '\{{ name }} ' || {{ params.tag }} AS x`),
        code('rows', { code: text, env: { A: String.raw`\{{ params.tag }} \\{{ params.tag }}` } }),
        load('keep', 'code', { target: into('braces'), mode: 'append' }),
      ),
      parameters: [{ name: 'tag', type: 'string', default: 'v' }],
    };
    const { run } = await ranOn(setup, dag, { parameters: { tag: 'v' } });
    expect(run.error).toBeNull();
    expect(await setup.rows('braces')).toEqual([[String.raw`{{ name }} v {{ params.tag }} \v`]]);
  });

  it('numbers its events without a gap and ends them with the end', async () => {
    const { run } = await ranOn(setup, dagOf(sql('a', 'SELECT 1 AS x'), sql('b', 'SELECT * FROM a', ['a'])));
    const events = await readEvents(setup.context.table, setup.place(run.id), 0);
    expect(events.map((event) => event.seq)).toEqual(events.map((_event, index) => index + 1));
    expect(
      events.map(({ type, data }) =>
        type === 'step.status' ? `${data.stepId} ${data.status}` : `${type} ${'status' in data ? data.status : ''}`,
      ),
    ).toEqual([
      'run.status queued',
      'run.status running',
      'a running',
      'a succeeded',
      'b running',
      'b succeeded',
      'run.status succeeded',
      'end succeeded',
    ]);
  });

  it('is billed once per attempt, to the day, the pipeline and the dataset', async () => {
    const name = 'billed';
    const { checkAllowance } = setup.worker;
    const before = await usageCounters(setup.context.table, setup.workspaceId, monthNow(), 'DAY#');
    let attempts = 0;
    setup.worker.checkAllowance = async () => {
      setup.aheadMs += 5_000;
      if (++attempts === 1) throw new Error('the first attempt is unlucky');
    };
    const retry = { maxAttempts: 2, initialIntervalMs: 100 };
    const { pipeline, run } = await ranOn(
      setup,
      dagOf(sql('a', 'SELECT 1 AS x', [], { retry }), load('keep', 'a', { target: into(name), mode: 'append' })),
    );
    setup.worker.checkAllowance = checkAllowance;
    const used = async (prefix: 'DAY#' | 'PIPELINE#' | 'SINK#', part: string) =>
      (await usageCounters(setup.context.table, setup.workspaceId, monthNow(), prefix)).find((of) => of.part === part)!
        .usage;
    const steps = await setup.steps(run.id);
    const seconds = steps.reduce((sum, step) => sum + step.executionSeconds, 0);
    expect(steps.map((step) => [step.attempt, Math.floor(step.executionSeconds / 5)])).toEqual([
      [2, 2],
      [1, 1],
    ]);
    expect(run.executionSeconds).toBeCloseTo(seconds, 2);
    const ofPipeline = await used('PIPELINE#', pipeline.id);
    expect(ofPipeline).toMatchObject({ runs: 1, rows_moved: 1 });
    expect(ofPipeline.execution_seconds).toBeCloseTo(seconds, 6);
    const day = run.finishedAt!.slice(8, 10);
    const earlier = before.find(({ part }) => part === day)?.usage.execution_seconds ?? 0;
    expect((await used('DAY#', day)).execution_seconds - earlier).toBeCloseTo(seconds, 6);
    expect(await used('SINK#', `dataset#${(await setup.dataset(name))!.id}`)).toMatchObject({ rows_moved: 1 });
  });

  it('is not billed for the time of a worker that was lost', async () => {
    setup.crash = (write) => {
      if (!isAt('stage', write)) return undefined;
      setup.crash = () => undefined;
      setup.aheadMs += 20_000;
      return 'before';
    };
    const retry = { maxAttempts: 2, initialIntervalMs: 100 };
    const { pipeline, run, steps } = await ranOn(setup, dagOf(sql('a', 'SELECT 1 AS x', [], { retry })));
    expect(run.status).toBe('succeeded');
    expect(steps.get('a')).toMatchObject({ attempt: 2 });
    expect(run.executionSeconds).toBeLessThan(20);
    const found = await usageCounters(setup.context.table, setup.workspaceId, monthNow(), 'PIPELINE#');
    const ofPipeline = found.find(({ part }) => part === pipeline.id)!.usage;
    expect(ofPipeline.execution_seconds).toBeCloseTo(steps.get('a')!.executionSeconds, 6);
  });
});
