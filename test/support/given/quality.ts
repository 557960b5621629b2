import { expect, vi } from 'vitest';
import type { Api } from '../api.ts';
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
