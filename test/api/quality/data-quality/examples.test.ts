import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { endedScan } from '../../../support/given/scan.ts';
import { examplesOf, followGuide } from '../../../support/guide-examples.ts';

const ORDERS = `SELECT * FROM (VALUES (1, 12.50), (2, 99.00), (3, 250.00), (4, 7.25)) AS t(id, amount)`;

it('docs/data-quality.md shows replies as they are', async ({ api }) => {
  expect(examplesOf('data-quality.md').every(({ reply }) => reply)).toBe(true);
  await givenDataset(api, { name: 'orders', sql: `SELECT id, amount::DECIMAL(9,2) AS amount FROM (${ORDERS})` });
  await givenDataset(api, { name: 'customers', sql: "SELECT i AS id, 'Ann ' || i % 9 AS name FROM range(200) t(i)" });
  await givenDataset(api, {
    name: 'shipments',
    sql: `SELECT 1 AS id, TIMESTAMP '2026-01-05 06:00:00' AS "shippedAt"`,
  });
  await followGuide(api, 'data-quality.md', {
    after: async ({ path }, { status, body }) => {
      if (path.endsWith('/scans')) await endedScan(api.as('viewer'), body.id);
      return {
        ...(status === 201 && { id: body.id }),
        ...(path.includes('/suggestions?') && { suggestionId: body.items[0].id }),
      };
    },
  });
});
