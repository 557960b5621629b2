import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { usePlatform } from './use-platform.ts';

const ROWS = 50_000;

const under = usePlatform();

const lines = (version: number) =>
  `id,version\n${Array.from({ length: ROWS }, (_, id) => `${id},${version}`).join('\n')}\n`;

async function upload(sourceId: string, version: number): Promise<void> {
  const content = lines(version);
  const body = { path: 'a.csv', size: Buffer.byteLength(content) };
  const { url, headers } = await under.platform.request('POST', `/api/data-sources/${sourceId}/uploads`, body);
  expect((await fetch(url, { method: 'PUT', headers, body: content })).status).toBe(200);
}

/** What readers see: as many rows as there are, all of one version. */
async function seen(): Promise<[count: number, least: number, most: number]> {
  const sql = 'SELECT count(*)::INT, min(version)::INT, max(version)::INT FROM killed';
  return (await under.platform.request('POST', '/api/query', { sql, maxAgeSeconds: 0 })).rows[0];
}

async function ended(id: string) {
  for (;;) {
    const { items } = await under.platform.request('GET', `/api/datasets/${id}/history?limit=1`);
    if (items[0] && !['queued', 'running'].includes(items[0].status)) return items[0];
    const [count, least, most] = await seen().catch(() => [ROWS, 0, 0] as const);
    expect([count, most - least]).toEqual([ROWS, 0]);
    await wait(500);
  }
}

describe('a refresh whose worker is killed', () => {
  it('shows the old version, then the new one whole, whenever it died', async () => {
    const source = await under.platform.request('POST', '/api/data-sources', { name: 'files', type: 'file' });
    await upload(source.id, 1);
    const made = { kind: 'file', sourceId: source.id, path: 'a.csv' };
    const { id } = await under.platform.request('POST', '/api/datasets', { name: 'killed', source: made });
    while ((await under.platform.request('GET', `/api/datasets/${id}`)).version === 0) await wait(200);
    for (const [index, delayMs] of [30, 250, 600].entries()) {
      const version = index + 2;
      await upload(source.id, version);
      await under.platform.misbehave([{ service: 'lambda', resource: 'run-job', effect: 'kill', delayMs, times: 1 }]);
      await under.platform.request('POST', `/api/datasets/${id}/refresh`);
      expect(await ended(id)).toMatchObject({ status: 'succeeded', result: { version, rowsLoaded: ROWS } });
      await under.platform.misbehave([]);
      expect(await seen()).toEqual([ROWS, version, version]);
    }
  }, 900_000);
});
