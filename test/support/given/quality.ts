import { expect, vi } from 'vitest';
import type { Api } from '../api.ts';
import type { Reply } from '../conformance.ts';
import { posted } from './model.ts';

export const QUALITY = '/api/data-quality';

/** A test of a dataset; the name is that of its type unless given. */
export async function givenTest(api: Api, body: { testType: string; [member: string]: unknown }) {
  const test = await posted(api, `${QUALITY}/tests`, { name: body.testType, targetType: 'source_table', ...body });
  return { id: test.id, path: `${QUALITY}/tests/${test.id}` };
}

/** Runs all active tests, and returns the job once it has ended. */
export async function ranAll(api: Api) {
  const started = await api.as('editor').post(`${QUALITY}/tests/run-all`);
  return endedJob(api, started);
}

/** Stores the rows that fail a test, and returns the job once it has ended. */
export async function storedRows(api: Api, path: string, request: object = {}) {
  return endedJob(api, await api.as('editor').post(`${path}/failing-rows`, request));
}

async function endedJob(api: Api, started: Reply) {
  expect(started, JSON.stringify(started.body)).toMatchObject({ status: 200, body: { kind: 'quality_run' } });
  return vi.waitFor(
    async () => {
      const { body } = await api.as('viewer').get(`${QUALITY}/jobs/${started.body.id}`);
      expect(['succeeded', 'failed'], JSON.stringify(body)).toContain(body.status);
      return body;
    },
    { timeout: 60_000, interval: 100 },
  );
}
