import { link, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractFileToParquet } from '../../../../shared/data/connectors/extract/file-extract.ts';
import {
  boundaryPath,
  type Cursor,
  MAX_BOUNDARY_ROWS,
} from '../../../../shared/data/connectors/extract/incremental.ts';
import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import { cases } from '../../../support/cases.ts';
import { openTestEngine } from '../../data/engine/open-test-engine.ts';

interface Row {
  id: number;
  day: number;
  note: string;
}

const DAY_SECONDS = 86_400;
const dateOf = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
const textOf = ({ id, day, note }: Row) => `${id} ${dateOf(day)} ${note}`;

/**
 * Files that change under their names within moments are not what an engine, which caches parts of them, is made for.
 */
let files = 0;

/** A log that is read on and on, as an incremental extract does it. */
function reader(engine: Engine, dir: string, how: Pick<Cursor, 'primaryKey' | 'lagSeconds'>) {
  let last: Cursor = { column: 'day', ...how };
  return async (rows: readonly Row[]): Promise<string[]> => {
    files += 1;
    const [path, out] = [`${dir}/in-${files}`, `${dir}/out-${files}.parquet`];
    await writeFile(path, `id,day,note\n${rows.map((row) => textOf(row).replaceAll(' ', ',')).join('\n')}\n`);
    const columns = [{ name: 'id' }, { name: 'day' }, { name: 'note' }];
    const { watermark } = await extractFileToParquet(engine, { path, format: 'csv', columns, cursor: last }, out);
    last = { column: 'day', ...how, from: watermark!.to!, boundary: watermark!.boundary };
    const read = await engine.run(`SELECT concat_ws(' ', id, day, note) FROM read_parquet('${out}') ORDER BY ALL`);
    return read.map(([text]) => String(text));
  };
}

