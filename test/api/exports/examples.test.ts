import { expect } from 'vitest';
import { it } from '../../support/api.ts';
import { card, chart, givenCards } from '../../support/given/cards.ts';
import { givenDataset } from '../../support/given/dataset.ts';
import { posted } from '../../support/given/model.ts';
import { followGuide } from '../../support/guide-examples.ts';

it('docs/exports.md shows requests that return their files', async ({ api }) => {
  const dataset = await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id' });
  const orders = chart({ source: { kind: 'dataset', id: dataset.id }, dimensions: [{ column: 'id' }] });
  const { id, path } = await givenCards(api, [card('orders', orders)]);
  await posted(api, `${path}/pages`, { id: 'overview', name: 'Overview' });
  const moved = await api.as('editor').put(`${path}/cards/orders`, { pageId: 'overview' });
  expect(moved.status, JSON.stringify(moved.body)).toBe(200);
  await followGuide(api, 'exports.md', {
    values: { id },
    after: ({ headers: { Accept } }, reply) => {
      expect(reply.headers.get('content-type')).toBe(Accept);
      expect(reply.headers.get('x-failed-cards')).toBe('0');
      return {};
    },
  });
});
