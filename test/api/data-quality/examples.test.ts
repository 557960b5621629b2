import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { it } from '../../support/api.ts';
import { givenDataset } from '../../support/given/dataset.ts';
import { endedScan } from '../../support/given/scan.ts';

const text = readFileSync(join(import.meta.dirname, '../../../docs/data-quality.md'), 'utf8');
const EXAMPLES = [...text.matchAll(/```http\n(\w+) (\S+)\n([\s\S]*?)```\n\n```json\n([\s\S]*?)```/g)].map(
  ([, method, path, body, reply]) => ({ method: method!, path: path!, body: body!.trim(), reply: JSON.parse(reply!) }),
);
const ORDERS = `SELECT * FROM (VALUES (1, 12.50), (2, 99.00), (3, 250.00), (4, 7.25)) AS t(id, amount)`;

describe('docs/data-quality.md', () => {
  it('shows replies as they are', async ({ api }) => {
    expect(EXAMPLES.length).toBe(text.match(/```http/g)!.length);
    await givenDataset(api, { name: 'orders', sql: `SELECT id, amount::DECIMAL(9,2) AS amount FROM (${ORDERS})` });
    await givenDataset(api, { name: 'customers', sql: "SELECT i AS id, 'Ann ' || i % 9 AS name FROM range(200) t(i)" });
    await givenDataset(api, {
      name: 'shipments',
      sql: `SELECT 1 AS id, TIMESTAMP '2026-01-05 06:00:00' AS "shippedAt"`,
    });
    let id = '';
    let suggestionId = '';
    for (const { method, path, body, reply } of EXAMPLES) {
      const options = body ? { text: body } : {};
      const answer = await api
        .as('editor')
        .send(method, path.replaceAll('{id}', id).replaceAll('{suggestionId}', suggestionId), options);
      expect(answer.body, `${method} ${path}`).toMatchObject(reply);
      if (answer.status === 201) id = answer.body.id;
      if (path.endsWith('/scans')) await endedScan(api.as('viewer'), answer.body.id);
      if (path.includes('/suggestions?')) suggestionId = answer.body.items[0].id;
    }
  });
});
