import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { flightsPipeline, JOIN, MERGE_KEY, question, SAMPLE_FILES } from '../../infra/demo/flights.ts';
import { finished } from './kill-and-finish.ts';
import { usePlatform } from './use-platform.ts';

const SAMPLES = join(import.meta.dirname, '../../node_modules/vega-datasets/data');

const under = usePlatform();

/** The same work by DuckDB alone over the same files: what the platform must come to. */
async function byDuckDbAlone(): Promise<{ count: number; answer: unknown[][] }> {
  const connection = await (await DuckDBInstance.create()).connect();
  const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();
  await connection.run(`
    CREATE VIEW flights AS SELECT * FROM '${join(SAMPLES, 'flights-3m.parquet')}';
    CREATE VIEW airports AS SELECT * FROM '${join(SAMPLES, 'airports.csv')}';
    CREATE TABLE merged AS SELECT * FROM (${JOIN})
      QUALIFY row_number() OVER (PARTITION BY ${MERGE_KEY.join(', ')} ORDER BY delay DESC, distance DESC) = 1`);
  const [[count] = []] = await read('SELECT count(*) FROM merged');
  return { count: Number(count), answer: await read(question('merged')) };
}

describe('the flights of the demo', () => {
  it('come to the same numbers as DuckDB alone over the same files, also when they are merged again', async () => {
    const source = await under.platform.request('POST', '/api/data-sources', { name: 'Flights', type: 'file' });
    for (const path of SAMPLE_FILES) {
      const content = await readFile(join(SAMPLES, path));
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
  }, 300_000);
});
