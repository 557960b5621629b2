import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { DuckdbScript, DuckdbWork } from '../duckdb-alone.ts';

/**
 * Statements in DuckDB alone, one after the other in one instance, or each in an instance of its own whose rows are
 * read as JSON. Argument: the script as JSON. Prints the milliseconds of each, from opening the instance, and the peak
 * of memory.
 */
const script = JSON.parse(process.argv[2] ?? '') as DuckdbScript;
const { memoryMb, before = [], statements, apart = false, check } = script;

const spill = mkdtempSync(join(tmpdir(), 'duckdb-alone-'));
process.once('exit', () => rmSync(spill, { recursive: true, force: true }));
const open = async () => {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: `${memoryMb}MB`, threads: '2' });
  const connection = await instance.connect();
  await connection.run(`SET temp_directory = '${spill}'`);
  return connection;
};

const ms: number[] = [];
let value: number | undefined;
let shared: Awaited<ReturnType<typeof open>> | undefined;
for (const statement of statements) {
  const startedAt = performance.now();
  const connection = apart || !shared ? await open() : shared;
  if (connection !== shared) for (const sql of before) await connection.run(sql);
  shared = connection;
  if (apart) JSON.stringify((await connection.runAndReadAll(statement)).getRowsJson());
  else await connection.run(statement);
  ms.push(performance.now() - startedAt);
  if (apart) connection.closeSync();
}
if (check !== undefined) value = Number((await (shared ?? (await open())).runAndReadAll(check)).value(0, 0));
const work: DuckdbWork = {
  ms,
  peakMb: process.resourceUsage().maxRSS / 1024,
  ...(value === undefined ? {} : { value }),
};
console.log(JSON.stringify(work));
