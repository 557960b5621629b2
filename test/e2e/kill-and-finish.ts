import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { StartedPlatform } from '../support/started-platform.ts';

const AIRPORTS = join(import.meta.dirname, '../../node_modules/vega-datasets/data/airports.csv');
/** Rows of the sample file: each run appends exactly these. */
export const AIRPORT_COUNT = 3376;

/** A pipeline that appends the airports to a dataset: a row that is lost or loaded twice shows in the count. */
export async function givenAppendingPipeline(platform: StartedPlatform, name: string): Promise<string> {
  const source = await platform.request('POST', '/api/data-sources', { name, type: 'file' });
  const content = await readFile(AIRPORTS);
  const upload = await platform.request('POST', `/api/data-sources/${source.id}/uploads`, {
    path: 'airports.csv',
    size: content.length,
  });
  const put = await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: content });
  if (!put.ok) throw new Error(`the upload answered ${put.status}`);
  const sql = 'SELECT iata, name, state FROM airports';
  const pipeline = await platform.request('POST', '/api/pipelines', {
    name,
    dag: {
      version: 1,
      steps: [
        {
          id: 'airports',
          type: 'extract',
          config: { sourceId: source.id, object: { path: 'airports.csv', format: 'csv' } },
        },
        {
          id: 'chosen',
          type: 'transform_sql',
          dependsOn: ['airports'],
          config: { inputs: { airports: 'airports' }, sql },
        },
        {
          id: 'loaded',
          type: 'load',
          dependsOn: ['chosen'],
          config: { input: 'chosen', target: { kind: 'dataset', name }, mode: 'append' },
        },
      ],
    },
  });
  return pipeline.id;
}

/** Starts a run, kills the platform after `killAfterMs`, starts it again, and answers how the run ended. */
export async function killAndFinish(
  platform: StartedPlatform,
  pipelineId: string,
  killAfterMs: number,
): Promise<string> {
  const run = await platform.request('POST', `/api/pipelines/${pipelineId}/run`);
  await wait(killAfterMs);
  await platform.kill();
  await platform.start();
  return finished(platform, run.id);
}

/** Waits for a run to end; a step whose function died may take its lease's time to be taken up again. */
export async function finished(platform: StartedPlatform, runId: string, timeoutMs = 240_000): Promise<string> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const { status } = await platform.request('GET', `/api/pipelines/runs/${runId}`);
    if (status !== 'queued' && status !== 'running') return status;
    if (Date.now() > deadline) throw new Error(`the run ${runId} is still ${status}`);
    await wait(200);
  }
}

export async function rowCount(platform: StartedPlatform, dataset: string): Promise<number> {
  const { rows } = await platform.request('POST', '/api/query', { sql: `SELECT count(*) FROM "${dataset}"` });
  return Number(rows[0][0]);
}
