import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Concurrency } from '../../../shared/domains/pipelines/definition/dag.ts';
import { readAdmission } from '../../../shared/domains/pipelines/runs/admission.ts';
import type { StoredPipeline } from '../../../shared/domains/pipelines/store/pipeline-record.ts';
import { pipelineRepository } from '../../../shared/domains/pipelines/store/pipeline-store.ts';
import { runRepository } from '../../../shared/domains/pipelines/store/run-store.ts';
import { later, newId } from '../../../shared/platform/storage/ids.ts';
import { asProcess, Crashed } from '../../support/crash.ts';
import { dagOf, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

const given = (concurrency: Partial<Concurrency> = {}) => setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x')), concurrency);
const runsOf = async ({ id }: StoredPipeline) =>
  (await runRepository(setup.context.table).list(setup.workspaceId, { limit: 10, offset: 0 }, id)).total;
const admissionOf = ({ id }: StoredPipeline) => readAdmission(setup.context.table, setup.workspaceId, id);

/** A request for a run whose reply was lost, sent again with the same id. */
describe('a start that is repeated', () => {
  it('answers with its run although it is over and another one has taken its place', async () => {
    const pipeline = await given();
    const runId = newId();
    await setup.run(pipeline, { runId });
    await setup.drain();
    expect(await setup.run(pipeline, { runId })).toMatchObject({ id: runId, status: 'succeeded' });
    const other = await setup.run(pipeline);
    expect(await setup.run(pipeline, { runId })).toMatchObject({ id: runId, status: 'succeeded' });
    expect(await admissionOf(pipeline)).toMatchObject({ running: [other.id], waiting: [] });
    await setup.drain();
    expect(await runsOf(pipeline)).toBe(2);
  });

  it('answers with its run although the pipeline would take none any more', async () => {
    const pipeline = await given();
    const runId = newId();
    await setup.run(pipeline, { runId });
    await setup.drain();
    const pipelines = pipelineRepository(setup.context.table);
    const updatedAt = later(pipeline.updatedAt, setup.context.now());
    await pipelines.replace(pipeline, { ...pipeline, status: 'paused', updatedAt }, 'PIPELINE_CHANGED');
    expect(await setup.run(pipeline, { runId })).toMatchObject({ id: runId, status: 'succeeded' });
    await expect(setup.run(pipeline)).rejects.toMatchObject({ code: 'PIPELINE_PAUSED' });
  });

  it('cancels no run a second time', async () => {
    const pipeline = await given({ onOverlap: 'cancel_previous' });
    const runId = newId();
    await setup.run(pipeline, { runId });
    await setup.drain();
    const other = await setup.run(pipeline);
    await setup.run(pipeline, { runId });
    await setup.drain();
    expect(await setup.stored(other.id)).toMatchObject({ status: 'succeeded' });
  });

  it.each(['before', 'after'] as const)('is one run when the first try dies %s any write', async (side) => {
    for (let write = 1; write <= 3; write++) {
      const pipeline = await given();
      const runId = newId();
      let count = 0;
      setup.crash = () => (++count === write ? side : undefined);
      await asProcess(() => setup.run(pipeline, { runId })).catch((error: unknown) => {
        if (!(error instanceof Crashed)) throw error;
      });
      setup.crash = () => undefined;
      expect(await setup.run(pipeline, { runId })).toMatchObject({ id: runId });
      await setup.drain();
      expect(await setup.stored(runId), `write ${write}`).toMatchObject({ status: 'succeeded' });
      expect(await runsOf(pipeline)).toBe(1);
      expect(await admissionOf(pipeline)).toMatchObject({ running: [], waiting: [] });
    }
  });
});
