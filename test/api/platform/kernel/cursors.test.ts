import { describe, expect } from 'vitest';
import { emptyDataset } from '../../../../shared/domains/warehouse/datasets/record.ts';
import { datasetRepository } from '../../../../shared/domains/warehouse/datasets/repository.ts';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { type CursorScope, cursors } from '../../../../shared/platform/http/cursor.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { type Api, it } from '../../../support/api.ts';
import { readMasterSecret } from '../../../support/master-secret.ts';

let minute = 0;

/** Datasets that differ in age, and some that share a millisecond. */
async function given(api: Api, count: number): Promise<string[]> {
  const datasets = datasetRepository(api.table);
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    if (index % 3 === 0) minute += 1;
    const at = new Date(Date.UTC(2026, 0, 1) + minute * 60_000);
    const id = newId(at);
    const { workspaceId } = api;
    await datasets.create(emptyDataset({ id, workspaceId, name: `dataset ${id}`, createdBy: null, at }));
    ids.push(id);
  }
  return ids;
}

async function remove(api: Api, id: string): Promise<void> {
  const datasets = datasetRepository(api.table);
  await datasets.remove((await datasets.get(api.workspaceId, id))!, 'STALE_WRITE');
}

/** Reads a list to its end by cursor; `between` happens after each page. */
async function readAll(api: Api, limit: number, between: () => Promise<unknown> = async () => {}): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { status, body } = await api.as('viewer').get(`/api/datasets?limit=${limit}${cursor && `&cursor=${cursor}`}`);
    expect(status, JSON.stringify(body)).toBe(200);
    ids.push(...body.items.map((item: { id: string }) => item.id));
    cursor = body.nextCursor;
    await between();
  }
  return ids;
}

async function sealed(api: Api, scope: Partial<CursorScope>, at = new Date()): Promise<string> {
  const sealer = cursors(new MasterSecret(() => readMasterSecret(api.endpoint)));
  const place = { after: '2026-01-01T00:00:00.000Z#x', asOf: at.toISOString() };
  return sealer.seal(place, { workspaceId: api.workspaceId, list: ['datasets'], ...scope }, at);
}

describe('lists by cursor', () => {
  it('show everything once, whatever the size of the page', async ({ api }) => {
    const ids = await given(api, 7);
    for (const limit of [1, 2, 3, 7, 200]) {
      const read = await readAll(api, limit);
      expect(read).toHaveLength(7);
      expect(read.toSorted()).toEqual(ids.toSorted());
    }
    expect((await api.as('viewer').get('/api/datasets?limit=2')).body.total).toBe(7);
  });

  it('end at once when there is nothing', async ({ api }) => {
    const { body } = await api.as('viewer').get('/api/datasets');
    expect(body).toEqual({ items: [], total: 0, limit: 50, offset: 0, nextCursor: null });
  });

  it('stay whole while records come and go', async ({ api }) => {
    const ids = await given(api, 9);
    let round = 0;
    const read = await readAll(api, 2, async () => {
      round += 1;
      await given(api, 2);
      // The oldest ones go, before they have been read.
      if (round <= 2) await remove(api, ids[round - 1]!);
    });
    expect(new Set(read).size).toBe(read.length);
    expect(read.toSorted()).toEqual(ids.slice(2).toSorted());
  });

  it('go on after the record at which the page before ended, even when that one is gone', async ({ api }) => {
    const ids = await given(api, 6);
    const first = (await api.as('viewer').get('/api/datasets?limit=3')).body;
    await remove(api, first.items[2].id);
    const next = await api.as('viewer').get(`/api/datasets?limit=3&cursor=${first.nextCursor}`);
    const known = first.items.map(({ id }: { id: string }) => id);
    expect(next.body.items.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      ids.filter((id) => !known.includes(id)).toSorted(),
    );
    expect(next.body.nextCursor).toBeNull();
  });

  it('reject a cursor that was changed, made up, or made for another caller', async ({ api }) => {
    await given(api, 2);
    const { nextCursor } = (await api.as('viewer').get('/api/datasets?limit=1')).body;
    const [text, signature] = nextCursor.split('.');
    const content = JSON.parse(Buffer.from(text, 'base64url').toString());
    const changed = (change: object) => Buffer.from(JSON.stringify({ ...content, ...change })).toString('base64url');
    const forgeries = [
      'x',
      '.',
      text,
      `${text}.`,
      `.${signature}`,
      `${text}.${'A'.repeat(43)}`,
      `${text}.${signature.slice(0, -2)}`,
      `${changed({ after: '9999' })}.${signature}`,
      `${changed({ v: 2 })}.${signature}`,
      `${changed({ v: '1' })}.${signature}`,
      `${Buffer.from('null').toString('base64url')}.${signature}`,
      await sealed(api, { workspaceId: crypto.randomUUID() }),
    ];
    for (const cursor of forgeries) {
      const reply = await api.as('viewer').get(`/api/datasets?cursor=${encodeURIComponent(cursor)}`);
      expect(reply, cursor).toMatchObject({ status: 400, body: { code: 'CURSOR_INVALID' } });
    }
    const stranger = await api.as('stranger').get(`/api/datasets?cursor=${nextCursor}`);
    expect(stranger).toMatchObject({ status: 400, body: { code: 'CURSOR_INVALID' } });
  });

  it('take no cursor of another list or other filters, none of yesterday, and no offset beside one', async ({
    api,
  }) => {
    const get = (cursor: string, more = '') => api.as('viewer').get(`/api/datasets?cursor=${cursor}${more}`);
    for (const list of [['pipelines'], ['datasets', { name: 'x' }], []]) {
      expect(await get(await sealed(api, { list }))).toMatchObject({ status: 400, body: { code: 'CURSOR_MISMATCH' } });
    }
    const day = 24 * 60 * 60 * 1000;
    const old = await sealed(api, {}, new Date(Date.now() - day));
    expect(await get(old)).toMatchObject({ status: 404, body: { code: 'CURSOR_EXPIRED' } });
    const recent = await sealed(api, {}, new Date(Date.now() - day + 60_000));
    expect((await get(recent)).status).toBe(200);
    expect(await get(recent, '&offset=1')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/query/offset', code: 'NOT_WITH_CURSOR' }] },
    });
    expect((await get('x'.repeat(1025))).status).toBe(400);
  });
});
