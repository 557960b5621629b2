import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { flightsPipeline, JOIN, MERGE_KEY, SAMPLE_FILES } from '../../../infra/demo/flights.ts';

/**
 * The demo's pipeline without a platform: DuckDB in a process of its own, with the limits that a step has. Arguments:
 * how (`whole` writes the result alone, `steps` also what lies between), the folder of the sample files, one to write
 * to. Prints the milliseconds from opening the engine to the end of the last file.
 */
const [how, samples = '', target = ''] = process.argv.slice(2);
const [flights, airports] = SAMPLE_FILES.map((file) => join(samples, file));
const order = mergeOrder();

const startedAt = performance.now();
const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2048MB', threads: '2' });
const connection = await instance.connect();
await connection.run(`CREATE VIEW flights AS FROM read_parquet('${flights}')`);
if (how === 'whole') {
  await connection.run(`CREATE VIEW airports AS FROM read_csv('${airports}')`);
  await connection.run(`CREATE VIEW joined AS ${JOIN}`);
} else {
  await copy(`FROM read_csv('${airports}')`, 'airports');
  await connection.run(`CREATE VIEW airports AS FROM read_parquet('${join(target, 'airports.parquet')}')`);
  await copy(JOIN, 'joined');
  await connection.run(`CREATE VIEW joined AS FROM read_parquet('${join(target, 'joined.parquet')}')`);
}
await copy(
  `SELECT * FROM joined QUALIFY row_number() OVER (PARTITION BY ${MERGE_KEY.join(', ')} ORDER BY ${order}) = 1`,
  'merged',
);
const ms = performance.now() - startedAt;
const reader = await connection.runAndReadAll(`SELECT count(*) FROM read_parquet('${join(target, 'merged.parquet')}')`);
console.log(JSON.stringify({ ms, rows: Number(reader.value(0, 0)) }));

async function copy(select: string, name: string): Promise<void> {
  const path = join(target, `${name}.parquet`);
  await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet, COMPRESSION zstd)`);
}

/** The demo's `dedupeOrderBy`, as SQL. */
function mergeOrder(): string {
  const load = flightsPipeline('', '').steps.find(({ type }) => type === 'load');
  const columns = load?.config.dedupeOrderBy as { column: string; direction: string }[];
  return columns.map(({ column, direction }) => `${column} ${direction} NULLS LAST`).join(', ');
}
