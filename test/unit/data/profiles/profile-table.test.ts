import { describe, expect, it } from 'vitest';
import { type ProfileOptions, profileTable } from '../../../../shared/data/profiles/profile-table.ts';
import { openTestEngine } from '../engine/open-test-engine.ts';

/** The profile of the rows that a statement returns. */
async function profileOf(select: string, options?: ProfileOptions) {
  const { engine } = await openTestEngine();
  await engine.run(`CREATE TABLE profiled AS ${select}`);
  return profileTable(engine, 'profiled', options);
}

async function columnOf(select: string, options?: ProfileOptions) {
  return (await profileOf(select, options)).columns[0]!;
}

describe('the profile of a table', () => {
  it('describes numbers by count, range, mean and percentiles', async () => {
    const column = await columnOf('SELECT CASE WHEN i % 5 = 0 THEN NULL ELSE i - 3 END AS n FROM range(1, 11) t(i)');
    // -2, -1, 0, 1, 3, 4, 5, 6
    expect(column).toMatchObject({
      dataType: 'integer',
      rowCount: 10,
      nullCount: 2,
      nullPct: 20,
      distinctCount: 8,
      isDistinctExact: true,
      uniquePct: 100,
      min: -2,
      max: 6,
      mean: 2,
      median: 2,
      p25: -0.25,
      p75: 4.25,
      zeroCount: 1,
      negativeCount: 2,
      blankCount: null,
      isSampled: false,
      driftFromPrevious: null,
    });
    expect(column.stddev).toBeCloseTo(2.9277, 4);
    expect(column.histogram).toHaveLength(20);
    expect(column.histogram.map(({ count }) => count).reduce((sum, count) => sum + count)).toBe(8);
    expect(column.histogram[0]).toEqual({ low: -2, high: -1.6, count: 1 });
    expect(column.histogram[19]).toMatchObject({ high: 6, count: 1 });
  });

  it('describes texts by length, blanks, frequent values and patterns', async () => {
    const column = await columnOf("SELECT unnest(['AB-12', 'CD-34', 'AB-12', '', '  ', NULL, 'x']) AS code");
    expect(column).toMatchObject({
      rowCount: 7,
      nullCount: 1,
      distinctCount: 5,
      blankCount: 2,
      minLength: 0,
      maxLength: 5,
      min: '',
      max: 'x',
      mean: null,
      median: null,
      histogram: [],
    });
    expect(column.topValues[0]).toEqual({ value: 'AB-12', count: 2, pct: 100 / 3 });
    expect(column.patterns[0]).toEqual({ pattern: 'A-9', count: 3, pct: 50 });
  });

  it('is complete for a table without rows', async () => {
    const profile = await profileOf("SELECT 1 AS n, 'a' AS t, DATE '2026-01-01' AS d, true AS b, [1] AS l WHERE false");
    expect(profile.rowCount).toBe(0);
    for (const column of profile.columns) {
      expect(column).toMatchObject({
        nullPct: 0,
        distinctCount: 0,
        uniquePct: null,
        min: null,
        topValues: [],
        histogram: [],
      });
      expect(column.inferredSemanticType).toBeNull();
    }
  });

  it('finds nothing in columns without a value', async () => {
    const profile = await profileOf('SELECT NULL::DOUBLE AS n, NULL::VARCHAR AS t, NULL::TIMESTAMP AS d FROM range(3)');
    for (const column of profile.columns) {
      expect(column).toMatchObject({
        nullCount: 3,
        nullPct: 100,
        distinctCount: 0,
        min: null,
        median: null,
        mean: null,
      });
    }
  });

  it('puts a constant column into one bin', async () => {
    const column = await columnOf('SELECT 7.5::DOUBLE AS n FROM range(4)');
    expect(column).toMatchObject({ min: 7.5, max: 7.5, stddev: 0, p5: 7.5, p95: 7.5, distinctCount: 1, uniquePct: 25 });
    expect(column.histogram).toEqual([{ low: 7.5, high: 7.5, count: 4 }]);
  });

  it('describes a single row', async () => {
    expect(await columnOf('SELECT 3 AS n')).toMatchObject({
      mean: 3,
      stddev: null,
      median: 3,
      topValues: [{ value: 3, count: 1, pct: 100 }],
    });
  });

  it('counts NaN and infinities and leaves them out of the figures', async () => {
    const column = await columnOf("SELECT unnest([1, 3, 'nan'::DOUBLE, 'inf'::DOUBLE, '-inf'::DOUBLE]) AS n");
    expect(column).toMatchObject({
      nonFiniteCount: 3,
      min: 1,
      max: 3,
      mean: 2,
      median: 2,
      distinctCount: 2,
      negativeCount: 0,
    });
    const dates = await columnOf("SELECT unnest([DATE '2026-01-01', 'infinity'::DATE]) AS d");
    expect(dates).toMatchObject({ nonFiniteCount: 1, min: '2026-01-01', max: '2026-01-01' });
  });

  it('leaves out a mean that is beyond a double', async () => {
    const column = await columnOf('SELECT unnest([-1.7e308, 1.7e308, 5]) AS n');
    expect(column).toMatchObject({ min: -1.7e308, max: 1.7e308, mean: null, stddev: null });
    expect(column.histogram.map(({ count }) => count).reduce((sum, count) => sum + count)).toBe(3);
  });

  it('keeps the digits of decimals and integers beyond doubles as texts', async () => {
    const profile = await profileOf(
      "SELECT '12345678901234567890123456789012345.678'::DECIMAL(38, 3) AS d, 9007199254740993::BIGINT AS i",
    );
    expect(profile.columns).toMatchObject([
      {
        dataType: 'decimal(38,3)',
        min: '12345678901234567890123456789012345.678',
        topValues: [{ value: '12345678901234567890123456789012345.678' }],
      },
      { min: '9007199254740993', max: '9007199254740993' },
    ]);
  });

  it('orders dates before 1900 and instants', async () => {
    const dates = await columnOf("SELECT unnest([DATE '1066-10-14', DATE '1899-12-31', DATE '2026-02-28']) AS d");
    expect(dates).toMatchObject({ min: '1066-10-14', max: '2026-02-28', median: '1899-12-31', mean: null });
    expect(dates.histogram[0]).toMatchObject({ low: '1066-10-14T00:00:00.000Z', count: 1 });
    const instants = await columnOf("SELECT unnest([TIMESTAMP '2026-01-01 10:00:00.25', TIMESTAMP '2026-01-02']) AS t");
    expect(instants).toMatchObject({ min: '2026-01-01T10:00:00.250Z', p95: '2026-01-01T10:00:00.250Z' });
  });

  it('counts lists, structs and JSON without describing them', async () => {
    const profile = await profileOf(
      "SELECT [i, i] AS l, {'a': i % 2} AS s, ('{\"a\":' || i || '}')::JSON AS j FROM range(10) t(i)",
    );
    expect(profile.columns).toMatchObject([
      { distinctCount: 10, min: null, topValues: [] },
      { distinctCount: 2 },
      { distinctCount: 10, inferredSemanticType: null },
    ]);
  });

  it('distinguishes huge texts and cuts what it shows of them', async () => {
    const column = await columnOf("SELECT repeat('x', 100000) || (i % 3) AS t FROM range(30) t(i)");
    expect(column).toMatchObject({ distinctCount: 3, minLength: 100_001, maxLength: 100_001 });
    expect(column.topValues.map(({ count }) => count)).toEqual([10, 10, 10]);
    expect((column.max as string).length).toBe(200);
  });

  it('reads columns with any name, and only those asked for', async () => {
    const profile = await profileOf(`SELECT 1 AS "a ""quoted"" name", 2 AS "select", 'x' AS "it's"`, {
      columns: ['a "quoted" name', "it's"],
    });
    expect(profile.columns.map(({ name }) => name)).toEqual(['a "quoted" name', "it's"]);
    await expect(profileOf('SELECT 1 AS n', { columns: ['m'] })).rejects.toThrow('There is no column m.');
  });

  it('lists no values where none repeats', async () => {
    expect((await columnOf("SELECT 'name ' || i AS t FROM range(100) t(i)")).topValues).toEqual([]);
  });

  it('estimates large tables from a sample, and counts all rows', async () => {
    const { engine } = await openTestEngine();
    await engine.run(
      "CREATE TABLE profiled AS SELECT i AS id, i % 7 AS k, CASE WHEN i % 4 = 0 THEN NULL ELSE 'v' || hash(i) % 500000 END AS t FROM range(1_200_000) t(i)",
    );
    const { rowCount, sampledRows, columns } = await profileTable(engine, 'profiled', { sampleRows: 100_000 });
    expect({ rowCount, sampledRows }).toEqual({ rowCount: 1_200_000, sampledRows: 100_000 });
    const [id, k, t] = columns;
    expect(id).toMatchObject({ isSampled: true, min: 0, max: 1_199_999, mean: 599_999.5 });
    expect(Math.abs(id!.distinctCount / 1_200_000 - 1)).toBeLessThan(0.02);
    expect(Math.abs((id!.median as number) / 600_000 - 1)).toBeLessThan(0.03);
    expect(k).toMatchObject({ distinctCount: 7, isDistinctExact: true });
    expect(k!.topValues).toHaveLength(7);
    expect(t).toMatchObject({ nullCount: 300_000, nullPct: 25, isDistinctExact: false });
    const [[exact] = []] = await engine.run('SELECT count(DISTINCT t) FROM profiled');
    expect(Math.abs(t!.distinctCount / Number(exact) - 1)).toBeLessThan(0.02);
  });
});

