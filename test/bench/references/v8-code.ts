import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { CODE } from '../measurements/code-rows.ts';

/**
 * What a code step does, without a sandbox: the rows of a Parquet file as JSON in batches, through the function in V8,
 * as CSV into a Parquet file. Arguments: the file, a folder to write to. Prints the milliseconds and the rows.
 */
const [file = '', folder = ''] = process.argv.slice(2);
const BATCH = 10_000;
const transform = new Function(`${CODE}; return transform;`)() as (rows: object[]) => Record<string, string>[];

const startedAt = performance.now();
const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2048MB', threads: '2' });
const connection = await instance.connect();
const [read, written] = [`${folder}/rows.ndjson`, `${folder}/rows.csv`];
await connection.run(
  `COPY (SELECT id::VARCHAR AS id, customer, amount::VARCHAR AS amount, score FROM read_parquet('${file}')) TO '${read}' (FORMAT json)`,
);
const out = createWriteStream(written);
let batch: string[] = [];
let rows = 0;
for await (const line of createInterface({ input: createReadStream(read) })) {
  batch.push(line);
  if (batch.length === BATCH) await flush();
}
if (batch.length > 0) await flush();
out.end();
await finished(out);
const columns = `{'id': 'BIGINT', 'customer': 'VARCHAR', 'cents': 'BIGINT', 'grade': 'VARCHAR'}`;
await connection.run(
  `COPY (FROM read_csv('${written}', header = false, columns = ${columns})) TO '${folder}/rows.parquet' (FORMAT parquet, COMPRESSION zstd)`,
);
console.log(JSON.stringify({ ms: performance.now() - startedAt, rows }));

async function flush(): Promise<void> {
  const answer = transform(JSON.parse(`[${batch.join(',')}]`));
  rows += answer.length;
  batch = [];
  const text = answer.map(({ id, customer, cents, grade }) => `"${id}","${customer}","${cents}","${grade}"\n`).join('');
  if (!out.write(text)) await once(out, 'drain');
}
