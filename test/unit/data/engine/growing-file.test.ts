import { appendFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { growingFile } from '../../../../shared/data/duckdb/growing-file.ts';

const newPath = async () => join(await mkdtemp(join(tmpdir(), 'growing-')), 'rows.csv');

async function textOf(file: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of file) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

it('reads a file to its end, however slowly it grows', async () => {
  const path = await newPath();
  const { promise: written, resolve } = Promise.withResolvers<void>();
  const reading = growingFile(path, written);
  const first = reading.next();
  await appendFile(path, 'a');
  expect(String((await first).value)).toBe('a');
  const rest = textOf(reading);
  await appendFile(path, 'b'.repeat(3_000_000));
  await appendFile(path, 'c');
  resolve();
  expect(await rest).toBe(`${'b'.repeat(3_000_000)}c`);
});

it('fails with the writer, and is empty if the writer wrote nothing', async () => {
  await expect(textOf(growingFile(await newPath(), Promise.reject(new Error('no space'))))).rejects.toThrow('no space');
  expect(await textOf(growingFile(await newPath(), Promise.resolve()))).toBe('');
});
