import type { Content } from './merge.ts';

/** The first pipeline of the guide. */
export const EXAMPLE: Content = {
  name: 'Largest orders',
  dag: {
    version: 1,
    steps: [
      {
        id: 'orders',
        type: 'transform_sql',
        config: {
          sql: "SELECT * FROM (VALUES\n  (1, 'Ada', 12), (2, 'Grace', 990), (3, 'Ada', 7), (4, 'Linus', 3)\n) AS t(id, customer, amount)",
        },
      },
      {
        id: 'largest',
        type: 'transform_sql',
        dependsOn: ['orders'],
        config: {
          sql: 'SELECT customer, max(amount) AS largest, count(*) AS orders\nFROM orders\nGROUP BY customer',
        },
      },
      {
        id: 'keep',
        type: 'load',
        dependsOn: ['largest'],
        config: { target: { kind: 'dataset', name: 'largest_orders' }, mode: 'overwrite' },
      },
    ],
  },
};

export const EMPTY: Content = { name: '', dag: { version: 1, steps: [] } };
