import { describe, expect } from 'vitest';
import { MAX_LINK_QUERIES } from '../../../../shared/domains/sharing/shares/index.ts';
import { it } from '../../../support/api.ts';
import { chart } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { setUsed } from '../../../support/given/link-quota.ts';
import { posted } from '../../../support/given/model.ts';
import { givenProtectedDashboard, givenShare } from '../../../support/given/shares.ts';

const spent = { status: 429, body: { code: 'SHARE_QUERIES_SPENT' } };

describe('the readers of a link', () => {
  it('run a limited number of queries in an hour, and read on what is cached', async ({ api }) => {
    const { id, staff } = await givenProtectedDashboard(api);
    const rlsContext = { attributes: { region: 'eu' } };
    const share = await givenShare(api, id, { shareType: 'rls', rlsContext, allowExport: true });
    const named = (name: string) => ({ filters: [{ fieldId: staff.field.name, op: 'eq', values: [name] }] });
    const read = (operation: string, body: object = {}) => share.reader.post(operation, { cardId: 'names', ...body });

    const all = await share.reader.rows('names');
    await setUsed(api, 'LINK-QUERIES', share.id, MAX_LINK_QUERIES - 1);
    expect((await read('card-data', named('Ann'))).status).toBe(200);
    const refused = await read('card-data', named('Bob'));
    expect(refused).toMatchObject(spent);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await read('model-card-data', named('Cid'))).toMatchObject(spent);
    expect(await read('card-file', { ...named('Dan'), format: 'csv' })).toMatchObject(spent);
    expect(await share.reader.rows('names')).toEqual(all);
    expect((await read('card-data', named('Ann'))).status).toBe(200);

    const other = await givenShare(api, id, { shareType: 'rls', rlsContext });
    expect((await other.reader.post('card-data', { cardId: 'names', ...named('Bob') })).status).toBe(200);
  });

  it('run a limited number of queries of a report', async ({ api }) => {
    const dataset = await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS amount' });
    const query = { source: { kind: 'dataset', id: dataset.id }, dimensions: [{ column: 'amount' }] };
    const layout = { blocks: [{ id: 'all', type: 'table', chartSpec: chart(query) }] };
    const { id } = await posted(api, '/api/reports', { name: 'Orders', layout });
    await api.as('editor').put(`/api/reports/${id}`, { isPublished: true });
    const share = await givenShare(api, id, { contentType: 'report' });
    await setUsed(api, 'LINK-QUERIES', share.id, MAX_LINK_QUERIES);
    expect(await share.reader.post('report-block-data', { blockId: 'all' })).toMatchObject(spent);
  });
});
