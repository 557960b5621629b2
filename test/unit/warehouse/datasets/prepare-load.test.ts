import { describe, expect, it } from 'vitest';
import { MAX_SMALL_FILES } from '../../../../shared/data/tables/compaction.ts';
import type { LoadHow } from '../../../../shared/data/tables/prepare-load.ts';
import { type ColumnPredicate, filesFor } from '../../../../shared/data/tables/prune.ts';
import { rejectOtherRows } from '../../../../shared/data/tables/write-files.ts';
import { type PartitionBy, useLoadRoom } from './load-setup.ts';

const { loaded, rowsOf } = useLoadRoom();

describe('a load', () => {
  it('adds columns, which are null in older rows, and keeps those that the rows lack', async () => {
    const first = await loaded(undefined, "SELECT 1 AS a, 'x' AS b");
    const second = await loaded(first, 'SELECT 2 AS a, true AS c');
    expect(second.columns.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(await rowsOf(second)).toEqual([
      [1, 'x', null],
      [2, null, true],
    ]);
  });

  it('widens types to what holds both, rewriting what is stored', async () => {
    const ints = await loaded(undefined, 'SELECT 1::BIGINT AS a');
    const decimals = await loaded(ints, 'SELECT 2.25::DECIMAL(4,2) AS a');
    expect(decimals.columns).toEqual([{ name: 'a', type: 'decimal(21,2)' }]);
    expect(await rowsOf(decimals)).toEqual([['1.00'], ['2.25']]);
    const narrow = await loaded(decimals, 'SELECT 3::BIGINT AS a');
    expect(narrow.columns).toEqual(decimals.columns);
    expect(narrow.kept).toBe(2);
    expect(await rowsOf(narrow)).toEqual([['1.00'], ['2.25'], ['3.00']]);
    const days = await loaded(
      await loaded(undefined, "SELECT DATE '2026-01-01' AS d"),
      "SELECT TIMESTAMP '2026-01-02 03:00:00' AS d",
    );
    expect(days.columns).toEqual([{ name: 'd', type: 'timestamp' }]);
  });

  it('refuses what no type holds, naming every column, and integers that a double would change', async () => {
    const first = await loaded(undefined, "SELECT 1 AS a, 'x' AS b, 1 AS c");
    await expect(loaded(first, "SELECT 'x' AS a, true AS b, 2 AS c")).rejects.toMatchObject({
      code: 'SCHEMA_MISMATCH',
      issues: [{ message: expect.stringContaining('column a') }, { message: expect.stringContaining('column b') }],
    });
    expect((await loaded(first, "SELECT 1.5::DOUBLE AS a, 'x' AS b, 2 AS c")).columns[0]).toEqual({
      name: 'a',
      type: 'double',
    });
    const ids = await loaded(undefined, 'SELECT 9007199254740993 AS id');
    await expect(loaded(ids, 'SELECT 1.5::DOUBLE AS id')).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH' });
  });

  it('takes doubles as they are into a column of theirs that is spelt otherwise', async () => {
    const first = await loaded(undefined, 'SELECT 1.5::DOUBLE AS "Amount"');
    const more = await loaded(first, "SELECT unnest(['nan'::DOUBLE, '-inf', 1e20]) AS amount");
    expect(more.columns).toEqual([{ name: 'Amount', type: 'double' }]);
    expect(await rowsOf(more, 'SELECT "Amount"::VARCHAR FROM t ORDER BY "Amount"')).toEqual([
      ['-inf'],
      ['1.5'],
      ['1e+20'],
      ['nan'],
    ]);
    const ids = 'SELECT unnest([9007199254740993, -9223372036854775808]) AS amount';
    await expect(loaded(more, ids)).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH' });
  });

  it.for([
    ["UUID '11111111-1111-4111-8111-111111111111'", "'n/a'"],
    ["TIMESTAMP_NS '2020-01-01 00:00:00.123456789'", "TIMESTAMP '9999-12-31'"],
    ["'POINT (1 2)'::GEOMETRY", "'nowhere'"],
  ])('stores one type of ours as one of the engine: %s and %s', async ([one, other]) => {
    const rows = (id: number, value: string) =>
      `SELECT ${id} AS id, ${value} AS v, [${value}] AS l, {'f': ${value}} AS s`;
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as [string, string][]) {
      for (const how of [{ mode: 'append' }, { mode: 'merge', mergeKey: ['v'] }] as LoadHow[]) {
        const dataset = await loaded(await loaded(undefined, rows(1, first), how), rows(2, second), how);
        expect(await rowsOf(dataset, 'SELECT id, v = l[1], v = s.f FROM t ORDER BY id')).toEqual([
          [1, true, true],
          [2, true, true],
        ]);
      }
    }
  });

  it('without rows changes nothing, and gives an empty dataset its columns', async () => {
    const empty = await loaded(undefined, 'SELECT 1 AS a, 2 AS b WHERE false');
    expect(empty).toMatchObject({ files: [], columns: [{ name: 'a' }, { name: 'b' }] });
    const filled = await loaded(empty, 'SELECT 5 AS a');
    expect(await rowsOf(filled)).toEqual([[5, null]]);
    expect(await loaded(filled, 'SELECT 1 AS z WHERE false')).toMatchObject({
      columns: filled.columns,
      files: filled.files,
    });
  });

  it('takes the file of a large batch as it is, beside the rows whose keys it does not hold', async () => {
    // Four numbers that do not compress make few rows a large file.
    const numbers = (seed: number) =>
      ['v', 'w', 'x', 'y'].map((name, i) => `(hash(range, ${4 * seed + i}) >> 1)::BIGINT AS ${name}`);
    const rows = (from: number, to: number, seed: number) =>
      `SELECT range AS id, ${numbers(seed)} FROM range(${from}, ${to})`;
    const asked = 'SELECT count(*), min(id), max(id), bit_xor(hash(id, v, w, x, y))::VARCHAR FROM t';
    const merge = { mode: 'merge', mergeKey: ['id'] } as const;
    const one = await loaded(undefined, rows(0, 30, 1));
    const two = await loaded(one, rows(10, 600_010, 2), merge);
    expect([two.kept, two.files.map((file) => file.rows)]).toEqual([0, [10, 600_000]]);
    const expected = await loaded(undefined, `${rows(0, 10, 1)} UNION ALL ${rows(10, 600_010, 2)}`);
    expect(await rowsOf(two, asked)).toEqual(await rowsOf(expected, asked));
    const three = await loaded(two, rows(0, 600_010, 3), merge);
    expect(three.files.map((file) => file.rows)).toEqual([600_010]);
    expect(await rowsOf(three, asked)).toEqual(await rowsOf(await loaded(undefined, rows(0, 600_010, 3)), asked));
    const four = await loaded(three, rows(5, 600_020, 4), { ...merge, strategy: 'insert_only' });
    expect(four.files.map((file) => file.rows)).toEqual([600_010, 10]);
  });

  it('merges by key and leaves the files alone that hold none of the keys', async () => {
    const one = await loaded(undefined, "SELECT i AS id, 'old' AS v FROM range(0, 3) r(i)");
    const two = await loaded(one, "SELECT i AS id, 'old' AS v FROM range(10, 13) r(i)");
    const merged = await loaded(two, "SELECT * FROM (VALUES (11, 'new'), (20, 'new')) AS t(id, v)", {
      mode: 'merge',
      mergeKey: ['id'],
    });
    expect(merged.kept).toBe(1);
    expect(merged.files[0]).toBe(one.files[0]);
    expect((await rowsOf(merged)).map(([id, v]) => `${id} ${v}`)).toEqual([
      '0 old',
      '1 old',
      '2 old',
      '10 old',
      '11 new',
      '12 old',
      '20 new',
    ]);
  });

  it('joins small files when many have come together, losing and repeating none of their rows', async () => {
    let dataset = await loaded(undefined, 'SELECT 0 AS a');
    for (let n = 1; n <= MAX_SMALL_FILES + 2; n++) dataset = await loaded(dataset, `SELECT ${n} AS a`);
    expect(dataset.files.length).toBeLessThan(5);
    expect(await rowsOf(dataset)).toEqual(Array.from({ length: MAX_SMALL_FILES + 3 }, (_, n) => [n]));
  });

  it('splits rows by partition, and the bounds of files identify their partition', async () => {
    const days =
      "SELECT i AS id, TIMESTAMP '2026-01-15' + i * INTERVAL 1 DAY AS at FROM range(60) r(i) UNION ALL SELECT 99, NULL";
    const dataset = await loaded(undefined, days, { mode: 'overwrite' }, { column: 'at', by: 'month' });
    expect(dataset.files.map(({ partition, rows }) => [partition, rows])).toEqual([
      ['2026-01-01 00:00:00', 17],
      ['2026-02-01 00:00:00', 28],
      ['2026-03-01 00:00:00', 15],
      [null, 1],
    ]);
    expect(await rowsOf(dataset, 'SELECT count(*), count(DISTINCT id) FROM t')).toEqual([[61, 61]]);
    const february: ColumnPredicate[] = [
      { column: 'at', op: 'gte', value: '2026-02-03' },
      { column: 'at', op: 'lt', value: '2026-03-01' },
    ];
    expect(filesFor(dataset, february)).toEqual([dataset.files[1]]);
    const more = await loaded(
      dataset,
      "SELECT 100 AS id, TIMESTAMP '2026-02-10' AS at",
      { mode: 'append' },
      { column: 'at', by: 'month' },
    );
    expect(filesFor(more, february)).toHaveLength(2);
  });

  it.for(['timestamp', 'timestamptz', 'date'])('parts rows at the ends of time like others: %s', async (type) => {
    const byMonth = { column: 't', by: 'month' } as const;
    const rows = (values: string) => `SELECT id, t::${type} AS t FROM (VALUES ${values}) v(id, t)`;
    const given = rows("(1, 'infinity'), (2, '-infinity'), (3, '2026-01-05'), (4, '2026-01-31'), (5, NULL)");
    const dataset = await loaded(undefined, given, { mode: 'append' }, byMonth);
    expect(dataset).toMatchObject({ rowCount: 5, added: 4 });
    expect(await rowsOf(dataset, 'SELECT id FROM t ORDER BY id')).toEqual([[1], [2], [3], [4], [5]]);
    const how: LoadHow = { mode: 'merge', mergeKey: ['id'] };
    const merged = await loaded(dataset, rows("(3, 'infinity'), (1, '-infinity')"), how, byMonth);
    expect(await rowsOf(merged, 'SELECT id, left(t::VARCHAR, 8) FROM t ORDER BY id')).toEqual([
      [1, '-infinit'],
      [2, '-infinit'],
      [3, 'infinity'],
      [4, '2026-01-'],
      [5, null],
    ]);
    const overwritten = await loaded(
      merged,
      rows("(6, 'infinity'), (7, '2026-01-01')"),
      { mode: 'overwrite', scope: 'partition' },
      byMonth,
    );
    expect(await rowsOf(overwritten, 'SELECT id FROM t ORDER BY id')).toEqual([[1], [2], [5], [6], [7]]);
  });

  it('parts rows by any text', async () => {
    const texts = "SELECT unnest(['', chr(0), 'a' || chr(0) || 'b', chr(39), 'a']) AS a";
    const dataset = await loaded(undefined, texts, { mode: 'append' }, { column: 'a' });
    expect(dataset).toMatchObject({ rowCount: 5, added: 5 });
    expect(await rowsOf(dataset, 'SELECT count(DISTINCT a) FROM t')).toEqual([[5]]);
  });

  it('fails rather than to commit other rows than it was to write', () => {
    const file = { key: 'k', sizeBytes: 1, rows: 2 };
    expect(() => rejectOtherRows([file, file], 4)).not.toThrow();
    expect(() => rejectOtherRows([file], 3)).toThrow('2 rows instead of 3');
  });

  it('refuses to make more partitions than are of use, or to part by a column that cannot', async () => {
    const many = 'SELECT i AS a, 1.5::DOUBLE AS d FROM range(600) r(i)';
    await expect(loaded(undefined, many, { mode: 'append' }, { column: 'a' })).rejects.toMatchObject({
      code: 'SCHEMA_MISMATCH',
    });
    for (const partitionBy of [{ column: 'd' }, { column: 'none' }, { column: 'a', by: 'day' as const }]) {
      await expect(loaded(undefined, many, { mode: 'append' }, partitionBy)).rejects.toMatchObject({
        code: 'SCHEMA_MISMATCH',
      });
    }
  });
});

