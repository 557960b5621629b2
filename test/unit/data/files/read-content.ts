import { writeFile } from 'node:fs/promises';
import type { FileFormat } from '../../../../shared/data/files/formats.ts';
import { convertToParquet, type FileReading, inspectFile } from '../../../../shared/data/files/read-file.ts';
import { openTestEngine } from '../engine/open-test-engine.ts';

type Options = NonNullable<Parameters<typeof inspectFile>[2]['options']>;

export async function inspect(content: string | Uint8Array, format: FileFormat, options: Options = {}) {
  const { engine, dir } = await openTestEngine();
  await writeFile(`${dir}/file`, content);
  const { columns, rowsJson } = await inspectFile(engine, `${dir}/file`, { format, options });
  return { columns: columns.map(({ name, type }) => `${name} ${type}`), rows: JSON.parse(rowsJson) };
}

export async function convert(
  content: string | Uint8Array,
  format: FileFormat,
  options: Options = {},
  reading: FileReading = {},
) {
  const { engine, dir } = await openTestEngine();
  await writeFile(`${dir}/file`, content);
  const result = await convertToParquet(
    engine,
    { path: `${dir}/file`, format, options, ...reading },
    `${dir}/out.parquet`,
  );
  await engine.attach('out', [`${dir}/out.parquet`]);
  const { rowsJson } = await engine.query('SELECT * FROM out', { limit: 100, maxBytes: 1_000_000 });
  return { ...result, rows: result.rows, data: JSON.parse(rowsJson) };
}
