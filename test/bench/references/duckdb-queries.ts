import { DuckDBInstance } from '@duckdb/node-api';
import { QUERIES, SALES } from '../measurements/query-set.ts';

/**
 * The statements of the query benchmark in DuckDB alone, each in an instance of its own over the same Parquet file.
 * Arguments: `make` or `run`, the file, and for `make` its rows. Prints the milliseconds per statement.
 */
const [how, path = '', rows = '0'] = process.argv.slice(2);

async function connect() {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '1024MB', threads: '2' });
  return instance.connect();
}

if (how === 'make') {
  const connection = await connect();
  await connection.run(`COPY (${SALES(Number(rows))}) TO '${path}' (FORMAT parquet, COMPRESSION zstd)`);
  console.log('{}');
} else {
  const took: Record<string, number> = {};
  for (const [name, sql] of Object.entries(QUERIES)) {
    const startedAt = performance.now();
    const connection = await connect();
    await connection.run(`CREATE VIEW sales AS FROM read_parquet('${path}')`);
    const reader = await connection.runAndReadAll(sql);
    JSON.stringify(reader.getRowsJson());
    took[name] = performance.now() - startedAt;
  }
  console.log(JSON.stringify(took));
}
