import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import {
  MAX_LINK_DRAWINGS,
  MAX_LINK_QUERIES,
  MAX_VISITOR_EVENTS,
} from '../../../../shared/domains/sharing/shares/index.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { cases } from '../../../support/cases.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { card, chart } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { setUsed, usedBy } from '../../../support/given/link-quota.ts';
import { issuesOf, posted } from '../../../support/given/model.ts';
import { givenPolicy } from '../../../support/given/protected.ts';
import {
  givenEmbedToken,
  givenProtectedDashboard,
  givenPublished,
  givenShare,
  publish,
} from '../../../support/given/shares.ts';
import { pngOf } from '../../../support/read-png.ts';

const SALES = `SELECT * FROM (VALUES ('North', 10), ('South', 20)) AS t(region, amount)`;
const PICTURE = { preview: 'picture' };
const UNKNOWN = `sh_${'A'.repeat(32)}`;
const gone = { status: 404, body: { code: 'SHARE_NOT_FOUND' } };

const imageOf = (api: Api, token: string) => api.as('anonymous').get(`/api/shares/${token}/preview-image`);

/** The picture that an application shows, which follows the redirect without any header of its own. */
async function picture(api: Api, token: string) {
  const reply = await imageOf(api, token);
  expect(reply.status, JSON.stringify(reply.body)).toBe(303);
  expect(reply.headers.get('cache-control')).toBe('no-store');
  const image = await fetch(reply.headers.get('location')!);
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(image.headers.get('cache-control')).toBe('no-store');
  expect(reply.headers.get('location')).toContain('X-Amz-Expires=30');
  return Buffer.from(await image.arrayBuffer());
}

/** The elements in the head of the page of a link that applications read. */
async function headOf(api: Api, token: string): Promise<Record<string, string>> {
  const { status, body } = await api.as('anonymous').get(`/api/s/${token}`);
  expect(status).toBe(200);
  const found = (body as string).matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">/g);
  return Object.fromEntries([...found].map(([, name, content]) => [name!, content!]));
}

async function storedPictures(api: Api): Promise<number> {
  const { s3, name: Bucket } = await dataBucket(api.endpoint);
  const found = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: `results/${api.workspaceId}/drawings/` }));
  return (found.Contents ?? []).filter(({ Key }) => Key!.endsWith('.png')).length;
}

async function givenSales(api: Api, sql = SALES) {
  const dataset = await givenDataset(api, { name: 'sales', sql });
  return { dataset, ...(await givenPublished(api, dataset.id)) };
}

