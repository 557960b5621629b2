import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPUTE_SIZES, chooseCompute } from '../../../shared/pipelines/compute.ts';
import { pipelineRepository } from '../../../shared/pipelines/pipeline-store.ts';
import { later } from '../../../shared/storage/ids.ts';
import { dagOf, sql } from './run-dags.ts';
import { RunPlane } from './run-plane.ts';

const GB = 1024 ** 3;

describe('the function for a step', () => {
  it.each([
    [0, 'medium'],
    [GB, 'medium'],
    [GB + 1, 'large'],
    [2 * GB, 'large'],
    [2 * GB + 1, 'xlarge'],
    [100 * GB, 'xlarge'],
  ])('has room for inputs of %i bytes: %s', (bytes, size) => {
    const choice = chooseCompute(undefined, bytes);
    expect(choice.size).toBe(size);
    expect(choice.reason).toContain(`inputs of ${Math.ceil(bytes / 1024 ** 2)} MB`);
  });

  it('is the one that the pipeline asks for, whatever the inputs', () => {
    for (const size of Object.keys(COMPUTE_SIZES) as (keyof typeof COMPUTE_SIZES)[]) {
      expect(chooseCompute(size, 100 * GB)).toEqual({ size, reason: `the pipeline asks for ${size}` });
    }
  });
});

describe('a run of a pipeline that asks for a size', () => {
  let plane: RunPlane;
  beforeAll(async () => {
    plane = await RunPlane.open();
  });
  afterAll(() => plane.close());

  it('is worked on by a function of that size, which it goes to once for steps that follow each other', async () => {
    const before = await plane.pipeline(
      dagOf(sql('a', 'SELECT 1 AS x'), sql('b', 'SELECT * FROM a', ['a']), sql('c', 'SELECT * FROM b', ['b'])),
    );
    const next = { ...before, compute: { size: 'large' as const }, updatedAt: later(before.updatedAt, new Date()) };
    await pipelineRepository(plane.context.table).replace(before, next, 'PIPELINE_CHANGED');
    const run = await plane.run(next);
    await plane.drain();
    expect(await plane.stored(run.id)).toMatchObject({ status: 'succeeded', computeSize: 'large' });
    expect(plane.resized).toEqual(['large']);
    expect((await plane.steps(run.id)).map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
  });
});
