import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';

const text = readFileSync(join(import.meta.dirname, '../../../../docs/sql.md'), 'utf8');
const EXAMPLES = [...text.matchAll(/```sql\n([\s\S]*?)```\n\n```json\n([\s\S]*?)```/g)].map(
  ([, sql, reply]) => [sql!, JSON.parse(reply!) as object] as const,
);

async function givenShop(api: Api): Promise<void> {
  await givenDataset(api, { name: 'customers', sql: `SELECT * FROM (VALUES (1, 'Ada'), (2, 'Grace')) t(id, name)` });
  await givenDataset(api, {
    name: 'orders',
    sql: `SELECT id, customer, amount::DECIMAL(10,2) AS amount, placed::TIMESTAMP AS "placed at"
          FROM (VALUES (1, 1, 12.50, '2026-01-05 08:00:00'), (2, 2, 99.00, '2026-01-20 09:30:00'),
                       (3, 1, 7.25, '2026-02-03 10:15:00')) t(id, customer, amount, placed)`,
  });
}

describe('docs/sql.md', () => {
  it('shows replies as they are', async ({ api }) => {
    expect(EXAMPLES.length).toBe(text.match(/```sql/g)!.length);
    await givenShop(api);
    for (const [sql, reply] of EXAMPLES) {
      expect((await api.as('editor').post('/api/query', { sql })).body, sql).toMatchObject(reply);
    }
  });
});
