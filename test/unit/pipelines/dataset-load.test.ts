import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { readStorageUsage } from '../../../shared/domains/warehouse/datasets/storage-usage.ts';
import { dagOf, into, load, ONCE, ranOn, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

describe('a load', () => {
  const values = (rows: string) => sql('rows', `SELECT * FROM (VALUES ${rows}) AS v(id, day, name)`);

  it.each([
    ['a key that repeats', "(1, 1, 'a'), (1, 2, 'b')", 'repeat a merge key'],
    [
      'a key without a value',
      "(NULL, 1, 'a'), (1, 2, 'b')",
      '1 of 2 rows have no value in the merge key: "id" is null in 1. Fill or leave out such rows',
    ],
  ])('refuses %s', async (_title, rows, message) => {
    const { run } = await ranOn(
      setup,
      dagOf(values(rows), load('keep', 'rows', { target: into('keyed'), mode: 'merge', mergeKey: ['id'] })),
    );
    expect(run).toMatchObject({ status: 'failed', error: { code: 'SCHEMA_MISMATCH' } });
    expect(run.error!.message).toContain(message);
    expect(await setup.dataset('keyed')).toBeUndefined();
  });

  it('takes the first row in the given order where a key repeats', async () => {
    const mode = { mode: 'merge', mergeKey: ['id'], dedupeOrderBy: [{ column: 'day', direction: 'desc' }] };
    const { run } = await ranOn(
      setup,
      dagOf(
        values("(1, 1, 'a'), (1, 2, 'b'), (2, 1, 'c')"),
        load('keep', 'rows', { target: into('deduped'), ...mode }),
      ),
    );
    expect(run).toMatchObject({ status: 'succeeded', rowsMoved: 2 });
    expect(await setup.rows('deduped', '*', 'id')).toEqual([
      [1, 2, 'b'],
      [2, 1, 'c'],
    ]);
  });

  it.each(['upsert', 'delete_insert'])(
    'refuses an order by a column that the rows lack before a key repeats (%s)',
    async (strategy) => {
      const merge = { mode: 'merge', mergeKey: ['id'], strategy, dedupeOrderBy: [{ column: 'typo' }] };
      const { run } = await ranOn(
        setup,
        dagOf(values("(1, 1, 'a')"), load('keep', 'rows', { target: into('misordered'), ...merge })),
      );
      expect(run.error).toMatchObject({ code: 'SCHEMA_MISMATCH', message: 'There is no column typo to order by.' });
      expect(await setup.dataset('misordered')).toBeUndefined();
    },
  );

  it('prepares a merge again when another one was faster', async () => {
    const merge = (id: number) =>
      dagOf(
        sql('rows', `SELECT ${id} AS id, 'x' AS name UNION ALL SELECT ${id}, 'y'`),
        load('keep', 'rows', {
          target: into('met'),
          mode: 'merge',
          mergeKey: ['id'],
          dedupeOrderBy: [{ column: 'name' }],
        }),
      );
    await ranOn(setup, merge(0));
    const ids = [1, 2, 3, 4];
    for (const id of ids) await setup.run(await setup.pipeline(merge(id)));
    await Promise.all(ids.map(() => setup.drain()));
    expect(await setup.rows('met', '*', 'id')).toEqual([0, ...ids].map((id) => [id, 'x']));
    expect(await setup.dataset('met')).toMatchObject({ version: 5, rowCount: 5 });
  });

  it('appends with new columns, overwrites, and refuses another type', async () => {
    const step = (text: string, mode: string) =>
      dagOf(sql('rows', text), load('keep', 'rows', { target: into('usageAfter'), mode }));
    await ranOn(setup, step('SELECT 1 AS a', 'append'));
    await ranOn(setup, step("SELECT 2 AS a, 'x' AS b", 'append'));
    expect(await setup.rows('usageAfter', '*', 'a')).toEqual([
      [1, null],
      [2, 'x'],
    ]);
    const { run } = await ranOn(setup, step("SELECT 'three' AS a", 'append'));
    expect(run).toMatchObject({ status: 'failed', error: { code: 'SCHEMA_MISMATCH' } });
    await ranOn(setup, step("SELECT 'three' AS a", 'overwrite'));
    expect(await setup.rows('usageAfter', '*', 'a')).toEqual([['three']]);
  });

  it.each([
    ['9007199254740992', [[1.5], [9007199254740992]]],
    ['9007199254740993', undefined],
  ])('takes integers beside doubles of the same load as long as they fit exactly: %s', async (integer, rows) => {
    const sourceId = await setup.fileSource({ 'a.json': `[{"n":${integer}}]`, 'b.json': '[{"n":1.5}]' });
    const read = { id: 'read', type: 'extract', retry: ONCE } as const;
    const object = { path: '{{ forEach.file.item }}' };
    const name = `mixed_${integer}`;
    const dag: Dag = {
      ...dagOf(
        { ...read, config: { sourceId, object } },
        load('keep', 'read', { target: into(name), mode: 'append' }),
        sql('made', 'SELECT * FROM read', ['read']),
      ),
      forEach: [{ id: 'file', items: ['a.json', 'b.json'], steps: ['read'] }],
    };
    const { steps } = await ranOn(setup, dag);
    if (rows) expect(await setup.rows(name, 'n', 'n')).toEqual(rows);
    for (const id of ['keep', 'made']) {
      const message = 'The column n mixes fractions with integers beyond 2^53, and no type holds both exactly.';
      if (!rows) expect(steps.get(id)!.error).toEqual(expect.objectContaining({ code: 'SCHEMA_MISMATCH', message }));
      expect(steps.get(id)!.status).toBe(rows ? 'succeeded' : 'failed');
    }
    expect((await setup.dataset(name)) !== undefined).toBe(rows !== undefined);
  });

  it('moves the storage meter with the data', async () => {
    const before = (await readStorageUsage(setup.context.table, setup.workspaceId))?.bytes ?? 0;
    await ranOn(
      setup,
      dagOf(sql('rows', 'SELECT 1 AS a'), load('keep', 'rows', { target: into('metered'), mode: 'append' })),
    );
    const { sizeBytes } = (await setup.dataset('metered'))!;
    const after = (await readStorageUsage(setup.context.table, setup.workspaceId))!;
    expect(sizeBytes).toBeGreaterThan(0);
    expect(after.bytes).toBe(before + sizeBytes);
    expect(after.peakBytes).toBeGreaterThanOrEqual(after.bytes);
  });

  it('moves the watermark of an incremental extract, and only when it commits', async () => {
    const source = await setup.fileSource({ 'log.csv': 'id,day\n1,2026-01-01\n2,2026-01-02\n' });
    const extract = {
      sourceId: source,
      object: { path: 'log.csv' },
      mode: 'incremental',
      incremental: { cursorColumn: 'day' },
    };
    const target = { target: into('log'), mode: 'append' };
    const extracts: Step = { id: 'log', type: 'extract', config: extract, retry: ONCE };
    const failing = sql('check', "SELECT CAST('no' AS INTEGER) AS x FROM log", ['log']);
    const { run } = await ranOn(setup, dagOf(extracts, failing, load('keep', 'check', target)));
    expect(run.status).toBe('failed');

    const pipeline = await setup.pipeline(dagOf(extracts, load('keep', 'log', target)));
    const again = async () => {
      const next = await setup.run(pipeline);
      await setup.drain();
      return setup.stored(next.id);
    };
    expect(await again()).toMatchObject({ status: 'succeeded', rowsMoved: 2 });
    await setup.putFile(source, 'log.csv', 'id,day\n1,2026-01-01\n2,2026-01-02\n3,2026-01-02\n4,2026-01-03\n');
    expect(await again()).toMatchObject({ status: 'succeeded', rowsMoved: 2 });
    expect(await again()).toMatchObject({ status: 'succeeded', rowsMoved: 0 });
    expect((await setup.rows('log', '*', 'id'))!.map(([id]) => id)).toEqual(['1', '2', '3', '4']);
  });
});
