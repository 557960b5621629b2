import { expect, vi } from 'vitest';
import type { Api } from '../../../support/api.ts';

/** The id of nothing that there is. */
export const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

export interface StepInput {
  id: string;
  type: string;
  config: Record<string, unknown>;
  dependsOn?: string[];
  [member: string]: unknown;
}

export const sql = (id: string, text: string, dependsOn: string[] = [], more: object = {}): StepInput => ({
  id,
  type: 'transform_sql',
  config: { sql: text },
  dependsOn,
  retry: { maxAttempts: 1 },
  ...more,
});

export const load = (id: string, from: string, dataset: string, config: object = { mode: 'overwrite' }): StepInput => ({
  id,
  type: 'load',
  config: { target: { kind: 'dataset', name: dataset }, ...config },
  dependsOn: [from],
});

/** A step with the columns of another one, which only a run can name. */
export const unnamedColumns = (id: string, of: string): StepInput =>
  sql(id, `SELECT COLUMNS(name -> length(name) > 0) FROM "${of}"`, [of]);

export const dagOf = (...steps: StepInput[]) => ({ version: 1, steps });

/** A valid definition of two steps. */
export const simpleDag = () => dagOf(sql('a', 'SELECT 1 AS x'), load('b', 'a', 'numbers'));

/**
 * A statement that keeps a processor busy for a minute or two, unless it is interrupted. Tests cancel its run; one that
 * they forget does not compute on for hours beside all other tests.
 */
export const SLOW = 'SELECT count(*) AS n FROM range(1000000) a, range(5000) b WHERE (a.range * b.range) % 7 = 3';

let names = 0;

export async function givenPipeline(
  api: Api,
  dag: object,
  more: object = {},
): Promise<{ id: string; updatedAt: string }> {
  const reply = await api.as('editor').post('/api/pipelines', { name: `pipeline ${++names}`, dag, ...more });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
}

export async function startedRun(api: Api, pipelineId: string, body?: object): Promise<string> {
  const reply = await api.as('editor').post(`/api/pipelines/${pipelineId}/run`, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.id;
}

/** Waits for a status of a run and answers the run with its steps. */
export async function runThatIs(api: Api, runId: string, status: string, timeout = 90_000) {
  return vi.waitFor(
    async () => {
      const { body } = await api.as('viewer').get(`/api/pipelines/runs/${runId}`);
      expect(body.status, JSON.stringify(body.error)).toBe(status);
      return body;
    },
    { timeout, interval: 150 },
  );
}

export async function finishedRun(api: Api, dag: object, status = 'succeeded') {
  const pipeline = await givenPipeline(api, dag);
  const run = await runThatIs(api, await startedRun(api, pipeline.id), status);
  return { pipeline, run };
}

/** The address, with its token, by which anybody starts a pipeline with a webhook trigger. */
export async function hookUrl(api: Api, pipelineId: string): Promise<URL> {
  const shown = await api.as('editor').get(`/api/pipelines/${pipelineId}/webhook`);
  expect(shown.status, JSON.stringify(shown.body)).toBe(200);
  return new URL(shown.body.url);
}

/** A file source with the given files, sent the way a browser sends them. */
export async function givenFiles(api: Api, files: Record<string, string | Buffer>): Promise<string> {
  const source = await api.as('owner').post('/api/data-sources', { name: `files ${++names}`, type: 'file' });
  await sendFiles(api, source.body.id, files);
  return source.body.id;
}

export async function sendFiles(api: Api, sourceId: string, files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const body = Buffer.from(content);
    const upload = await api.as('owner').post(`/api/data-sources/${sourceId}/uploads`, { path, size: body.length });
    const put = await fetch(upload.body.url, { method: 'PUT', headers: upload.body.headers, body });
    expect(put.status).toBe(200);
  }
}
