import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordArrival } from '../../../functions/pipelines/workers/run-lifecycle/record-arrival.ts';
import { startWaiting } from '../../../functions/pipelines/workers/run-lifecycle/start-waiting.ts';
import { startFileBatches } from '../../../functions/platform/workers/minute-tick/overdue-work.ts';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { type FileTrigger, fileWatchItems } from '../../../shared/domains/pipelines/definition/file-watches.ts';
import { repairRun } from '../../../shared/domains/pipelines/runs/repair-run.ts';
import { retryRun } from '../../../shared/domains/pipelines/runs/retry-run.ts';
import type { StoredPipeline } from '../../../shared/domains/pipelines/store/pipeline-record.ts';
import { pipelineRepository } from '../../../shared/domains/pipelines/store/pipeline-store.ts';
import type { StoredRun } from '../../../shared/domains/pipelines/store/run-record.ts';
import { runRepository } from '../../../shared/domains/pipelines/store/run-store.ts';
import { readStepLog } from '../../../shared/domains/pipelines/store/step-logs.ts';
import { readTriggers } from '../../../shared/domains/pipelines/store/trigger-records.ts';
import { readTriggerInput } from '../../../shared/domains/pipelines/triggers/trigger-input.ts';
import { uploadKey } from '../../../shared/domains/warehouse/sources/record.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { transact } from '../../../shared/platform/storage/transact.ts';
import { cases } from '../../support/cases.ts';
import { asProcess, Crashed } from '../../support/crash.ts';
import { into, load, ONCE } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());
beforeEach(() => {
  setup.messages.splice(0);
  setup.delays.splice(0);
});

