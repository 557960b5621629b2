import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { givenDashboard, POSITION } from './dashboard.ts';
import { posted } from './model.ts';

export const chart = (query: object, look: object = { mark: { type: 'table' } }) => ({ version: 1, query, ...look });

export const card = (id: string, chartSpec: object, more: object = {}) => ({
  id,
  cardType: 'chart',
  position: POSITION,
  chartSpec,
  ...more,
});

/** A dashboard with these cards, and a way to read their rows. */
export async function givenCards(api: Api, cards: { id: string; [member: string]: unknown }[]) {
  const { id, path } = await givenDashboard(api, { name: `Cards ${crypto.randomUUID()}` });
  for (const each of cards) await posted(api, `${path}/cards`, each);
  const read = async (cardId: string, body: object = {}, caller: 'editor' | 'viewer' = 'editor') => {
    const reply = await api.as(caller).post(`${path}/cards/${cardId}/data`, body);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body;
  };
  return { id, path, read };
}
