import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { deletedTerms, termRepository } from '../../../../shared/domains/catalog/terms/index.ts';
import { DAY_MS } from '../../../../shared/platform/schedule/durations.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { endDue } from '../../../support/given/clean-ups.ts';
import { exportCsv } from '../../../support/given/glossary-files.ts';
import { posted } from '../../../support/given/model.ts';
import { type GivenTerm, givenTerm, TERMS, usesOf } from '../../../support/given/terms.ts';

/** When the 30 days to restore have passed. */
const inAMonth = () => new Date(Date.now() + 31 * DAY_MS);

const refused = (status: number, code: string) => ({ status, body: { code } });
const notFound = refused(404, 'TERM_NOT_FOUND');
const relation = ({ path }: GivenTerm, kind: string, { id }: GivenTerm) => `${path}/relations/${kind}/${id}`;
const named = (related: { name: string }[]) => related.map(({ name }) => name);
const deletedKey = ({ workspaceId }: Api, { id }: GivenTerm) => workspaceKey(workspaceId, 'DELETED-TERM', id);
const deletedNames = async (api: Api, query = '') =>
  named((await api.as('editor').get(`${TERMS}?deleted=true${query}`)).body.items);

describe('a deleted term', () => {
  it('comes back with its texts, links, proposals, relations and certification', async ({ api }) => {
    const [owner, editor] = [api.as('owner'), api.as('editor')];
    const term = await givenTerm(api, 'Margin', { status: 'approved', synonyms: ['Profit'] });
    const [broad, narrow, lost] = [
      await givenTerm(api, 'Money'),
      await givenTerm(api, 'Net'),
      await givenTerm(api, 'X'),
    ];
    await owner.put(relation(term, 'broader', broad));
    await owner.put(relation(term, 'narrower', narrow));
    await owner.put(relation(term, 'related', lost));
    const query = await posted(api, '/api/saved-queries', { name: 'Weeks', sql: 'SELECT 1 AS a' });
    const link = `${term.path}/links/saved-query/${query.id}`;
    await editor.put(link, { role: 'about' });
    const proposed = (await editor.patch(term.path, { definition: 'Better' })).body.proposal.id;
    const certification = `/api/catalog/certifications/term/${term.id}`;
    expect((await owner.put(certification, { status: 'certified', note: 'Checked' })).status).toBeLessThan(300);
    const before = (await owner.get(term.path)).body;

    expect((await owner.delete(`${term.path}?detach=true`)).status).toBe(200);
    expect((await owner.get(broad.path)).body.relations.narrower).toEqual([]);
    for (const reply of [owner.get(term.path), owner.get(`${term.path}/links`), owner.get(`${term.path}/proposals`)])
      expect(await reply).toMatchObject(notFound);
    expect((await owner.get(certification)).status).toBe(404);
    expect(named((await owner.get(TERMS)).body.items)).not.toContain('Margin');
    expect(await exportCsv(owner)).not.toContain('Margin');
    const asset = `/api/catalog/assets/saved-query/${query.id}`;
    expect((await editor.get(asset)).body.terms).toEqual([]);
    await owner.delete(`${lost.path}?detach=true`);

    const restored = await owner.post(`${term.path}/restore`);
    const { updatedAt, relations, ...rest } = before;
    expect(restored).toMatchObject({ status: 200, body: { ...rest, revision: before.revision + 1 } });
    expect(restored.body.updatedAt > updatedAt).toBe(true);
    expect(restored.body.relations).toMatchObject({
      broader: [{ name: 'Money' }],
      narrower: [{ name: 'Net' }],
      related: [],
    });
    expect(relations.related).toHaveLength(1);
    expect(named((await owner.get(broad.path)).body.relations.narrower)).toEqual(['Margin']);
    expect((await editor.get(`${term.path}/links`)).body).toMatchObject({ items: [{ name: 'Weeks', role: 'about' }] });
    expect((await editor.get(asset)).body.terms).toMatchObject([{ name: 'Margin' }]);
    expect((await owner.get(certification)).body).toMatchObject({ status: 'certified', note: 'Checked' });
    expect(await api.stored(usesOf(api, term))).toMatchObject({ links: 1, relations: 2 });
    expect((await owner.post(`${term.path}/proposals/${proposed}/accept`)).body.definition).toBe('Better');
    // Repeating it changes nothing, not even relations that have ended since.
    await owner.delete(relation(term, 'broader', broad));
    const { revision } = (await owner.get(term.path)).body;
    expect((await owner.post(`${term.path}/restore`)).body).toMatchObject({ revision, relations: { broader: [] } });
    const actions = (await owner.get(`/api/audit-log?limit=100`)).body.items
      .filter(({ object }: { object: { id: string } }) => object.id === term.id)
      .map(({ action }: { action: string }) => action);
    expect(actions.filter((action: string) => action === 'term.restored')).toHaveLength(1);
  });

  it('is listed for those who write terms, until it is restored', async ({ api }) => {
    const editor = api.as('editor');
    const [first, second] = [await givenTerm(api, 'Churn'), await givenTerm(api, 'Margin')];
    for (const { path } of [first, second]) expect((await editor.delete(path)).status).toBe(200);
    expect(await deletedNames(api, '&sort=name')).toEqual(['Churn', 'Margin']);
    expect(await deletedNames(api, '&search=marg')).toEqual(['Margin']);
    expect(await deletedNames(api, '&status=approved')).toEqual([]);
    expect(await api.as('viewer').get(`${TERMS}?deleted=true`)).toMatchObject(refused(403, 'FORBIDDEN'));
    expect(await api.as('viewer').post(`${first.path}/restore`)).toMatchObject(refused(403, 'FORBIDDEN'));
    const me = (await editor.get('/api/auth/me')).body.user.id;
    expect((await editor.get(`${TERMS}?deleted=true&sort=name`)).body).toMatchObject({
      total: 2,
      items: [{ id: first.id, updatedBy: me, revision: 1 }, {}],
    });
    expect((await editor.post(`${first.path}/restore`)).status).toBe(200);
    expect(await deletedNames(api)).toEqual(['Margin']);
    expect(named((await editor.get(TERMS)).body.items)).toEqual(['Churn']);
  });

  it('whose name has been taken comes back under another one', async ({ api }) => {
    const editor = api.as('editor');
    const term = await givenTerm(api, 'Margin');
    await editor.delete(term.path);
    await givenTerm(api, 'MARGIN');
    expect(await editor.post(`${term.path}/restore`)).toMatchObject(refused(409, 'TERM_NAME_TAKEN'));
    expect(await deletedNames(api)).toEqual(['Margin']);
    expect(await editor.post(`${term.path}/restore`, { name: '' })).toMatchObject(refused(400, 'VALIDATION_FAILED'));
    const restored = await editor.post(`${term.path}/restore`, { name: 'Gross margin' });
    expect(restored).toMatchObject({ status: 200, body: { id: term.id, name: 'Gross margin' } });
    // Deleted again, it can be restored again.
    expect((await editor.delete(term.path)).status).toBe(200);
    expect((await editor.post(`${term.path}/restore`)).body).toMatchObject({ name: 'Gross margin', revision: 3 });
  });

  it('that was approved, and relations of approved ones, come back by reviewers alone', async ({ api }) => {
    const [owner, editor] = [api.as('owner'), api.as('editor')];
    const [approved, draft] = [
      await givenTerm(api, 'Sales', { status: 'approved' }),
      await givenTerm(api, 'Web sales'),
    ];
    await owner.put(relation(draft, 'narrower', approved));
    await owner.put(relation(draft, 'related', approved));
    for (const { path } of [draft, approved]) expect((await owner.delete(`${path}?detach=true`)).status).toBe(200);
    expect(await editor.post(`${approved.path}/restore`)).toMatchObject(refused(403, 'TERM_REVIEWERS_ONLY'));
    expect((await owner.post(`${approved.path}/restore`)).status).toBe(200);
    const { relations } = (await editor.post(`${draft.path}/restore`)).body;
    expect(relations).toMatchObject({ narrower: [], related: [{ name: 'Sales' }] });
  });

  it('has no relation back that has become a circle', async ({ api }) => {
    const owner = api.as('owner');
    const [term, broad, narrow] = [await givenTerm(api, 'A'), await givenTerm(api, 'B'), await givenTerm(api, 'C')];
    await owner.put(relation(term, 'broader', broad));
    await owner.put(relation(term, 'narrower', narrow));
    await owner.delete(`${term.path}?detach=true`);
    expect((await owner.put(relation(broad, 'broader', narrow))).status).toBe(204);
    const { relations } = (await owner.post(`${term.path}/restore`)).body;
    expect(relations).toMatchObject({ broader: [{ name: 'B' }], narrower: [] });
  });

  it('is restored once by several requests, and gets the rest of its relations after a crash', async ({ api }) => {
    const owner = api.as('owner');
    const [term, other] = [await givenTerm(api, 'Margin'), await givenTerm(api, 'Money')];
    await owner.put(relation(term, 'broader', other));
    await owner.delete(`${term.path}?detach=true`);
    const replies = await Promise.all([1, 2, 3].map(() => owner.post(`${term.path}/restore`)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await owner.get(term.path)).body).toMatchObject({
      revision: 2,
      relations: { broader: [{ name: 'Money' }] },
    });
    expect(await api.stored(usesOf(api, other))).toMatchObject({ relations: 1 });
    expect((await owner.get(TERMS)).body.total).toBe(2);
    expect((await owner.get(`${TERMS}?deleted=true`)).body.total).toBe(0);

    await owner.delete(`${term.path}?detach=true`);
    const deleted = (await deletedTerms(api.table).get(api.workspaceId, term.id))!;
    const { relations: _, ...record } = deleted;
    await termRepository(api.table).restore(deleted, { ...record, revision: 3 });
    expect((await owner.get(term.path)).body.relations.broader).toEqual([]);
    expect((await owner.post(`${term.path}/restore`)).body.relations.broader).toMatchObject([{ name: 'Money' }]);
    expect(await api.stored(workspaceKey(api.workspaceId, `TERM#${term.id}`, 'KEPT-RELATIONS'))).toBeUndefined();
  });

  it('is gone for good after 30 days, with all that belongs to it', async ({ api }) => {
    const owner = api.as('owner');
    const [term, kept] = [await givenTerm(api, 'Margin'), await givenTerm(api, 'Money')];
    const query = await posted(api, '/api/saved-queries', { name: 'Weeks', sql: 'SELECT 1 AS a' });
    for (const { path } of [term, kept]) await owner.put(`${path}/links/saved-query/${query.id}`, { role: 'about' });
    await owner.put(`/api/catalog/certifications/term/${term.id}`, { status: 'certified' });
    for (const { path } of [term, kept]) expect((await owner.delete(`${path}?detach=true`)).status).toBe(200);
    await endDue(api, new Date(Date.now() + 29 * DAY_MS));
    expect((await owner.post(`${kept.path}/restore`)).status).toBe(200);

    // No clean-up has run yet.
    const late = { updatedAt: new Date(Date.now() - 30 * DAY_MS).toISOString() };
    await api.table.db.send(new UpdateCommand(updateOf(api.table, deletedKey(api, term), { set: late })));
    expect(await owner.post(`${term.path}/restore`)).toMatchObject(notFound);
    await endDue(api, inAMonth());
    await endDue(api, inAMonth());
    expect(await deletedNames(api)).toEqual([]);
    const left = async ({ id }: GivenTerm) => [
      ...(await Array.fromAsync(itemsBelow(api.table, workspaceKey(api.workspaceId, `TERM#${id}`, '')))),
      ...(await Array.fromAsync(
        itemsBelow(api.table, workspaceKey(api.workspaceId, `TERMS-OF-OBJECT#saved-query#${query.id}`, id)),
      )),
    ];
    expect(await left(term)).toEqual([]);
    expect(await left(kept)).toHaveLength(3);
    expect((await owner.get(`${kept.path}/links`)).body.total).toBe(1);
  });
});
