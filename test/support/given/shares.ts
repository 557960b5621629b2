import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { card, chart, givenCards } from './cards.ts';
import { textCard } from './dashboard.ts';
import { posted } from './model.ts';
import { givenProtected } from './protected.ts';

/** A new share link, and its reader. */
export async function givenShare(api: Api, contentId: string, more: object = {}) {
  const given = { contentType: 'dashboard', contentId, shareType: 'public', ...more };
  const made = await api.as('owner').post('/api/shares', given);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { ...(made.body as { id: string; token: string; url: string }), reader: readerOf(api, made.body.token) };
}

export async function givenEmbedToken(api: Api, contentId: string, more: object = {}) {
  const made = await api.as('owner').post('/api/embed/tokens', { contentType: 'dashboard', contentId, ...more });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { ...(made.body as { jti: string; token: string }), reader: readerOf(api, made.body.token) };
}

/** The operations for the readers of a link, without credentials. */
export function readerOf(api: Api, token: string) {
  const path = `/api/shares/${token}`;
  const anonymous = api.as('anonymous');
  return {
    link: () => anonymous.get(path),
    post: (operation: string, body: object) => anonymous.post(`${path}/${operation}`, body),
    get: (operation: string) => anonymous.get(`${path}/${operation}`),
    rows: async (cardId: string, body: object = {}) => {
      const reply = await anonymous.post(`${path}/card-data`, { cardId, ...body });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return reply.body.rows as unknown[][];
    },
  };
}

/**
 * A published dashboard over a dataset of regions that anyone may see: a card that groups by region, a card with a
 * filter of its own, and a text with a script.
 */
export async function givenPublished(
  api: Api,
  datasetId: string,
  more: { id: string; [member: string]: unknown }[] = [],
) {
  const source = { kind: 'dataset', id: datasetId };
  const measures = [{ column: 'amount', aggregation: 'sum', label: 'Amount' }];
  const cards = await givenCards(api, [
    card('regions', chart({ source, dimensions: [{ column: 'region', label: 'Region' }], measures }), {
      title: '<script>alert(1)</script>',
    }),
    card('total', chart({ source, measures })),
    textCard('text'),
    ...more,
  ]);
  const filter = await posted(api, `${cards.path}/filters`, {
    fieldId: 'region',
    filterType: 'select',
    label: 'Region',
  });
  await publish(api, cards.path);
  return { ...cards, filterId: filter.id };
}

export async function publish(api: Api, path: string): Promise<void> {
  const published = await api.as('editor').post(`${path}/publish`, {});
  expect(published.status, JSON.stringify(published.body)).toBe(200);
}

/** A published dashboard over tables of which each reader sees other rows. */
export async function givenProtectedDashboard(api: Api) {
  const staff = await givenProtected(api);
  const query = {
    source: { kind: 'model', id: staff.model.id },
    dimensions: [{ fieldId: staff.field.name, label: 'Name' }],
  };
  const salaries = { ...query, dimensions: [{ fieldId: staff.field.salary, label: 'Salary' }] };
  const cards = await givenCards(api, [
    card('names', chart(query)),
    card('salaries', chart(salaries)),
    textCard('text'),
  ]);
  // The editor may not see salaries, so that an admin has to publish.
  const override = { override: true, overrideReason: 'Salaries are for some readers' };
  const published = await api.as('owner').post(`${cards.path}/publish`, override);
  expect(published.status, JSON.stringify(published.body)).toBe(200);
  return { ...cards, staff };
}
