import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flightsPipeline, JOIN, MERGE_KEY, question, SAMPLE_FILES } from '../../infra/demo/flights.ts';
import { cases } from '../support/cases.ts';
import { finished } from './kill-and-finish.ts';
import { usePlatform } from './use-platform.ts';

const SAMPLES = join(import.meta.dirname, '../../node_modules/vega-datasets/data');

const FLIGHTS_FILE = 'flights-3m.parquet';

const under = usePlatform();

/** Three million are all of them. */
const FLIGHTS = cases(300_000, 3_000_000);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flights-'));
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(`COPY (FROM '${join(SAMPLES, FLIGHTS_FILE)}' LIMIT ${FLIGHTS}) TO '${fileOf(FLIGHTS_FILE)}'`);
});
afterAll(() => rm(folder, { recursive: true }));

const fileOf = (name: string) => join(name === FLIGHTS_FILE ? folder : SAMPLES, name);

/** The same work by DuckDB alone over the same files: what the platform must come to. */
async function byDuckDbAlone(): Promise<{ count: number; answer: unknown[][] }> {
  const connection = await (await DuckDBInstance.create()).connect();
  const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();
  await connection.run(`
    CREATE VIEW flights AS SELECT * FROM '${fileOf(FLIGHTS_FILE)}';
    CREATE VIEW airports AS SELECT * FROM '${fileOf('airports.csv')}';
    CREATE TABLE merged AS SELECT * FROM (${JOIN})
      QUALIFY row_number() OVER (PARTITION BY ${MERGE_KEY.join(', ')} ORDER BY delay DESC, distance DESC) = 1`);
  const [[count] = []] = await read('SELECT count(*) FROM merged');
  return { count: Number(count), answer: await read(question('merged')) };
}

describe('the flights of the demo', () => {
  it('come to the same numbers as DuckDB alone over the same files, also when they are merged again', async () => {
    const source = await under.platform.request('POST', '/api/data-sources', { name: 'Flights', type: 'file' });
    for (const path of SAMPLE_FILES) {
      const content = await readFile(fileOf(path));
      const size = content.length;
      const upload = await under.platform.request('POST', `/api/data-sources/${source.id}/uploads`, { path, size });
      expect((await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: content })).status).toBe(200);
    }
    const dag = flightsPipeline(source.id, 'flights');
    const pipeline = await under.platform.request('POST', '/api/pipelines', { name: 'Flights', dag });
    const expected = await byDuckDbAlone();
    for (let round = 1; round <= 2; round += 1) {
      const run = await under.platform.request('POST', `/api/pipelines/${pipeline.id}/run`);
      expect(await finished(under.platform, run.id)).toBe('succeeded');
      const { items } = await under.platform.request('GET', '/api/datasets');
      expect(items).toMatchObject([{ name: 'flights', version: round, rowCount: expected.count }]);
      const answer = await under.platform.request('POST', '/api/query', { sql: question('flights') });
      expect(answer.rows.map((row: unknown[]) => row.map(String))).toEqual(
        expected.answer.map((row) => row.map(String)),
      );
    }
  });
});
