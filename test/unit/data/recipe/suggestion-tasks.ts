/**
 * Sixty wishes, each with a chain of operations that a model may answer and a statement that was written independently
 * of it: both must come to the same rows, in any order.
 */
export type Task = [wish: string, ops: object[], reference: string];

/** The tables that the wishes are about; the chains begin with `orders`. */
export const TABLES: Record<string, string> = {
  orders: `SELECT id::BIGINT AS id, customer, amount::DECIMAL(10,2) AS amount, placed::DATE AS placed, status, note, doc FROM (VALUES
    (1, 'ada', 12.50, '2026-01-05', 'paid', ' Gift-Wrapped ', '{"city": "Rome", "tags": ["a", "b"]}'),
    (2, 'grace', 990.00, '2026-01-20', 'paid', NULL, '{"city": "Oslo"}'),
    (3, 'ada', 7.25, '2026-02-03', 'open', 'late-again', NULL),
    (4, 'linus', NULL, '2026-02-04', 'cancelled', NULL, '{}'),
    (5, 'grace', 45.00, '2026-02-17', 'paid', 'x-y', '{"city": "Rome"}'),
    (6, 'nobody', 45.00, '2026-03-01', 'open', '', NULL)) v(id, customer, amount, placed, status, note, doc)`,
  customers: `SELECT * FROM (VALUES ('ada', 'Ada Lovelace', 'GB'), ('grace', 'Grace Hopper', 'US'), ('linus', 'Linus Torvalds', 'FI'),
    ('alan', 'Alan Turing', 'GB')) v(customer, name, country)`,
  refunds: `SELECT id::BIGINT AS id, amount::DECIMAL(10,2) AS amount FROM (VALUES (2, 100.00), (5, 45.00), (9, 1.00)) v(id, amount)`,
};

const filter = (condition: string) => ({ op: 'filter', condition });
const derive = (column: string, expression: string) => ({ op: 'derive', column, expression });
const select = (...columns: string[]) => ({ op: 'select', columns });
const sort = (column: string, direction = 'asc') => ({ op: 'sort', by: [{ column, direction }, { column: 'id' }] });
const limit = (count: number, offset = 0) => ({ op: 'limit', count, offset });
const measure = (fn: string, as: string, column?: string) => ({ fn, as, ...(column ? { column } : {}) });
const aggregate = (groupBy: string[], ...measures: object[]) => ({ op: 'aggregate', groupBy, measures });
const cast = (column: string, type: string, more: object = {}) => ({ op: 'cast', column, type, ...more });
const on = (name: string) => [{ left: name, right: name }];
const join = (type: string, more: object = {}) => ({
  op: 'join',
  with: 'customers',
  type,
  on: on('customer'),
  ...more,
});
const win = (fn: string, as: string, more: object = {}) => ({ op: 'window', fn, as, ...more });
const byDate = { orderBy: [{ column: 'placed' }, { column: 'id' }] };

