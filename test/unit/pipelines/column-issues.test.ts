import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, openEngine } from '../../../shared/data/duckdb/engine.ts';
import { postgresConditionColumns } from '../../../shared/data/sql/postgres-columns.ts';
import { checkSelect } from '../../../shared/data/sql/select-check.ts';
import { type ColumnParsers, findColumnIssues } from '../../../shared/domains/pipelines/definition/column-issues.ts';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import type { ExtractColumns } from '../../../shared/domains/pipelines/definition/source-columns.ts';
import { QUERIES } from '../data/lineage/queries.ts';
import { SHOP, SHOP_QUERIES } from '../data/lineage/shop-queries.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine({ memoryLimitMb: 256, threads: 1, tempDir: tmpdir(), maxTempMb: 64 });
});
afterAll(() => engine.close());

const parse = async (sql: string, tables: readonly string[]) => (await checkSelect(engine, sql, { tables })).root;
const parsers: ColumnParsers = { select: parse, postgresCondition: postgresConditionColumns };

const read = (id: string, columns?: string[]): Step => ({
  id,
  type: 'extract',
  config: { sourceId: 'x', object: { table: id }, ...(columns ? { columns } : {}) },
});
const sql = (id: string, text: string, dependsOn: string[], config: object = {}): Step => ({
  id,
  type: 'transform_sql',
  config: { sql: text, ...config },
  dependsOn,
});
const recipe = (id: string, ops: object[], dependsOn: string[]): Step => ({
  id,
  type: 'transform_sql',
  config: { ops },
  dependsOn,
});
const issuesOf = (steps: Step[], broken: string[] = [], extracts: ExtractColumns = []) =>
  findColumnIssues({ version: 1, steps } as Dag, { broken, extracts }, parsers);

const ORDERS = read('orders', ['id', 'customer_id', 'amount', 'note']);
const CUSTOMERS = read('customers', ['customer_id', 'name']);