describe('an overwrite of partitions', () => {
  const byDay = { column: 'day' };
  const parts: LoadHow = { mode: 'overwrite', scope: 'partition' };
  const rows = (values: string) => `SELECT * FROM (VALUES ${values}) v(day, id)`;
  const given = (partitionBy: PartitionBy = byDay) =>
    loaded(
      undefined,
      rows("(DATE '2026-01-01', 1), (DATE '2026-01-01', 2), (DATE '2026-01-02', 3), (NULL, 4)"),
      { mode: 'append' },
      partitionBy,
    );

  it('replaces the partitions that the batch has rows of, and leaves the files of others alone', async () => {
    const before = await given();
    const next = await loaded(before, rows("(DATE '2026-01-01', 9), (DATE '2026-01-03', 5)"), parts, byDay);
    expect(next).toMatchObject({ kept: 2, added: 2, rowCount: 2 });
    expect(await rowsOf(next, 'SELECT id FROM t ORDER BY id')).toEqual([[3], [4], [5], [9]]);
    const withoutDay = await loaded(next, rows('(NULL::DATE, 7)'), parts, byDay);
    expect(await rowsOf(withoutDay, 'SELECT id FROM t ORDER BY id')).toEqual([[3], [5], [7], [9]]);
    expect(await loaded(before, 'SELECT NULL::DATE AS day, 1 AS id WHERE false', parts, byDay)).toMatchObject({
      files: before.files,
      rowCount: 0,
    });
  });

  it('parts files that were written before there were partitions, or for others', async () => {
    for (const earlier of [null, { column: 'day', by: 'month' as const }, { column: 'id' }]) {
      const next = await loaded(await given(earlier), rows("(DATE '2026-01-01', 9)"), parts, byDay);
      expect(await rowsOf(next, 'SELECT id FROM t ORDER BY id'), JSON.stringify(earlier)).toEqual([[3], [4], [9]]);
    }
    const months = await loaded(await given(), rows("(DATE '2026-01-31', 9), (DATE '2026-02-01', 10)"), parts, {
      column: 'day',
      by: 'month',
    });
    expect(await rowsOf(months, 'SELECT id FROM t ORDER BY id')).toEqual([[4], [9], [10]]);
  });

  it('takes new columns and wider types along', async () => {
    const next = await loaded(
      await given(),
      "SELECT TIMESTAMP '2026-01-01 00:00:00' AS day, 9 AS id, 'n' AS part",
      parts,
      { column: 'day', by: 'day' },
    );
    expect(next.reported).toEqual(['day retyped date timestamp', 'part added null string']);
    expect(await rowsOf(next, 'SELECT id, part FROM t ORDER BY id')).toEqual([
      [3, null],
      [4, null],
      [9, 'n'],
    ]);
    const byNew = await loaded(await given(null), "SELECT DATE '2026-01-01' AS day, 9 AS id, 'eu' AS region", parts, {
      column: 'region',
    });
    expect(await rowsOf(byNew, 'SELECT count(*) FROM t')).toEqual([[5]]);
  });

  it('is refused for a dataset without partitions', async () => {
    const before = await given(null);
    await expect(loaded(before, rows("(DATE '2026-01-01', 9)"), parts)).rejects.toMatchObject({
      code: 'SCHEMA_MISMATCH',
      message: expect.stringContaining('partitionBy'),
    });
  });
});

