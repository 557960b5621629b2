import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenProtected, givenReader } from '../../../support/given/protected.ts';
import { givenScan } from '../../../support/given/scan.ts';

const FRESHNESS = '/api/data-quality/freshness';
const SCANS = '/api/data-quality/scans';
const AT = '2026-01-05T06:00:00';
const freshness = { columnName: 'at', maxAgeMinutes: 60 };

describe('freshness by a column of dates', () => {
  it('is that of the newest value, until the dataset is another one', async ({ api }) => {
    const rows = `SELECT 1 AS id, TIMESTAMP '${AT}' AS at, 'x' AS code`;
    const dataset = await givenDataset(api, { name: 'orders', sql: rows });
    const editor = api.as('editor');
    const issues = async (config: object) => (await editor.post(SCANS, { tableName: 'orders', config })).body.errors;
    const pointer = '/config/freshness/columnName';
    expect(await issues({ freshness: { columnName: 'code' } })).toMatchObject([{ pointer, code: 'COLUMN_TYPE' }]);
    expect(await issues({ freshness: { columnName: 'att' } })).toMatchObject([{ pointer, code: 'UNKNOWN_COLUMN' }]);
    expect(await issues({ freshness, columns: ['id'] })).toMatchObject([{ pointer, code: 'CONFLICT' }]);

    const listed = async () => (await api.as('viewer').get(FRESHNESS)).body.items;
    const status = async () =>
      (await api.as('viewer').get('/api/data-quality/report-status?tableNames=orders')).body.freshness;
    const loaded = { tableName: 'orders', status: 'unknown', columnName: null };
    await givenScan(editor, { tableName: 'orders' });
    expect(await listed()).toMatchObject([loaded]);
    await givenScan(editor, { tableName: 'orders', config: { freshness } });
    const stale = { status: 'stale', columnName: 'at', lastLoadedAt: `${AT}.000Z`, expectedEvery: 3600 };
    expect(await listed()).toMatchObject([{ ...stale, staleAt: '2026-01-05T07:00:00.000Z' }]);
    expect(await status()).toMatchObject(stale);
    expect((await api.as('viewer').get('/api/data-quality/summary')).body).toMatchObject({
      counts: { freshness: 1 },
      tables: [{ freshness: 'stale' }],
    });

    const now = new Date().toISOString().slice(0, 19);
    await givenDataset(api, { name: 'orders', sql: rows.replace(AT, now) });
    await givenScan(editor, { tableName: 'orders' });
    expect(await listed()).toMatchObject([{ status: 'fresh', columnName: 'at', lastLoadedAt: `${now}.000Z` }]);

    expect((await editor.delete(`/api/datasets/${dataset.id}`)).status).toBe(204);
    await givenDataset(api, { name: 'orders', sql: rows });
    expect(await listed()).toMatchObject([loaded]);
    expect((await api.as('stranger').get(FRESHNESS)).body).toMatchObject({ items: [], total: 0 });
  });

  it('is shown to those who see all rows and the column', async ({ api }) => {
    await givenProtected(api);
    const config = { freshness: { columnName: 'day', maxAgeMinutes: 60 } };
    await givenScan(api.as('owner'), { tableName: 'people', config });
    const all = await givenReader(api, { attributes: { region: ['eu', 'us'], sensitivityLabels: ['private'] } });
    for (const caller of [all.caller, api.as('owner'), api.as('viewer')]) {
      const reply = await caller.get(FRESHNESS);
      expect(reply.body.items).toMatchObject([{ tableName: 'people', status: 'unknown', columnName: null }]);
      expect(reply.bytes.toString()).not.toContain('2024-01-05');
    }
  });
});
