import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Concurrency } from '../../../shared/domains/pipelines/definition/dag.ts';
import { readAdmission } from '../../../shared/domains/pipelines/runs/admission.ts';
import { pipelineRepository } from '../../../shared/domains/pipelines/store/pipeline-store.ts';
import type { StoredPipeline } from '../../../shared/domains/pipelines/store/records.ts';
import { runRepository } from '../../../shared/domains/pipelines/store/run-store.ts';
import { later, newId } from '../../../shared/platform/storage/ids.ts';
import { asProcess, Crashed } from '../../support/crash.ts';
import { dagOf, sql } from './run-dags.ts';
import { RunPlane } from './run-plane.ts';

let plane: RunPlane;
beforeAll(async () => {
  plane = await RunPlane.open();
});
afterAll(() => plane.close());

const given = (concurrency: Partial<Concurrency> = {}) => plane.pipeline(dagOf(sql('a', 'SELECT 1 AS x')), concurrency);
const runsOf = async ({ id }: StoredPipeline) =>
  (await runRepository(plane.context.table).list(plane.workspaceId, { limit: 10, offset: 0 }, id)).total;
const admissionOf = ({ id }: StoredPipeline) => readAdmission(plane.context.table, plane.workspaceId, id);

/** A request for a run whose answer nobody heard, sent again with the same id. */
describe('a start that is repeated', () => {
  it('answers with its run although it is over and another one has taken its place', async () => {
    const pipeline = await given();
    const runId = newId();
    await plane.run(pipeline, { runId });
    await plane.drain();
    expect(await plane.run(pipeline, { runId })).toMatchObject({ id: runId, status: 'succeeded' });
    const other = await plane.run(pipeline);
    expect(await plane.run(pipeline, { runId })).toMatchObject({ id: runId, status: 'succeeded' });
    expect(await admissionOf(pipeline)).toMatchObject({ running: [other.id], waiting: [] });
    await plane.drain();
    expect(await runsOf(pipeline)).toBe(2);
  });

  it('answers with its run although the pipeline would take none any more', async () => {
    const pipeline = await given();
    const runId = newId();
    await plane.run(pipeline, { runId });
    await plane.drain();
    const pipelines = pipelineRepository(plane.context.table);
    const updatedAt = later(pipeline.updatedAt, plane.context.now());
    await pipelines.replace(pipeline, { ...pipeline, status: 'paused', updatedAt }, 'PIPELINE_CHANGED');
    expect(await plane.run(pipeline, { runId })).toMatchObject({ id: runId, status: 'succeeded' });
    await expect(plane.run(pipeline)).rejects.toMatchObject({ code: 'PIPELINE_PAUSED' });
  });

  it('cancels nobody a second time', async () => {
    const pipeline = await given({ onOverlap: 'cancel_previous' });
    const runId = newId();
    await plane.run(pipeline, { runId });
    await plane.drain();
    const other = await plane.run(pipeline);
    await plane.run(pipeline, { runId });
    await plane.drain();
    expect(await plane.stored(other.id)).toMatchObject({ status: 'succeeded' });
  });

  it.each(['before', 'after'] as const)('is one run when the first try dies %s any write', async (side) => {
    for (let write = 1; write <= 3; write++) {
      const pipeline = await given();
      const runId = newId();
      let count = 0;
      plane.crash = () => (++count === write ? side : undefined);
      await asProcess(() => plane.run(pipeline, { runId })).catch((error: unknown) => {
        if (!(error instanceof Crashed)) throw error;
      });
      plane.crash = () => undefined;
      expect(await plane.run(pipeline, { runId })).toMatchObject({ id: runId });
      await plane.drain();
      expect(await plane.stored(runId), `write ${write}`).toMatchObject({ status: 'succeeded' });
      expect(await runsOf(pipeline)).toBe(1);
      expect(await admissionOf(pipeline)).toMatchObject({ running: [], waiting: [] });
    }
  });
});
