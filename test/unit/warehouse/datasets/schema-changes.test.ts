import { describe, expect, it } from 'vitest';
import type { LoadHow } from '../../../../shared/data/tables/prepare-load.ts';
import { useLoadRoom } from './load-setup.ts';

const { loaded, rowsOf } = useLoadRoom();

describe('onSchemaChange', () => {
  const current = () => loaded(undefined, "SELECT 1 AS id, 'x' AS name, 1.50::DECIMAL(5,2) AS price");

  it('evolves unless said otherwise, and reports what changed', async () => {
    const next = await loaded(await current(), 'SELECT 2 AS id, 2.125::DECIMAL(6,3) AS price, true AS vip');
    expect(next.reported).toEqual([
      'name missing string null',
      'price retyped decimal(5,2) decimal(6,3)',
      'vip added null boolean',
    ]);
    expect(await rowsOf(next)).toEqual([
      [1, 'x', '1.500', null],
      [2, null, '2.125', true],
    ]);
    const replaced = await loaded(next, "SELECT 'a' AS id, 1 AS n", { mode: 'overwrite' });
    expect(replaced.reported).toEqual([
      'id retyped integer string',
      'name dropped string null',
      'price dropped decimal(6,3) null',
      'vip dropped boolean null',
      'n added null integer',
    ]);
  });

  it.for([
    ['\u00e9', '\u00c9'],
    ['\u212a', 'k'],
  ])('distinguishes names that differ by more than the case of ASCII letters: %s and %s', async ([one, other]) => {
    const before = await loaded(undefined, `SELECT 1 AS "${one}", 2 AS Name`);
    const next = await loaded(before, `SELECT '3' AS "${other}", 4 AS name`);
    expect(next.columns.map(({ name }) => name)).toEqual([one, 'Name', other]);
    expect(await rowsOf(next)).toEqual([
      [1, 2, null],
      [null, 4, '3'],
    ]);
  });

  it.each([
    [
      'append',
      { mode: 'append' },
      [
        [1, 'x', '1.50'],
        [2, null, '3.00'],
      ],
    ],
    ['overwrite', { mode: 'overwrite' }, [[2, null, '3.00']]],
    [
      'merge',
      { mode: 'merge', mergeKey: ['id'] },
      [
        [1, 'x', '1.50'],
        [2, null, '3.00'],
      ],
    ],
  ] as [string, LoadHow, unknown[][]][])('leaves the columns alone with ignore (%s)', async (_mode, how, rows) => {
    const next = await loaded(await current(), 'SELECT 2 AS id, 3.000::DECIMAL(9,3) AS price, true AS vip', {
      ...how,
      onSchemaChange: 'ignore',
    });
    expect(next.columns).toEqual((await current()).columns);
    expect(next.reported).toEqual(['name missing string null', 'vip left_out null boolean']);
    expect(await rowsOf(next)).toEqual(rows);
  });

  it.each([
    ['fractions', "SELECT 1.5::DECIMAL(5,2) AS id, 'x' AS name, 1 AS price", 'id is integer'],
    ['too many digits', "SELECT 1 AS id, 'x' AS name, 1.505::DECIMAL(6,3) AS price", 'price is decimal'],
    ['numbers beyond', "SELECT 1 AS id, 'x' AS name, 100000 AS price", 'price is decimal'],
    ['other types', "SELECT true AS id, DATE '2026-01-01' AS name, 1 AS price", 'id is integer'],
  ])('refuses %s where the columns stay', async (_what, rows, message) => {
    const before = await current();
    await expect(loaded(before, rows, { mode: 'append', onSchemaChange: 'ignore' })).rejects.toMatchObject({
      code: 'SCHEMA_MISMATCH',
      message: expect.stringContaining(message),
    });
  });

  it('refuses every difference with fail, all of them at once, and takes rows without any', async () => {
    const before = await current();
    const fail = (sql: string, mode: 'append' | 'overwrite' = 'append') =>
      loaded(before, sql, { mode, onSchemaChange: 'fail' });
    for (const mode of ['append', 'overwrite'] as const) {
      await expect(fail('SELECT 2 AS id, 1.5::DOUBLE AS price, true AS vip', mode)).rejects.toMatchObject({
        code: 'SCHEMA_MISMATCH',
        issues: [
          { message: expect.stringContaining('price') },
          { message: expect.stringContaining('name') },
          { message: expect.stringContaining('vip') },
        ],
      });
    }
    const next = await fail("SELECT 2 AS id, 'y' AS name, 9.9::DECIMAL(3,1) AS price");
    expect(next.reported).toEqual([]);
    expect(await rowsOf(next)).toEqual([
      [1, 'x', '1.50'],
      [2, 'y', '9.90'],
    ]);
    expect((await loaded(undefined, 'SELECT 1 AS a', { mode: 'append', onSchemaChange: 'fail' })).columns).toHaveLength(
      1,
    );
  });

  it('takes a column whose name is spelled otherwise for the same', async () => {
    const next = await loaded(await current(), "SELECT 2 AS ID, 'y' AS Name, 2::DECIMAL(5,2) AS price");
    expect(next.columns.map(({ name }) => name)).toEqual(['id', 'name', 'price']);
    expect(await rowsOf(next)).toEqual([
      [1, 'x', '1.50'],
      [2, 'y', '2.00'],
    ]);
  });

  it.each(['evolve', 'ignore', 'fail'] as const)(
    'takes columns without a value for what is there (%s)',
    async (how) => {
      const before = await loaded(undefined, "SELECT 1 AS id, DATE '2026-01-01' AS day");
      const next = await loaded(before, 'SELECT 2 AS id, NULL::BOOLEAN AS day', {
        mode: 'append',
        onSchemaChange: how,
      });
      expect(next).toMatchObject({ columns: before.columns, reported: [] });
      expect(await rowsOf(next)).toEqual([
        [1, '2026-01-01'],
        [2, null],
      ]);
      const spelled = await loaded(before, 'SELECT 2 AS id, NULL::BOOLEAN AS Day', {
        mode: 'overwrite',
        onSchemaChange: how,
      });
      expect(spelled).toMatchObject({ columns: before.columns, reported: [] });
      expect(await rowsOf(spelled, 'SELECT id, typeof(day) FROM t')).toEqual([[2, 'DATE']]);
      const none = "SELECT 'x' AS id, 'x' AS day WHERE false";
      for (const mode of ['append', 'merge'] as const) {
        const rule = mode === 'merge' ? { mode, mergeKey: ['id'] } : { mode };
        expect(await loaded(next, none, { ...rule, onSchemaChange: how })).toMatchObject({ files: next.files });
      }
    },
  );

  it('keeps a column readable whose only file goes', async () => {
    const older = await loaded(undefined, 'SELECT 1 AS id');
    const newer = await loaded(older, "SELECT 2 AS id, 'x' AS name");
    const left = await loaded(newer, 'SELECT 2 AS id, true AS gone', {
      mode: 'merge',
      mergeKey: ['id'],
      deleteColumn: 'gone',
    });
    expect(await rowsOf(left, 'SELECT id, name FROM t')).toEqual([[1, null]]);
    // The version before reads as it did.
    expect(await rowsOf(newer)).toEqual([
      [1, null],
      [2, 'x'],
    ]);
    expect(await rowsOf(older)).toEqual([[1]]);
  });
});
