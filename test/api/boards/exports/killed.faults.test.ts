import { GetObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { describe, expect, vi } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { withFault } from '../../../support/faults.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { call } from '../../../support/http.ts';
import { unzipped } from '../../../support/unzip.ts';

const ROWS = 100_000;

/** A workbook of more than 4 MB, which is stored in the bucket and offered as a link. */
async function givenLarge(api: Api) {
  const sql = `SELECT i AS n, md5(i::VARCHAR) || md5((i + 1)::VARCHAR) || md5((i + 2)::VARCHAR) AS text FROM range(${ROWS}) t(i)`;
  const { id } = await givenDataset(api, { name: 'large', sql });
  const query = { source: { kind: 'dataset', id }, dimensions: [{ column: 'n' }, { column: 'text' }] };
  const { path } = await givenCards(api, [card('rows', chart(query))]);
  return path;
}

/** The files that exports of the workspace have left in the bucket. */
async function stored(api: Api): Promise<Buffer[]> {
  const { name: Bucket, s3 } = await dataBucket(api.endpoint);
  const files: Buffer[] = [];
  const Prefix = `results/${api.workspaceId}/exports/`;
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket, Prefix })) {
    for (const { Key } of Contents) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      files.push(Buffer.from(await Body!.transformToByteArray()));
    }
  }
  return files;
}

const logged = async (api: Api) =>
  (await api.as('owner').get('/api/audit-log?action=dashboard.exported')).body.items.length as number;

async function assertWhole(file: Buffer): Promise<void> {
  const parts = await unzipped(file);
  const sheet = parts.get('xl/worksheets/sheet1.xml') ?? Buffer.alloc(0);
  expect(sheet.toString().match(/<row>/g)?.length).toBe(ROWS + 1);
}

describe('an export whose function is killed', () => {
  it.for([50, 700, 2500])('after %i ms offers no part of a file, and can be repeated', async (delayMs, { api }) => {
    const path = await givenLarge(api);
    const token = await api.token('editor');
    const ask = () => call(api.endpoint, 'POST', `${path}/export`, { token, body: { format: 'xlsx' } });
    const rule = { service: 'lambda', resource: '-exports', effect: 'kill', times: 1, delayMs } as const;
    // What the gateway answers for a dead function is no promise of the route.
    const first = await withFault(api, rule, ask);
    expect([200, 500, 502]).toContain(first.status);
    if (first.status !== 200) expect(first.body.downloadUrl).toBeUndefined();
    for (const file of await stored(api)) await unzipped(file);

    // Until its lease ends, the query of the killed export is waited for: a repetition may name its card as failed.
    const again = await vi.waitFor(
      async () => {
        const [files, entries] = [(await stored(api)).length, await logged(api)];
        const reply = await ask();
        expect(reply.status, JSON.stringify(reply.body)).toBe(200);
        expect([(await stored(api)).length, await logged(api)]).toEqual([files + 1, entries + 1]);
        expect(reply.headers.get('x-failed-cards')).toBe('0');
        return reply;
      },
      { timeout: 90_000, interval: 1000 },
    );
    await assertWhole(Buffer.from(await (await fetch(again.body.downloadUrl)).arrayBuffer()));
  });

  it('goes on as a job in another function, and has one file', async ({ api }) => {
    const path = await givenLarge(api);
    const before = await logged(api);
    const rule = { service: 'lambda', resource: '-run-job', effect: 'kill', times: 1, delayMs: 1500 } as const;
    const job = await withFault(api, rule, async () => {
      const started = await api.as('editor').post(`${path}/export/jobs`, { format: 'xlsx' });
      expect(started.status, JSON.stringify(started.body)).toBe(202);
      return vi.waitFor(
        async () => {
          const { body } = await api.as('editor').get(`${path}/export/jobs/${started.body.id}`);
          expect(['succeeded', 'failed']).toContain(body.status);
          return body;
        },
        { timeout: 170_000, interval: 500 },
      );
    });
    expect(job).toMatchObject({ status: 'succeeded', result: { failedCards: 0, truncated: false } });
    await assertWhole(Buffer.from(await (await fetch(job.file.downloadUrl)).arrayBuffer()));
    expect(await logged(api)).toBe(before + 1);
  });

  it('offers nothing when the bucket does not take the file', async ({ api }) => {
    const path = await givenLarge(api);
    const rule = { service: 's3', operation: 'PutObject', effect: 'error' } as const;
    const token = await api.token('editor');
    const reply = await withFault(api, rule, () =>
      call(api.endpoint, 'POST', `${path}/export`, { token, body: { format: 'xlsx' } }),
    );
    expect(reply.status).toBeGreaterThanOrEqual(500);
    expect(reply.body.downloadUrl).toBeUndefined();
    expect(await stored(api)).toEqual([]);
  });
});