describe('the preview of a link', () => {
  it('has a picture of the first page, which is drawn and read once for all applications', async ({ api }) => {
    const { id, path } = await givenSales(api);
    const theme = { palette: ['#123456'], fonts: { heading: 'sans', body: 'sans' }, radius: 4, dark: true };
    const named = { name: 'Sales "of" <b>all</b>', description: 'Every day', theme: JSON.stringify(theme) };
    expect((await api.as('editor').put(path, named)).status).toBe(200);
    await publish(api, path);
    const share = await givenShare(api, id, PICTURE);
    expect(share).toMatchObject(PICTURE);

    expect(await headOf(api, share.token)).toEqual({
      'og:type': 'website',
      'og:title': 'Sales &quot;of&quot; &lt;b&gt;all&lt;/b&gt;',
      'og:description': 'Every day',
      'og:image': `${api.endpoint}/api/shares/${share.token}/preview-image`,
      'og:image:type': 'image/png',
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': 'The beginning of Sales &quot;of&quot; &lt;b&gt;all&lt;/b&gt;',
      'twitter:card': 'summary_large_image',
    });
    const all = await Promise.all([1, 2, 3].map(() => picture(api, share.token)));
    const { width, height, pixel, texts } = pngOf(all[0]!);
    expect([width, height, pixel(2, 2)]).toEqual([1200, 630, '#14181f']);
    expect(texts.Description).toBe(named.name);
    for (const other of all) expect(other.equals(all[0]!)).toBe(true);
    const used = await usedBy(api, 'LINK-DRAWINGS', share.id);
    const queries = await usedBy(api, 'LINK-QUERIES', share.id);
    expect(queries).toBe(2);
    expect((await picture(api, share.token)).equals(all[0]!)).toBe(true);
    expect(await usedBy(api, 'LINK-DRAWINGS', share.id)).toBe(used);
    expect(await usedBy(api, 'LINK-QUERIES', share.id)).toBe(queries);
    expect(await storedPictures(api)).toBe(1);
    // Opening the link reads the same cached rows.
    expect(await share.reader.rows('total')).toEqual([['30']]);
    expect(await usedBy(api, 'LINK-QUERIES', share.id)).toBe(queries);
    // A preview is no view.
    expect((await api.as('owner').get('/api/shares')).body.items[0]).toMatchObject({ ...PICTURE, viewCount: 1 });
  });

  it('shows what the page shows first: the default values of filters, and new rows as soon as there are some', async ({
    api,
  }) => {
    const { id, path, filterId } = await givenSales(api);
    const { token } = await givenShare(api, id, PICTURE);
    const all = await picture(api, token);
    const defaulted = await api.as('editor').put(`${path}/filters/${filterId}`, { defaultValue: '"South"' });
    expect(defaulted.status, JSON.stringify(defaulted.body)).toBe(200);
    await publish(api, path);
    const south = await picture(api, token);
    expect(south.equals(all)).toBe(false);
    await givenDataset(api, { name: 'sales', sql: SALES.replace('10', '15') });
    expect((await picture(api, token)).equals(south)).toBe(true);
    await givenDataset(api, { name: 'sales', sql: SALES.replace('20', '70') });
    expect((await picture(api, token)).equals(south)).toBe(false);
  });

  it('has a picture of the beginning of a report, without the rows that wait for a parameter', async ({ api }) => {
    const { dataset } = await givenSales(api);
    const query = {
      source: { kind: 'dataset', id: dataset.id },
      dimensions: [{ column: 'region' }],
      measures: [{ column: 'amount', aggregation: 'sum', label: 'Amount' }],
    };
    const blocks = [
      { id: 'head', type: 'heading', text: 'تقرير' },
      { id: 'text', type: 'text', text: 'All regions.' },
      { id: 'some', type: 'table', chartSpec: chart(query), bindings: [{ parameter: 'regions', fieldId: 'region' }] },
    ];
    const parameters = [{ name: 'regions', label: 'Regions', type: 'text', isList: true, isRequired: true }];
    const report = { name: 'Quarter', isPublished: true, layout: { blocks }, parameters };
    const { id } = await posted(api, '/api/reports', report);
    const share = await givenShare(api, id, { contentType: 'report', ...PICTURE });
    expect(pngOf(await picture(api, share.token)).texts.Description).toBe('Quarter');
    expect(await usedBy(api, 'LINK-QUERIES', share.id)).toBe(0);
    expect((await api.as('editor').put(`/api/reports/${id}`, { isPublished: false })).status).toBe(200);
    expect(await imageOf(api, share.token)).toMatchObject(gone);
  });

  it('shows no more than its link allows', async ({ api }) => {
    const { id } = await givenSales(api);
    const off = { status: 403, body: { code: 'SHARE_PICTURE_OFF' } };
    const title = { 'og:title': expect.stringMatching(/^Cards /), 'twitter:card': 'summary', 'og:type': 'website' };
    const rls = { shareType: 'rls', rlsContext: { attributes: {} } };
    for (const more of [{}, { preview: 'title' }, rls]) {
      const share = await givenShare(api, id, more);
      expect(share).toMatchObject({ preview: 'title' });
      expect(await headOf(api, share.token)).toEqual(title);
      expect(await imageOf(api, share.token)).toMatchObject(off);
    }
    const none = await givenShare(api, id, { preview: 'none' });
    expect(await headOf(api, none.token)).toEqual({ ...title, 'og:title': 'Shared dashboard' });
    const password = { shareType: 'password', password: 'correct horse battery' };
    const locked = await givenShare(api, id, password);
    expect(locked).toMatchObject({ preview: 'none' });
    expect(await headOf(api, locked.token)).toEqual({});
    for (const { token } of [none, locked]) expect(await imageOf(api, token)).toMatchObject(off);

    const create = (more: object) =>
      api.as('owner').post('/api/shares', { contentType: 'dashboard', contentId: id, ...more });
    for (const more of [
      { ...rls, ...PICTURE },
      { ...password, ...PICTURE },
      { ...password, preview: 'title' },
    ])
      expect(issuesOf(await create(more))).toEqual(['/preview CONFLICT']);
    // A link whose type could not have a picture has none, whatever is stored.
    const { token, id: shareId } = await givenShare(api, id, rls);
    const key = workspaceKey(api.workspaceId, 'SHARE', shareId);
    await api.table.db.send(new UpdateCommand(updateOf(api.table, key, { set: PICTURE })));
    expect(await imageOf(api, token)).toMatchObject(off);
    expect(await headOf(api, token)).toEqual(title);
  });

  it('has no picture once its link has ended, was never one, or is an embed token', async ({ api }) => {
    const { id, path } = await givenSales(api);
    const [removed, expired, open] = [
      await givenShare(api, id, PICTURE),
      await givenShare(api, id, PICTURE),
      await givenShare(api, id, PICTURE),
    ];
    for (const { token } of [removed, expired, open]) await picture(api, token);
    expect((await api.as('stranger').delete(`/api/shares/${removed.id}`)).status).toBe(404);
    expect((await api.as('owner').delete(`/api/shares/${removed.id}`)).status).toBe(204);
    const past = { set: { validUntil: '2020-01-01T00:00:00.000Z' } };
    const key = workspaceKey(api.workspaceId, 'SHARE', expired.id);
    await api.table.db.send(new UpdateCommand(updateOf(api.table, key, past)));
    const embedded = await givenEmbedToken(api, id);
    const about = async (token: string) => {
      const reply = await imageOf(api, token);
      expect(reply).toMatchObject(gone);
      const { requestId: _id, instance: _path, ...body } = reply.body;
      return body;
    };
    const unknown = await about(UNKNOWN);
    for (const { token } of [removed, expired, embedded]) expect(await about(token)).toEqual(unknown);
    expect((await api.as('editor').put(path, { isPublished: false })).status).toBe(200);
    expect(await about(open.token)).toEqual(unknown);
    expect((await api.as('anonymous').get(`/api/shares/${open.token}/preview-image?width=9`)).status).toBe(400);
  });

  it('has no picture once a policy protects what a card reads', async ({ api }) => {
    const { staff } = await givenProtectedDashboard(api);
    const dataset = await givenDataset(api, { name: 'sales', sql: SALES });
    const { id, path } = await givenPublished(api, dataset.id);
    const { token } = await givenShare(api, id, PICTURE);
    await picture(api, token);
    const query = { source: { kind: 'model', id: staff.model.id }, dimensions: [{ fieldId: staff.field.name }] };
    const below = { x: 0, y: 90, w: 4, h: 4 };
    await posted(api, `${path}/cards`, card('guarded', chart(query), { position: below }));
    await publish(api, path);
    // Also where the card is not in the picture.
    expect(await imageOf(api, token)).toMatchObject({ status: 409, body: { code: 'RLS_SHARE_REQUIRED' } });
    await givenPolicy(api, staff.model.path, { tableId: staff.table.id });
    expect(await imageOf(api, token)).toMatchObject({ status: 409 });
  });

  it('runs no more queries and draws no more pictures than the link may', async ({ api }) => {
    const { id, path } = await givenSales(api);
    const [unread, undrawn] = [await givenShare(api, id, PICTURE), await givenShare(api, id, PICTURE)];
    await setUsed(api, 'LINK-QUERIES', unread.id, MAX_LINK_QUERIES);
    const refused = await imageOf(api, unread.token);
    expect(refused).toMatchObject({ status: 429, body: { code: 'SHARE_QUERIES_SPENT' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await setUsed(api, 'LINK-DRAWINGS', undrawn.id, MAX_LINK_DRAWINGS);
    expect(await imageOf(api, undrawn.token)).toMatchObject({ status: 429, body: { code: 'SHARE_DRAWINGS_SPENT' } });
    expect(await storedPictures(api)).toBe(0);
    // What another link has read and drawn can be shown.
    const share = await givenShare(api, id, PICTURE);
    await picture(api, share.token);
    for (const { token } of [unread, undrawn]) await picture(api, token);
    expect((await api.as('editor').put(path, { name: 'Another' })).status).toBe(200);
    await publish(api, path);
    expect(await imageOf(api, undrawn.token)).toMatchObject({ status: 429 });
  });
});

describe('the readers of a link', () => {
  it('have a limited number of pictures drawn in an hour, and see on what is stored', async ({ api }) => {
    const { id } = await givenSales(api);
    const share = await givenShare(api, id);
    const draw = (width: number) => share.reader.post('card-image', { cardId: 'regions', width });
    const read = (width: number) =>
      share.reader.post('card-data', { cardId: 'regions', image: { width, height: 400 } });
    const known = await draw(640);
    expect(known.status).toBe(200);
    await setUsed(api, 'LINK-DRAWINGS', share.id, MAX_LINK_DRAWINGS - 1);
    expect((await read(648)).body.image).toContain('width="648"');
    const refused = await draw(656);
    expect(refused).toMatchObject({ status: 429, body: { code: 'SHARE_DRAWINGS_SPENT' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // The rows come without a picture, and stored pictures as before.
    const rows = await read(656);
    expect(rows).toMatchObject({ status: 200, body: { rowCount: 2 } });
    expect(rows.body).not.toHaveProperty('image');
    expect((await draw(640)).bytes.equals(known.bytes)).toBe(true);
    expect((await read(648)).body.image).toContain('width="648"');
    const other = await givenShare(api, id);
    expect((await other.reader.post('card-image', { cardId: 'regions', width: 656 })).status).toBe(200);
    expect(await draw(656)).toMatchObject({ status: 200 });
  });

  it('add one view in half an hour and a limited number of other events to the counts of a link', async ({ api }) => {
    const { id } = await givenSales(api);
    const share = await givenShare(api, id);
    const embedded = await givenEmbedToken(api, id);
    const report = async (token: string, events: object[], browser = 'One') => {
      const headers = { 'user-agent': browser };
      const reply = await api.as('anonymous').post(`/api/shares/${token}/events`, { events }, { headers });
      expect(reply.status).toBe(200);
      return reply.body.recorded as number;
    };
    const views = Array.from({ length: 50 }, () => ({ type: 'view' }));
    const filters = Array.from({ length: 50 }, () => ({ type: 'filter' }));
    const inflated = await Promise.all(Array.from({ length: 4 }, () => report(share.token, views)));
    expect(inflated.sort()).toEqual([0, 0, 0, 1]);
    expect(await report(share.token, views, 'Another')).toBe(1);
    // Views that are reported and those that the platform counts do not take each other's place.
    const opening = await api.as('anonymous').post(`/api/shares/${share.token}/content`, {});
    expect(opening.status).toBe(200);
    const others = await Promise.all(Array.from({ length: 12 }, () => report(share.token, filters)));
    expect(others.reduce((sum, each) => sum + each, 0)).toBe(MAX_VISITOR_EVENTS);
    expect(await report(share.token, [{ type: 'error' }, { type: 'view' }])).toBe(0);
    expect(await report(share.token, [{ type: 'error' }], 'Another')).toBe(1);
    const [listed] = (await api.as('owner').get('/api/shares')).body.items;
    expect(listed).toMatchObject({
      viewCount: 1,
      events: { view: 2, filter: MAX_VISITOR_EVENTS, select: 0, export: 0, error: 1 },
    });
    // The readers of an embedded view are visitors of what it shows, whichever token they have.
    const next = await givenEmbedToken(api, id);
    expect(await report(embedded.token, views)).toBe(1);
    expect(await report(next.token, views)).toBe(0);
  });

  it('cost the sources one query for each card, however many they are', async ({ api }) => {
    const { id } = await givenSales(api);
    const share = await givenShare(api, id);
    const readers = cases(60, 500);
    const read = async (reader: number) => {
      const headers = { 'user-agent': `Reader ${reader}` };
      const body = { cardId: reader % 2 === 0 ? 'regions' : 'total' };
      const reply = await api.as('anonymous').post(`/api/shares/${share.token}/card-data`, body, { headers });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return reply.body.rowCount as number;
    };
    const counts: number[] = [];
    await inParallel(
      12,
      Array.from({ length: readers }, (_, index) => index),
      async (reader) => {
        counts[reader] = await read(reader);
      },
    );
    expect(counts).toEqual(Array.from({ length: readers }, (_, index) => (index % 2 === 0 ? 2 : 1)));
    expect(await usedBy(api, 'LINK-QUERIES', share.id)).toBe(2);
  });
});
