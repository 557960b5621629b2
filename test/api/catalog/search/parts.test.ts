import { describe, expect } from 'vitest';
import { type Actor, type Api, it } from '../../../support/api.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenSalesModel } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';

const SOON = { timeout: 60_000, interval: 500 };

async function found(api: Api, actor: Actor | { token: string }, q: string) {
  const reply = await api.as(actor).get(`/api/search?q=${encodeURIComponent(q)}`);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body as {
    items: { type: string; id: string; name: string; url: string; matchedOn: string[] }[];
    total: number;
  };
}
const typesOf = ({ items }: Awaited<ReturnType<typeof found>>) => items.map(({ type }) => type).sort();

describe('cards', () => {
  it('are found by title and description with their dashboard, for those who see it, and until they are gone', async ({
    api,
  }) => {
    await api.joinAll();
    const owner = api.as('owner');
    const { id, path } = await givenDashboard(api, { name: 'Aviary' });
    const card = async (body: object) => expect((await owner.post(`${path}/cards`, body)).status).toBeLessThan(300);
    await card(textCard('plumage', { title: 'Kookaburra counts', description: 'Laughing birds by week' }));
    await card(textCard('untitled'));
    await expect
      .poll(() => found(api, 'editor', 'kookaburra'), SOON)
      .toMatchObject({ total: 1, items: [{ type: 'card', id: 'plumage', name: 'Kookaburra counts', url: path }] });
    expect(await found(api, 'editor', 'laughing birds')).toMatchObject({
      items: [{ id: 'plumage', parent: { type: 'dashboard', id, name: 'Aviary' }, matchedOn: ['description'] }],
    });
    // The text itself is not searched.
    expect((await found(api, 'editor', '"text of untitled"')).total).toBe(0);
    for (const actor of ['viewer', 'stranger'] as const)
      for (const q of ['kookaburra', 'laughing', 'plumage', 'type:card'])
        expect(await found(api, actor, q), `${actor} ${q}`).toMatchObject({ items: [], total: 0 });

    // Readers find the cards of the published version under its names; editors those of the draft.
    const reader = await givenMember(api);
    const granted = await owner.put(`${path}/access/user/${reader.userId}`, { permission: 'viewer' });
    expect(granted.status, JSON.stringify(granted.body)).toBeLessThan(300);
    expect((await owner.post(`${path}/publish`, {})).status).toBeLessThan(300);
    await expect.poll(async () => (await found(api, reader, 'kookaburra')).total, SOON).toBe(1);
    const changed = await owner.put(`${path}/cards/plumage`, { title: 'Lyrebird counts' });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    await card(textCard('new', { title: 'Lyrebird songs' }));
    await expect.poll(async () => (await found(api, 'editor', 'lyrebird')).total, SOON).toBe(2);
    expect((await found(api, 'editor', 'kookaburra')).total).toBe(0);
    expect((await found(api, reader, 'kookaburra')).total).toBe(1);
    expect((await found(api, reader, 'lyrebird')).total).toBe(0);

    expect((await owner.delete(`${path}/cards/new`)).status).toBeLessThan(300);
    await expect.poll(async () => (await found(api, 'editor', 'lyrebird')).total, SOON).toBe(1);
    expect((await owner.delete(path)).status).toBeLessThan(300);
    for (const [who, q] of [
      ['editor', 'lyrebird'],
      [reader, 'kookaburra'],
    ] as const)
      await expect.poll(async () => (await found(api, who, q)).total, SOON).toBe(0);
  });
});

describe('columns of datasets', () => {
  it('find the dataset, unless a model hides or labels them, also under another name', async ({ api }) => {
    const { path, table, fields } = await givenSalesModel(api);
    const found1 = async (q: string) => typesOf(await found(api, 'viewer', q));
    await expect.poll(() => found1('region'), SOON).toEqual(['dataset', 'field']);
    expect((await found(api, 'viewer', 'region type:dataset')).items).toMatchObject([
      { name: 'sales', matchedOn: ['columns'] },
    ]);
    expect(await found1('amount')).toEqual(expect.arrayContaining(['dataset', 'field']));
    for (const [name, change] of [
      ['region', { sensitivityLabel: 'pii' }],
      ['day', { isHidden: true }],
    ] as const) {
      const changed = await api.as('owner').put(`${path}/tables/${table.id}/fields/${fields[name]}`, change);
      expect(changed.status, JSON.stringify(changed.body)).toBe(200);
      await expect.poll(() => found1(name), SOON).toEqual([]);
      // Neither for admins: those who may read the column know where it is.
      expect(typesOf(await found(api, 'owner', name))).toEqual([]);
    }
    expect(await found1('sold')).toEqual(['dataset', 'field']);
  });

  it('are hidden by any model of the dataset, not only by the one that was made first', async ({ api }) => {
    await givenDataset(api, { name: 'Ibises', sql: 'SELECT 1 AS wingspan, 2 AS beak' });
    const first = await givenTable(api, (await givenModel(api, { name: 'First' })).path, 'Ibises');
    await givenField(api, first.path, 'wingspan', { dataType: 'integer' });
    const second = await givenTable(api, (await givenModel(api, { name: 'Second' })).path, 'Ibises');
    const hidden = await givenField(api, second.path, 'wingspan', { dataType: 'integer' });
    const datasets = async (q: string) => (await found(api, 'viewer', `${q} type:dataset`)).total;
    await expect.poll(() => datasets('wingspan'), SOON).toBe(1);
    const changed = await api.as('owner').put(`${second.path}/fields/${hidden}`, { sensitivityLabel: 'secret' });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    await expect.poll(() => datasets('wingspan'), SOON).toBe(0);
    expect(await datasets('beak')).toBe(1);
  });
});

describe('tags of the catalog', () => {
  it('leave only the objects that have them, and are words of these', async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'Cassowaries', sql: 'SELECT 1 AS id' });
    await givenDataset(api, { name: 'Cassowary nests', sql: 'SELECT 1 AS id' });
    const tagged = async (tags: string[]) => {
      const reply = await api.as('owner').put(`/api/catalog/assets/dataset/${id}/catalog`, { tags });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    };
    await tagged(['Month end']);
    await expect
      .poll(() => found(api, 'owner', 'cassowaries tag:"month end"'), SOON)
      .toMatchObject({ total: 1, items: [{ type: 'dataset', id }] });
    expect(await found(api, 'owner', 'month')).toMatchObject({ total: 1, items: [{ id, matchedOn: ['tags'] }] });
    await tagged([]);
    await expect.poll(async () => (await found(api, 'owner', 'tag:"month end"')).total, SOON).toBe(0);
  });
});
