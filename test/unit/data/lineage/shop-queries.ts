import type { Golden } from './queries.ts';

/** The tables of a shop, with lists, structs and JSON. */
export const SHOP = [
  {
    name: 'orders',
    columns: [
      { name: 'order_id', type: 'integer' },
      { name: 'customer_id', type: 'integer' },
      { name: 'total', type: 'double' },
      { name: 'tax', type: 'double' },
      { name: 'placed_at', type: 'date' },
      { name: 'status', type: 'string' },
      { name: 'tags', type: 'list(string)' },
      { name: 'address', type: 'struct(city string, zip string)' },
      { name: 'extra', type: 'json' },
    ],
  },
  {
    name: 'customers',
    columns: [
      { name: 'customer_id', type: 'integer' },
      { name: 'name', type: 'string' },
      { name: 'country', type: 'string' },
      { name: 'parent_id', type: 'integer' },
    ],
  },
  {
    name: 'items',
    columns: [
      { name: 'order_id', type: 'integer' },
      { name: 'sku', type: 'string' },
      { name: 'qty', type: 'integer' },
      { name: 'price', type: 'double' },
    ],
  },
];

const columnsOf = (table: string) => SHOP.find(({ name }) => name === table)!.columns.map(({ name }) => name);
const same = (table: string, names: readonly string[] = columnsOf(table)) =>
  names.map((name) => `${name} < ${table}.${name}`);
const without = (table: string, ...names: string[]) => columnsOf(table).filter((name) => !names.includes(name));

/**
 * Statements with the edges that follow from what SQL means, and edges that may be reported as well: columns of
 * conditions and windows, and either side of a USING join.
 */
