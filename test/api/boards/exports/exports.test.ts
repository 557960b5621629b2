import { describe, expect } from 'vitest';
import { EXPORT_MEDIA_TYPES } from '../../../../shared/domains/boards/exports/index.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenDashboard, POSITION, textCard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { loseDataset } from '../../../support/given/lost.ts';
import { posted } from '../../../support/given/model.ts';
import { pdfText, zipText } from '../../../support/read-files.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const table = (source: object, query: object = {}) => ({
  version: 1,
  query: { source, ...query },
  mark: { type: 'table' },
});

/** A dashboard with the rows of a dataset as cards, one of which names a column that does not exist. */
async function givenOrders(api: Api) {
  const dataset = await givenDataset(api, {
    name: 'orders',
    sql: `SELECT * FROM (VALUES (1, '=cmd()', TIMESTAMPTZ '2026-03-29 01:30:00+00'), (2, 'Ann', NULL)) AS t(id, customer, moment)`,
  });
  const { path, id } = await givenDashboard(api, { name: 'Orders "2026"' });
  await posted(api, `${path}/pages`, { id: 'first', name: 'First' });
  await posted(api, `${path}/pages`, { id: 'hidden', name: 'Hidden', isHidden: true });
  const source = { kind: 'dataset', id: dataset.id };
  const dimensions = ['id', 'customer', 'moment'].map((column) => ({ column }));
  const chartSpec = table(source, { dimensions, sort: [{ column: 'id' }] });
  const cards = [
    { id: 'orders', title: 'Orders', chartSpec },
    { id: 'top', title: 'Top', chartSpec: table(source, { dimensions, sort: [{ column: 'id' }], limit: 1 }) },
    { id: 'secret', title: 'Hidden', chartSpec, pageId: 'hidden' },
  ];
  for (const card of cards) await posted(api, `${path}/cards`, { cardType: 'table', position: POSITION, ...card });
  await posted(api, `${path}/cards`, textCard('text'));
  return { id, path, dataset };
}

