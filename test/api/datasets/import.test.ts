import { describe, expect } from 'vitest';
import { type Api, it } from '../../support/api.ts';
import { ended } from '../../support/given/dataset-job.ts';
import { givenFileSource } from '../../support/given/upload.ts';

const CSV = 'id,amount\n1,10\n2,20\n';

const create = (api: Api, body: object) => api.as('editor').post('/api/datasets', body);
const fileOf = (sourceId: string, path = 'a.csv') => ({ kind: 'file', sourceId, path });
const rows = async (api: Api, id: string) =>
  (await api.as('viewer').get(`/api/datasets/${id}/preview?limit=200`)).body.rows;

describe('POST /api/datasets', () => {
  it('creates a dataset and imports its file', async ({ api }) => {
    const sourceId = await givenFileSource(api, { 'a.csv': CSV });
    const reply = await create(api, { name: 'orders', source: fileOf(sourceId) });
    expect(reply).toMatchObject({
      status: 201,
      body: {
        name: 'orders',
        version: 0,
        mode: 'full',
        source: { kind: 'file', path: 'a.csv' },
        retention: { versions: 3, days: 1 },
        lastRefresh: null,
        job: { kind: 'dataset_refresh', status: 'queued', trigger: { kind: 'manual' } },
      },
    });
    const { id } = reply.body;
    expect(await ended(api, id)).toMatchObject({
      status: 'succeeded',
      result: { version: 1, rowsLoaded: 2, rowCount: 2 },
    });
    expect((await api.as('viewer').get(`/api/datasets/${id}`)).body).toMatchObject({
      version: 1,
      rowCount: 2,
      lastRefresh: { status: 'succeeded', error: null, jobId: reply.body.job.id },
    });
    expect(await rows(api, id)).toEqual([
      [1, 10],
      [2, 20],
    ]);
  });
});
