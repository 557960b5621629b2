import { describe, expect } from 'vitest';
import { EXPORT_MEDIA_TYPES } from '../../../../shared/domains/boards/exports/index.ts';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { chart } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { issuesOf, posted } from '../../../support/given/model.ts';
import { pdfText, zipText } from '../../../support/read-files.ts';

const notFound = { status: 404, body: { code: 'REPORT_NOT_FOUND' } };
const names = (reply: { body: { items: { name: string }[] } }) => reply.body.items.map(({ name }) => name);

async function userIdOf(api: Api, role: 'viewer'): Promise<string> {
  return (await api.as(role).get('/api/auth/me')).body.user.id;
}

/** A report about the orders of three regions, whose reader chooses regions and the least amount. */
async function givenOrders(api: Api) {
  const dataset = await givenDataset(api, {
    name: 'orders',
    sql: `SELECT * FROM (VALUES ('North', 10), ('South', 20), ('West', 30)) AS t(region, amount)`,
  });
  const saved = await posted(api, '/api/saved-queries', {
    name: 'least',
    sql: 'SELECT region FROM orders WHERE amount >= $least ORDER BY amount',
    datasetIds: [dataset.id],
    params: [{ name: 'least', type: 'integer', default: 0 }],
  });
  const source = { kind: 'dataset', id: dataset.id };
  const orders = chart({
    source,
    dimensions: [{ column: 'region' }],
    measures: [{ column: 'amount', aggregation: 'sum', label: 'Amount' }],
    sort: [{ column: 'region' }],
  });
  const layout = {
    blocks: [
      { id: 'title', type: 'heading', text: 'Orders of the year' },
      { id: 'intro', type: 'text', text: 'All **regions** are in it.' },
      {
        id: 'orders',
        type: 'table',
        title: 'By region',
        chartSpec: orders,
        bindings: [{ parameter: 'regions', fieldId: 'region' }],
      },
      { id: 'next', type: 'page_break' },
      {
        id: 'large',
        type: 'table',
        title: 'Large ones',
        chartSpec: chart({ source: { kind: 'savedQuery', id: saved.id } }),
        bindings: [{ parameter: 'least', queryParameter: 'least' }],
      },
      { id: 'line', type: 'divider' },
      { id: 'logo', type: 'image', title: 'Logo', imageUrl: 'https://example.com/logo.png' },
      {
        id: 'broken',
        type: 'chart',
        title: 'Broken',
        chartSpec: chart({ source, measures: [{ column: 'x', aggregation: 'sum' }] }),
      },
    ],
  };
  const parameters = [
    { name: 'regions', type: 'text', isList: true },
    { name: 'least', type: 'number', default: 20 },
  ];
  const report = await posted(api, '/api/reports', { name: 'Orders', layout, parameters });
  return { path: `/api/reports/${report.id}`, layout, parameters };
}