/** What is in the second list beyond what is in the first, each as often. */
function beyond(before: readonly string[], after: readonly string[]): string[] {
  const left = [...before];
  return after.filter((row) => {
    const at = left.indexOf(row);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

interface Change {
  what: string;
  late: number;
  pick: number;
  note: string;
}

/** The rows after a change: one is added, or one at the edge is doubled (only without a key) or gets another note. */
function changed(
  rows: readonly Row[],
  { what, late, pick, note }: Change,
  { newest, lagDays, hasKey }: { newest: number; lagDays: number; hasKey: boolean },
): Row[] {
  const edge = rows.filter(({ day }) => day >= newest - lagDays);
  const picked = edge[pick % edge.length]!;
  if (what === 'add') return [...rows, { id: rows.length, day: newest + late, note }];
  if (what === 'double' && !hasKey) return [...rows, { ...picked }];
  return rows.map((row) => (row === picked ? { ...row, note: `${note}${rows.length}` } : row));
}

/** Rows that are added and changed at or above the newest day less the lag, batch for batch. */
const batches = (lagDays: number) =>
  fc.array(
    fc.array(
      fc.record({
        what: fc.constantFrom('add', 'double', 'change'),
        late: fc.integer({ min: -lagDays, max: 2 }),
        pick: fc.nat(),
        note: fc.constantFrom('a', 'b', 'c'),
      }),
      { maxLength: 8 },
    ),
    { minLength: 1, maxLength: 5 },
  );

describe('rows at the edge of an incremental read', () => {
  it.each(['key', 'Times', '_known'])('are known again where the source has a column %s', async (name) => {
    const { engine, dir } = await openTestEngine();
    const path = `${dir}/in`;
    const columns = [{ name: 'day' }, { name }];
    const read = async (cursor: Cursor, rows: string[], out: string) => {
      await writeFile(path, `day,${name}\n${rows.map((row) => `2026-01-01,${row}\n`).join('')}`);
      return extractFileToParquet(engine, { path, format: 'csv', columns, cursor }, out);
    };
    const first = await read({ column: 'day' }, ['a', 'a', 'b'], `${dir}/1.parquet`);
    const { to, boundary } = first.watermark!;
    const last: Cursor = { column: 'day', from: to!, boundary };
    expect((await read(last, ['a', 'a', 'b'], `${dir}/2.parquet`)).rows).toBe(0);
    // One more of the same, and one that is new.
    expect((await read(last, ['a', 'a', 'a', 'b', 'c'], `${dir}/3.parquet`)).rows).toBe(2);
  });

  it.each([
    ['without a key, also those that are all alike', undefined, 0],
    ['without a key and with a lag', undefined, 2],
    ['by their key, also those that change under an equal cursor', ['id'], 0],
    ['by their key and with a lag', ['id'], 2],
  ])('are read once: %s', async (_title, primaryKey, lagDays) => {
    const { engine, dir } = await openTestEngine();
    await fc.assert(
      fc.asyncProperty(batches(lagDays), async (changes) => {
        const read = reader(engine, dir, {
          ...(primaryKey ? { primaryKey } : {}),
          ...(lagDays ? { lagSeconds: lagDays * DAY_SECONDS } : {}),
        });
        let rows: Row[] = [{ id: 0, day: 3, note: 'first' }];
        expect(await read(rows)).toEqual(rows.map(textOf));
        for (const batch of changes) {
          const newest = Math.max(...rows.map(({ day }) => day));
          const before = rows.map(textOf);
          for (const change of batch)
            rows = changed(rows, change, { newest, lagDays, hasKey: primaryKey !== undefined });
          expect(await read(rows)).toEqual(beyond(before, rows.map(textOf)).sort());
        }
        expect(await read(rows)).toEqual([]);
      }),
      { numRuns: cases(3, 16), endOnFailure: true },
    );
  });

  it('that are all alike are one where they have a key', async () => {
    const { engine, dir } = await openTestEngine();
    const row = { id: 1, day: 1, note: 'a' };
    const read = reader(engine, dir, { primaryKey: ['id'] });
    expect(await read([row])).toHaveLength(1);
    expect(await read([row, row])).toEqual([]);
  });

  it('are known again however many they are, up to the limit', async () => {
    const { engine, dir } = await openTestEngine();
    const read = reader(engine, dir, {});
    const rows = Array.from({ length: 20_001 }, (_, id) => ({ id, day: 1, note: 'a' }));
    expect(await read(rows)).toHaveLength(20_001);
    expect(await read([...rows, { id: 7, day: 1, note: 'a' }, { id: -1, day: 1, note: 'b' }])).toEqual([
      '-1 2026-01-02 b',
      '7 2026-01-02 a',
    ]);
    expect(await read(rows)).toEqual([]);
  });

  it.each([
    ['a few, by their key', 3, ['id']],
    ['a few, of which some are all alike', 3, undefined],
    ['many, by their key', 2000, ['id']],
    ['many, of which some are all alike', 2000, undefined],
  ])('are known again when the source gains and loses columns: %s', async (_title, count, primaryKey) => {
    const { engine, dir } = await openTestEngine();
    let last: Partial<Cursor> = {};
    let reads = 0;
    const read = async (header: string, rows: string[]): Promise<string[]> => {
      reads += 1;
      const [path, out] = [`${dir}/in-${reads}`, `${dir}/out-${reads}`];
      await writeFile(path, `day,id,${header}\n${rows.map((row) => `2026-01-01,${row}\n`).join('')}`);
      const cursor = { column: 'day', ...(primaryKey ? { primaryKey } : {}), ...last };
      const { watermark } = await extractFileToParquet(engine, { path, format: 'csv', cursor }, out);
      expect(watermark!.lostColumn).toBeUndefined();
      last = { from: watermark!.to!, boundary: watermark!.boundary };
      const found = await engine.run(
        `SELECT concat_ws(',', *COLUMNS(* EXCLUDE day)) FROM read_parquet('${out}') ORDER BY ALL`,
      );
      return found.map(([text]) => String(text));
    };
    const ids = Array.from({ length: count }, (_, i) => i);
    const alike = primaryKey ? [] : [0];
    const all = (row: (id: number) => string) => [...alike, ...ids].map(row);
    expect(
      await read(
        'name,size',
        all((id) => `${id},a,${id % 2}`),
      ),
    ).toHaveLength(all(String).length);
    // Gained: one row is new, and one has changed.
    const gained = all((id) => `${id},${id === 1 ? 'b' : 'a'},${id % 2},more`);
    expect(await read('name,size,further', [...gained, '-1,c,0,more'])).toEqual(['-1,c,0,more', '1,b,1,more']);
    expect(await read('name,size,further', [...gained, '-1,c,0,more'])).toEqual([]);
    // Lost: one has changed.
    const lost = [...all((id) => `${id},${id === 1 ? 'b' : 'a'}`), '-1,d'];
    expect(await read('name', lost)).toEqual(['-1,d']);
    // One in the place of another; of those that are all alike, one more.
    const more = primaryKey ? [] : ['0,z'];
    expect(await read('other', [...all((id) => `${id},z`), ...more, '-1,z'])).toEqual(more);
  });

  it('come again, as the read says, when a column is gone of more than are kept value by value', async () => {
    const { engine, dir } = await openTestEngine();
    const read = async (columns: string, cursor: Partial<Cursor>) => {
      const [path, out] = [`${dir}/${columns}`, `${dir}/${columns}-out`];
      await engine.copyToParquet(`SELECT ${columns}, DATE '2026-01-01' AS day FROM range(350000) t(id)`, { path });
      return extractFileToParquet(engine, { path, format: 'parquet', cursor: { column: 'day', ...cursor } }, out);
    };
    const { watermark } = await read('id, id AS a', {});
    const cursor = { from: '2026-01-01', boundary: watermark!.boundary };
    expect(await read('id, id AS a, id AS b', cursor)).toMatchObject({ rows: 0 });
    expect(await read('id', cursor)).toMatchObject({ rows: 350_000, watermark: { lostColumn: 'a' } });
  });

  it('are given up when there are more than the limit, in bounded memory', async () => {
    const { engine, dir } = await openTestEngine();
    const [all, out] = [`${dir}/all.parquet`, `${dir}/out.parquet`];
    const days = (rows: number) => `SELECT i::VARCHAR AS id, DATE '2026-01-01' AS day FROM range(${rows}) t(i)`;
    const read = async (rows: number, cursor: Cursor) => {
      await engine.copyToParquet(days(rows), { path: all });
      return extractFileToParquet(engine, { path: all, format: 'parquet', cursor }, out);
    };
    const most = await read(MAX_BOUNDARY_ROWS, { column: 'day' });
    expect(most.watermark!.boundary).toEqual({ path: boundaryPath(out) });
    await link(boundaryPath(out), `${dir}/known.parquet`);
    const cursor = { column: 'day', from: '2026-01-01', boundary: { path: `${dir}/known.parquet` } };
    const more = await read(MAX_BOUNDARY_ROWS + 1, cursor);
    expect(more).toMatchObject({ rows: 1, watermark: { boundary: null, repeatedRows: MAX_BOUNDARY_ROWS } });
  });

  it.each([
    ['are counted where a column of the key is not read', ['id', 'number'], 1, 'number'],
    ['are one where the key is written in another case', ['ID'], 0, undefined],
  ])('%s', async (_title, primaryKey, further, absentKey) => {
    const { engine, dir } = await openTestEngine();
    const read = async (content: string, cursor: Partial<Cursor>) => {
      await writeFile(`${dir}/in`, content);
      const file = { path: `${dir}/in`, format: 'csv', cursor: { column: 'day', primaryKey, ...cursor } } as const;
      return extractFileToParquet(engine, file, `${dir}/out`);
    };
    const first = await read('id,day\n1,2026-01-01\n', {});
    expect(first.watermark!.absentKey).toBe(absentKey);
    const { to, boundary } = first.watermark!;
    expect(await read('id,day\n1,2026-01-01\n1,2026-01-01\n', { from: to!, boundary })).toMatchObject({
      rows: further,
    });
  });

  it('are not held when an interval is read again, from which nothing goes on', async () => {
    const { engine, dir } = await openTestEngine();
    const [path, out] = [`${dir}/in`, `${dir}/out`];
    await writeFile(path, `id,day\n${Array.from({ length: 501 }, (_, id) => `${id},2026-01-01\n`).join('')}`);
    const cursor = { column: 'day', from: '2026-01-01', before: '2026-01-02' };
    const { rows, watermark } = await extractFileToParquet(engine, { path, format: 'csv', cursor }, out);
    expect({ rows, boundary: watermark!.boundary }).toEqual({ rows: 501, boundary: [] });
  });
});
