import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { atLeastOnceLoads } from '../../../shared/domains/pipelines/definition/extract-loads.ts';
import { planRun } from '../../../shared/domains/pipelines/definition/plan.ts';
import { retryRun } from '../../../shared/domains/pipelines/runs/retry-run.ts';
import { toStepRun } from '../../../shared/domains/pipelines/runs/views.ts';
import type { StoredPipeline } from '../../../shared/domains/pipelines/store/pipeline-record.ts';
import type { StoredRun } from '../../../shared/domains/pipelines/store/run-record.ts';
import type { StoredStep } from '../../../shared/domains/pipelines/store/step-record.ts';
import { maxWatermarkItems, watermarkItems } from '../../../shared/domains/pipelines/store/watermarks.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { dagOf, into, load, ONCE } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

const log = (...ids: number[]) => `id,day\n${ids.map((id) => `${id},2026-01-0${id}\n`).join('')}`;

/**
 * An incremental extract `read` with two loads behind it, the second of which also waits for a file that may be
 * missing.
 */
async function given(name: string, late: Partial<Step> = {}) {
  const sourceId = await setup.fileSource({ 'log.csv': log(1, 2) });
  const incremental = { mode: 'incremental', incremental: { cursorColumn: 'day' } };
  const extract = (id: string, path: string, config = {}): Step => ({
    id,
    type: 'extract',
    config: { sourceId, object: { path }, ...config },
    retry: ONCE,
  });
  const target = (which: string) => ({ input: 'read', target: into(`${name} ${which}`), mode: 'append' });
  const dag: Dag = dagOf(
    extract('other', 'other.csv'),
    extract('read', 'log.csv', incremental),
    load('keep', 'read', target('kept')),
    load('late', 'read', target('late'), { dependsOn: ['read', 'other'], ...late }),
  );
  return {
    pipeline: await setup.pipeline(dag),
    put: (path: string, content: string) => setup.putFile(sourceId, path, content),
    ids: async (which: string) => (await setup.rows(`${name} ${which}`, 'id'))?.map(([id]) => Number(id)),
  };
}

async function ran(pipeline: StoredPipeline) {
  const run = await setup.run(pipeline);
  await setup.drain();
  return setup.stored(run.id);
}

async function retried(run: { id: string }) {
  await retryRun(setup.context, setup.place(run.id));
  await setup.drain();
  return setup.stored(run.id);
}

/**
 * What the last item of `keep` writes beside its rows while no load is committed, with these steps in the items of a
 * block.
 */
function planned(steps: string[], items: number) {
  const { context, worker, workspaceId } = setup;
  const loads = ['keep', ...steps.filter((id) => id === 'other')];
  const dag: Dag = {
    ...dagOf(
      { id: 'read', type: 'extract', config: {} },
      ...loads.map((id) => load(id, 'read', { target: into(id), mode: 'append' })),
    ),
    forEach: [{ id: 'each', items: Array.from({ length: items }, (_, item) => item), steps }],
  };
  const plan = planRun(dag, {});
  const run = { workspaceId, id: newId(), pipelineId: newId() } as StoredRun;
  const watermark = { column: 'day', from: null, to: '2026-01-01', boundary: [] as string[] };
  const nodes = new Map(
    plan.nodes.map(({ kind, index, stepId, itemIndex }) => {
      const type = kind === 'step' && loads.includes(stepId) ? 'load' : 'extract';
      const output =
        kind === 'step' && stepId === 'read' ? { files: [], columns: [], rows: 0, bytes: 0, watermark } : undefined;
      const node = { type, status: 'ready', runId: run.id, index, stepId, itemIndex } as const;
      return [index, { ...node, ...(output && { output }) } as Partial<StoredStep> as StoredStep];
    }),
  );
  const last = plan.nodes.findLast(({ stepId }) => stepId === 'keep')!.index;
  const { table } = context;
  return {
    nodes: [...nodes.values()].filter(({ index }) => index !== last),
    most: () => maxWatermarkItems(plan, nodes, last),
    writes: async () =>
      (await watermarkItems(table, worker.objects, run, plan, nodes, last, new Date())).map(
        (item) => Object.keys(item)[0],
      ),
  };
}

