import { describe, expect, it } from 'vitest';
import type { Boundary } from '../../../../shared/data/connectors/extract/incremental.ts';
import { usePostgres } from './use-postgres.ts';

const under = usePostgres();
const { extract, openSource } = under;

describe('an incremental extract', () => {
  const from = { schema: 'public', table: 'events' };

  it('reads what is new once, what changed under an equal cursor again, and counts rows without a cursor', async () => {
    await under.postgres.run(`
      CREATE TABLE events (id int PRIMARY KEY, at timestamptz, note text);
      INSERT INTO events VALUES (1, '2024-01-01T00:00:00Z', 'a'), (2, '2024-01-02T00:00:00.000001Z', 'b'), (3, '2024-01-02T00:00:00.000001Z', 'c'), (4, NULL, 'd');`);
    const first = await extract({ from, cursor: { column: 'at', from: '2024-01-01T00:00:00Z' } });
    expect(first).toMatchObject({
      rows: 3,
      watermark: { column: 'at', to: '2024-01-02T00:00:00.000001Z', nullCursorRows: 1, repeatedRows: 0 },
    });
    expect(first.watermark?.boundary).toHaveLength(1 + 2);

    const { to, boundary } = first.watermark!;
    const idle = await extract({ from, cursor: { column: 'at', from: to!, boundary } });
    expect(idle).toMatchObject({ rows: 0, watermark: { to, repeatedRows: 2 } });
    expect([...(idle.watermark!.boundary as string[])].sort()).toEqual([...(boundary as string[])].sort());

    await under.postgres.run(`
      UPDATE events SET note = 'C' WHERE id = 3;
      INSERT INTO events VALUES (5, '2024-01-02T00:00:00.000001Z', 'late'), (6, '2024-01-03T00:00:00Z', 'new'), (7, '2023-01-01T00:00:00Z', 'old');`);
    const next = await extract({ from, cursor: { column: 'at', from: to!, boundary } });
    expect(next.data.map(([id, , note]) => [id, note]).sort()).toEqual([
      [3, 'C'],
      [5, 'late'],
      [6, 'new'],
    ]);
    expect(next.watermark).toMatchObject({ to: '2024-01-03T00:00:00.000Z', repeatedRows: 1 });
    expect(next.watermark?.boundary).toHaveLength(1 + 1);

    const lagging = await extract({
      from,
      cursor: {
        column: 'at',
        from: '2024-01-03T00:00:00.000Z',
        lagSeconds: 86_400,
        boundary: next.watermark!.boundary,
      },
    });
    expect(lagging.data.map(([id]) => id).sort()).toEqual([2, 3, 5]);
    expect(lagging.watermark?.boundary).toHaveLength(1 + 4);

    const interval = await extract({
      from,
      cursor: { column: 'at', from: '2024-01-02T00:00:00Z', before: '2024-01-03T00:00:00Z' },
    });
    expect(interval.data.map(([id]) => id).sort()).toEqual([2, 3, 5]);
  });

  it('stops below the start of a transaction that is still open', async () => {
    await under.postgres.run('CREATE TABLE slow (id int, at timestamptz DEFAULT now()); INSERT INTO slow VALUES (1);');
    const writer = await openSource();
    await writer.query('BEGIN');
    await writer.query('INSERT INTO slow VALUES (2)');
    await under.postgres.run('INSERT INTO slow VALUES (3)');

    const during = await extract({ from: { schema: 'public', table: 'slow' }, cursor: { column: 'at' } });
    expect(during.data.map(([id]) => id)).toEqual([1]);
    await writer.query('COMMIT');
    const { to, boundary } = during.watermark!;
    const after = await extract({
      from: { schema: 'public', table: 'slow' },
      cursor: { column: 'at', from: to!, boundary },
    });
    expect(after.data.map(([id]) => id).sort()).toEqual([2, 3]);
  });

  it('works with numbers, decimals, dates and texts, ordered by their bytes', async () => {
    await under.postgres.run(`
      CREATE TABLE kinds (n bigint, d numeric(12,3), day date, t text, e text, u uuid);
      INSERT INTO kinds VALUES (1, 1.5, '2024-01-01', 'a', 'x', NULL), (9007199254740993, 2.5, '2024-01-02', 'B', 'x', NULL), (3, 0.5, '2024-01-03', 'é', 'x', NULL);`);
    const read = (column: string, start?: string, lagSeconds?: number) =>
      extract({
        from: { schema: 'public', table: 'kinds' },
        columns: ['n', column].filter((name, i) => i === 0 || name !== 'n'),
        cursor: { column, ...(start === undefined ? {} : { from: start }), ...(lagSeconds ? { lagSeconds } : {}) },
      });

    expect((await read('n')).watermark?.to).toBe('9007199254740993');
    expect((await read('n', '9007199254740993')).rows).toBe(1);
    expect(await read('d', '1.5')).toMatchObject({ rows: 2, watermark: { to: '2.500' } });
    expect(await read('day', '2024-01-02')).toMatchObject({ rows: 2, watermark: { to: '2024-01-03' } });
    expect(await read('day', '2024-01-03', 86_400)).toMatchObject({ rows: 2 });
    expect(await read('t', 'a')).toMatchObject({ rows: 2, watermark: { to: 'é' } });
    expect(await read('t', "'; DROP TABLE kinds; --")).toMatchObject({ rows: 3 });
    await expect(read('u')).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH' });
    await expect(read('n', '1', 60)).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH' });
    await expect(read('n', 'not a number')).rejects.toMatchObject({ code: 'SQL_ERROR' });
  });

  it('reads on from decimals with more digits than are held, and with more than nine of them behind the point', async () => {
    await under.postgres.run(`
      CREATE TABLE fine (id int, n numeric, d numeric(20,12), whole numeric(38,0), low numeric);
      INSERT INTO fine VALUES (1, 1.0000000006, 1.0000000006, 10000000000000000000000000000000000001, -1.0000000006)`);
    const read = (column: string, cursor: object) =>
      extract({ from: { schema: 'public', table: 'fine' }, columns: ['id', column], cursor: { column, ...cursor } });
    const columns = ['n', 'd', 'whole', 'low'];
    const first = await Promise.all(columns.map((column) => read(column, {})));
    expect(first.map(({ watermark }) => watermark?.to)).toEqual([
      '1.000000001',
      '1.000000000600',
      '10000000000000000000000000000000000001',
      '-1.000000001',
    ]);

    await under.postgres.run(`INSERT INTO fine VALUES
      (2, 1.0000000007, 1.0000000007, 10000000000000000000000000000000000002, -1.0000000007),
      (3, 1.0000000004, 1.0000000005, 10000000000000000000000000000000000000, -1.0000000016)`);
    for (const [i, column] of columns.entries()) {
      const { to, boundary } = first[i]!.watermark!;
      const next = await read(column, { from: to!, boundary });
      expect([column, next.data.map(([id]) => id), next.watermark?.repeatedRows]).toEqual([column, [2], 1]);
    }
  });

  it('leaves out, and counts, what has no place in an order that can be read on from', async () => {
    await under.postgres.run(`
      CREATE TABLE odd (id int, at timestamptz, noted timestamp, day date, n numeric, d numeric(5,2));
      INSERT INTO odd VALUES (1, 'infinity', 'infinity', 'infinity', 'NaN', 'NaN'),
        (2, '-infinity', '-infinity', '-infinity', 1e30, NULL), (3, '0044-03-15 BC', '0044-03-15 BC', '0044-03-15 BC', -1e30, NULL),
        (4, NULL, NULL, NULL, NULL, NULL), (5, '2026-01-01Z', '2026-01-01', '2026-01-01', -1.5, -999.99),
        (6, '2026-01-02Z', '2026-01-02', '2026-01-02', 99999999999999999999999999999, 999.99)`);
    for (const column of ['at', 'noted', 'day', 'n', 'd']) {
      const read = (cursor: object) =>
        extract({ from: { schema: 'public', table: 'odd' }, columns: ['id', column], cursor: { column, ...cursor } });
      const first = await read({});
      expect(first.data.map(([id]) => id).sort(), column).toEqual([5, 6]);
      expect(first).toMatchObject({ changes: [], watermark: { nullCursorRows: 4 } });
      const { to, boundary } = first.watermark!;
      expect(await read({ from: to!, boundary }), column).toMatchObject({
        rows: 0,
        watermark: { to, repeatedRows: 1 },
      });
    }
  });

  it('knows the rows of a day again, however many they are', async () => {
    await under.postgres.run(
      "CREATE TABLE days AS SELECT i, DATE '2024-01-01' AS day FROM generate_series(1, 10001) i",
    );
    const read = (more: { from?: string; boundary?: Boundary | null }) =>
      extract({ from: { schema: 'public', table: 'days' }, cursor: { column: 'day', ...more } });
    const first = await read({});
    expect(first).toMatchObject({ rows: 10_001, watermark: { to: '2024-01-01' } });
    await under.postgres.run("INSERT INTO days VALUES (0, '2024-01-01')");
    const next = await read({ from: '2024-01-01', boundary: first.watermark!.boundary });
    expect(next).toMatchObject({ data: [[0, '2024-01-01']], watermark: { repeatedRows: 10_001 } });
  });
});