describe('drift from the previous profile', () => {
  async function drift(before: string, now: string) {
    const previous = await profileOf(before);
    return profileOf(now, { previous });
  }

  it('is none for rows of the same kind', async () => {
    const { columns } = await drift(
      'SELECT hash(i) % 1000 / 10 AS n FROM range(5000) t(i)',
      'SELECT hash(i + 9000) % 1000 / 10 AS n FROM range(5000) t(i)',
    );
    expect(columns[0]!.driftFromPrevious).toMatchObject({ nullPctChange: 0, level: 'none' });
    expect(columns[0]!.driftFromPrevious!.psi).toBeLessThan(0.05);
  });

  it('sees numbers that move and categories that appear', async () => {
    const { columns } = await drift(
      "SELECT hash(i) % 1000 / 10 AS n, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END AS c FROM range(5000) t(i)",
      "SELECT 40 + hash(i) % 1000 / 10 AS n, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'new' END AS c FROM range(5000) t(i)",
    );
    expect(columns.map(({ driftFromPrevious }) => driftFromPrevious!.level)).toEqual(['major', 'major']);
    expect(columns[0]!.driftFromPrevious!.meanChangePct).toBeGreaterThan(70);
  });

  it('sees lost values, and columns that come, go and change', async () => {
    const { columns, driftFromPrevious } = await drift(
      'SELECT i AS kept, i AS gone, i AS changed FROM range(10) t(i)',
      'SELECT CASE WHEN i < 4 THEN NULL ELSE i END AS kept, i::VARCHAR AS changed, 1 AS "new" FROM range(20) t(i)',
    );
    expect(driftFromPrevious).toEqual({
      rowCountChange: 10,
      rowCountChangePct: 100,
      addedColumns: ['new'],
      removedColumns: ['gone'],
      changedTypes: [{ name: 'changed', from: 'integer', to: 'string' }],
    });
    expect(columns[0]!.driftFromPrevious!.nullPctChange).toBe(20);
    expect(columns[1]!.driftFromPrevious).toBeNull();
  });

  it('does not compare identifiers and dates, which always grow', async () => {
    const { columns } = await drift(
      "SELECT i AS id, DATE '2026-01-01' + i::INTEGER AS d FROM range(100) t(i)",
      "SELECT i + 100 AS id, DATE '2026-06-01' + i::INTEGER AS d FROM range(100) t(i)",
    );
    expect(columns.map(({ driftFromPrevious }) => driftFromPrevious!.psi)).toEqual([null, null]);
  });

  it('compares with a table that has become empty', async () => {
    const { columns } = await drift('SELECT i % 3 AS k FROM range(9) t(i)', 'SELECT 1::BIGINT AS k WHERE false');
    expect(columns[0]!.driftFromPrevious).toMatchObject({ psi: null, level: 'none' });
  });
});
