import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dagOf, into, load, ONCE } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

async function ran(pipeline: Awaited<ReturnType<RunSetup['pipeline']>>) {
  const run = await setup.run(pipeline);
  await setup.drain();
  return setup.stored(run.id);
}

describe('a load behind an incremental extract in the items of a block', () => {
  it.each(['a dataset', 'files'])('goes on in 85 items, and says that it cannot in more: %s', async (kind) => {
    const { sourceId: bucket } = await setup.bucketSource();
    const target =
      kind === 'files' ? { kind: 'files', sourceId: bucket, path: 'all', format: 'csv' } : into('many items');
    const sourceId = await setup.fileSource({ 'log.csv': 'id,day\n1,2026-01-01\n' });
    const config = {
      sourceId,
      object: { path: 'log.csv' },
      mode: 'incremental',
      incremental: { cursorColumn: 'day' },
    };
    const items = (count: number) =>
      setup.pipeline({
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
