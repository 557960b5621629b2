import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { posted } from '../../../support/given/model.ts';

const IDS = Array.from({ length: 8 }, (_, index) => `c${index}`);

describe('editors of one dashboard', () => {
  it('who change different things at once lose none of them', async ({ api }) => {
    const { path } = await givenDashboard(api);
    await posted(api, `${path}/pages`, { id: 'one', name: 'One' });
    for (const id of IDS) await posted(api, `${path}/cards`, textCard(id));
    await api.joinAll();
    const [editor, owner] = [api.as('editor'), api.as('owner')];
    const moved = (index: number) => ({ x: index, y: 40 + index, w: 6, h: 5 });
    const replies = await Promise.all([
      // The same cards, by two people, each of whom sends only what they change.
      ...IDS.map((id) => editor.put(`${path}/cards/${id}`, { title: `Title of ${id}` })),
      owner.put(`${path}/cards/batch`, { updates: IDS.map((id, index) => ({ id, position: moved(index) })) }),
      owner.put(`${path}/cards/reorder`, { cardIds: IDS.toReversed() }),
      editor.put(path, { description: 'Edited' }),
      owner.post(`${path}/pages`, { id: 'two', name: 'Two' }),
      owner.put(`${path}/pages/one`, { name: 'First' }),
      editor.post(`${path}/filters`, { fieldId: 'region', filterType: 'select', linkedCardIds: ['c0'] }),
      owner.post(`${path}/bookmarks`, { name: 'Mine', state: {} }),
    ]);
    expect(replies.filter(({ status }) => status >= 300).map(({ body }) => body)).toEqual([]);
    const { body } = await editor.get(path);
    expect(body).toMatchObject({
      description: 'Edited',
      pages: [{ name: 'First' }, { name: 'Two' }],
      filters: [{ linkedCardIds: ['c0'] }],
    });
    expect(body.cards.map(({ id }: { id: string }) => id)).toEqual(IDS.toReversed());
    for (const [index, id] of IDS.entries())
      expect(body.cards.find((card: { id: string }) => card.id === id)).toMatchObject({
        title: `Title of ${id}`,
        position: moved(index),
        textContent: `The text of ${id}`,
      });
  });

  it('who change one card from the same state: one wins, and the others get a conflict', async ({ api }) => {
    const { path } = await givenDashboard(api);
    await posted(api, `${path}/cards`, textCard('one'));
    const revision = 1;
    await posted(api, `${path}/cards`, textCard('other'));
    await api.joinAll();
    const ifSeen = { headers: { 'if-match': `"${revision}"` } };
    const titles = Array.from({ length: 10 }, (_, index) => `Title ${index}`);
    const edits = await Promise.all(
      titles.map((title, index) =>
        api.as(index % 2 === 0 ? 'editor' : 'owner').put(`${path}/cards/one`, { title }, ifSeen),
      ),
    );
    const winners = edits.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    const lost = edits.filter((edit) => !winners.includes(edit));
    expect(lost.map(({ status, body }) => [status, body.code])).toEqual(lost.map(() => [412, 'PRECONDITION_FAILED']));
    const card = (await api.as('editor').get(`${path}/cards`)).body.items[0];
    expect(card).toMatchObject({ title: winners[0]!.body.title, revision: revision + 1 });

    // A batch with one card that has changed since changes none.
    const updates = [
      { id: 'other', title: 'lost', revision: 1 },
      { id: 'one', title: 'lost', revision },
    ];
    expect((await api.as('editor').put(`${path}/cards/batch`, { updates })).status).toBe(412);
    const after = (await api.as('editor').get(`${path}/cards`)).body.items;
    expect(after.map(({ title }: { title: string }) => title)).not.toContain('lost');

    // A file that was read before an edit does not undo it.
    const file = await api.as('owner').get(`${path}/file`);
    expect((await api.as('editor').put(`${path}/cards/other`, { title: 'Kept' })).status).toBe(200);
    const headers = { 'content-type': 'application/yaml', 'if-match': file.headers.get('etag')! };
    expect((await api.as('owner').send('PUT', `${path}/file`, { text: file.body, headers })).status).toBe(412);
    expect((await api.as('editor').get(`${path}/cards`)).body.items[1].title).toBe('Kept');
  });

  it('of whom one deletes what another changes: it is changed or gone, and never comes back', async ({ api }) => {
    const { path } = await givenDashboard(api);
    await posted(api, `${path}/pages`, { id: 'first', name: 'First' });
    await posted(api, `${path}/pages`, { id: 'gone', name: 'Gone' });
    for (const id of IDS) await posted(api, `${path}/cards`, textCard(id, { pageId: 'gone' }));
    await api.joinAll();
    const [deleted, ...edits] = await Promise.all([
      api.as('owner').delete(`${path}/pages/gone`),
      ...IDS.map((id) => api.as('editor').put(`${path}/cards/${id}`, { title: 'Late' })),
    ]);
    expect(deleted.status).toBe(204);
    for (const { status, body } of edits)
      expect([status, body.code]).toEqual(status === 200 ? [200, undefined] : [404, 'DASHBOARD_CARD_NOT_FOUND']);
    const { pages, cards } = (await api.as('editor').get(path)).body;
    expect([pages.map(({ id }: { id: string }) => id), cards]).toEqual([['first'], []]);
  });
});