const quick: Dag = { version: 1, steps: [{ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS x' } }] };

async function watching(trigger: Partial<FileTrigger> = {}, steps: Dag['steps'] = quick.steps) {
  const sourceId = trigger.sourceId ?? newId();
  const dag: Dag = {
    version: 1,
    steps,
    trigger: { kind: 'file_arrival', sourceId, path: '**', quietSeconds: 0, ...trigger },
  };
  const pipeline = await setup.pipeline(dag);
  await transact(setup.context.table, fileWatchItems(setup.context.table, pipeline, undefined, dag));
  return { sourceId, pipeline, dag };
}

let sequence = 0;
const nextSequencer = () => (++sequence).toString(16).padStart(10, '0');

interface ArrivalDetail {
  sequencer?: string;
  size?: number;
  'version-id'?: string;
}

/** The event of the bucket for a file that arrives now. */
const created = (sourceId: string, path: string, more: ArrivalDetail = {}) => ({
  'detail-type': 'Object Created',
  time: setup.context.now().toISOString(),
  detail: {
    object: { key: uploadKey(setup.workspaceId, sourceId, path), size: 10, sequencer: nextSequencer(), ...more },
  },
});

const arrives = (sourceId: string, path: string, more?: ArrivalDetail) =>
  recordArrival(setup.context, created(sourceId, path, more));

/** The work queue's part: every message comes twice. */
async function deliver(): Promise<void> {
  for (let message = setup.messages.shift(); message; message = setup.messages.shift()) {
    if (message.kind !== 'file-batch' && message.kind !== 'start-waiting') continue;
    for (const _time of [1, 2]) {
      await asProcess(() => startWaiting(setup.context, message)).catch((error: unknown) => {
        if (!(error instanceof Crashed)) throw error;
      });
    }
  }
}

async function tick(aheadMs = 61_000): Promise<void> {
  setup.aheadMs += aheadMs;
  await startFileBatches(setup.context, (failure) => {
    throw new Error(JSON.stringify(failure));
  });
  await deliver();
}

/** The files of each run, the oldest run first. */
async function taken({ id }: StoredPipeline): Promise<string[][]> {
  const { items } = await runRepository(setup.context.table).list(setup.workspaceId, { limit: 50, offset: 0 }, id);
  const inputs = await Promise.all(
    items.map((run) => readTriggerInput(setup.context.table, setup.workspaceId, run.id)),
  );
  return inputs.reverse().map(({ files = [] }) => files.map(({ path }) => path));
}

/** A pipeline that appends the files that arrive in a source of its own to a dataset. */
async function loading(name: string, options: object = {}) {
  const sourceId = await setup.fileSource({});
  const read = { sourceId, object: { path: '{{ trigger.files }}', ...options } };
  const { pipeline } = await watching({ sourceId }, [
    { id: 'read', type: 'extract', config: read, retry: ONCE },
    load('keep', 'read', { target: into(name), mode: 'append' }),
  ]);
  const put = async (files: Record<string, string>) => {
    for (const [path, content] of Object.entries(files)) {
      await setup.putFile(sourceId, path, content);
      const found = await setup.worker.objects.find(uploadKey(setup.workspaceId, sourceId, path));
      await arrives(sourceId, path, { 'version-id': found!.versionId! });
    }
  };
  const { table } = setup.context;
  const runs = async () =>
    (await runRepository(table).list(setup.workspaceId, { limit: 50, offset: 0 }, pipeline.id)).items;
  return { sourceId, pipeline, put, runs };
}

/** What the log of the last run's extract says. */
async function logOf(run: StoredRun | undefined): Promise<string[]> {
  const [step] = await setup.steps(run!.id);
  const tail = await readStepLog(setup.worker.objects, step!);
  return tail!.lines.map(({ message }) => message);
}

const triggersOf = ({ id }: StoredPipeline) =>
  readTriggers(setup.context.table, { workspaceId: setup.workspaceId, pipelineId: id }, 50);

describe('files that arrive', () => {
  it('start one run together once it has been quiet for long enough', async () => {
    const { sourceId, pipeline } = await watching({ quietSeconds: 60 });
    await arrives(sourceId, 'b.csv');
    setup.aheadMs += 50_000;
    await arrives(sourceId, 'a.csv');
    setup.aheadMs += 50_000;
    await deliver();
    expect(await taken(pipeline)).toEqual([]);
    setup.aheadMs += 11_000;
    await tick(0);
    expect(await taken(pipeline)).toEqual([['a.csv', 'b.csv']]);
    expect(await triggersOf(pipeline)).toMatchObject([{ kind: 'file_arrival', outcome: 'started', reason: null }]);
  });

  it('are read as one table unless integers would lose digits by it', async () => {
    const sourceId = await setup.fileSource({ 'a.csv': 'n\n9007199254740993\n', 'b.csv': 'n\n1.5\n' });
    const read = { sourceId, object: { path: '{{ trigger.files }}' } };
    const step: Step = { id: 'read', type: 'extract', config: read, retry: { maxAttempts: 1 } };
    const { pipeline } = await watching({ sourceId, quietSeconds: 60 }, [step]);
    for (const path of ['a.csv', 'b.csv']) await arrives(sourceId, path);
    await tick();
    await setup.drain();
    const { items } = await runRepository(setup.context.table).list(
      setup.workspaceId,
      { limit: 1, offset: 0 },
      pipeline.id,
    );
    expect(items).toMatchObject([{ status: 'failed', error: { code: 'SCHEMA_MISMATCH' } }]);
    expect(items[0]!.error!.message).toContain('The column n mixes fractions with integers beyond 2^53');
  });

  it('start a run at once where no quiet is asked for, and one each while runs are quick', async () => {
    const { sourceId, pipeline } = await watching();
    for (const path of ['1.csv', '2.csv']) {
      await arrives(sourceId, path);
      expect(setup.delays).toEqual([expect.closeTo(0)]);
      setup.delays.splice(0);
      await deliver();
      await setup.drain();
    }
    expect(await taken(pipeline)).toEqual([['1.csv'], ['2.csv']]);
  });

  it('wait for a longer quiet than a queue can hold a message', async () => {
    const { sourceId, pipeline } = await watching({ quietSeconds: 3600 });
    await arrives(sourceId, '1.csv');
    expect(setup.messages).toEqual([]);
    await tick(3500_000);
    expect(await taken(pipeline)).toEqual([]);
    await tick(101_000);
    expect(await taken(pipeline)).toEqual([['1.csv']]);
  });

  it('are waited for until there are enough of them', async () => {
    const { sourceId, pipeline } = await watching({ minFiles: 3 });
    for (const path of ['1', '2', '2', '1']) await arrives(sourceId, path);
    await tick();
    expect(await taken(pipeline)).toEqual([]);
    await arrives(sourceId, '3');
    await deliver();
    expect(await taken(pipeline)).toEqual([['1', '2', '3']]);
  });

  it('start a run after an hour although they keep coming', async () => {
    const { sourceId, pipeline } = await watching({ quietSeconds: 60 });
    for (let minute = 0; minute <= 70; minute++) {
      await arrives(sourceId, `${minute}.csv`);
      await tick(55_000);
      await setup.drain();
    }
    const runs = await taken(pipeline);
    expect(runs).toHaveLength(1);
    expect(runs[0]!.length).toBeGreaterThan(60);
  });

  it('count once, even if reported repeatedly and in any order, and again when they are replaced', async () => {
    const { sourceId, pipeline } = await watching();
    const [old, older, first] = [created(sourceId, 'a'), created(sourceId, 'a'), created(sourceId, 'a')].reverse();
    for (const event of [first, old, older, first, first]) await recordArrival(setup.context, event!);
    await tick();
    await setup.drain();
    for (const event of [first, old, older]) await recordArrival(setup.context, event!);
    await tick();
    await setup.drain();
    const runs = await taken(pipeline);
    expect(runs.flat().every((path) => path === 'a')).toBe(true);
    expect(runs).toHaveLength(1);
    await arrives(sourceId, 'a');
    await tick();
    expect(await taken(pipeline)).toEqual([['a'], ['a']]);
  });

  it('are passed over when they are empty, unfinished, hidden, elsewhere or do not fit', async () => {
    const { sourceId, pipeline } = await watching({ path: 'in/**/*.csv' });
    for (const path of ['a.csv', 'in/a.txt', 'in/.a.csv', 'in/_a.csv', 'in/_tmp/a.csv', 'in/a.csv.tmp']) {
      await arrives(sourceId, path);
    }
    await arrives(sourceId, 'in/empty.csv', { size: 0 });
    await arrives(newId(), 'in/other-source.csv');
    await arrives(sourceId, 'in/2026/fits.csv');
    await tick();
    expect(await taken(pipeline)).toEqual([['in/2026/fits.csv']]);
  });

  it('wait while a run is active, and the next run gets all of them', async () => {
    const { sourceId, pipeline } = await watching();
    await arrives(sourceId, '1');
    await deliver();
    const held = setup.jobs.splice(0);
    await arrives(sourceId, '2');
    await deliver();
    await arrives(sourceId, '3');
    await tick();
    expect(await taken(pipeline)).toEqual([['1']]);
    const skipped = (await triggersOf(pipeline)).filter(({ outcome }) => outcome === 'skipped');
    expect(skipped).toMatchObject([{ reason: 'RUN_OVERLAP', activeRunIds: [expect.any(String)] }]);
    setup.jobs.push(...held);
    await setup.drain();
    expect(await taken(pipeline)).toEqual([['1'], ['2', '3']]);
  });

  it.each(['before', 'after'] as const)(
    'are neither lost nor taken twice when a worker dies %s any write between the end of a run and the next start',
    async (side) => {
      let writes = Number.POSITIVE_INFINITY;
      for (let write = 1; write <= writes; write += cases(3, 1)) {
        const { sourceId, pipeline } = await watching();
        await arrives(sourceId, '1');
        await deliver();
        const held = setup.jobs.splice(0);
        await arrives(sourceId, '2');
        await deliver();
        let count = 0;
        setup.crash = () => {
          count += 1;
          return count === write ? side : undefined;
        };
        setup.jobs.push(...held);
        await setup.drain();
        setup.crash = () => undefined;
        writes = Math.min(writes, count);
        for (let minute = 0; minute < 4; minute++) {
          await tick();
          const { items } = await runRepository(setup.context.table).list(
            setup.workspaceId,
            { limit: 10, offset: 0 },
            pipeline.id,
          );
          for (const { id } of items) await repairRun(setup.context, setup.place(id));
          await setup.drain();
        }
        expect(await taken(pipeline), `write ${write}`).toEqual([['1'], ['2']]);
      }
      expect(writes).toBeGreaterThan(5);
    },
    120_000,
  );

  it('wait while the pipeline is paused', async () => {
    const { sourceId, pipeline } = await watching();
    const pipelines = pipelineRepository(setup.context.table);
    const paused = await pipelines.replace(
      pipeline,
      { ...pipeline, status: 'paused', updatedAt: new Date(Date.now() + 1000).toISOString() },
      'PIPELINE_CHANGED',
    );
    await arrives(sourceId, '1');
    await tick();
    await tick(300_000);
    expect(await taken(pipeline)).toEqual([]);
    const later = new Date(Date.now() + 2000).toISOString();
    await pipelines.replace(paused, { ...paused, status: 'active', updatedAt: later }, 'PIPELINE_CHANGED');
    await tick(301_000);
    expect(await taken(pipeline)).toEqual([['1']]);
  });

  it('go back to waiting when the execution setup does not take their run', async () => {
    const { sourceId, pipeline } = await watching();
    await arrives(sourceId, '1');
    setup.refuses = true;
    await expect(deliver()).rejects.toMatchObject({ code: 'WORKER_UNAVAILABLE' });
    setup.refuses = false;
    expect(await taken(pipeline)).toEqual([]);
    await arrives(sourceId, '2');
    await tick();
    await setup.drain();
    await tick();
    expect(await taken(pipeline)).toEqual([['1'], ['2']]);
  });

  it('are dropped when the pipeline now waits for other files, or is deleted', async () => {
    const { sourceId, pipeline, dag } = await watching();
    await arrives(sourceId, '1');
    const { table } = setup.context;
    const next: Dag = { ...dag, trigger: { ...(dag.trigger as FileTrigger), path: 'other/**' } };
    await transact(table, fileWatchItems(table, pipeline, dag, next));
    await tick();
    await arrives(sourceId, '2');
    await tick();
    expect(await taken(pipeline)).toEqual([]);
    await arrives(sourceId, 'other/3');
    await pipelineRepository(table).remove(
      pipeline,
      'PIPELINE_CHANGED',
      fileWatchItems(table, pipeline, next, undefined),
    );
    await tick();
    await arrives(sourceId, 'other/4');
    expect(setup.messages).toEqual([]);
    expect(await taken(pipeline)).toEqual([]);
  });

  it('reach every run that waits for them when twenty come at once, each exactly once', async () => {
    const { sourceId, pipeline } = await watching();
    const other = await watching({ sourceId, quietSeconds: 1 });
    const paths = Array.from({ length: 20 }, (_, index) => String(index).padStart(2, '0'));
    await Promise.all(
      paths.flatMap((path) => {
        const event = created(sourceId, path);
        return [recordArrival(setup.context, event), recordArrival(setup.context, event)];
      }),
    );
    await tick();
    for (const { pipeline: each } of [{ pipeline }, other]) expect((await taken(each)).flat()).toEqual(paths);
  });

  it.each(['before', 'after'] as const)(
    'are neither lost nor taken twice by a worker that dies %s any write',
    async (side) => {
      for (let write = 1; write <= 5; write++) {
        const { sourceId, pipeline } = await watching();
        let count = 0;
        setup.crash = () => {
          count += 1;
          return count === write ? side : undefined;
        };
        const event = created(sourceId, 'a');
        // The queue brings the event again.
        for (const _time of [1, 2]) {
          await asProcess(() => recordArrival(setup.context, event)).catch((error: unknown) => {
            if (!(error instanceof Crashed)) throw error;
          });
        }
        await deliver();
        setup.crash = () => undefined;
        await setup.drain();
        await tick();
        await setup.drain();
        await tick();
        expect(await taken(pipeline), `write ${write}`).toEqual([['a']]);
      }
    },
  );
});

describe('files of one batch', () => {
  it('are of the types that their values have, whatever is empty in one of them', async () => {
    const { put, runs } = await loading('typed');
    await put({
      'a.csv': 'id,v,day,note\n',
      'b.csv': 'id,v,day,note\n1,,,\n',
      'c.csv': 'id,v,day,note\n2,2.5,2026-01-01,\n3,1.50,2026-01-02,\n',
      'd.ndjson': '{"ID":4,"v":null,"day":null,"note":null}\n',
      'e.json': '[]',
    });
    await deliver();
    await setup.drain();
    expect((await runs()).map(({ status }) => status)).toEqual(['succeeded']);
    const types = (await setup.dataset('typed'))!.columns.map(({ name, type }) => `${name} ${type}`);
    expect(types.slice(0, 3)).toEqual(['id integer', 'v double', 'day date']);
    expect(await setup.rows('typed', 'id, v, day::VARCHAR')).toEqual([
      ['1', null, null],
      ['2', 2.5, '2026-01-01'],
      ['3', 1.5, '2026-01-02'],
      ['4', null, null],
    ]);
  });

  it('are loaded into columns that are there although one of them has no rows', async () => {
    const { put, runs } = await loading('filled');
    const batches: Record<string, string>[] = [
      { 'a.csv': 'id,v\n1,1\n' },
      { 'b.csv': 'id,v\n', 'c.csv': 'id,v\n2,2\n' },
      { 'd.csv': 'id,v\n', 'e.csv': 'id,v\n' },
    ];
    for (const files of batches) {
      await put(files);
      await deliver();
      await setup.drain();
    }
    expect((await runs()).map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(await setup.rows('filled')).toEqual([
      ['1', '1'],
      ['2', '2'],
    ]);
  });

  it('each report only their own bad rows', async () => {
    const { put, runs } = await loading('ragged', { options: { raggedRows: 'skip' } });
    await put({ 'a.csv': 'id,v\n1,1\n2\n3\n', 'b.csv': 'id,v\n4,5\n', 'c.csv': 'id,v\n6,7\n9\n' });
    await deliver();
    await setup.drain();
    const reported = (await logOf((await runs())[0])).filter((line) => line.includes('left out'));
    const bad = 'rows with more or fewer values than columns are left out, the first in line 3.';
    expect(reported).toEqual([`a.csv: 2 ${bad}`, `c.csv: 1 ${bad}`]);
    expect(await setup.rows('ragged')).toEqual([
      ['1', '1'],
      ['4', '5'],
      ['6', '7'],
    ]);
  });

  it('are read as they arrived, each version by the run that it started', async () => {
    const { put, runs } = await loading('versions');
    await put({ 'a.csv': 'id,v\n1,old\n', 'b.csv': 'id,v\n2,kept\n' });
    await deliver();
    // The first run has begun with its steps, and has read nothing yet.
    await put({ 'a.csv': 'id,v\n1,new\n' });
    await setup.drain();
    const first = (await runs()).at(-1);
    expect((await logOf(first)).filter((line) => line.startsWith('a.csv'))).toEqual([
      'a.csv was replaced in the meantime; reading the version that started this run.',
    ]);
    expect(await setup.rows('versions')).toEqual([
      ['1', 'new'],
      ['1', 'old'],
      ['2', 'kept'],
    ]);
  });

  it('are read as they have arrived also by a run that is retried', async () => {
    const { put, runs } = await loading('retried');
    for (const content of ['id,v\n1,"x\n', 'id,v\n1,mended\n']) {
      await put({ 'a.csv': content });
      await deliver();
      await setup.drain();
      await tick();
      await setup.drain();
    }
    const [mended, broken] = await runs();
    const message = 'Line 2: a quote is not closed, or text follows a closing quote.';
    expect([broken!.error?.message, mended!.status]).toEqual([message, 'succeeded']);
    await retryRun(setup.context, setup.place(broken!.id));
    await setup.drain();
    expect(await setup.stored(broken!.id)).toMatchObject({ status: 'failed', error: { message } });
    expect(await setup.rows('retried')).toEqual([['1', 'mended']]);
  });

  it('are not read any more once they are deleted', async () => {
    const { sourceId, put, runs } = await loading('gone');
    await put({ 'a.csv': 'id\n1\n' });
    await deliver();
    await setup.worker.objects.remove([uploadKey(setup.workspaceId, sourceId, 'a.csv')]);
    await setup.drain();
    const [run] = await runs();
    expect(run).toMatchObject({ status: 'failed', error: { code: 'NOT_FOUND' } });
    expect(await setup.dataset('gone')).toBeUndefined();
  });
});
