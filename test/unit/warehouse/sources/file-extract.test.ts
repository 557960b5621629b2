import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { extractFileToParquet, type FileExtract } from '../../../../shared/data/connectors/extract/file-extract.ts';
import { openTestEngine, rowsOf } from '../../data/engine/open-test-engine.ts';

async function extract(content: string, request: Omit<FileExtract, 'path'>) {
  const { engine, dir } = await openTestEngine();
  await writeFile(`${dir}/in`, content);
  const result = await extractFileToParquet(engine, { path: `${dir}/in`, ...request }, `${dir}/out.parquet`);
  await engine.attach('out', [`${dir}/out.parquet`]);
  return { ...result, data: await rowsOf(engine, 'SELECT * FROM out') };
}

const CSV = 'id,at,note\n1,2024-01-01,a\n2,2024-01-02,b\n3,2024-01-02,c\n4,,d\n';

describe('an incremental extract of a file', () => {
  it('reads new and changed rows once and counts those without a cursor', async () => {
    const first = await extract(CSV, { format: 'csv', cursor: { column: 'at', from: '2024-01-01' } });
    expect(first).toMatchObject({ rows: 3, watermark: { to: '2024-01-02', nullCursorRows: 1, repeatedRows: 0 } });

    const { to, boundary } = first.watermark!;
    const changed = CSV.replace('3,2024-01-02,c', '3,2024-01-02,C').concat('5,2024-01-03,e\n');
    const next = await extract(changed, { format: 'csv', cursor: { column: 'at', from: to!, boundary } });
    expect(next.data).toEqual([
      [3, '2024-01-02', 'C'],
      [5, '2024-01-03', 'e'],
    ]);
    expect(next.watermark).toMatchObject({ to: '2024-01-03', repeatedRows: 1 });
    expect(next.watermark!.boundary).toHaveLength(1 + 1);
  });

  it('minds columns and filter, and starts from nothing', async () => {
    const read = await extract(CSV, {
      format: 'csv',
      columns: [{ name: 'id' }],
      filter: "note <> 'b'",
      cursor: { column: 'id' },
    });
    expect(read).toMatchObject({ data: [[1], [3], [4]], watermark: { to: '4', nullCursorRows: 0 } });
    const none = await extract('{"id": 1}\n', { format: 'ndjson', filter: 'id > 5', cursor: { column: 'id' } });
    expect(none).toMatchObject({ rows: 0, watermark: { to: null, boundary: [] } });
  });

  it.each([
    [{ column: 'nope' }, 'SCHEMA_MISMATCH'],
    [{ column: 'id', lagSeconds: 5 }, 'SCHEMA_MISMATCH'],
    [{ column: 'at', from: 'yesterday' }, 'SCHEMA_MISMATCH'],
  ])('refuses the cursor %j', async (cursor, code) => {
    await expect(extract(CSV, { format: 'csv', cursor })).rejects.toMatchObject({ code });
  });

  it('is the whole file without a cursor', async () => {
    expect((await extract(CSV, { format: 'csv' })).rows).toBe(4);
  });
});
