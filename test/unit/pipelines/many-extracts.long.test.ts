import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dagOf, into, load, ONCE } from './run-dags.ts';
import { RunPlane } from './run-plane.ts';

let plane: RunPlane;
beforeAll(async () => {
  plane = await RunPlane.open();
});
afterAll(() => plane.close());

async function ran(pipeline: Awaited<ReturnType<RunPlane['pipeline']>>) {
  const run = await plane.run(pipeline);
  await plane.drain();
  return plane.stored(run.id);
}

describe('a load behind an incremental extract in the items of a block', () => {
  it.each(['a dataset', 'files'])('goes on in 85 items, and says that it cannot in more: %s', async (kind) => {
    const { sourceId: bucket } = await plane.bucketSource();
    const target =
      kind === 'files' ? { kind: 'files', sourceId: bucket, path: 'all', format: 'csv' } : into('many items');
    const sourceId = await plane.fileSource({ 'log.csv': 'id,day\n1,2026-01-01\n' });
    const config = {
      sourceId,
      object: { path: 'log.csv' },
      mode: 'incremental',
      incremental: { cursorColumn: 'day' },
    };
    const items = (count: number) =>
      plane.pipeline({
        ...dagOf(
          { id: 'read', type: 'extract', config, retry: ONCE },
          load('keep', 'read', { target, mode: 'append' }),
        ),
        forEach: [{ id: 'each', items: Array.from({ length: count }, (_, item) => item), steps: ['read'] }],
      });
    const most = await items(85);
    expect([await ran(most), await ran(most)].map(({ rowsMoved }) => rowsMoved)).toEqual([85, 0]);
    const beyond = await ran(await items(86));
    expect(beyond).toMatchObject({
      status: 'failed',
      rowsMoved: 0,
      error: { code: 'RESULT_TOO_LARGE', stepId: 'keep' },
    });
  });
});
