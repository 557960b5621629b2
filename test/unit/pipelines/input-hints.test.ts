import { describe, expect, it } from 'vitest';
import type { Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { inputHint } from '../../../shared/domains/pipelines/definition/input-hints.ts';

const extract = (id: string, object: object): Step => ({ id, type: 'extract', config: { sourceId: 's', object } });
const STEPS: Step[] = [
  extract('load-orders', { table: 'Orders' }),
  extract('files', { path: 'in/2026/customers.csv.gz' }),
  extract('stock', { dataset: 'inventory' }),
  { id: 'order', type: 'transform_sql', config: { sql: 'SELECT 1' } },
];

const hint = (sql: string, inputs: Record<string, string>, code = 'NOT_FOUND', table = 'x') =>
  inputHint({ version: 1, steps: STEPS }, inputs, sql, { code, message: `There is no table "${table}".` });

describe('an unknown table of a transform', () => {
  it.each([
    ['orders', {}, 'The step "load-orders" reads it: add "load-orders" to dependsOn, and write FROM load_orders.'],
    ['ORDERS', { o: 'load-orders' }, 'The step "load-orders" reads it: write FROM o.'],
    ['load-orders', { load_orders: 'load-orders' }, 'In SQL, the step "load-orders" is named load_orders.'],
    ['load_orders', {}, 'Add "load-orders" to dependsOn, and name it load_orders.'],
    ['files', { stock: 'stock' }, 'Add "files" to dependsOn.'],
    ['customers', {}, 'The step "files" reads it: add "files" to dependsOn, and write FROM files.'],
    ['inventory', { stock: 'stock', input: 'stock' }, 'The step "stock" reads it: write FROM stock.'],
    [
      'sales',
      { stock: 'stock', files: 'files' },
      'The inputs of the step are stock, files. To read another table, add the step',
    ],
    ['sales', {}, 'The step has no inputs: add the extract that reads the table to dependsOn.'],
  ])('%s with %j leads to the step that brings it', (table, inputs, message) => {
    expect(hint('SELECT 1', inputs, 'NOT_FOUND', table)).toContain(message);
  });
});

describe('a name of an input that breaks the SQL', () => {
  it.each([
    [
      'SELECT * FROM load-orders',
      { load_orders: 'load-orders' },
      'In SQL, the step "load-orders" is named load_orders.',
    ],
    ['SELECT * FROM a, load-orders', { a: 'a', load_orders: 'load-orders' }, 'named load_orders'],
    ['SELECT * FROM order', { order: 'order' }, 'Quote the name of the input: "order".'],
    [
      'SELECT * FROM files JOIN 1st USING (id)',
      { '1st': '1st', files: 'files' },
      'Quote the name of the input: "1st".',
    ],
  ])('%s is named as SQL needs it', (sql, inputs, message) => {
    expect(hint(sql, inputs, 'SQL_PARSE')).toContain(message);
  });

  it.each([
    ['SELECT * FROM "order" x y', { order: 'order' }, 'SQL_PARSE'],
    ['SELECT * FROMM files', { files: 'files' }, 'SQL_PARSE'],
    ['SELECT random() FROM files', { files: 'files' }, 'SQL_NOT_READ_ONLY'],
  ])('is not suspected in %s', (sql, inputs, code) => {
    expect(inputHint({ version: 1, steps: STEPS }, inputs, sql, { code, message: 'syntax error' })).toBeUndefined();
  });
});