describe('POST /api/dashboards/{id}/export', () => {
  it('returns the rows of cards as files, with all rows and without formulas', async ({ api }) => {
    const { path, id } = await givenOrders(api);
    const exported = (body: object, accept = '*/*', caller: 'editor' | 'viewer' = 'editor') =>
      api.as(caller).post(`${path}/export`, body, { headers: { accept } });

    const one = await exported({ format: 'csv', cardIds: ['orders'], timezone: 'Europe/Berlin' });
    expect(one.status, JSON.stringify(one.body)).toBe(200);
    expect(one.bytes.toString()).toBe(
      "id,customer,moment (Europe/Berlin)\r\n1,'=cmd(),2026-03-29T03:30:00.000+02:00\r\n2,Ann,\r\n",
    );
    expect(one.headers.get('content-disposition')).toContain(`filename="Orders 2026.csv"`);
    expect([one.headers.get('x-truncated'), one.headers.get('x-failed-cards')]).toEqual(['false', '0']);

    // Its author has chosen one row.
    const top = await exported({ format: 'csv', cardIds: ['top'] });
    expect(top.headers.get('x-truncated')).toBe('false');
    expect(top.bytes.toString().split('\r\n').slice(1)).toEqual([expect.stringMatching(/^1,/), '']);

    const filters = [{ fieldId: 'id', op: 'eq', values: [2] }];
    expect((await exported({ format: 'csv', cardIds: ['orders'], filters })).bytes.toString()).not.toContain('cmd');

    const archive = await exported({ format: 'csv' }, 'application/zip');
    expect(archive.headers.get('content-type')).toBe('application/zip');
    expect(archive.bytes.toString('latin1')).toContain('Top.csv');
    expect(archive.bytes.toString('latin1')).not.toContain('Hidden.csv');

    const book = await exported({ format: 'xlsx', pageId: 'first' }, XLSX);
    expect(book.headers.get('content-type')).toBe(XLSX);
    expect(book.bytes.subarray(0, 2).toString()).toBe('PK');

    const pdf = await exported({ format: 'pdf', theme: 'dark' }, 'application/pdf');
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect([pdf.headers.get('x-truncated'), pdf.headers.get('x-failed-cards')]).toEqual(['false', '0']);

    for (const format of ['pptx', 'docx'] as const) {
      const office = await exported({ format }, EXPORT_MEDIA_TYPES[format]);
      expect(office.headers.get('content-type')).toBe(EXPORT_MEDIA_TYPES[format]);
      expect(await zipText(office.bytes)).toContain('=cmd()');
    }

    const png = await exported({ format: 'png', cardIds: ['orders'] }, 'image/png');
    expect(png.headers.get('content-type')).toBe('image/png');
    expect(png.headers.get('content-disposition')).toContain('filename="Orders 2026.png"');
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(png.bytes.toString('latin1')).toContain('Orders. Table of 2 rows');
    const svg = await exported({ format: 'svg', cardIds: ['orders', 'text'], theme: 'dark' }, 'image/svg+xml');
    expect(svg.bytes.toString()).toMatch(/^<svg .*=cmd\(\)/);
    expect(svg.bytes.toString()).toContain('fill="#14181f"');
    expect(await zipText((await exported({ format: 'svg' }, 'application/zip')).bytes)).toContain('=cmd()');

    const link = await exported({ format: 'xlsx' });
    expect(link.body).toMatchObject({ contentType: XLSX, bytes: expect.any(Number) });
    const downloaded = await fetch(link.body.downloadUrl);
    expect(downloaded.headers.get('content-disposition')).toContain('Orders 2026.xlsx');
    expect((await downloaded.arrayBuffer()).byteLength).toBe(link.body.bytes);

    const log = await api.as('owner').get('/api/audit-log?action=dashboard.exported');
    expect(log.body.items[0]).toMatchObject({ object: { type: 'dashboard', id }, after: { format: 'xlsx' } });
  });

  it('has the default values of the filters, as the page has, and names the filters in force', async ({ api }) => {
    const { path } = await givenOrders(api);
    const given = { fieldId: 'customer', filterType: 'multi_select', label: 'Customer', defaultValue: '["Ann"]' };
    const filter = await posted(api, `${path}/filters`, given);
    const elsewhere = { fieldId: 'region', filterType: 'select', label: 'Region', defaultValue: '"eu"' };
    await posted(api, `${path}/filters`, elsewhere);
    const exported = (format: keyof typeof EXPORT_MEDIA_TYPES, filters: object[] = []) => {
      const headers = { accept: EXPORT_MEDIA_TYPES[format] };
      return api.as('editor').post(`${path}/export`, { format, cardIds: ['orders'], filters }, { headers });
    };
    const rows = async (filters?: object[]) =>
      (await exported('csv', filters)).bytes.toString().split('\r\n').slice(1, -1);
    expect(await rows()).toEqual(['2,Ann,']);
    const other = { filterId: filter.id, op: 'in', values: ['=cmd()'] };
    expect(await rows([other])).toEqual([expect.stringMatching(/^1,/)]);
    expect(await rows([{ ...other, op: 'not_null', values: [] }])).toHaveLength(2);

    const [more] = [{ fieldId: 'id', op: 'gte', values: [2] }];
    for (const format of ['docx', 'pptx'] as const)
      expect(await zipText((await exported(format, [more!])).bytes)).toContain('Filters: id: ≥ 2 · Customer: Ann');
    const book = await zipText((await exported('xlsx', [more!])).bytes);
    for (const text of ['Filters', 'id: ≥ 2', 'Customer: Ann']) expect(book).toContain(text);
    expect(book).not.toContain('Region');
    const pdf = await pdfText((await exported('pdf')).bytes);
    expect(pdf).toContain('Filters: Customer: Ann');
    expect(pdf).toMatch(/Data as of \d+ \w+ \d{4} at \d\d:\d\d · Created \d+ \w+ \d{4}/);
  });

  it('looks like the dashboard: in its own theme, or in the default theme of the workspace', async ({ api }) => {
    const { path } = await givenOrders(api);
    const theme = { palette: ['#123456'], fonts: { heading: 'serif', body: 'mono' }, radius: 0, dark: true };
    const house = await api.as('owner').post('/api/themes', { name: 'House', tokens: theme });
    const files = async (body: object = {}) => {
      const headers = { accept: 'image/svg+xml' };
      const options = { format: 'svg', cardIds: ['orders'], ...body };
      const file = await api.as('editor').post(`${path}/export`, options, { headers });
      const picture = await api.as('editor').post(`${path}/cards/orders/image`, {});
      return [file.bytes.toString(), picture.bytes.toString()];
    };
    const fonts = async (body?: object) =>
      (await files(body)).map((svg) =>
        svg
          .slice(0, svg.indexOf('>customer<'))
          .match(/ui-monospace|Georgia|Inter/g)
          ?.at(-1),
      );
    expect(await fonts()).toEqual(['Inter', 'Inter']);
    await api.as('owner').post(`/api/themes/${house.body.id}/default`);
    expect(await fonts()).toEqual(['ui-monospace', 'ui-monospace']);
    const [dark, light] = [await files(), await files({ theme: 'light' })];
    expect([dark[0]!.includes('#14181f'), light[0]!.includes('#14181f')]).toEqual([true, false]);
    await api
      .as('editor')
      .put(path, { theme: JSON.stringify({ ...theme, fonts: { heading: 'sans', body: 'serif' } }) });
    expect(await fonts()).toEqual(['Georgia', 'Georgia']);
  });

  it('reports cards that fail in the file', async ({ api }) => {
    const { path, dataset } = await givenOrders(api);
    await loseDataset(api, dataset.id);
    const reply = await api.as('editor').post(`${path}/export`, { format: 'csv', cardIds: ['orders'] });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-failed-cards')).toBe('1');
    expect(reply.bytes.toString()).toMatch(/^Error\r\n/);
  });

  it('is for viewers only if the workspace allows it', async ({ api }) => {
    const { path } = await givenOrders(api);
    expect((await api.as('owner').post(`${path}/publish`, {})).status).toBe(200);
    const asViewer = () => api.as('viewer').post(`${path}/export`, { format: 'csv', cardIds: ['orders'] });
    expect((await asViewer()).status).toBe(200);
    const set = (viewersMayExport: boolean) => api.as('owner').patch('/api/workspaces/current', { viewersMayExport });
    expect((await set(false)).body.viewersMayExport).toBe(false);
    const refused = await asViewer();
    const { body: seen } = await api.as('viewer').get('/api/dashboards?include=viewerMeta');
    expect(seen.items).toMatchObject([{ viewerMeta: { canExport: false } }]);
    expect([refused.status, refused.body.code]).toEqual([403, 'EXPORT_TURNED_OFF']);
    expect((await api.as('editor').post(`${path}/export`, { format: 'csv', cardIds: ['orders'] })).status).toBe(200);
    expect((await set(true)).body.viewersMayExport).toBe(true);
  });

  it('rejects what it cannot export', async ({ api }) => {
    const { path } = await givenOrders(api);
    const failed = async (body: object, caller: 'editor' | 'viewer' | 'stranger' = 'editor') => {
      const reply = await api.as(caller).post(`${path}/export`, body);
      return [reply.status, reply.body.code];
    };
    expect(await failed({ format: 'csv', cardIds: ['text'] })).toEqual([409, 'CARD_WITHOUT_ROWS']);
    expect(await failed({ format: 'png', cardIds: ['text'] })).toEqual([409, 'CARD_WITHOUT_ROWS']);
    expect(await failed({ format: 'pdf', timeoutMs: 1 })).toEqual([408, 'EXPORT_TOO_SLOW']);
    expect(await failed({ format: 'csv', cardIds: ['none'] })).toEqual([404, 'DASHBOARD_CARD_NOT_FOUND']);
    expect(await failed({ format: 'csv', pageId: 'none' })).toEqual([404, 'DASHBOARD_PAGE_NOT_FOUND']);
    expect(await failed({ format: 'csv' }, 'stranger')).toEqual([404, 'DASHBOARD_NOT_FOUND']);
    expect(await failed({ format: 'csv' }, 'viewer')).toEqual([404, 'DASHBOARD_NOT_FOUND']);
    expect(await failed({ format: 'exe' })).toEqual([400, 'VALIDATION_FAILED']);
    expect(await failed({ format: 'csv', timezone: 'Mars/Base' })).toEqual([400, 'VALIDATION_FAILED']);
    const unacceptable = await api
      .as('editor')
      .post(`${path}/export`, { format: 'csv' }, { headers: { accept: 'image/gif' } });
    expect([unacceptable.status, unacceptable.body.code]).toEqual([406, 'NOT_ACCEPTABLE']);
  });
});
