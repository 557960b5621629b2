import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { termRepository } from '../../../../shared/domains/catalog/terms/index.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, type Caller, it, itWithOwnCompany } from '../../../support/api.ts';
import { posted } from '../../../support/given/model.ts';
import { type GivenTerm, givenTerm, usesOf } from '../../../support/given/terms.ts';
import { changeCompany } from '../../../support/operator.ts';

const SOON = { timeout: 60_000, interval: 500 };
const missing = { status: 404, body: { code: 'TERM_OBJECT_NOT_FOUND' } };
const givenQuery = (api: Api, name: string) => posted(api, '/api/saved-queries', { name, sql: 'SELECT 1 AS a' });
const linkKey = (api: Api, { id }: { id: string }, object: string) =>
  workspaceKey(api.workspaceId, `TERM#${id}`, `LINK#${object}`);

/** Each instance of the function caches entitlements for some seconds: several answer requests at the same time. */
async function expectTotal(caller: Caller, { path }: GivenTerm, total: number): Promise<void> {
  const totals = async () =>
    (await Promise.all(Array.from({ length: 10 }, () => caller.get(`${path}/links`)))).map(({ body }) => body.total);
  await expect.poll(async () => [...new Set(await totals())], SOON).toEqual([total]);
}

describe('a link of a term', () => {
  itWithOwnCompany('to an object of a product that is turned off leaves no trace', async ({ api }) => {
    const editor = api.as('editor');
    const term = await givenTerm(api, 'Revenue');
    const query = await givenQuery(api, 'Weeks');
    const link = `${term.path}/links/saved-query/${query.id}`;
    expect((await editor.put(link, { role: 'about' })).status).toBe(200);
    await changeCompany(api, { change: 'switch', product: 'warehouse', on: false });
    await expectTotal(editor, term, 0);
    expect((await editor.get(`${term.path}/links`)).body).toMatchObject({ total: 0, items: [] });
    expect(await editor.put(link, { role: 'means' })).toMatchObject(missing);
    expect(await editor.delete(link)).toMatchObject(missing);
    expect(await api.stored(linkKey(api, term, `saved-query#${query.id}`))).toMatchObject({ role: 'about' });
    await changeCompany(api, { change: 'switch', product: 'warehouse', on: true });
    await expectTotal(editor, term, 1);
  });

  it('to a deleted object can be removed, and makes place for another', async ({ api }) => {
    const editor = api.as('editor');
    const term = await givenTerm(api, 'Revenue');
    const [first, second, third] = [await givenQuery(api, 'A'), await givenQuery(api, 'B'), await givenQuery(api, 'C')];
    const link = ({ id }: { id: string }) => `${term.path}/links/saved-query/${id}`;
    for (const query of [first, second]) {
      expect((await editor.put(link(query), { role: 'about' })).status).toBe(200);
      expect((await editor.delete(`/api/saved-queries/${query.id}`)).status).toBeLessThan(300);
    }
    expect((await editor.get(`${term.path}/links`)).body.total).toBe(0);
    expect((await editor.delete(link(first))).status).toBe(204);
    expect(await editor.delete(link(first))).toMatchObject(missing);
    expect(await api.stored(usesOf(api, term))).toMatchObject({ links: 1 });

    await api.table.db.send(new UpdateCommand(updateOf(api.table, usesOf(api, term), { set: { links: 1_000 } })));
    expect((await editor.put(link(third), { role: 'about' })).status).toBe(200);
    expect(await api.stored(usesOf(api, term))).toMatchObject({ links: 1_000 });
    expect(await api.stored(linkKey(api, term, `saved-query#${second.id}`))).toBeUndefined();
    const fourth = await givenQuery(api, 'D');
    expect(await editor.put(link(fourth), { role: 'about' })).toMatchObject({
      status: 409,
      body: { code: 'TERM_FULL' },
    });
  });

  itWithOwnCompany('that is hidden stays if the term is not deleted, and comes back with it', async ({ api }) => {
    const editor = api.as('editor');
    const term = await givenTerm(api, 'Revenue');
    const secret = await givenQuery(api, 'Secret plans');
    const hidden = `${term.path}/links/saved-query/${secret.id}`;
    expect((await editor.put(hidden, { role: 'about' })).status).toBe(200);
    const board = (await editor.post('/api/dashboards', { name: 'Weeks' })).body;
    const link = `${term.path}/links/dashboard/${board.id}`;
    expect((await editor.put(link, { role: 'about' })).status).toBe(200);
    await changeCompany(api, { change: 'switch', product: 'warehouse', on: false });
    await expectTotal(editor, term, 1);
    const refused = await editor.delete(term.path);
    expect(refused).toMatchObject({ status: 409, body: { code: 'REFERENCED', referencedBy: [{ name: 'Weeks' }] } });
    expect(JSON.stringify(refused.body)).not.toContain('Secret');
    const stored = () => api.stored(linkKey(api, term, `saved-query#${secret.id}`));
    expect(await stored()).toMatchObject({ objectId: secret.id });

    // A link that another person adds between the check and the deletion keeps the term, with its hidden links.
    expect((await editor.delete(link)).status).toBe(204);
    const terms = termRepository(api.table);
    const seen = (await terms.get(api.workspaceId, term.id))!;
    const changes = await terms.changesOfUses(seen);
    expect((await editor.put(link, { role: 'about' })).status).toBe(200);
    await expect(terms.remove(seen, { ...seen, relations: [] }, changes, [])).rejects.toMatchObject({
      code: 'STALE_WRITE',
    });
    expect((await editor.get(term.path)).status).toBe(200);
    expect(await stored()).toMatchObject({ objectId: secret.id });
    expect((await editor.delete(link)).status).toBe(204);

    const deleted = await editor.delete(term.path);
    expect(deleted.status, JSON.stringify(deleted.body)).toBe(200);
    expect((await editor.post(`${term.path}/restore`)).status).toBe(200);
    expect((await editor.get(`${term.path}/links`)).body).toMatchObject({ total: 0, items: [] });
    expect(await stored()).toMatchObject({ objectId: secret.id });
  });
});
