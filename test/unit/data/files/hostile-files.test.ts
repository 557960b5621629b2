import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { FileFormat } from '../../../../shared/data/files/formats.ts';
import { convertToParquet, inspectFile } from '../../../../shared/data/files/read-file.ts';
import { openTestEngine, rowsOf } from '../engine/open-test-engine.ts';

type Options = NonNullable<Parameters<typeof inspectFile>[2]['options']>;

async function convert(content: string | Uint8Array, format: FileFormat, options: Options = {}) {
  const { engine, dir } = await openTestEngine();
  await writeFile(`${dir}/file`, content);
  const out = `${dir}/out.parquet`;
  const { rows, rejected } = await convertToParquet(engine, { path: `${dir}/file`, format, options }, out);
  await engine.attach('out', [out]);
  return { rows, rejected, data: await rowsOf(engine, 'SELECT * FROM out LIMIT 100') };
}

const refused = (message: RegExp) => ({ code: 'FILE_UNREADABLE', message: expect.stringMatching(message) });

describe('rows with more or fewer values than columns', () => {
  const ragged = 'a,b,c\n1,2,3\n4,5\n"6\n",7,8,9\n\n10,11,12\n';

  it('are refused with the line, padded with null, or left out and counted', async () => {
    await expect(convert(ragged, 'csv')).rejects.toMatchObject(
      refused(/^Line 3: expected 3 values, found 2\. .*headerRow.*raggedRows/),
    );
    await expect(convert(ragged, 'csv', { raggedRows: 'pad' })).rejects.toMatchObject(
      refused(/expected 3 values, found 4/),
    );
    expect(await convert('a,b,c\n1,2,3\n4,5\n6\n', 'csv', { raggedRows: 'pad' })).toMatchObject({
      data: [
        [1, 2, 3],
        [4, 5, null],
        [6, null, null],
      ],
    });
    expect(await convert(ragged, 'csv', { raggedRows: 'skip' })).toEqual({
      rows: 2,
      rejected: { rows: 2, firstLine: 3 },
      data: [
        [1, 2, 3],
        [10, 11, 12],
      ],
    });
    expect(await convert('a,b\n1,2\n', 'csv', { raggedRows: 'skip' })).toMatchObject({ rows: 1, rejected: undefined });
  });

  it('are left out anywhere in a large file, and no other row with them', async () => {
    const lines = Array.from({ length: 200_000 }, (_, i) => (i % 1000 === 999 ? `${i}` : `${i},x${i}`));
    const read = await convert(`id,name\n${lines.join('\n')}\n`, 'csv', { raggedRows: 'skip' });
    expect(read).toMatchObject({ rows: 199_800, rejected: { rows: 200, firstLine: 1001 } });
  });

  it('hide no other issue, and not too many of themselves', async () => {
    await expect(convert('a,b\n1,"x"y\n2,3\n', 'csv', { raggedRows: 'skip' })).rejects.toMatchObject(
      refused(/^Line 2: a quote/),
    );
    await expect(convert('a,b\n1,"x\n2,3\n', 'csv', { raggedRows: 'skip' })).rejects.toMatchObject(
      refused(/a quote is not closed/),
    );
    const other = `a,b\n${'1,2,3\n'.repeat(100_001)}`;
    await expect(convert(other, 'csv', { raggedRows: 'skip' })).rejects.toMatchObject(
      refused(/^More than 100000 rows/),
    );
  });
});

