// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files have variables
import { expect, it } from 'vitest';
import { withNewKey } from '../../src/definitions/references.ts';

it('a file names an object by its new key, and keeps all other bytes', async () => {
  const file = `# orders is a dataset
name: orders
sources: { dataset: orders, other: orders }   # orders
datasets:
  - orders
  - "orders"
  - orders-2
variable: \${orders}
text: '@dataset/orders and @dataset/orders-2, @@dataset/orders, @query/orders'
sql: |
  SELECT * FROM orders
`;
  const renamed = await withNewKey(
    file,
    { dataset: 'dataset', datasets: 'dataset', query: 'query' },
    { kind: 'dataset', key: 'orders', newKey: 'all' },
  );
  expect(renamed).toBe(`# orders is a dataset
name: orders
sources: { dataset: all, other: orders }   # orders
datasets:
  - all
  - "all"
  - orders-2
variable: \${orders}
text: '@dataset/all and @dataset/orders-2, @@dataset/orders, @query/orders'
sql: |
  SELECT * FROM orders
`);
});