describe('an incremental extract that several loads take rows from', () => {
  it('brings a load that was skipped for a failure its rows with the next run', async () => {
    const { pipeline, put, ids } = await given('next run');
    const first = await ran(pipeline);
    expect(first.status).toBe('failed');
    expect((await setup.steps(first.id)).find(({ stepId }) => stepId === 'late')).toMatchObject({
      status: 'skipped',
      skipReason: 'upstream_failed',
    });
    expect(await ids('kept')).toEqual([1, 2]);

    await put('other.csv', 'x\n1\n');
    await put('log.csv', log(1, 2, 3));
    expect((await ran(pipeline)).status).toBe('succeeded');
    expect(await ids('late')).toEqual([1, 2, 3]);
    expect((await ran(pipeline)).rowsMoved).toBe(0);
  });

  it('brings every load each row once when the failed run is retried', async () => {
    const { pipeline, put, ids } = await given('retried');
    const failed = await ran(pipeline);
    await put('other.csv', 'x\n1\n');
    await put('log.csv', log(1, 2, 3));
    expect((await retried(failed)).status).toBe('succeeded');
    expect([await ids('kept'), await ids('late')]).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect((await ran(pipeline)).status).toBe('succeeded');
    expect([await ids('kept'), await ids('late')]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it.each(['a dataset', 'files'])('refuses a retry the rows that a newer run has brought to %s', async (kind) => {
    const { sourceId, s3, bucket } = await setup.bucketSource();
    const files = { kind: 'files', sourceId, path: 'late', format: 'csv' };
    const { pipeline, put, ids } = await given(
      `overtaken ${kind}`,
      kind === 'files' ? { config: { input: 'read', target: files, mode: 'append' } } : {},
    );
    const loaded = async () =>
      kind === 'files'
        ? (await s3.send(new ListObjectsV2Command({ Bucket: bucket }))).Contents?.map(({ Key }) => Key)
        : ids('late');
    const failed = await ran(pipeline);
    await put('other.csv', 'x\n1\n');
    await put('log.csv', log(1, 2, 3));
    expect(await ran(pipeline)).toMatchObject({ status: 'succeeded', error: null });
    const before = await loaded();
    expect(before).not.toHaveLength(0);
    expect(await retried(failed)).toMatchObject({ status: 'failed', error: { code: 'OVERTAKEN', stepId: 'late' } });
    expect(await loaded()).toEqual(before);
    await put('log.csv', log(1, 2, 3, 4));
    expect((await ran(pipeline)).rowsMoved).toBe(2);
  });

  it('refuses rows that a run beside it has brought', async () => {
    const sourceId = await setup.fileSource({ 'log.csv': log(1, 2) });
    const incremental = { mode: 'incremental', incremental: { cursorColumn: 'day' } };
    const config = { sourceId, object: { path: 'log.csv' }, ...incremental };
    const dag = dagOf(
      { id: 'read', type: 'extract', config, retry: ONCE },
      load('keep', 'read', { target: into('beside'), mode: 'append' }),
    );
    const pipeline = await setup.pipeline(dag, { maxConcurrentRuns: 2 });
    const runs = [await setup.run(pipeline), await setup.run(pipeline)];
    // Each worker does one step: both runs read before one of them loads.
    await setup.drain({ mayContinue: false });
    const ended = await Promise.all(runs.map(({ id }) => setup.stored(id)));
    expect(ended.map(({ status, error }) => error?.code ?? status).sort()).toEqual(['OVERTAKEN', 'succeeded']);
    expect((await setup.rows('beside', 'id'))?.map(([id]) => Number(id))).toEqual([1, 2]);
  });

  it('brings nothing into files when a run beside it has done so since the load began', async () => {
    const sourceId = await setup.fileSource({ 'log.csv': log(1, 2) });
    const to = await setup.bucketSource();
    const config = { sourceId, object: { path: 'log.csv' }, mode: 'incremental', incremental: { cursorColumn: 'day' } };
    const target = { kind: 'files', sourceId: to.sourceId, path: 'beside', format: 'csv' };
    const dag = dagOf(
      { id: 'read', type: 'extract', config, retry: ONCE },
      load('keep', 'read', { target, mode: 'append' }),
    );
    const pipeline = await setup.pipeline(dag, { maxConcurrentRuns: 2 });
    const runs = [await setup.run(pipeline), await setup.run(pipeline)];
    // The run that opens the bucket first waits until the other run has loaded.
    const { secrets } = setup.worker;
    const { open } = secrets;
    const spy = vi.spyOn(secrets, 'open').mockImplementation(async (...sealed) => {
      const opened = await open(...sealed);
      if (!opened.includes('accessKeyId')) return opened;
      spy.mockRestore();
      await setup.drain({ mayContinue: false });
      return opened;
    });
    await setup.drain({ mayContinue: false });
    const ended = await Promise.all(runs.map(({ id }) => setup.stored(id)));
    expect(ended.map(({ status, error }) => error?.code ?? status)).toEqual(['OVERTAKEN', 'succeeded']);
    const found = await to.s3.send(new GetObjectCommand({ Bucket: to.bucket, Key: 'theirs/beside/_manifest.json' }));
    expect(JSON.parse(await found.Body!.transformToString())).toMatchObject({ version: 1, files: [{ rows: 2 }] });
  });

  it('takes part in a transaction with few writes, however many loads there are', async () => {
    const { nodes, writes, most } = planned(['keep'], 500);
    expect(await writes()).toEqual(['ConditionCheck', 'ConditionCheck']);
    expect(most()).toBe(2);
    for (const node of nodes) node.status = 'succeeded';
    expect(await writes()).toEqual(['Put']);
    expect(most()).toBe(1);
  });

  it.each([
    ['one for each item', [], 50],
    ['two for each where other loads take the same rows', ['other'], 100],
  ])('takes part in a transaction with %s', async (_title, others, count) => {
    const { writes, most } = planned(['read', ...others], 50);
    expect(await writes()).toHaveLength(count);
    expect(most()).toBe(count);
  });

  it('says which loads may append rows twice', async () => {
    const { pipeline, put } = await given('reported');
    await put('other.csv', 'x\n1\n');
    const { id } = await ran(pipeline);
    const reported = Object.fromEntries(
      (await setup.steps(id)).map((step) => [step.stepId, toStepRun(step).deliveryGuarantee]),
    );
    expect(reported).toEqual({ other: null, read: null, keep: 'at_least_once', late: 'at_least_once' });
  });

  it.each([
    ['one load of its own', { loads: { a: 'append' } }, []],
    ['loads that merge and one that appends', { loads: { a: 'merge', b: 'append' } }, ['b']],
    ['a load in the items of a block around both', { loads: { a: 'append' }, block: ['read', 'a'] }, []],
    ['a load in the items of a block that it is outside of', { loads: { a: 'append' }, block: ['a'] }, ['a']],
    ['a full read', { loads: { a: 'append', b: 'append' }, mode: 'full' }, []],
  ])('is shared or not: %s', (_title, how: { loads: object; block?: string[]; mode?: string }, sharing) => {
    const { loads, block, mode = 'incremental' } = how;
    const steps = Object.entries(loads).map(([id, how]) => load(id, 'read', { target: into(id), mode: how }));
    const dag: Dag = {
      ...dagOf({ id: 'read', type: 'extract', config: { mode } }, ...steps),
      ...(block ? { forEach: [{ id: 'each', items: [1, 2], steps: block }] } : {}),
    };
    expect([...atLeastOnceLoads(dag)]).toEqual(sharing);
  });

  it('does not wait for a load that is not meant to run', async () => {
    const when = { param: 'wanted', op: 'truthy' } as const;
    const { pipeline, put, ids } = await given('not taken', { when });
    await put('other.csv', 'x\n1\n');
    expect((await ran(pipeline)).status).toBe('succeeded');
    expect((await ran(pipeline)).rowsMoved).toBe(0);
    expect([await ids('kept'), await ids('late')]).toEqual([[1, 2], undefined]);
  });
});
