import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { START_RETRIES } from '../../../functions/pipelines/workers/run-lifecycle/run-machine.ts';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { readEvaluations, readGateHealth } from '../../../shared/domains/pipelines/store/gate-results.ts';
import { readEvents } from '../../../shared/domains/pipelines/store/run-events.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { cases } from '../../support/cases.ts';
import { reportedEvents } from './reported-events.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

const retry = { maxAttempts: 10, initialIntervalMs: 100, backoffCoefficient: 1 };

function dagOf(rows: string, dataset: string, how: object): Dag {
  const target = { kind: 'dataset', name: dataset };
  return {
    version: 1,
    steps: [
      { id: 'rows', type: 'transform_sql', config: { sql: rows, inputs: {} }, retry },
      { id: 'keep', type: 'load', config: { target, mode: 'append', ...how }, dependsOn: ['rows'], retry },
    ],
  };
}

async function ran(dag: Dag) {
  const pipeline = await setup.pipeline(dag);
  const run = await setup.run(pipeline);
  return finished(pipeline.id, run.id);
}

async function finished(pipelineId: string, runId: string) {
  const run = await setup.untilOver(runId);
  const place = { workspaceId: setup.workspaceId, pipelineId, runId };
  return {
    run,
    step: (await setup.steps(runId)).find(({ stepId }) => stepId === 'keep')!,
    history: await readEvaluations(setup.context.table, place, 50),
    events: (await readEvents(setup.context.table, place, 0)).filter(({ type }) => type === 'gate.result'),
    health: (await readGateHealth(setup.context.table, setup.workspaceId, new Date(0))).get(pipelineId),
  };
}

const VALUES = "SELECT * FROM (VALUES (1, 'a'), (2, NULL), (3, 'c'), (-4, 'd'), (-5, NULL)) v(id, name)";
const named = { id: 'named', type: 'not_null', column: 'name' };
const positive = { id: 'positive', type: 'no_negative', column: 'id' };