export const TASKS: Task[] = [
  ['Only paid orders', [filter("status = 'paid'")], "FROM orders WHERE status IN ('paid')"],
  ['Orders of at least 45', [filter('amount >= 45')], 'FROM orders WHERE NOT amount < 45'],
  ['Orders without an amount', [filter('amount IS NULL')], 'FROM orders WHERE id = 4'],
  [
    'Orders of February',
    [filter('month(placed) = 2')],
    "FROM orders WHERE placed BETWEEN '2026-02-01' AND '2026-02-28'",
  ],
  ['Everything but cancelled orders', [filter("status <> 'cancelled'")], 'FROM orders WHERE id <> 4'],
  ['Only the id and the amount', [select('id', 'amount')], 'SELECT id, amount FROM orders'],
  ['Without note and document', [{ op: 'drop', columns: ['note', 'doc'] }], 'SELECT * EXCLUDE (note, doc) FROM orders'],
  [
    'Call the customer "buyer"',
    [select('id', 'customer'), { op: 'rename', map: { customer: 'buyer' } }],
    'SELECT id, customer AS buyer FROM orders',
  ],
  [
    'The status first',
    [select('id', 'amount', 'status'), { op: 'reorder', columns: ['status'] }],
    'SELECT status, id, amount FROM orders',
  ],
  [
    'The gross amount at 19 %',
    [select('id', 'amount'), derive('gross', 'round(amount * 1.19, 2)')],
    'SELECT id, amount, round(amount + amount * 0.19, 2) AS gross FROM orders',
  ],
  [
    'Is the order large?',
    [select('id', 'amount'), derive('large', 'coalesce(amount > 100, false)')],
    'SELECT id, amount, id = 2 AS large FROM orders',
  ],
  [
    'The weekday of each order',
    [select('id', 'placed'), derive('weekday', 'dayname(placed)')],
    "SELECT id, placed, strftime(placed, '%A') AS weekday FROM orders",
  ],
  [
    'Days since the new year',
    [select('id', 'placed'), derive('days', "date_diff('day', DATE '2026-01-01', placed)")],
    "SELECT id, placed, placed - DATE '2026-01-01' AS days FROM orders",
  ],
  [
    'Prices in whole cents',
    [select('id', 'amount'), derive('cents', '(amount * 100)::BIGINT')],
    "SELECT id, amount, replace(amount::VARCHAR, '.', '')::BIGINT AS cents FROM orders",
  ],
  ['Ids as texts', [select('id'), cast('id', 'string')], "SELECT id || '' AS id FROM orders"],
  [
    'Notes as numbers, or nothing',
    [select('id', 'note'), cast('note', 'integer', { onError: 'null' })],
    'SELECT id, NULL::BIGINT AS note FROM orders',
  ],
  [
    'The day as a time stamp',
    [select('id', 'placed'), cast('placed', 'timestamp')],
    'SELECT id, placed::TIMESTAMP AS placed FROM orders',
  ],
  [
    'A missing amount is zero',
    [select('id', 'amount'), { op: 'fill', column: 'amount', value: 0 }],
    'SELECT id, CASE WHEN amount IS NULL THEN 0.00 ELSE amount END::DECIMAL(10,2) AS amount FROM orders',
  ],
  [
    'A missing amount is the one before',
    [select('id', 'amount'), { op: 'fill', column: 'amount', method: 'forward' }],
    'SELECT id, CASE WHEN id = 4 THEN 7.25 ELSE amount END::DECIMAL(10,2) AS amount FROM orders',
  ],
  [
    'A missing amount is the next one',
    [select('id', 'amount'), { op: 'fill', column: 'amount', method: 'backward' }],
    'SELECT id, CASE WHEN id = 4 THEN 45 ELSE amount END::DECIMAL(10,2) AS amount FROM orders',
  ],
  [
    'A missing amount is the mean',
    [select('id', 'amount'), { op: 'fill', column: 'amount', method: 'mean' }],
    'SELECT id, coalesce(amount, (SELECT sum(amount) / count(amount) FROM orders))::DECIMAL(10,2) AS amount FROM orders',
  ],
  [
    'Blanks instead of hyphens in notes',
    [select('id', 'note'), { op: 'replace', column: 'note', from: '-', to: ' ' }],
    "SELECT id, translate(note, '-', ' ') AS note FROM orders",
  ],
  [
    'Notes without anything but letters',
    [select('id', 'note'), { op: 'replace', column: 'note', from: '[^A-Za-z]', to: '', regex: true }],
    "SELECT id, translate(note, ' -', '') AS note FROM orders",
  ],
  [
    'The parts of the note',
    [select('id', 'note'), { op: 'split', column: 'note', delimiter: '-', into: ['first', 'second'] }],
    "SELECT id, note, nullif(string_split(note, '-')[1], '') AS first, string_split(note, '-')[2] AS second FROM orders",
  ],
  [
    'Customer and status in one',
    [{ op: 'concat', columns: ['customer', 'status'], into: 'key', separator: '/' }, select('id', 'key')],
    "SELECT id, customer || '/' || status AS key FROM orders",
  ],
  [
    'The first letter of the customer',
    [{ op: 'extract', column: 'customer', pattern: '^(.)', into: 'initial' }, select('id', 'initial')],
    'SELECT id, left(customer, 1) AS initial FROM orders',
  ],
  [
    'Customers in capitals',
    [select('id', 'customer'), { op: 'text', column: 'customer', fn: 'upper' }],
    'SELECT id, ucase(customer) AS customer FROM orders',
  ],
  [
    'Notes without blanks around them, small',
    [select('id', 'note'), { op: 'text', column: 'note', fn: 'trim' }, { op: 'text', column: 'note', fn: 'lower' }],
    "SELECT id, lower(regexp_replace(note, '^ +| +$', '', 'g')) AS note FROM orders",
  ],
  [
    'Customers with a capital first',
    [select('id', 'customer'), { op: 'text', column: 'customer', fn: 'title' }],
    'SELECT id, upper(left(customer, 1)) || substr(customer, 2) AS customer FROM orders',
  ],
  [
    'The city of the document',
    [{ op: 'parse_json', column: 'doc', paths: { city: '$.city' } }, select('id', 'city')],
    "SELECT id, CASE id WHEN 1 THEN 'Rome' WHEN 2 THEN 'Oslo' WHEN 5 THEN 'Rome' END AS city FROM orders",
  ],
  [
    'A row for each half of the note',
    [
      filter('id IN (3, 5)'),
      derive('part', "string_split(note, '-')"),
      select('id', 'part'),
      { op: 'flatten', column: 'part' },
    ],
    "SELECT * FROM (VALUES (3, 'late'), (3, 'again'), (5, 'x'), (5, 'y')) v(id, part)",
  ],
  [
    'One order for each customer, the newest',
    [
      { op: 'dedupe', keys: ['customer'], orderBy: [{ column: 'placed', direction: 'desc' }] },
      select('id', 'customer'),
    ],
    'SELECT id, customer FROM orders WHERE id IN (3, 5, 4, 6)',
  ],
  ['Every status once', [select('status'), { op: 'dedupe', keys: ['status'] }], 'SELECT DISTINCT status FROM orders'],
  [
    'The three largest orders',
    [select('id', 'amount'), sort('amount', 'desc'), limit(3)],
    'SELECT id, amount FROM orders WHERE id IN (2, 5, 6)',
  ],
  [
    'The second page of two by id',
    [select('id'), { op: 'sort', by: [{ column: 'id' }] }, limit(2, 2)],
    'SELECT id FROM orders WHERE id IN (3, 4)',
  ],
  ['Any two rows', [{ op: 'sample', rows: 2 }, aggregate([], measure('count', 'n'))], 'SELECT 2::BIGINT AS n'],
  ['How many orders are there?', [aggregate([], measure('count', 'n'))], 'SELECT 6::BIGINT AS n'],
  [
    'The total of each customer',
    [aggregate(['customer'], measure('sum', 'total', 'amount'))],
    'SELECT DISTINCT customer, (SELECT sum(amount) FROM orders i WHERE i.customer = o.customer) AS total FROM orders o',
  ],
  [
    'Orders by month',
    [derive('month', "date_trunc('month', placed)::DATE"), aggregate(['month'], measure('count', 'n'))],
    "SELECT * FROM (VALUES (DATE '2026-01-01', 2::BIGINT), ('2026-02-01', 3), ('2026-03-01', 1)) v(month, n)",
  ],
  [
    'The smallest, largest and mean amount by status',
    [
      aggregate(
        ['status'],
        measure('min', 'least', 'amount'),
        measure('max', 'most', 'amount'),
        measure('avg', 'mean', 'amount'),
      ),
    ],
    'SELECT status, list_min(list(amount)) AS least, list_max(list(amount)) AS most, list_avg(list(amount)) AS mean FROM orders GROUP BY status',
  ],
  [
    'How many customers bought in each month?',
    [derive('month', 'month(placed)'), aggregate(['month'], measure('count_distinct', 'customers', 'customer'))],
    'SELECT * FROM (VALUES (1::BIGINT, 2::BIGINT), (2, 3), (3, 1)) v(month, customers)',
  ],
  [
    'The median amount',
    [aggregate([], measure('median', 'middle', 'amount'))],
    'SELECT quantile_cont(amount, 0.5) AS middle FROM orders',
  ],
  [
    'Customers with more than one order',
    [aggregate(['customer'], measure('count', 'n')), filter('n > 1')],
    "SELECT customer, 2::BIGINT AS n FROM (VALUES ('ada'), ('grace')) v(customer)",
  ],
  [
    'The number of each order of its customer',
    [select('id', 'customer', 'placed'), win('row_number', 'nth', { partitionBy: ['customer'], ...byDate })],
    'SELECT id, customer, placed, (SELECT count(*) FROM orders i WHERE i.customer = o.customer AND i.placed <= o.placed) AS nth FROM orders o',
  ],
  [
    'A running total by date',
    [select('id', 'placed', 'amount'), win('sum', 'running', { column: 'amount', ...byDate })],
    'SELECT id, placed, amount, (SELECT sum(amount) FROM orders i WHERE i.placed <= o.placed) AS running FROM orders o',
  ],
  [
    'The amount of the order before',
    [select('id', 'amount', 'placed'), win('lag', 'before', { column: 'amount', ...byDate }), select('id', 'before')],
    'SELECT o.id, p.amount AS before FROM orders o LEFT JOIN orders p ON p.id = o.id - 1',
  ],
  [
    'The rank by amount',
    [
      filter('amount IS NOT NULL'),
      select('id', 'amount'),
      win('rank', 'place', { orderBy: [{ column: 'amount', direction: 'desc' }] }),
    ],
    'SELECT id, amount, 1 + (SELECT count(*) FROM orders i WHERE i.amount > o.amount) AS place FROM orders o WHERE amount IS NOT NULL',
  ],
  [
    'The share of the whole',
    [
      filter('amount IS NOT NULL'),
      select('id', 'amount'),
      win('sum', 'whole', { column: 'amount' }),
      derive('share', 'round(amount / whole, 3)'),
      select('id', 'share'),
    ],
    'SELECT id, round(amount / (SELECT sum(amount) FROM orders), 3) AS share FROM orders WHERE amount IS NOT NULL',
  ],
  [
    'A column for each status with its total',
    [{ op: 'pivot', rows: ['customer'], column: 'status', value: 'amount', fn: 'sum', values: ['paid', 'open'] }],
    "SELECT customer, sum(CASE WHEN status = 'paid' THEN amount END) AS paid, sum(CASE WHEN status = 'open' THEN amount END) AS open FROM orders GROUP BY customer",
  ],
  [
    'Customer and status as rows',
    [
      filter('id <= 2'),
      select('id', 'customer', 'status'),
      { op: 'unpivot', columns: ['customer', 'status'], nameColumn: 'name', valueColumn: 'value' },
    ],
    "SELECT * FROM (VALUES (1, 'customer', 'ada'), (1, 'status', 'paid'), (2, 'customer', 'grace'), (2, 'status', 'paid')) v(id, name, value)",
  ],
  [
    'The name of the customer with each order',
    [select('id', 'customer'), join('left'), select('id', 'name')],
    'SELECT id, (SELECT name FROM customers c WHERE c.customer = o.customer) AS name FROM orders o',
  ],
  [
    'Revenue by country',
    [join('inner'), aggregate(['country'], measure('sum', 'revenue', 'amount'))],
    'SELECT country, (SELECT sum(amount) FROM orders o, customers i WHERE o.customer = i.customer AND i.country = c.country) AS revenue FROM customers c WHERE customer IN (SELECT customer FROM orders) GROUP BY country',
  ],
  ['Orders of customers that we do not know', [join('anti')], 'FROM orders WHERE id = 6'],
  [
    'Orders of British customers',
    [
      join('semi'),
      { op: 'lookup', with: 'customers', on: on('customer'), columns: ['country'] },
      filter("country = 'GB'"),
      select('id'),
    ],
    'SELECT id FROM orders WHERE id IN (1, 3)',
  ],
  [
    'Customers without an order too',
    [select('id', 'customer'), join('full'), select('customer', 'id')],
    "SELECT customer, id FROM orders UNION ALL SELECT 'alan', NULL",
  ],
  [
    'What was refunded of each order',
    [
      select('id', 'amount'),
      { op: 'join', with: 'refunds', type: 'left', on: on('id'), suffix: '_refunded' },
      { op: 'fill', column: 'amount_refunded', value: 0 },
    ],
    'SELECT o.id, o.amount, coalesce((SELECT r.amount FROM refunds r WHERE r.id = o.id), 0)::DECIMAL(10,2) AS amount_refunded FROM orders o',
  ],
  [
    'Orders and refunds under each other',
    [select('id', 'amount'), { op: 'union', with: ['refunds'], by: 'name' }],
    'SELECT id, amount FROM orders UNION ALL FROM refunds',
  ],
  [
    'Orders that were refunded in full',
    [select('id', 'amount'), { op: 'intersect', with: 'refunds' }],
    'SELECT 5::BIGINT AS id, 45.00::DECIMAL(10,2) AS amount',
  ],
  [
    'Orders that were not refunded in full',
    [select('id', 'amount'), { op: 'except', with: 'refunds' }],
    'SELECT id, amount FROM orders WHERE id <> 5',
  ],
  [
    'Numbered rows of valid orders',
    [
      { op: 'assert', condition: 'amount > 0', action: 'drop' },
      select('customer'),
      { op: 'surrogate_key', column: 'key' },
      select('key'),
    ],
    'SELECT range::BIGINT AS key FROM range(1, 6)',
  ],
];