export const SHOP_QUERIES: Golden[] = [
  // Stars and what changes them.
  ['SELECT * REPLACE (total * tax AS total) FROM orders', [...same('orders'), 'total < orders.tax']],
  [
    'SELECT * EXCLUDE (tags, extra, address) FROM orders',
    same('orders', without('orders', 'tags', 'extra', 'address')),
  ],
  [
    'SELECT * EXCLUDE (parent_id) REPLACE (upper(name) AS name) RENAME (country AS land) FROM customers',
    ['customer_id < customers.customer_id', 'name < customers.name', 'land < customers.country'],
  ],
  ['SELECT i.* EXCLUDE (i.sku) FROM items i', same('items', without('items', 'sku'))],
  [
    'SELECT c.* REPLACE (c.name || o.status AS name) FROM customers c JOIN orders o ON c.customer_id = o.customer_id',
    [...same('customers'), 'name < orders.status'],
  ],
  ["SELECT COLUMNS('.*_id') FROM orders", same('orders', ['order_id', 'customer_id'])],
  ["SELECT * LIKE '%_id' FROM orders", same('orders', ['order_id', 'customer_id'])],
  ["SELECT COLUMNS(c -> c LIKE 't%') FROM orders", same('orders', ['total', 'tax', 'tags'])],
  ['SELECT max(COLUMNS(* EXCLUDE (sku))) FROM items', same('items', ['order_id', 'qty', 'price'])],
  ["SELECT COLUMNS(['qty', 'price']) * 2 FROM items", same('items', ['qty', 'price'])],
  ['SELECT COLUMNS(c -> length(c) = 3) FROM items', same('items', ['sku', 'qty'])],
  // Derived tables, whole rows, VALUES.
  [
    'SELECT d.a, d.b FROM (SELECT order_id, total + tax FROM orders) d(a, b)',
    ['a < orders.order_id', 'b < orders.total', 'b < orders.tax'],
  ],
  ['SELECT s.x, s.price FROM (SELECT * FROM items) s(x)', ['x < items.order_id', 'price < items.price']],
  ['SELECT x, y FROM items AS i(w, x, y)', ['x < items.sku', 'y < items.qty']],
  ['SELECT i AS line FROM items i', columnsOf('items').map((name) => `line < items.${name}`)],
  [
    'SELECT to_json(c) AS j, count(o) AS n FROM customers c LEFT JOIN orders o USING (customer_id) GROUP BY c',
    [
      ...columnsOf('customers').map((name) => `j < customers.${name}`),
      ...columnsOf('orders').map((name) => `n < orders.${name}`),
    ],
  ],
  [
    "SELECT v.label, o.order_id FROM orders o JOIN (VALUES ('new', 1), ('paid', 2)) v(status, label) ON o.status = v.status",
    ['order_id < orders.order_id'],
  ],
  [
    'SELECT o.order_id, v.x FROM orders o, LATERAL (VALUES (o.total), (o.tax)) v(x)',
    ['order_id < orders.order_id', 'x < orders.total', 'x < orders.tax'],
  ],
  // LATERAL and UNNEST.
  [
    'SELECT o.order_id, t.gross FROM orders o, LATERAL (SELECT o.total + o.tax AS gross) AS t',
    ['order_id < orders.order_id', 'gross < orders.total', 'gross < orders.tax'],
  ],
  [
    'SELECT o.order_id, t.g FROM orders o, LATERAL (SELECT total * 2) AS t(g)',
    ['order_id < orders.order_id', 'g < orders.total'],
  ],
  [
    'SELECT c.name, t.best FROM customers c LEFT JOIN LATERAL (SELECT max(total) AS best FROM orders o WHERE o.customer_id = c.customer_id) t ON true',
    ['name < customers.name', 'best < orders.total'],
  ],
  ['SELECT order_id, tag FROM orders, UNNEST(tags) AS t(tag)', ['order_id < orders.order_id', 'tag < orders.tags']],
  ['SELECT order_id, unnest(tags) AS tag FROM orders', ['order_id < orders.order_id', 'tag < orders.tags']],
  [
    'SELECT order_id, unnest(address) FROM orders',
    ['order_id < orders.order_id', 'city < orders.address', 'zip < orders.address'],
  ],
  [
    'SELECT order_id, address.* FROM orders',
    ['order_id < orders.order_id', 'city < orders.address', 'zip < orders.address'],
  ],
  [
    'SELECT tag, count(*) AS n FROM (SELECT unnest(tags) AS tag FROM orders) GROUP BY tag UNION ALL SELECT sku, qty FROM items',
    ['tag < orders.tags', 'tag < items.sku', 'n < items.qty'],
  ],
  ['SELECT i, order_id FROM items, range(qty) r(i)', ['i < items.qty', 'order_id < items.order_id']],
  // Structs, lists, JSON, lambdas.
  ['SELECT address.city, orders.address.zip AS code FROM orders', ['city < orders.address', 'code < orders.address']],
  [
    "SELECT address['zip'] AS z, tags[1] AS t1, tags[1:2] AS t2, extra ->> 'a' AS j, extra -> '$.b' AS k FROM orders",
    ['z < orders.address', 't1 < orders.tags', 't2 < orders.tags', 'j < orders.extra', 'k < orders.extra'],
  ],
  [
    "SELECT {'a': total, 'b': {'c': tax}} AS s, struct_pack(x := status, y := order_id) AS p, row(total, tax) AS r FROM orders",
    [
      's < orders.total',
      's < orders.tax',
      'p < orders.status',
      'p < orders.order_id',
      'r < orders.total',
      'r < orders.tax',
    ],
  ],
  [
    'SELECT list_transform(tags, lambda t: t || status) AS l, list_filter(tags, lambda t, i: i > order_id) AS f FROM orders',
    ['l < orders.tags', 'l < orders.status', 'f < orders.tags', 'f < orders.order_id'],
  ],
  [
    'SELECT [upper(status) FOR status IN tags IF length(status) > total] AS l FROM orders',
    ['l < orders.tags', 'l < orders.total'],
  ],
  ['SELECT list_reduce(tags, lambda total, status: total || status) AS l FROM orders', ['l < orders.tags']],
  [
    'SELECT status.upper().trim() AS s, MAP([sku], [qty]) AS m FROM orders JOIN items USING (order_id)',
    ['s < orders.status', 'm < items.sku', 'm < items.qty'],
  ],
  // WITH.
  [
    'WITH t(a, b) AS (SELECT order_id, status FROM orders), u AS (SELECT b, count(a) AS n FROM t GROUP BY ALL) FROM u SELECT b, n',
    ['b < orders.status', 'n < orders.order_id'],
  ],
  [
    'WITH RECURSIVE tree(id, parent, path) AS (SELECT customer_id, parent_id, name FROM customers WHERE parent_id IS NULL UNION ALL SELECT c.customer_id, c.parent_id, t.path || c.country FROM customers c JOIN tree t ON c.parent_id = t.id) SELECT id, path FROM tree',
    ['id < customers.customer_id', 'path < customers.name', 'path < customers.country'],
  ],
  [
    'WITH RECURSIVE swap AS (SELECT order_id AS a, qty AS b FROM items UNION ALL SELECT b, a FROM swap WHERE a > 1) SELECT a FROM swap',
    ['a < items.order_id', 'a < items.qty'],
  ],
  ['WITH orders AS (SELECT * FROM orders WHERE total > 1) SELECT total FROM orders', ['total < orders.total']],
  [
    'WITH a AS (SELECT sku AS k FROM items), b AS (WITH a AS (SELECT status AS k FROM orders) SELECT k FROM a) SELECT a.k AS x, b.k AS y FROM a, b',
    ['x < items.sku', 'y < orders.status'],
  ],
  // Subqueries.
  [
    'SELECT name, (SELECT sum(o.total) FROM orders o WHERE o.customer_id = c.customer_id AND o.tax > 1) AS spent FROM customers c',
    ['name < customers.name', 'spent < orders.total'],
    ['spent < orders.customer_id', 'spent < customers.customer_id', 'spent < orders.tax'],
  ],
  [
    'SELECT order_id, (SELECT country || status FROM customers WHERE customers.customer_id = orders.customer_id) AS x FROM orders',
    ['order_id < orders.order_id', 'x < customers.country', 'x < orders.status'],
    ['x < customers.customer_id', 'x < orders.customer_id'],
  ],
  [
    'SELECT sku, qty IN (SELECT order_id FROM orders) AS hit FROM items',
    ['sku < items.sku', 'hit < items.qty', 'hit < orders.order_id'],
  ],
  [
    'SELECT name, EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id) AS has_orders FROM customers c',
    ['name < customers.name', 'has_orders < orders.customer_id', 'has_orders < customers.customer_id'],
  ],
  [
    'SELECT ARRAY(SELECT sku FROM items i WHERE i.order_id = o.order_id) AS skus FROM orders o',
    ['skus < items.sku'],
    ['skus < items.order_id', 'skus < orders.order_id'],
  ],
  // Set operations.
  [
    'SELECT order_id AS k, total AS v FROM orders UNION ALL SELECT qty, price FROM items UNION ALL SELECT customer_id, parent_id FROM customers',
    [
      'k < orders.order_id',
      'k < items.qty',
      'k < customers.customer_id',
      'v < orders.total',
      'v < items.price',
      'v < customers.parent_id',
    ],
  ],
  [
    'SELECT order_id, total FROM orders UNION BY NAME SELECT price AS total, sku FROM items',
    ['order_id < orders.order_id', 'total < orders.total', 'total < items.price', 'sku < items.sku'],
  ],
  [
    'FROM (SELECT customer_id FROM orders EXCEPT SELECT parent_id FROM customers) SELECT customer_id AS lonely',
    ['lonely < orders.customer_id'],
    ['lonely < customers.parent_id'],
  ],
  [
    '(SELECT status AS x FROM orders) INTERSECT (SELECT country FROM customers ORDER BY name LIMIT 5)',
    ['x < orders.status'],
    ['x < customers.country'],
  ],
  // Joins.
  [
    'SELECT customer_id, name, total FROM orders JOIN customers USING (customer_id)',
    ['customer_id < orders.customer_id', 'name < customers.name', 'total < orders.total'],
    ['customer_id < customers.customer_id'],
  ],
  [
    'SELECT * FROM items NATURAL JOIN (SELECT order_id, status FROM orders) o',
    [...same('items'), 'status < orders.status'],
    ['order_id < orders.order_id'],
  ],
  [
    'SELECT customer_id, orders.total FROM orders FULL JOIN customers USING (customer_id)',
    ['customer_id < orders.customer_id', 'customer_id < customers.customer_id', 'total < orders.total'],
  ],
  [
    'SELECT * EXCLUDE (tags, address, extra) FROM customers RIGHT JOIN orders USING (customer_id)',
    [
      'customer_id < orders.customer_id',
      ...same('customers', without('customers', 'customer_id')),
      ...same('orders', without('orders', 'customer_id', 'tags', 'address', 'extra')),
    ],
    ['customer_id < customers.customer_id'],
  ],
  ['SELECT * FROM customers SEMI JOIN orders USING (customer_id)', same('customers')],
  ['FROM customers c ANTI JOIN orders o ON c.customer_id = o.customer_id SELECT *', same('customers')],
  [
    'SELECT o.order_id, c.name FROM orders o ASOF LEFT JOIN customers c ON o.customer_id = c.customer_id AND o.total >= c.parent_id',
    ['order_id < orders.order_id', 'name < customers.name'],
  ],
  ['SELECT a.name, b.sku FROM customers a POSITIONAL JOIN items b', ['name < customers.name', 'sku < items.sku']],
  [
    'SELECT a.name AS child, b.name AS parent, c.name AS top FROM customers a JOIN customers b ON a.parent_id = b.customer_id JOIN customers c ON b.parent_id = c.customer_id',
    ['child < customers.name', 'parent < customers.name', 'top < customers.name'],
  ],
  [
    'SELECT order_id, sku, name FROM items JOIN orders USING (order_id) LEFT JOIN customers USING (customer_id)',
    ['order_id < items.order_id', 'sku < items.sku', 'name < customers.name'],
    ['order_id < orders.order_id'],
  ],
  // Windows, aggregates, groups.
  [
    'SELECT order_id, sum(total) OVER w AS running, lag(tax, 1, total) OVER w AS before FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY placed_at)',
    ['order_id < orders.order_id', 'running < orders.total', 'before < orders.tax', 'before < orders.total'],
    [
      'running < orders.customer_id',
      'running < orders.placed_at',
      'before < orders.customer_id',
      'before < orders.placed_at',
    ],
  ],
  [
    'SELECT sku, row_number() OVER (PARTITION BY sku ORDER BY price) AS rn FROM items QUALIFY rn <= 3',
    ['sku < items.sku', 'rn < items.sku', 'rn < items.price'],
  ],
  [
    'SELECT customer_id, arg_max(status, placed_at) AS latest, first(total ORDER BY placed_at) AS f, quantile_cont(tax, 0.5) AS q FROM orders GROUP BY 1',
    [
      'customer_id < orders.customer_id',
      'latest < orders.status',
      'latest < orders.placed_at',
      'f < orders.total',
      'q < orders.tax',
    ],
    ['f < orders.placed_at'],
  ],
  [
    "SELECT date_trunc('month', placed_at) AS month, status, sum(total) FILTER (WHERE tax > 0) AS s, count(*) AS n FROM orders GROUP BY ALL HAVING s > 1 ORDER BY ALL",
    ['month < orders.placed_at', 'status < orders.status', 's < orders.total'],
    ['s < orders.tax'],
  ],
  [
    'SELECT country, GROUPING(country) AS g, count(DISTINCT name) AS n FROM customers GROUP BY ROLLUP (country)',
    ['country < customers.country', 'g < customers.country', 'n < customers.name'],
  ],
  [
    'SELECT DISTINCT ON (customer_id) order_id, status FROM orders ORDER BY customer_id, placed_at DESC',
    same('orders', ['order_id', 'status']),
  ],
  [
    'SELECT total + tax AS gross, gross * 2 AS twice, gross + twice AS thrice FROM orders',
    ['gross', 'twice', 'thrice'].flatMap((name) => [`${name} < orders.total`, `${name} < orders.tax`]),
  ],
  ['SELECT tax AS total, total AS t FROM orders', ['total < orders.tax', 't < orders.total']],
  [
    "SELECT if(total > 5, status, 'small') AS s, coalesce(status, 'none') AS c, total BETWEEN tax AND 9 AS b FROM orders",
    ['s < orders.status', 'c < orders.status', 'b < orders.total', 'b < orders.tax'],
    ['s < orders.total'],
  ],
  [
    "SELECT total::INTEGER AS a, TRY_CAST(status AS DATE) AS b, placed_at AT TIME ZONE 'UTC' AS d, extract(year FROM placed_at) AS y FROM orders",
    ['a < orders.total', 'b < orders.status', 'd < orders.placed_at', 'y < orders.placed_at'],
  ],
  // PIVOT and UNPIVOT.
  [
    "SELECT * FROM (SELECT sku, qty, order_id FROM items) PIVOT (sum(qty) AS q, count(*) AS n FOR sku IN ('a', 'b' AS bee))",
    ['order_id < items.order_id', 'a_q < items.qty', 'bee_q < items.qty'],
    ['a_q < items.sku', 'bee_q < items.sku', 'a_n < items.sku', 'bee_n < items.sku'],
  ],
  [
    "PIVOT orders ON status IN ('new', 'paid') USING sum(total) GROUP BY customer_id",
    ['customer_id < orders.customer_id', 'new < orders.total', 'paid < orders.total'],
    ['new < orders.status', 'paid < orders.status'],
  ],
  [
    'WITH m AS (UNPIVOT (SELECT order_id, qty, price FROM items) ON qty, price INTO NAME kind VALUE amount) SELECT order_id, kind, amount FROM m',
    ['order_id < items.order_id', 'amount < items.qty', 'amount < items.price'],
  ],
  [
    'UNPIVOT (SELECT * EXCLUDE (sku) FROM items) ON COLUMNS(* EXCLUDE (order_id)) INTO NAME kind VALUE amount',
    ['order_id < items.order_id', 'amount < items.qty', 'amount < items.price'],
  ],
  [
    'SELECT * FROM (SELECT customer_id, total, tax, order_id AS a, customer_id AS b FROM orders) UNPIVOT ((money, id) FOR kind IN ((total, a), (tax, b)))',
    [
      'customer_id < orders.customer_id',
      'money < orders.total',
      'money < orders.tax',
      'id < orders.order_id',
      'id < orders.customer_id',
    ],
  ],
  // FROM first, samples, positions, prefixed aliases.
  [
    'FROM items SELECT sku, qty * price AS worth WHERE qty > 1',
    ['sku < items.sku', 'worth < items.qty', 'worth < items.price'],
  ],
  ['SELECT order_id FROM orders TABLESAMPLE 10%', ['order_id < orders.order_id']],
  ['SELECT #2 AS second, #1 FROM items', ['second < items.sku', 'order_id < items.order_id']],
  [
    'SELECT worth: qty * price, sku FROM items LIMIT (SELECT count(*) FROM orders)',
    ['worth < items.qty', 'worth < items.price', 'sku < items.sku'],
  ],
  [
    'SELECT "order_id" AS "Order No.", Orders.TOTAL FROM Orders',
    ['Order No. < orders.order_id', 'total < orders.total'],
    ['TOTAL < orders.total'],
  ],
  ['SELECT 1 AS one, current_date AS today, count(*) AS n FROM orders', []],
];