describe('a file that is made to harm', () => {
  it.each<[string, FileFormat, () => string, RegExp]>([
    [
      'JSON in 100,000 lists',
      'json',
      () => `[{"x":1},\n{"x":${'['.repeat(1e5)}${']'.repeat(1e5)}}]`,
      /^Line 2: .*500 levels/,
    ],
    [
      'JSON in 100,000 objects',
      'json',
      () => `[{"x":${'{"a":'.repeat(1e5)}1${'}'.repeat(1e5)}}]`,
      /^Line 1: .*500 levels/,
    ],
    ['NDJSON in 100,000 lists', 'ndjson', () => `{"x":1}\n{"x":${'['.repeat(1e5)}\n`, /^Line 2: .*500 levels/],
    [
      'an open quote before the depth',
      'ndjson',
      () => `{"x":"\n{"x":${'{"a":'.repeat(1e5)}\n`,
      /^Line 2: .*500 levels/,
    ],
    ['one line of 20 MB of CSV', 'csv', () => `a,b\n1,${'x'.repeat(20e6)}\n`, /line/i],
    [
      'one line of 20 MB of NDJSON',
      'ndjson',
      () => `{"a":"${'x'.repeat(20e6)}"}\n`,
      /^Line 1: a text has more than \d+ bytes/,
    ],
    [
      '10,000 columns of CSV',
      'csv',
      () => `${Array.from({ length: 1e4 }, (_, i) => `c${i}`).join()}\n`,
      /at most 2000/,
    ],
  ])('is refused with the place: %s', async (_, format, content, message) => {
    await expect(convert(content(), format)).rejects.toMatchObject(refused(message));
  });

  it.each(['parquet', 'ndjson', 'json'] as const)('is refused in time: 10,000 columns of %s', async (format) => {
    // What the engine function has; DuckDB takes some megabytes for each hundred columns of JSON before it can say how
    // many there are.
    const { engine, dir } = await openTestEngine({ memoryLimitMb: 1024 });
    const path = `${dir}/wide`;
    const record = Object.fromEntries(Array.from({ length: 1e4 }, (_, i) => [`c${i}`, i]));
    await writeFile(path, JSON.stringify([record]));
    if (format === 'ndjson') await writeFile(path, JSON.stringify(record));
    if (format === 'parquet') {
      const values = Object.keys(record).map((name) => `1 AS ${name}`);
      await engine.run(`COPY (SELECT ${values.join(', ')}) TO '${path}' (FORMAT parquet)`);
    }
    const startedAt = performance.now();
    const tooWide = refused(/^The file has 10000 columns; at most 2000 are read\.$/);
    await expect(convertToParquet(engine, { path, format }, `${dir}/out`)).rejects.toMatchObject(tooWide);
    await expect(inspectFile(engine, path, { format })).rejects.toMatchObject(tooWide);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  it('is read in time with the 2,000 columns that a file may have', async () => {
    const { engine, dir } = await openTestEngine();
    const record = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`c${i}`, i]));
    await writeFile(`${dir}/wide`, `${JSON.stringify(record)}\n`.repeat(3));
    const startedAt = performance.now();
    const { columns, rowCount } = await inspectFile(engine, `${dir}/wide`, { format: 'ndjson' });
    expect([columns.length, rowCount]).toEqual([2000, 3]);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });

  it('is no file that only talks of depth', async () => {
    const text = JSON.stringify({ x: `${'['.repeat(1e4)}"\\`, y: [[[1]]] });
    expect(await convert(`${text}\n${text}\n`, 'ndjson')).toMatchObject({ rows: 2 });
  });

  it('is no end of anything when it is Parquet that lies about itself', async () => {
    const { engine, dir } = await openTestEngine();
    await engine.copyToParquet(`SELECT i AS id, 'name ' || i AS name, [i] AS list FROM range(5000) r(i)`, {
      path: `${dir}/good`,
      rowGroupSize: 2048,
    });
    const good = await readFile(`${dir}/good`);
    const footer = good.readUInt32LE(good.length - 8);
    const start = good.length - 8 - footer;
    const lies: Buffer[] = [
      // The pages are gone, the footer is not.
      Buffer.concat([good.subarray(0, 64), good.subarray(start)]),
      Buffer.concat([good.subarray(0, 4), Buffer.alloc(start - 4), good.subarray(start)]),
      withLength(good, 0),
      withLength(good, 0x7fffffff),
      withLength(good, footer - 5),
    ];
    // One byte of the footer at a time: counts of rows, sizes, offsets, types.
    for (let at = start; at < good.length - 8; at += Math.ceil(footer / 40)) {
      for (const value of [0xff, good[at]! ^ 0x04]) {
        const changed = Buffer.from(good);
        changed[at] = value;
        lies.push(changed);
      }
    }
    let refusals = 0;
    for (const [i, lie] of lies.entries()) {
      const path = `${dir}/lie-${i}`;
      await writeFile(path, lie);
      try {
        const { engine: another } = await openTestEngine();
        await convertToParquet(another, { path, format: 'parquet' }, `${dir}/out-${i}`);
      } catch (error) {
        expect(error, `lie ${i}`).toMatchObject({ code: 'FILE_UNREADABLE' });
        refusals += 1;
      }
    }
    expect(refusals).toBeGreaterThan(20);
    expect(await rowsOf(engine, 'SELECT 1')).toEqual([[1]]);
  });
});

function withLength(file: Buffer, length: number): Buffer {
  const changed = Buffer.from(file);
  changed.writeUInt32LE(length, file.length - 8);
  return changed;
}