describe('a merge', () => {
  const merge: LoadHow = { mode: 'merge', mergeKey: ['id'] };

  it.for(['filename', 'FileName', 'path of the file'])('knows a column %s from the path of a file', async (name) => {
    const rows = (id: number, value: string) => `SELECT ${id} AS id, '${value}' AS "${name}"`;
    let dataset = await loaded(undefined, rows(1, 'a'), merge);
    dataset = await loaded(dataset, rows(2, 'b'), merge);
    dataset = await loaded(dataset, rows(1, 'c'), merge);
    expect(await rowsOf(dataset, 'SELECT * FROM t ORDER BY id')).toEqual([
      [1, 'c'],
      [2, 'b'],
    ]);
    const byName: LoadHow = { mode: 'merge', mergeKey: [name] };
    expect(await rowsOf(await loaded(dataset, rows(3, 'b'), byName), 'SELECT id FROM t ORDER BY id')).toEqual([
      [1],
      [3],
    ]);
  });

  it('is refused for a key that the dataset lacks', async () => {
    const before = await loaded(undefined, "SELECT 'x' AS name");
    await expect(loaded(before, "SELECT 1 AS id, 'y' AS name", merge)).rejects.toMatchObject({
      code: 'SCHEMA_MISMATCH',
      message: expect.stringContaining('no column id'),
    });
  });
});

