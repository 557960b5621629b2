import { describe, expect } from 'vitest';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { cursors } from '../../../../shared/platform/http/cursor.ts';
import { type Api, it } from '../../../support/api.ts';
import { readMasterSecret } from '../../../support/master-secret.ts';

const SOON = { timeout: 60_000, interval: 500 };
const searched = (api: Api, query: string, actor: 'owner' | 'viewer' | 'stranger' = 'owner') =>
  api.as(actor).get(`/api/search?${query}`);

async function givenReports(api: Api, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push((await api.as('owner').post('/api/reports', { name })).body.id);
  await expect.poll(async () => (await searched(api, 'q=pelican')).body.total, SOON).toBe(names.length);
  return ids;
}

describe('pages of results', () => {
  it('follow each other by cursor with an exact total, also while objects come and go', async ({ api }) => {
    const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => `Pelican ${letter}`);
    const ids = await givenReports(api, names);
    const first = (await searched(api, 'q=pelican&limit=2')).body;
    expect(first).toMatchObject({ total: 5, items: [{ name: 'Pelican a' }, { name: 'Pelican b' }] });
    const next = (cursor: string, more = '') => searched(api, `q=pelican&limit=2&cursor=${cursor}${more}`);
    // What comes before does not shift the next page, and the end of the first page may be gone.
    await api.as('owner').post('/api/reports', { name: 'Pelican 0' });
    await api.as('owner').delete(`/api/reports/${ids[1]}`);
    await expect.poll(async () => (await searched(api, 'q=pelican')).body.items[0].name, SOON).toBe('Pelican 0');
    await expect.poll(async () => (await searched(api, 'q=pelican')).body.total, SOON).toBe(5);
    const second = (await next(first.nextCursor)).body;
    expect(second).toMatchObject({ total: 5, items: [{ name: 'Pelican c' }, { name: 'Pelican d' }] });
    const third = (await next(second.nextCursor)).body;
    expect(third).toMatchObject({ total: 5, items: [{ name: 'Pelican e' }], nextCursor: null });

    expect(await next(first.nextCursor, '&offset=1')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/query/offset', code: 'NOT_WITH_CURSOR' }] },
    });
    expect(await next('x')).toMatchObject({ status: 400, body: { code: 'CURSOR_INVALID' } });
    expect(await searched(api, `q=pelican&cursor=${first.nextCursor}`, 'stranger')).toMatchObject({
      status: 400,
      body: { code: 'CURSOR_INVALID' },
    });
    const mismatch = { status: 400, body: { code: 'CURSOR_MISMATCH' } };
    for (const query of [
      'q=pelicans',
      'q=pelican&type=report',
      'q=pelican&certified=true',
      'q=pelican&deprecated=true',
    ])
      expect(await searched(api, `${query}&cursor=${first.nextCursor}`), query).toMatchObject(mismatch);
    await api.joinAll();
    expect(await searched(api, `q=pelican&cursor=${first.nextCursor}`, 'viewer')).toMatchObject(mismatch);
    const userId = (await api.as('owner').get('/api/auth/me')).body.user.id;
    const old = await cursors(new MasterSecret(() => readMasterSecret(api.endpoint))).seal(
      { after: '[1,"report#x"]', asOf: new Date().toISOString() },
      { workspaceId: api.workspaceId, list: ['search', userId, 'pelican', null, null, null] },
      new Date(Date.now() - 25 * 60 * 60 * 1000),
    );
    expect(await next(old)).toMatchObject({ status: 404, body: { code: 'CURSOR_EXPIRED' } });
  });
});

describe('the glossary', () => {
  it('widens searches by the names of approved terms, also hidden ones, for those who may read terms', async ({
    api,
  }) => {
    const owner = api.as('owner');
    await givenReports(api, ['Pelican yield']);
    const term = { name: 'Pelican yield', definition: 'Fish a bird a day', abbreviation: 'PYD', status: 'draft' };
    const made = await owner.post('/api/catalog/terms', {
      ...term,
      synonyms: ['scoop rate'],
      hiddenSynonyms: ['skoop'],
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const reports = async (q: string) => (await searched(api, `q=${encodeURIComponent(q)}&type=report`)).body.total;
    expect(await reports('scoop rate')).toBe(0);
    const path = `/api/catalog/terms/${made.body.id}`;
    const approved = await owner.patch(path, { status: 'approved' });
    expect(approved.status, JSON.stringify(approved.body)).toBe(200);
    await expect.poll(() => reports('scoop rate'), SOON).toBe(1);
    for (const q of ['pyd', 'pyds', 'skoop', 'scoop rates']) expect(await reports(q), q).toBe(1);
    expect((await searched(api, 'q=pyd&type=report', 'stranger')).body.total).toBe(0);
    expect((await owner.delete(path)).status).toBeLessThan(300);
    await expect.poll(() => reports('scoop rate'), SOON).toBe(0);
  });
});