describe('reports', () => {
  it('are created, changed, shown to those who may see them, deleted and restored', async ({ api }) => {
    const editor = api.as('editor');
    const made = await editor.post('/api/reports', { name: 'Sales' });
    const stored = {
      name: 'Sales',
      description: '',
      isPublished: false,
      layout: { blocks: [] },
      parameters: [],
      revision: 1,
    };
    expect(made).toMatchObject({ status: 201, body: stored });
    const path = `/api/reports/${made.body.id}`;
    const layout = { blocks: [{ id: 'a', type: 'heading', text: 'A' }] };
    const changed = await editor.put(path, { layout, description: 'x' });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Sales', blockCount: 1, layout, revision: 2 } });
    const stale = { headers: { 'if-match': '"1"' } };
    expect(await editor.put(path, { name: 'y' }, stale)).toMatchObject({ status: 412 });
    expect(await editor.delete(path, stale)).toMatchObject({ status: 412 });
    expect((await editor.get(path)).body).toEqual(changed.body);
    expect((await editor.get(path)).headers.get('etag')).toBe('"2"');

    const taken = { status: 409, body: { code: 'REPORT_NAME_TAKEN' } };
    expect(await editor.post('/api/reports', { name: 'SALES' })).toMatchObject(taken);
    const other = await posted(api, '/api/reports', { name: 'Costs' });
    expect(await editor.put(`/api/reports/${other.id}`, { name: 'sales' })).toMatchObject(taken);

    const viewer = api.as('viewer');
    expect(await viewer.get(path)).toMatchObject(notFound);
    expect(names(await viewer.get('/api/reports'))).toEqual([]);
    const userId = await userIdOf(api, 'viewer');
    const access = `${path}/access/user/${userId}`;
    expect(await editor.put(access, { level: 'viewer' })).toMatchObject({ status: 200, body: { level: 'viewer' } });
    expect(await viewer.get(path)).toMatchObject({ status: 200 });
    expect(await viewer.put(path, { name: 'mine' })).toMatchObject({ status: 403 });
    expect((await editor.get(`${path}/access`)).body).toMatchObject({ total: 1, items: [{ granteeId: userId }] });
    await editor.put(access, { level: 'editor' });
    expect(await viewer.put(path, { description: 'by grant' })).toMatchObject({ status: 200 });
    expect(await viewer.delete(path), 'a grant is not enough').toMatchObject({ status: 403 });
    expect((await editor.delete(access)).status).toBe(204);
    expect(await viewer.get(path)).toMatchObject(notFound);
    expect(await editor.put(`${path}/access/user/${other.id}`, { level: 'viewer' })).toMatchObject({
      body: { code: 'MEMBER_NOT_FOUND' },
    });
    expect(await editor.put(`${path}/access/group/${other.id}`, { level: 'viewer' })).toMatchObject({
      body: { code: 'GROUP_NOT_FOUND' },
    });
    await editor.put(path, { isPublished: true });
    expect(names(await viewer.get('/api/reports?search=sal&sort=name'))).toEqual(['Sales']);
    expect(await api.as('stranger').get(path)).toMatchObject(notFound);

    expect((await editor.delete(path)).status).toBe(204);
    expect(await editor.delete(path)).toMatchObject(notFound);
    for (const reply of [await editor.get(path), await editor.put(path, {}), await editor.get(`${path}/access`)])
      expect(reply).toMatchObject(notFound);
    expect(names(await editor.get('/api/reports'))).toEqual(['Costs']);
    const all = await editor.get('/api/reports?includeDeleted=true&sort=name');
    expect(names(all)).toEqual(['Costs', 'Sales']);
    const { deletedAt } = all.body.items[1];
    expect(names(await viewer.get('/api/reports?includeDeleted=true'))).toEqual([]);
    await editor.put(`/api/reports/${other.id}`, { name: 'Sales' });
    expect(await editor.post(`${path}/restore`)).toMatchObject(taken);
    const restored = await editor.post(`${path}/restore`, { name: 'Sales 2' });
    expect(restored).toMatchObject({ status: 200, body: { name: 'Sales 2', layout, deletedAt: null } });
    expect((await editor.post(`${path}/restore`)).body).toEqual(restored.body);
    const log = (await api.as('owner').get(`/api/audit-log?objectId=${made.body.id}&limit=50`)).body;
    expect(log.items.map(({ action }: { action: string }) => action)).toContain('report.deleted');
    const event = workspaceKey(api.workspaceId, 'OUTBOX', idFrom('report.deleted', made.body.id, deletedAt));
    expect(await api.stored(event)).toMatchObject({ data: { reportId: made.body.id, reportName: 'Sales' } });
  });

  it('are rejected with every issue of their layout and parameters', async ({ api }) => {
    const source = { kind: 'dataset', id: '00000000-0000-7000-8000-000000000000' };
    const block = (id: string, bindings: object[], kind = 'dataset') => ({
      id,
      type: 'table',
      chartSpec: chart({ source: { ...source, kind } }),
      bindings,
    });
    const reply = await api.as('editor').post('/api/reports', {
      name: 'x',
      parameters: [
        { name: 'day', type: 'date', default: '2026-02-30x' },
        { name: 'day', type: 'number', isList: true, default: ['1'] },
        { name: 'flag', type: 'boolean', default: [true] },
      ],
      layout: {
        blocks: [
          block('a', [{ parameter: 'dya', fieldId: 'x' }, { parameter: 'day' }]),
          block('a', [{ parameter: 'flag', queryParameter: 'x', op: 'eq' }]),
          block('m', [{ parameter: 'flag', fieldId: 'x' }], 'metric'),
        ],
      },
    });
    expect(issuesOf(reply)).toEqual([
      '/layout/blocks/1/id DUPLICATE',
      '/parameters/1/name DUPLICATE',
      '/parameters/0/default INVALID_VALUE',
      '/parameters/1/default INVALID_VALUE',
      '/parameters/2/default INVALID_VALUE',
      '/layout/blocks/0/bindings/0/parameter UNKNOWN',
      '/layout/blocks/0/bindings/1 REQUIRED',
      '/layout/blocks/1/bindings/0/queryParameter CONFLICT',
      '/layout/blocks/1/bindings/0/op CONFLICT',
      '/layout/blocks/2/bindings/0/fieldId CONFLICT',
    ]);
    const wrong = await api
      .as('editor')
      .post('/api/reports', { name: 'x', layout: { blocks: [{ id: 'a', type: 'map' }] } });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    const blocks = Array.from({ length: 20 }, (_, at) => ({ id: `t${at}`, type: 'text', text: 'x'.repeat(19_000) }));
    expect(issuesOf(await api.as('editor').post('/api/reports', { name: 'x', layout: { blocks } }))).toEqual([
      '/layout TOO_LARGE',
    ]);
    expect((await api.as('editor').get('/api/reports')).body.total).toBe(0);
  });

  it('show the rows of blocks with the values of parameters, on screen and in files', async ({ api }) => {
    const { path } = await givenOrders(api);
    const editor = api.as('editor');
    const read = async (block: string, body: object = {}) =>
      (await editor.post(`${path}/blocks/${block}/data`, body)).body;
    expect(await read('orders')).toMatchObject({
      blockId: 'orders',
      rows: [
        ['North', '10'],
        ['South', '20'],
        ['West', '30'],
      ],
      truncated: false,
    });
    const regions = (value: unknown) => [{ name: 'regions', value }];
    expect((await read('orders', { parameters: regions(['West', 'North']) })).rows).toEqual([
      ['North', '10'],
      ['West', '30'],
    ]);
    expect((await read('orders', { parameters: regions([]) })).rowCount).toBe(3);
    expect(await read('orders', { limit: 1 })).toMatchObject({ rowCount: 1, truncated: true });
    const filters = [
      { fieldId: 'amount', op: 'gt', values: [15] },
      { fieldId: 'else', op: 'eq', values: [1] },
    ];
    expect(await read('orders', { filters })).toMatchObject({ rowCount: 2, ignoredFilters: ['else'] });
    expect((await read('large')).rows).toEqual([['South'], ['West']]);
    expect((await read('large', { parameters: [{ name: 'least', value: 30 }] })).rows).toEqual([['West']]);

    const parameters = [...regions('West'), ...regions([]), { name: 'region', value: null }];
    expect(issuesOf(await editor.post(`${path}/blocks/orders/data`, { parameters }))).toEqual([
      '/parameters/0/value INVALID_VALUE',
      '/parameters/1/name DUPLICATE',
      '/parameters/2/name UNKNOWN',
    ]);
    expect(await read('intro')).toMatchObject({ status: 409, code: 'REPORT_BLOCK_WITHOUT_ROWS' });
    expect(await read('none')).toMatchObject({ status: 404, code: 'REPORT_BLOCK_NOT_FOUND' });
    expect(await read('broken')).toMatchObject({
      status: 422,
      code: 'REPORT_BLOCK_UNREADABLE',
      errors: [{ pointer: '/chartSpec/query/measures/0/column' }],
    });
    const required = [
      { name: 'regions', type: 'text', isList: true, isRequired: true },
      { name: 'least', type: 'number' },
    ];
    await editor.put(path, { parameters: required });
    expect(issuesOf(await editor.post(`${path}/blocks/orders/data`))).toEqual(['/parameters REQUIRED']);
    expect((await read('large')).rowCount).toBe(3);

    const exported = (body: object, accept = '*/*') =>
      editor.post(
        `${path}/export`,
        { parameters: [...regions(['South']), { name: 'least', value: 20 }], ...body },
        { headers: { accept } },
      );
    const csv = await exported({ format: 'csv', blockIds: ['orders'] });
    expect([csv.status, csv.bytes.toString()]).toEqual([200, 'region,Amount\r\nSouth,20\r\n']);
    expect(csv.headers.get('content-disposition')).toContain('filename="Orders.csv"');
    const pdf = await exported({ format: 'pdf' }, EXPORT_MEDIA_TYPES.pdf);
    expect(pdf.headers.get('x-failed-cards')).toBe('1');
    expect(await pdfText(pdf.bytes)).toContain('Orders of the year');
    for (const format of ['docx', 'pptx', 'xlsx'] as const) {
      const office = await exported({ format }, EXPORT_MEDIA_TYPES[format]);
      expect(office.headers.get('content-type'), format).toBe(EXPORT_MEDIA_TYPES[format]);
      const text = await zipText(office.bytes);
      expect([text.includes('South'), text.includes('North')], format).toEqual([true, false]);
    }
    expect((await exported({ format: 'csv' }, 'image/gif')).body.code).toBe('NOT_ACCEPTABLE');
    expect((await exported({ format: 'pdf' })).body.contentType).toBe(EXPORT_MEDIA_TYPES.pdf);
    const png = await exported({ format: 'png', blockIds: ['orders'] }, 'image/png');
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(await exported({ format: 'svg', blockIds: ['intro'] })).toMatchObject({
      ...{ status: 409, body: { code: 'REPORT_BLOCK_WITHOUT_ROWS' } },
    });
    expect(await exported({ format: 'pdf', timeoutMs: 1 })).toMatchObject({
      ...{ status: 408, body: { code: 'EXPORT_TOO_SLOW' } },
    });
    expect(await exported({ format: 'csv', blockIds: ['intro'] })).toMatchObject({
      body: { code: 'REPORT_BLOCK_WITHOUT_ROWS' },
    });
    expect(await exported({ format: 'csv', blockIds: ['none'] })).toMatchObject({
      body: { code: 'REPORT_BLOCK_NOT_FOUND' },
    });
    expect(await api.as('viewer').post(`${path}/export`, { format: 'pdf' })).toMatchObject(notFound);
    expect((await editor.get(`${path}/access?cursor=x`)).body.code).toBe('CURSOR_INVALID');
    await editor.put(path, { isPublished: true });
    await api.as('owner').patch('/api/workspaces/current', { viewersMayExport: false });
    expect(await api.as('viewer').post(`${path}/export`, { format: 'pdf' })).toMatchObject({
      status: 403,
      body: { code: 'EXPORT_TURNED_OFF' },
    });
  });
});