describe('a history', () => {
  const since = (validFrom: string): LoadHow => ({
    mode: 'merge',
    mergeKey: ['id'],
    strategy: 'scd2',
    deleteColumn: 'gone',
    validFrom: `2026-01-01T00:00:${validFrom}Z`,
  });
  const rows = (values: string) => `SELECT * FROM (VALUES ${values}) v(id, name, gone)`;
  const reported = `SELECT id, name, strftime(_valid_from, '%S.%f'), strftime(_valid_to, '%S.%f'), _is_current FROM t
    ORDER BY id, _valid_from`;

  it('takes new columns', async () => {
    const before = await loaded(undefined, rows("(1, 'a', false), (2, 'b', false)"), since('01'));
    const next = await loaded(before, "SELECT 1 AS id, 'a' AS name, false AS gone, 'n' AS part", since('02'));
    const last = await loaded(
      next,
      "SELECT id, 'a' AS name, false AS gone, NULL AS part FROM (VALUES (2)) v(id)",
      since('03'),
    );
    expect(await rowsOf(last, 'SELECT id, name, part, _is_current FROM t ORDER BY id, name, _valid_from')).toEqual([
      [1, 'a', null, false],
      [1, 'a', 'n', true],
      [2, 'a', null, true],
      [2, 'b', null, false],
    ]);
  });

  it('refuses columns that are called like its own', async () => {
    const batch = "SELECT 1 AS id, 'a' AS _Valid_From, false AS gone";
    await expect(loaded(undefined, batch, since('01'))).rejects.toMatchObject({
      code: 'SCHEMA_MISMATCH',
      message: 'The rows to load must not have a column _Valid_From; a history adds it.',
    });
  });

  it('ends no row before its beginning when an older run comes later', async () => {
    const one = await loaded(undefined, rows("(1, 'a', false), (2, 'b', false)"), since('09'));
    const two = await loaded(one, rows("(1, 'A', false), (2, 'b', true), (3, 'c', false)"), since('05'));
    const three = await loaded(two, rows("(1, 'a', false), (2, 'B', false)"), since('05'));
    expect(await rowsOf(three, reported)).toEqual([
      [1, 'a', '09.000000', '09.000001', false],
      [1, 'A', '09.000001', '09.000002', false],
      [1, 'a', '09.000002', null, true],
      [2, 'b', '09.000000', '09.000001', false],
      [2, 'B', '09.000001', null, true],
      [3, 'c', '05.000000', null, true],
    ]);
    const four = await loaded(three, rows("(1, 'z', false), (2, 'B', false)"), since('10'));
    expect((await rowsOf(four, reported)).slice(2, 4)).toEqual([
      [1, 'a', '09.000002', '10.000000', false],
      [1, 'z', '10.000000', null, true],
    ]);
  });
});