describe('columns that a definition names', () => {
  it.each([
    ['SELECT id, amuont FROM orders', 'amuont', 'amount'],
    ['SELECT o.nome FROM orders o JOIN customers c USING (customer_id)', 'nome', 'note'],
    ['SELECT id FROM orders WHERE notes IS NULL', 'notes', 'note'],
    ['SELECT id FROM orders o JOIN customers c ON o.custmer_id = c.customer_id', 'custmer_id', 'customer_id'],
    ['SELECT sum(amout) AS s FROM orders GROUP BY customer_id', 'amout', 'amount'],
    ['SELECT customer_id, count(*) AS n FROM orders GROUP BY costumer_id', 'costumer_id', 'customer_id'],
    ['SELECT id FROM orders ORDER BY ammount', 'ammount', 'amount'],
    ['WITH t AS (SELECT id AS k FROM orders) SELECT kk FROM t', 'kk', undefined],
    ['SELECT k.amount FROM (SELECT id, amount AS price FROM orders) k', 'amount', undefined],
    ['SELECT (SELECT max(nam) FROM customers c WHERE c.customer_id = o.customer_id) AS m FROM orders o', 'nam', 'name'],
    [
      'SELECT id, row_number() OVER (PARTITION BY customerid ORDER BY amount) AS n FROM orders',
      'customerid',
      'customer_id',
    ],
    ['SELECT * EXCLUDE (nots) FROM orders', 'nots', 'note'],
    ['SELECT * REPLACE (1 AS amnt) FROM orders', 'amnt', 'amount'],
    ['SELECT ordrs.id FROM orders', 'ordrs', 'orders'],
    ['SELECT id FROM orders JOIN customers USING (customerid)', 'customerid', 'customer_id'],
    ['SELECT list_transform([1], lambda x: x + amuont) AS l FROM orders', 'amuont', 'amount'],
    ['SELECT id AS k FROM orders UNION ALL SELECT customer_idd FROM customers', 'customer_idd', 'customer_id'],
    ['SELECT amount + 1 AS gross FROM orders QUALIFY gros > 1', 'gros', 'gross'],
  ])('%s: reports %s', async (text, name, near) => {
    const issues = await issuesOf([ORDERS, CUSTOMERS, sql('calc', text, ['orders', 'customers'])]);
    const places = new Set(issues.map(({ pointer }) => pointer));
    expect([...places]).toEqual(['/dag/steps/2/config/sql']);
    expect(issues[0]).toMatchObject({
      code: 'COLUMN_UNKNOWN',
      message: `Unknown column "${name}"${near ? `; did you mean "${near}"?` : '.'}`,
    });
  });

  it('are checked in conditions, expressions, gates and loads, over the columns of earlier steps', async () => {
    const steps: Step[] = [
      ORDERS,
      sql('calc', 'SELECT id, amount * 2 AS gross FROM orders', ['orders']),
      recipe(
        'clean',
        [
          { op: 'derive', column: 'net', expression: 'gros * 0.8' },
          { op: 'filter', condition: 'net > 0 AND amount > 1' },
          { op: 'select', columns: ['id', 'nett'] },
        ],
        ['calc'],
      ),
      {
        id: 'split',
        type: 'route',
        config: { routes: [{ port: 'big', condition: 'gros > 3' }] },
        dependsOn: ['calc'],
      },
      {
        id: 'keep',
        type: 'load',
        config: {
          target: { kind: 'dataset', name: 'x' },
          mode: 'merge',
          mergeKey: ['idd'],
          gates: [
            { id: 'a', type: 'not_null', column: 'grosss', action: 'fail' },
            { id: 'b', type: 'custom_sql', config: { sql: 'SELECT * FROM input WHERE amount < 0' }, action: 'fail' },
            { id: 'c', type: 'not_null', column: 'id', config: { where: 'gros > 1' }, action: 'fail' },
          ],
        },
        dependsOn: ['calc'],
      },
    ];
    const issues = await issuesOf(steps);
    expect(issues.map(({ pointer, message }) => [pointer, message]).sort()).toEqual(
      [
        ['/dag/steps/2/config/ops/0/expression', 'Unknown column "gros"; did you mean "gross"?'],
        ['/dag/steps/2/config/ops/1/condition', 'Unknown column "amount".'],
        ['/dag/steps/2/config/ops/2/columns/1', 'there is no column nett; did you mean "net"?'],
        ['/dag/steps/3/config/routes/0/condition', 'Unknown column "gros"; did you mean "gross"?'],
        ['/dag/steps/4/config/gates/0', 'Unknown column "grosss"; did you mean "gross"?'],
        ['/dag/steps/4/config/gates/1/config/sql', 'Unknown column "amount".'],
        ['/dag/steps/4/config/gates/2/config/where', 'Unknown column "gros"; did you mean "gross"?'],
        ['/dag/steps/4/config/mergeKey/0', 'Unknown column "idd"; did you mean "id"?'],
      ].sort(),
    );
  });

  it('of an extract are those of its dataset or table', async () => {
    const names = ['id', 'amount', 'Note'];
    const steps: Step[] = [
      read('constructor'),
      sql('calc', 'SELECT id, amuont FROM "constructor"', ['constructor']),
      recipe('clean', [{ op: 'derive', column: 'net', expression: 'amout * 0.8' }], ['constructor']),
      read('part', ['id', 'noet']),
      sql('other', 'SELECT amount FROM part', ['part']),
    ];
    const ofDataset = await issuesOf(
      steps,
      [],
      [
        ['constructor', { names, dialect: 'duckdb' }],
        ['part', { names, dialect: 'duckdb' }],
      ],
    );
    expect(ofDataset.map(({ pointer, message }) => [pointer, message])).toEqual([
      ['/dag/steps/1/config/sql', 'Unknown column "amuont"; did you mean "amount"?'],
      ['/dag/steps/2/config/ops/0/expression', 'Unknown column "amout"; did you mean "amount"?'],
      ['/dag/steps/3/config/columns/1', 'Unknown column "noet"; did you mean "Note"?'],
      ['/dag/steps/4/config/sql', 'Unknown column "amount".'],
    ]);
    const syncedAt = '2026-01-02T03:04:05.000Z';
    const ofTable = await issuesOf(steps.slice(0, 2), [], [['constructor', { names, dialect: 'postgres', syncedAt }]]);
    expect(ofTable.map(({ message }) => message)).toEqual([
      `Unknown column "amuont"; did you mean "amount"? Tables are known as of ${syncedAt}; sync the data source if they have changed since.`,
    ]);
  });

  it.each([
    ['duckdb', "amount > 1 AND ID < 3 AND Note = 'x'", []],
    ['duckdb', 'amuont > 1', ['amuont']],
    ['postgres', `amount > 1 AND input.id < 3 AND "Note" = 'x' AND (address).city IS NULL`, ['address']],
    ['postgres', 'Note IS NULL', ['note']],
    ['postgres', "amuont > 1 AND created > current_date - interval '1 day'", ['amuont', 'created']],
    ['postgres', 'ctid IS NOT NULL AND xmin IS NOT NULL AND input IS NOT NULL AND input.nope IS NULL', []],
    ['postgres', 'EXISTS (SELECT nope FROM other) AND idd IN (SELECT anything FROM other)', ['idd']],
    ['postgres', "extract(year FROM moment) = 2026 AND moment AT TIME ZONE 'UTC' > now()", ['moment']],
    ['mysql', '`amuont` > 1 AND TIMESTAMPDIFF(SECOND, a, b) > 1', []],
  ] as const)(
    'of the filter of an extract are checked as %s understands them: %s',
    async (dialect, filter, unknown) => {
      const step = read('orders', ['id']);
      step.config.filter = filter;
      const issues = await issuesOf([step], [], [['orders', { names: ['id', 'amount', 'Note'], dialect }]]);
      expect(issues.map(({ pointer }) => pointer)).toEqual(unknown.map(() => '/dag/steps/0/config/filter'));
      for (const name of unknown)
        expect(issues).toContainEqual(expect.objectContaining({ message: expect.stringContaining(`"${name}"`) }));
    },
  );

  it('stay unchecked where they are not surely known', async () => {
    const unsure = [
      read('raw'),
      sql('a', 'SELECT anything FROM raw', ['raw']),
      sql('b', 'SELECT whatever FROM raw r JOIN raw USING (k)', ['raw']),
      ORDERS,
      sql('c', 'SELECT COLUMNS(n -> length(n) > 2), 1 AS one FROM orders', ['orders']),
      sql('d', 'SELECT amount, any_name FROM c', ['c']),
      sql('e', 'SELECT count(*), id FROM orders GROUP BY ALL', ['orders']),
      sql('f', 'SELECT "count_star()", nothing.here FROM e, raw', ['e', 'raw']),
      sql('g', 'SELECT unnest(address), id FROM orders, raw', ['orders', 'raw']),
      sql('h', 'SELECT city FROM g', ['g']),
      sql(
        'i',
        'SELECT note.city, orders.note.city, note[1], current_date, rowid, orders, note.upper() AS u FROM orders',
        ['orders'],
      ),
    ];
    expect(await issuesOf(unsure)).toEqual([]);
    expect(await issuesOf([ORDERS, sql('x', 'SELECT nope FROM orders', ['orders'])], ['orders'])).toEqual([]);
    expect(await issuesOf([ORDERS, sql('x', 'SELECT nope FROM orders', ['orders'])], ['x'])).toEqual([]);
  });

  it('are spelled as the table spells them', async () => {
    const gate = { id: 'g', type: 'not_null', column: 'id', action: 'fail' };
    expect(
      await issuesOf([ORDERS, sql('a', 'SELECT ID, Orders.AMOUNT FROM ORDERS', ['orders'], { gates: [gate] })]),
    ).toEqual([]);
  });

  it('are accepted in every statement that DuckDB accepts', async () => {
    const tables = [
      read('o', ['id', 'customer_id', 'amount', 'placed', 'note']),
      read('c', ['customer_id', 'name', 'country']),
      ...SHOP.map(({ name, columns }) =>
        read(
          name,
          columns.map((column) => column.name),
        ),
      ),
    ];
    const ids = tables.map(({ id }) => id);
    const refused: string[] = [];
    for (const [text] of [...QUERIES, ...SHOP_QUERIES]) {
      const withSelect = /^\s*(FROM)\b(?!.*SELECT)/i.test(text) ? `SELECT * ${text}` : text;
      const root = await parse(withSelect, ids).catch(() => undefined);
      if (!root) continue;
      const issues = await issuesOf([...tables, sql('x', withSelect, ids)]);
      if (issues.length > 0) refused.push(`${text}: ${issues.map(({ message }) => message).join(' ')}`);
    }
    expect(refused).toEqual([]);
  });

  it('take a few milliseconds for ten steps', async () => {
    const steps = Array.from({ length: 10 }, (_, index) =>
      sql(
        `s${index}`,
        `SELECT * EXCLUDE (note), upper(note) AS note, sum(amount) OVER (PARTITION BY customer_id) AS t${index} FROM ${index === 0 ? 'orders' : `s${index - 1}`} WHERE amount > 1`,
        [index === 0 ? 'orders' : `s${index - 1}`],
      ),
    );
    await issuesOf([ORDERS, ...steps]);
    // Processor time of the fastest round: other processes of the machine do not count.
    let ms = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 10; round += 1) {
      const from = process.cpuUsage();
      expect(await issuesOf([ORDERS, ...steps])).toEqual([]);
      const { user, system } = process.cpuUsage(from);
      ms = Math.min(ms, (user + system) / 1000);
    }
    console.log(`columns of ten steps: ${ms.toFixed(1)} ms`);
    expect(ms).toBeLessThan(200);
  });
});
