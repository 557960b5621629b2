import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesOf, COMPUTE_SIZES, chooseCompute } from '../../../shared/domains/pipelines/definition/compute.ts';
import { pipelineRepository } from '../../../shared/domains/pipelines/store/pipeline-store.ts';
import { later } from '../../../shared/platform/storage/ids.ts';
import { dagOf, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

const GB = 1024 ** 3;
const NOTHING = new Set<never>();
const CONTAINERS = new Set(['container'] as const);

describe('the inputs of a step', () => {
  it('count once, also where a step may call the same rows by two names', () => {
    const orders = { files: [{ key: 'a.parquet' }], bytes: 5 };
    const more = { files: [{ key: 'b.parquet' }, { key: 'c.parquet' }], bytes: 2 };
    expect(bytesOf({ orders: [orders, more], input: [orders, more] })).toBe(7);
    expect(bytesOf({})).toBe(0);
  });
});

describe('the function for a step', () => {
  it.each([
    [0, 'medium'],
    [GB, 'medium'],
    [GB + 1, 'large'],
    [2 * GB, 'large'],
    [2 * GB + 1, 'xlarge'],
    [100 * GB, 'xlarge'],
  ])('has room for inputs of %i bytes: %s', (bytes, size) => {
    const choice = chooseCompute({ seconds: 840, inputBytes: bytes }, NOTHING);
    expect(choice).toMatchObject({ engine: 'function', size });
    expect(choice.reason).toContain(`inputs of ${Math.ceil(bytes / 1024 ** 2)} MB`);
  });

  it('is the one that the pipeline asks for, whatever the inputs', () => {
    for (const size of Object.keys(COMPUTE_SIZES) as (keyof typeof COMPUTE_SIZES)[]) {
      expect(chooseCompute({ requested: size, seconds: 840, inputBytes: 100 * GB }, CONTAINERS)).toEqual({
        engine: 'function',
        size,
        reason: `the pipeline asks for ${size}`,
      });
    }
  });
});

describe('a container', () => {
  it('is for a step that may take longer than a function lives, whatever the pipeline asks for', () => {
    for (const requested of [undefined, 'small'] as const) {
      expect(chooseCompute({ requested, seconds: 841, inputBytes: 0 }, CONTAINERS)).toEqual({
        engine: 'container',
        reason: 'its timeout is 841 seconds',
      });
    }
  });

  it('is for inputs beyond what the largest function holds, where the deployment has containers', () => {
    const most = 2.5 * GB;
    expect(chooseCompute({ seconds: 840, inputBytes: most }, CONTAINERS)).toMatchObject({ size: 'xlarge' });
    expect(chooseCompute({ seconds: 840, inputBytes: most + 1 }, CONTAINERS)).toEqual({
      engine: 'container',
      reason: 'inputs of 2561 MB exceed the memory of a function',
    });
    expect(chooseCompute({ seconds: 840, inputBytes: most + 1 }, NOTHING)).toMatchObject({ size: 'xlarge' });
  });
});

describe('a run of a pipeline that asks for a size', () => {
  let setup: RunSetup;
  beforeAll(async () => {
    setup = await RunSetup.open();
  });
  afterAll(() => setup.close());

  it('is worked on by a function of that size, which it goes to once for steps that follow each other', async () => {
    const before = await setup.pipeline(
      dagOf(sql('a', 'SELECT 1 AS x'), sql('b', 'SELECT * FROM a', ['a']), sql('c', 'SELECT * FROM b', ['b'])),
    );
    const next = { ...before, compute: { size: 'large' as const }, updatedAt: later(before.updatedAt, new Date()) };
    await pipelineRepository(setup.context.table).replace(before, next, 'PIPELINE_CHANGED');
    const run = await setup.run(next);
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded', computeSize: 'large' });
    expect(setup.moved).toEqual([{ engine: 'function', size: 'large' }]);
    expect((await setup.steps(run.id)).map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
  });
});