describe('the gates of a load', () => {
  it('fail it for good before anything is committed', async () => {
    const dataset = `rows ${newId()}`;
    const gates = [
      { ...positive, action: 'quarantine' },
      { ...named, action: 'fail', severity: 'critical' },
    ];
    const { run, step, history, events, health } = await ran(dagOf(VALUES, dataset, { gates }));
    expect(run).toMatchObject({ status: 'failed', error: { code: 'GATE_FAILED', stepId: 'keep' } });
    expect(run.error!.message).toContain('named: 2 of 5 rows fail not_null on name.');
    expect(step).toMatchObject({ attempt: 1, gates: [{ gateId: 'positive' }, { gateId: 'named', status: 'failed' }] });
    expect(await setup.rows(dataset)).toBeUndefined();
    expect(await setup.rows(`${dataset}__quarantine`)).toBeUndefined();
    expect(history).toHaveLength(2);
    expect(events.map(({ data }) => data)).toMatchObject([{ gateId: 'positive' }, { gateId: 'named', failedRows: 2 }]);
    expect(health).toMatchObject({ evaluations: 2, passed: 0, failed: 2, warned: 0, passRate: 0 });
  });

  it('warn, quarantine and drop, each row kept out once by the first gate that it fails', async () => {
    const dataset = `rows ${newId()}`;
    const gates = [
      { ...named, action: 'quarantine' },
      { ...positive, action: 'drop' },
      { id: 'few', type: 'row_count', config: { max: 3 }, action: 'warn' },
    ];
    const { run, step, history } = await ran(dagOf(VALUES, dataset, { gates }));
    expect(run.status).toBe('succeeded');
    expect(step).toMatchObject({ rowsIn: 5, rowsOut: 2 });
    expect(step.gates).toMatchObject([
      { gateId: 'named', status: 'failed', evaluatedRows: 5, failedRows: 2, failedPercent: 40, removedRows: 2 },
      { gateId: 'positive', status: 'failed', failedRows: 2, removedRows: 1 },
      { gateId: 'few', status: 'warned', evaluatedRows: 5, failedRows: null, message: '5 rows are more than 3.' },
    ]);
    expect(JSON.stringify(step.gates)).not.toContain('sample');
    expect(await setup.rows(dataset, 'id::VARCHAR, name')).toEqual([
      ['1', 'a'],
      ['3', 'c'],
    ]);
    expect(await setup.rows(`${dataset}__quarantine`, 'id::VARCHAR, name, _run_id, _gate_id, _reason')).toEqual([
      ['-5', null, run.id, 'named', 'not_null on name'],
      ['2', null, run.id, 'named', 'not_null on name'],
    ]);
    expect(history.find(({ gateId }) => gateId === 'positive')!.sample).toEqual({
      columns: ['id', 'name'],
      rows: [
        [-4, 'd'],
        [-5, null],
      ],
    });
  });

  describe('with so many failing rows allowed', () => {
    // Of five rows two have no name: 2 rows, 40 percent.
    const tolerances: [string, object, boolean][] = [
      ['one row below what fails', { maxFailedRows: 1 }, false],
      ['as many rows as fail', { maxFailedRows: 2 }, true],
      ['one row above', { maxFailedRows: 3 }, true],
      ['a percentage below', { maxFailedPercent: 39.9 }, false],
      ['the percentage itself', { maxFailedPercent: 40 }, true],
      ['a percentage above', { maxFailedPercent: 40.1 }, true],
      ['both, and the rows are too few', { maxFailedRows: 1, maxFailedPercent: 40 }, false],
      ['both, and the percentage is too small', { maxFailedRows: 2, maxFailedPercent: 39.9 }, false],
      ['both, and both hold', { maxFailedRows: 2, maxFailedPercent: 40 }, true],
      ['none in rows', { maxFailedRows: 0 }, false],
      ['all in percent', { maxFailedPercent: 100 }, true],
    ];

    /** A load for each of the tolerances, in one run. */
    async function loads(action: string) {
      const dag = dagOf(VALUES, '', {});
      const datasets = tolerances.map(() => `rows ${newId()}`);
      const [rows, keep] = dag.steps as [Step, Step];
      dag.steps = datasets.map((name, index) => {
        const gates = [{ ...named, ...tolerances[index]![1], action }];
        return { ...keep, id: `keep${index}`, config: { target: { kind: 'dataset', name }, mode: 'append', gates } };
      });
      dag.steps.unshift(rows);
      const run = await setup.untilOver((await setup.run(await setup.pipeline(dag))).id);
      return { run, datasets, steps: (await setup.steps(run.id)).slice(1) };
    }

    it('fail when more rows do', async () => {
      const { run, datasets, steps } = await loads('fail');
      expect(run.status).toBe('failed');
      for (const [index, [what, , holds]] of tolerances.entries()) {
        const { status, gates } = steps[index]!;
        expect(status, what).toBe(holds ? 'succeeded' : 'failed');
        expect(gates, what).toMatchObject([{ status: holds ? 'passed' : 'failed', failedRows: 2, removedRows: 0 }]);
        expect((await setup.rows(datasets[index]!))?.length, what).toBe(holds ? 5 : undefined);
      }
    });

    it.each(['drop', 'quarantine'])('take all rows that fail, or none (%s)', async (action) => {
      const { run, datasets, steps } = await loads(action);
      expect(run.status).toBe('succeeded');
      for (const [index, [what, , holds]] of tolerances.entries()) {
        const removedRows = holds ? 0 : 2;
        expect(steps[index]!.gates, what).toMatchObject([
          { status: holds ? 'passed' : 'failed', failedRows: 2, removedRows },
        ]);
        expect((await setup.dataset(datasets[index]!))?.rowCount, what).toBe(5 - removedRows);
        const kept = (await setup.dataset(`${datasets[index]!}__quarantine`))?.rowCount ?? 0;
        expect(kept, what).toBe(action === 'quarantine' ? removedRows : 0);
      }
    });
  });

  it('keep evidence apart whatever the types of the columns become', async () => {
    const dataset = `rows ${newId()}`;
    const gates = [{ ...named, action: 'quarantine' }];
    const batches = [
      'SELECT 9007199254740993 AS v, 1::DOUBLE AS w, 1 AS same, NULL AS name',
      "SELECT 'x' AS v, 9007199254740993 AS w, 2 AS same, NULL AS name",
      "SELECT [1, 2] AS v, 'nan'::DOUBLE AS w, 3 AS same, NULL AS name",
    ];
    for (const rows of batches) {
      const { run } = await ran(
        dagOf(`${rows} UNION ALL ${rows.replace('NULL', "'a'")}`, dataset, { mode: 'overwrite', gates }),
      );
      expect(run.error, rows).toBeNull();
    }
    expect(await setup.rows(dataset, 'v, w::VARCHAR, same, name')).toHaveLength(1);
    expect(await setup.rows(`${dataset}__quarantine`, 'v, w, same', 'same')).toEqual([
      ['9007199254740993', '1.0', 1],
      ['x', '9007199254740993', 2],
      ['[1, 2]', 'nan', 3],
    ]);
  });

  it('check the table as it would be, and leave it as it is when it would be wrong', async () => {
    const dataset = `rows ${newId()}`;
    const gates = [{ id: 'once', type: 'unique', column: 'id', scope: 'table', action: 'fail' }];
    expect((await ran(dagOf('SELECT 1 AS id', dataset, { gates }))).run.status).toBe('succeeded');
    expect((await ran(dagOf('SELECT 1 AS id', dataset, { gates }))).run.error?.code).toBe('GATE_FAILED');
    expect(await setup.rows(dataset, 'id::VARCHAR')).toEqual([['1']]);
    const shrink = { id: 'shrink', type: 'row_count', scope: 'table', config: { comparePrevious: { maxDropPct: 50 } } };
    const emptied = dagOf('SELECT 1 AS id WHERE false', dataset, {
      mode: 'overwrite',
      gates: [{ ...shrink, action: 'fail' }],
    });
    expect((await ran(emptied)).run.error?.message).toContain('0 rows are 100.0% fewer than the 1 before.');
  });

  it('look up keys in another dataset, and cannot be run without it', async () => {
    const [known, dataset] = [`known ${newId()}`, `rows ${newId()}`];
    await ran(dagOf('SELECT 1 AS key', known, {}));
    const gateOf = (refTable: string, action: string) => [
      { id: 'known', type: 'foreign_key', column: 'id', config: { refTable, refColumn: 'key' }, action },
    ];
    const parted = await ran(dagOf(VALUES, dataset, { gates: gateOf(known, 'drop') }));
    expect(parted.step.gates).toMatchObject([{ evaluatedRows: 5, failedRows: 4, removedRows: 4 }]);
    for (const [action, status] of [
      ['fail', 'failed'],
      ['quarantine', 'failed'],
      ['warn', 'succeeded'],
    ] as const) {
      const { run, step } = await ran(dagOf(VALUES, `rows ${newId()}`, { gates: gateOf('nowhere', action) }));
      expect(run.status, action).toBe(status);
      expect(step.gates, action).toMatchObject([{ status: 'error', message: 'There is no dataset nowhere.' }]);
    }
  });

  it('say by onEmpty what no rows mean', async () => {
    const statuses = async (onEmpty: object) => {
      const gates = [{ ...named, config: { where: 'id > {{ run.id }}', ...onEmpty }, action: 'fail' }];
      const none = "SELECT '' AS id, NULL::VARCHAR AS name WHERE false";
      return (await ran(dagOf(none, `rows ${newId()}`, { gates }))).step.gates!.map(({ status }) => status);
    };
    expect(await statuses({})).toEqual(['skipped']);
    expect(await statuses({ onEmpty: 'pass' })).toEqual(['passed']);
    expect(await statuses({ onEmpty: 'fail' })).toEqual(['failed']);
  });

  it.each([
    ['fail', 'failed', 'failed'],
    ['quarantine', 'failed', 'failed'],
    ['drop', 'failed', 'failed'],
    ['warn', 'warned', 'succeeded'],
  ])('with the action %s stop an empty batch that should have rows', async (action, reports, ended) => {
    const dataset = `rows ${newId()}`;
    const gates = [{ ...named, config: { where: 'id > 100', onEmpty: 'fail' }, action }];
    const { run, step } = await ran(dagOf(VALUES, dataset, { gates }));
    expect(step.gates).toMatchObject([{ status: reports, evaluatedRows: 0, message: 'There are no rows to check.' }]);
    expect(run.status).toBe(ended);
    expect(run.error?.code).toBe(ended === 'failed' ? 'GATE_FAILED' : undefined);
    expect((await setup.rows(dataset))?.length).toBe(ended === 'failed' ? undefined : 5);
  });

  it('allow a percentage as it is written, and not one row more', async () => {
    const statuses = async (failing: number) => {
      const rows = `SELECT CASE WHEN range >= ${failing} THEN 'a' END AS name FROM range(10000)`;
      const gates = [{ ...named, action: 'warn', maxFailedPercent: 0.57 }];
      return (await ran(dagOf(rows, `rows ${newId()}`, { gates }))).step.gates!.map(({ status }) => status);
    };
    expect(await statuses(57)).toEqual(['passed']);
    expect(await statuses(58)).toEqual(['warned']);
  });

  it.each(['append', 'overwrite', 'merge'])(
    'lose no row and take none twice wherever the worker dies (%s)',
    async (mode) => {
      const rows = fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.boolean()), { minLength: 1, maxLength: 8 });
      const losses = fc.array(fc.tuple(fc.integer({ min: 0, max: 10 }), fc.constantFrom('before', 'after')), {
        // With one more the machine of the run may give up its start.
        maxLength: START_RETRIES,
      });
      await fc.assert(
        fc.asyncProperty(rows, losses, async (values, crashes) => {
          const dataset = `rows ${newId()}`;
          const text = values.map(([value, has], key) => `(${key}, ${value}, ${has ? "'é'" : 'NULL'})`).join(', ');
          const gates = [
            { ...named, action: 'quarantine' },
            { id: 'positive', type: 'no_negative', column: 'n', action: 'drop' },
          ];
          const how = mode === 'merge' ? { mode, mergeKey: ['key'], gates } : { mode, gates };
          const pipeline = await setup.pipeline(dagOf(`SELECT * FROM (VALUES ${text}) v(key, n, name)`, dataset, how));
          const run = await setup.run(pipeline);
          const left = [...crashes];
          let writes = 0;
          setup.crash = () => {
            if (left.length === 0 || writes++ < left[0]![0]) return undefined;
            writes = 0;
            return left.shift()![1] as 'before' | 'after';
          };
          await setup.drain();
          setup.crash = () => undefined;
          const { run: ended, step, history } = await finished(pipeline.id, run.id);
          expect(ended.status).toBe('succeeded');
          const quarantined = values.filter(([, has]) => !has).length;
          const dropped = values.filter(([value, has]) => has && value < 0).length;
          expect((await setup.rows(dataset))?.length ?? 0).toBe(values.length - quarantined - dropped);
          expect((await setup.rows(`${dataset}__quarantine`))?.length ?? 0).toBe(quarantined);
          expect(step.gates!.map(({ removedRows }) => removedRows)).toEqual([quarantined, dropped]);
          expect(history).toHaveLength(2);
        }),
        { numRuns: cases(3, 10) },
      );
    },
    120_000,
  );
});

