import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { givenDashboard, POSITION, textCard } from './dashboard.ts';
import { givenDataset } from './dataset.ts';
import { posted } from './model.ts';

export const chart = (query: object, mark = 'table') => ({ version: 1, query, mark: { type: mark } });

/** A published dashboard with the cards. */
export async function published(api: Api, cards: readonly object[]) {
  const dashboard = await givenDashboard(api, { name: `Sales ${crypto.randomUUID()}` });
  for (const [y, card] of cards.entries())
    await posted(api, `${dashboard.path}/cards`, { cardType: 'table', ...card, position: { ...POSITION, y: y * 6 } });
  const reply = await api
    .as('owner')
    .post(`${dashboard.path}/publish`, { override: true, overrideReason: 'Read by others' });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return dashboard;
}

/** A dashboard over a dataset that everyone may see. */
export async function givenOpen(api: Api) {
  const name = `orders_${crypto.randomUUID().slice(0, 8)}`;
  const rows = (amount: number) => ({
    name,
    sql: `SELECT * FROM (VALUES ('eu', ${amount}), ('us', 1000)) AS t(region, amount)`,
  });
  const { id } = await givenDataset(api, rows(300));
  const source = { kind: 'dataset', id };
  const sum = { column: 'amount', aggregation: 'sum', label: 'Total' };
  const { path } = await published(api, [
    { id: 'total', title: 'Revenue', cardType: 'kpi', chartSpec: chart({ source, measures: [sum] }, 'kpi') },
    {
      id: 'regions',
      title: 'By region',
      chartSpec: chart({ source, dimensions: [{ column: 'region' }], measures: [sum] }),
    },
    textCard('note', { title: 'Note', textContent: 'Refunds are <not> included.' }),
  ]);
  return { path, load: (amount: number) => givenDataset(api, rows(amount)) };
}
