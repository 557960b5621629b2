import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { chart } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenModel, givenTable, issuesOf, posted } from '../../../support/given/model.ts';
import { givenPolicy, givenProtected } from '../../../support/given/protected.ts';
import { givenEmbedToken, givenShare } from '../../../support/given/shares.ts';

const report = { contentType: 'report' } as const;
const code = (reply: { body: { code?: string } }) => reply.body.code;

describe('a share link to a report', () => {
  it('reads its blocks with the values of parameters that its readers choose', async ({ api }) => {
    const dataset = await givenDataset(api, {
      name: 'orders',
      sql: `SELECT * FROM (VALUES ('North', 10, 'Ann'), ('South', 20, 'Bob')) AS t(region, amount, customer)`,
    });
    const source = { kind: 'dataset', id: dataset.id };
    const measures = [{ column: 'amount', aggregation: 'sum', label: 'Amount' }];
    const byRegion = chart({ source, dimensions: [{ column: 'region' }], measures, sort: [{ column: 'region' }] });
    const broken = chart({ source, measures: [{ column: 'x', aggregation: 'sum' }] });
    const bindings = [{ parameter: 'regions', fieldId: 'region' }];
    const blocks = [
      { id: 'title', type: 'heading', text: 'Orders' },
      { id: 'text', type: 'text', text: 'A line.\n'.repeat(100) },
      { id: 'all', type: 'table', chartSpec: byRegion },
      { id: 'next', type: 'page_break' },
      { id: 'some', type: 'table', chartSpec: byRegion, bindings },
      { id: 'broken', type: 'chart', chartSpec: broken },
    ];
    const parameters = [{ name: 'regions', type: 'text', isList: true, isRequired: true }];
    const { id } = await posted(api, '/api/reports', { name: 'Orders', layout: { blocks }, parameters });
    const create = (path: string, contentId: string) =>
      api.as('owner').post(path, { ...report, contentId, ...(path === '/api/shares' && { shareType: 'public' }) });
    for (const path of ['/api/shares', '/api/embed/tokens']) {
      expect(code(await create(path, id)), path).toBe('REPORT_NOT_PUBLISHED');
      expect(code(await create(path, dataset.id)), path).toBe('REPORT_NOT_FOUND');
    }
    const publish = (isPublished: boolean) => api.as('editor').put(`/api/reports/${id}`, { isPublished });
    await publish(true);

    const { reader, token } = await givenShare(api, id, report);
    const page = await api.as('anonymous').get(`/api/s/${token}`);
    expect([page.status, String(page.body).includes('Orders'), String(page.body).includes('Page 2')]).toEqual([
      200,
      true,
      true,
    ]);
    expect((await reader.link()).body).toMatchObject({ ...report, title: 'Orders' });
    const content = (await reader.post('content', {})).body;
    expect(content).toMatchObject({ ...report, parameters, filters: [] });
    expect(content.pages.map(({ name }: { name: string }) => name)).toEqual(['Page 1', 'Page 2']);
    expect(content.cards.map((card: { id: string }) => card.id)).toEqual(['title', 'text', 'all', 'some', 'broken']);
    expect(String(page.body)).not.toContain('This card is empty');
    expect(JSON.stringify(content)).not.toContain(dataset.id);

    const read = (blockId: string, body: object = {}) => reader.post('report-block-data', { blockId, ...body });
    const of = (...value: string[]) => ({ parameters: [{ name: 'regions', value }] });
    const inRegion = (fieldId: string, value: string) => ({ filters: [{ fieldId, op: 'eq', values: [value] }] });
    expect((await read('all')).body.rows).toEqual([
      ['North', '10'],
      ['South', '20'],
    ]);
    expect((await read('some', of('South'))).body.rows).toEqual([['South', '20']]);
    expect((await read('some', { ...of('South'), ...inRegion('region', 'North') })).body.rows).toEqual([]);
    expect(issuesOf(await read('some'))).toEqual(['/parameters REQUIRED']);
    expect(issuesOf(await read('some', { parameters: [{ name: 'region', value: 'South' }] }))[0]).toBe(
      '/parameters/0/name UNKNOWN',
    );
    expect(issuesOf(await read('all', inRegion('customer', 'Ann')))).toEqual(['/filters/0/fieldId UNKNOWN']);
    expect(code(await read('none'))).toBe('REPORT_BLOCK_NOT_FOUND');
    expect(code(await read('title'))).toBe('REPORT_BLOCK_WITHOUT_ROWS');
    const unreadable = await read('broken');
    expect([unreadable.status, code(unreadable)]).toEqual([422, 'REPORT_BLOCK_UNREADABLE']);
    expect(JSON.stringify(unreadable.body)).not.toContain('column');
    // Without a value of its parameter, the block would show the rows of all regions.
    expect(await reader.rows('all')).toHaveLength(2);
    expect(code(await reader.post('card-data', { cardId: 'some' }))).toBe('CARD_UNREADABLE');
    // The page reads blocks as cards, also with parameters.
    expect(content.cards.map((each: { parameters: string[] }) => each.parameters)).toEqual([
      [],
      [],
      [],
      ['regions'],
      [],
    ]);
    expect(await reader.rows('some', of('South'))).toEqual([['South', '20']]);
    const picture = async (region: string) => (await reader.post('card-image', { cardId: 'some', ...of(region) })).body;
    expect(await picture('South')).toContain('South');
    expect(await picture('North')).not.toContain('South');
    const unknown = { parameters: [{ name: 'region', value: 'South' }] };
    for (const operation of ['card-data', 'model-card-data', 'card-image'])
      expect(issuesOf(await reader.post(operation, { cardId: 'some', ...unknown })), operation).toEqual([
        '/parameters/0/name UNKNOWN',
      ]);

    const lockedFilters = [{ fieldId: 'region', op: 'eq', values: ['North'] }];
    const embedded = await givenEmbedToken(api, id, { ...report, lockedFilters });
    const open = { blockId: 'some', ...of('North', 'South') };
    expect((await embedded.reader.post('report-block-data', open)).body.rows).toEqual([['North', '10']]);

    await publish(false);
    expect(code(await read('all'))).toBe('SHARE_NOT_FOUND');
    expect(code(await reader.link())).toBe('SHARE_NOT_FOUND');
  });

  it('shows protected rows only to readers with attributes', async ({ api }) => {
    const staff = await givenProtected(api);
    const query = { source: { kind: 'model', id: staff.model.id }, dimensions: [{ fieldId: staff.field.name }] };
    const blocks = [{ id: 'names', type: 'table', chartSpec: chart(query) }];
    const { id } = await posted(api, '/api/reports', { name: 'Staff', isPublished: true, layout: { blocks } });
    const share = { ...report, contentId: id, shareType: 'public' };
    expect(code(await api.as('owner').post('/api/shares', share))).toBe('RLS_SHARE_REQUIRED');
    const rowsOf = async (region: string) => {
      const rlsContext = { attributes: { region } };
      const { reader } = await givenShare(api, id, { ...report, shareType: 'rls', rlsContext });
      return (await reader.post('report-block-data', { blockId: 'names' })).body.rows as unknown[];
    };
    const [eu, us] = [await rowsOf('eu'), await rowsOf('us')];
    expect(eu.length).toBeGreaterThan(0);
    expect(us.length).toBeGreaterThan(0);
    expect(eu.filter((row) => us.some((other) => JSON.stringify(other) === JSON.stringify(row)))).toEqual([]);
  });

  it('stops serving tables that a policy protects later', async ({ api }) => {
    const dataset = await givenDataset(api, { name: 'open', sql: `SELECT 'North' AS region` });
    const model = await givenModel(api, { name: 'Open' });
    const query = { source: { kind: 'dataset', id: dataset.id }, dimensions: [{ column: 'region' }] };
    const blocks = [{ id: 'regions', type: 'table', chartSpec: chart(query) }];
    const { id } = await posted(api, '/api/reports', { name: 'Open', isPublished: true, layout: { blocks } });
    const { reader } = await givenShare(api, id, report);
    const read = () => reader.post('report-block-data', { blockId: 'regions' });
    expect((await read()).body.rows).toEqual([['North']]);
    const table = await givenTable(api, model.path, 'open');
    await givenPolicy(api, model.path, { tableId: table.id, filterExpression: 'FALSE' });
    expect(code(await read())).toBe('RLS_SHARE_REQUIRED');
  });
});