describe('the gates of other steps', () => {
  const small = { id: 'small', type: 'value_range', column: 'id', config: { max: 2 }, action: 'drop' };
  const rowsWith = (...gates: object[]) => {
    const dataset = `rows ${newId()}`;
    const dag = dagOf(VALUES, dataset, {});
    dag.steps[0]!.config.gates = gates;
    return { dag, dataset };
  };

  it('check what the step has made before anybody reads it', async () => {
    const { dag, dataset } = rowsWith({ ...positive, action: 'warn' }, small);
    const { run } = await ran(dag);
    expect(run.status).toBe('succeeded');
    const [made] = await setup.steps(run.id);
    expect(made).toMatchObject({ rowsOut: 4, gates: [{ status: 'warned', failedRows: 2 }, { removedRows: 1 }] });
    expect(await setup.rows(dataset, 'id::VARCHAR')).toEqual([['-4'], ['-5'], ['1'], ['2']]);
  });

  it('fail the step for good, and what waits for it is skipped', async () => {
    const { dag, dataset } = rowsWith({ ...named, action: 'fail' });
    const { run } = await ran(dag);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'GATE_FAILED', stepId: 'rows' } });
    const [made, keep] = await setup.steps(run.id);
    expect(made).toMatchObject({ attempt: 1, gates: [{ status: 'failed', failedRows: 2 }] });
    expect(keep).toMatchObject({ status: 'skipped', skipReason: 'upstream_failed' });
    expect(await setup.rows(dataset)).toBeUndefined();
  });

  it('check what an extract has read, and let its watermark move on with what is left', async () => {
    const sourceId = await setup.fileSource({ 'log.csv': 'day\n1\n2\n3\n' });
    const incremental = { mode: 'incremental', incremental: { cursorColumn: 'day' } };
    const gates = [{ id: 'small', type: 'value_range', column: 'day', config: { max: 2 }, action: 'drop' }];
    const dataset = `rows ${newId()}`;
    const dag = dagOf('', dataset, {});
    dag.steps[0] = {
      id: 'rows',
      type: 'extract',
      config: { sourceId, object: { path: 'log.csv' }, ...incremental, gates },
    };
    const pipeline = await setup.pipeline(dag);
    for (const day of [4, 2]) {
      expect((await setup.untilOver((await setup.run(pipeline)).id)).status).toBe('succeeded');
      await setup.putFile(sourceId, 'log.csv', `day\n1\n2\n3\n${day}\n`);
    }
    expect(await setup.rows(dataset, 'day::VARCHAR')).toEqual([['1'], ['2']]);
  });

  it('name no value when they could not be run', async () => {
    const where = 'CAST(name AS INTEGER) > 0';
    const { dag } = rowsWith({ ...named, config: { where }, action: 'fail' });
    const { run, events } = await ran(dag);
    expect(run.error!.message).toBe('named: A value cannot be converted, or is out of range.');
    expect(JSON.stringify(events)).not.toContain("'c'");
    const reports = await reportedEvents(setup, 'pipeline.run_failed');
    expect(reports.find(({ runId }) => runId === run.id)).toMatchObject({ error: run.error });
  });
});
