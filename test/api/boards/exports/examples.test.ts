import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { card, chart } from '../../../support/given/cards.ts';
import { givenDashboard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { posted } from '../../../support/given/model.ts';
import { followGuide } from '../../../support/guide-examples.ts';

it('docs/exports.md shows requests that return their files', async ({ api }) => {
  const dataset = await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id' });
  const orders = chart({ source: { kind: 'dataset', id: dataset.id }, dimensions: [{ column: 'id' }] });
  const { id, path } = await givenDashboard(api);
  await posted(api, `${path}/pages`, { id: 'overview', name: 'Overview' });
  await posted(api, `${path}/cards`, card('orders', orders, { pageId: 'overview' }));
  await followGuide(api, 'exports.md', {
    values: { id },
    after: ({ headers: { Accept } }, reply) => {
      expect([reply.headers.get('content-type'), reply.headers.get('x-failed-cards')]).toEqual([Accept, '0']);
      return {};
    },
  });
});
