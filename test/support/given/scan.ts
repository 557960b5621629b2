import { expect, vi } from 'vitest';
import type { Caller } from '../api.ts';

/** A scan of a table, once it has ended. */
export async function endedScan(caller: Caller, id: string) {
  return vi.waitFor(
    async () => {
      const { body } = await caller.get(`/api/data-quality/scans/${id}`);
      expect(['succeeded', 'failed']).toContain(body.status);
      return body;
    },
    { timeout: 60_000, interval: 100 },
  );
}

/** The profile of a table as a new scan finds it. */
export async function givenScan(caller: Caller, scan: { tableName: string; [member: string]: unknown }) {
  const started = await caller.post('/api/data-quality/scans', scan);
  expect(started.status, JSON.stringify(started.body)).toBe(200);
  const ended = await endedScan(caller, started.body.id);
  expect(ended, JSON.stringify(ended)).toMatchObject({ status: 'succeeded' });
  return ended as { id: string };
}
