/**
 * A query over `o` and `c`, the edges that it has, and edges that may be reported as well (either side of a USING
 * join).
 */
export type Golden = [sql: string, expected: string[], alternatives?: string[]];

const O = ['id', 'customer_id', 'amount', 'placed', 'note'];
const C = ['customer_id', 'name', 'country'];
const same = (table: string, columns: string[]) => columns.map((name) => `${name} < ${table}.${name}`);

export const QUERIES: Golden[] = [
  ['SELECT id, amount FROM o', same('o', ['id', 'amount'])],
  ['SELECT * FROM o', same('o', O)],
  ['FROM o', same('o', O)],
  ['FROM o SELECT id', same('o', ['id'])],
  ['SELECT o.* FROM o', same('o', O)],
  ['SELECT id AS x, note y FROM o', ['x < o.id', 'y < o.note']],
  ['SELECT id + amount AS x FROM o', ['x < o.id', 'x < o.amount']],
  ['SELECT upper(note) AS x, 1 AS one, now() AS t FROM o', ['x < o.note']],
  ['SELECT count(*) AS n FROM o', []],
  [
    'SELECT customer_id, sum(amount) AS s, avg(id) a FROM o GROUP BY customer_id',
    ['customer_id < o.customer_id', 's < o.amount', 'a < o.id'],
  ],
  ['SELECT sum(amount) FILTER (WHERE id > 3) AS s FROM o', ['s < o.amount'], ['s < o.id']],
  ["SELECT CASE WHEN id > 3 THEN note ELSE 'x' END AS k FROM o", ['k < o.note'], ['k < o.id']],
  ['SELECT coalesce(note, cast(id AS VARCHAR)) AS k FROM o', ['k < o.note', 'k < o.id']],
  ['SELECT id::VARCHAR AS t FROM o', ['t < o.id']],
  [
    'SELECT * EXCLUDE (note) FROM o',
    same(
      'o',
      O.filter((name) => name !== 'note'),
    ),
  ],
  ['SELECT * EXCLUDE (note, id) FROM o', same('o', ['customer_id', 'amount', 'placed'])],
  ['SELECT * REPLACE (amount * 2 AS amount) FROM o', same('o', O)],
  ['SELECT o.id, c.name FROM o JOIN c ON o.customer_id = c.customer_id', ['id < o.id', 'name < c.name']],
  ['SELECT id, name FROM o LEFT JOIN c USING (customer_id)', ['id < o.id', 'name < c.name']],
  ['SELECT a.id, b.amount FROM o a JOIN o b ON a.id = b.customer_id', same('o', ['id', 'amount'])],
  ['SELECT x.id FROM o AS x WHERE x.amount > 3 ORDER BY x.note', ['id < o.id']],
  ['WITH t AS (SELECT id, amount FROM o) SELECT * FROM t', same('o', ['id', 'amount'])],
  ['WITH t(a, b) AS (SELECT id, amount FROM o) SELECT a, b FROM t', ['a < o.id', 'b < o.amount']],
  ['WITH t AS (SELECT * FROM o), u AS (SELECT id, note FROM t) SELECT note FROM u', ['note < o.note']],
  [
    'WITH o2 AS (SELECT id AS k FROM o) SELECT k, name FROM o2 JOIN c ON k = customer_id',
    ['k < o.id', 'name < c.name'],
  ],
  ['SELECT s.x FROM (SELECT id + 1 AS x FROM o) s', ['x < o.id']],
  ['SELECT x FROM (SELECT amount AS x FROM o WHERE id > 3)', ['x < o.amount']],
  ['SELECT id FROM o UNION ALL SELECT customer_id FROM c', ['id < o.id', 'id < c.customer_id']],
  ['SELECT note AS t FROM o UNION SELECT name FROM c', ['t < o.note', 't < c.name']],
  ['SELECT id FROM o INTERSECT SELECT customer_id FROM c', ['id < o.id'], ['id < c.customer_id']],
  [
    'SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY placed) AS rn FROM o',
    ['id < o.id'],
    ['rn < o.customer_id', 'rn < o.placed'],
  ],
  ['SELECT sum(amount) OVER (ORDER BY id) AS s FROM o', ['s < o.amount'], ['s < o.id']],
  ['SELECT lag(amount, 1, 0) OVER (ORDER BY placed) AS before FROM o', ['before < o.amount'], ['before < o.placed']],
  [
    'SELECT id, note FROM o QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY placed) = 1',
    same('o', ['id', 'note']),
  ],
  ['SELECT id, (SELECT max(name) FROM c) AS m FROM o', ['id < o.id', 'm < c.name']],
  [
    'SELECT id, (SELECT max(name) FROM c WHERE c.customer_id = o.customer_id) AS m FROM o',
    ['id < o.id', 'm < c.name'],
    ['m < c.customer_id', 'm < o.customer_id'],
  ],
  ['SELECT id FROM o WHERE customer_id IN (SELECT customer_id FROM c)', ['id < o.id']],
  ['SELECT id FROM o WHERE EXISTS (SELECT 1 FROM c WHERE c.customer_id = o.customer_id)', ['id < o.id']],
  ['SELECT DISTINCT note FROM o LIMIT 3', ['note < o.note']],
  [
    "SELECT date_trunc('month', placed) AS m, count(DISTINCT id) AS n FROM o GROUP BY ALL",
    ['m < o.placed', 'n < o.id'],
  ],
  ["SELECT {'a': id, 'b': note} AS s FROM o", ['s < o.id', 's < o.note']],
  ['SELECT [id, customer_id] AS l FROM o', ['l < o.id', 'l < o.customer_id']],
  ['SELECT list_transform([id], lambda x: x + 1) AS l FROM o', ['l < o.id']],
  ['SELECT o.*, c.name FROM o, c WHERE o.customer_id = c.customer_id', [...same('o', O), 'name < c.name']],
  ['SELECT c.* FROM o RIGHT JOIN c ON o.customer_id = c.customer_id', same('c', C)],
  ['SELECT v.n, id FROM o, (VALUES (1), (2)) v(n)', ['id < o.id']],
  [
    'WITH RECURSIVE r AS (SELECT id FROM o UNION ALL SELECT id + 1 FROM r WHERE id < 9) SELECT id FROM r',
    ['id < o.id'],
  ],
  ['SELECT "id" AS "Some Name" FROM "o"', ['Some Name < o.id']],
  ['SELECT ID, Amount FROM O', ['id < o.id', 'amount < o.amount'], ['ID < o.id', 'Amount < o.amount']],
  ["SELECT string_agg(note, ', ' ORDER BY id) AS all_notes FROM o", ['all_notes < o.note'], ['all_notes < o.id']],
  [
    'WITH t AS (SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY placed) AS rn FROM o) SELECT * EXCLUDE (rn) FROM t WHERE rn = 1',
    same('o', O),
  ],
  ['SELECT a.*, b.note AS other FROM o a JOIN o b USING (id)', [...same('o', O), 'other < o.note']],
  ['SELECT id, country FROM o JOIN c USING (customer_id) WHERE name IS NOT NULL', ['id < o.id', 'country < c.country']],
  ['WITH o AS (SELECT customer_id AS id FROM c) SELECT id FROM o', ['id < c.customer_id']],
  ['SELECT id AS amount, amount AS id FROM o', ['amount < o.id', 'id < o.amount']],
  ['SELECT id + 1 AS x, x * 2 AS y FROM o', ['x < o.id', 'y < o.id']],
  ['SELECT id, t.x FROM o, LATERAL (SELECT amount * 2 AS x) t', ['id < o.id', 'x < o.amount']],
  ["SELECT s.a FROM (SELECT {'a': id, 'b': note} AS s FROM o)", ['a < o.id'], ['a < o.note']],
  [
    'SELECT id, note FROM o UNION ALL BY NAME SELECT name AS note, customer_id AS id FROM c',
    ['id < o.id', 'id < c.customer_id', 'note < o.note', 'note < c.name'],
  ],
  ['SELECT unnest([id, customer_id]) AS u FROM o', ['u < o.id', 'u < o.customer_id']],
  ['SELECT id FROM o EXCEPT SELECT customer_id FROM c', ['id < o.id'], ['id < c.customer_id']],
  ['SELECT max(amount) - min(amount) AS spread FROM o HAVING count(*) > 1', ['spread < o.amount']],
  ['SELECT x.n FROM (SELECT count(*) AS n, note FROM o GROUP BY note) x WHERE x.note IS NULL', []],
  ['SELECT x FROM (SELECT id AS amount, amount AS x FROM o)', ['x < o.amount']],
  ['SELECT id amount, amount + 1 AS x FROM o', ['x < o.amount', 'amount < o.id']],
  ['SELECT upper(note) AS note, note || 1 AS n FROM o', ['note < o.note', 'n < o.note']],
  ['SELECT o.amount AS amount, amount * 2 AS twice FROM o', ['amount < o.amount', 'twice < o.amount']],
  // Pivots, windows, self-joins, stars and subqueries in the forms that recipes and people write.
  [
    "SELECT customer_id, max(CASE WHEN note = 'x' THEN amount END) AS x FROM o GROUP BY customer_id",
    ['customer_id < o.customer_id', 'x < o.amount'],
    ['x < o.note'],
  ],
  [
    "SELECT customer_id, sum(amount) FILTER (WHERE note = 'a') AS a, sum(amount) FILTER (WHERE note = 'b') AS b FROM o GROUP BY ALL",
    ['customer_id < o.customer_id', 'a < o.amount', 'b < o.amount'],
    ['a < o.note', 'b < o.note'],
  ],
  [
    'SELECT p.id AS child, q.id AS parent, q.note FROM o p LEFT JOIN o q ON p.customer_id = q.id',
    ['child < o.id', 'parent < o.id', 'note < o.note'],
  ],
  ['SELECT a.amount - b.amount AS change FROM o a JOIN o b ON a.id = b.id + 1', ['change < o.amount']],
  [
    'SELECT id, avg(amount) OVER w AS mean, max(placed) OVER w AS last FROM o WINDOW w AS (PARTITION BY customer_id)',
    ['id < o.id', 'mean < o.amount', 'last < o.placed'],
    ['mean < o.customer_id', 'last < o.customer_id'],
  ],
  [
    'SELECT id, amount / sum(amount) OVER (PARTITION BY customer_id) AS share FROM o',
    ['id < o.id', 'share < o.amount'],
    ['share < o.customer_id'],
  ],
  [
    'SELECT id, first_value(note) OVER (PARTITION BY customer_id ORDER BY placed) AS first_note FROM o',
    ['id < o.id', 'first_note < o.note'],
    ['first_note < o.customer_id', 'first_note < o.placed'],
  ],
  [
    'WITH a AS (SELECT customer_id, sum(amount) AS total FROM o GROUP BY customer_id) SELECT c.name, a.total FROM c LEFT JOIN a USING (customer_id)',
    ['name < c.name', 'total < o.amount'],
  ],
  [
    'WITH a AS (SELECT * FROM o), b AS (SELECT * FROM a WHERE amount > 1) SELECT b.*, c.country FROM b JOIN c ON b.customer_id = c.customer_id',
    [...same('o', O), 'country < c.country'],
  ],
  [
    'SELECT t.n, t.s FROM (SELECT note AS n, sum(amount) AS s FROM o GROUP BY note) t WHERE t.s > (SELECT avg(amount) FROM o)',
    ['n < o.note', 's < o.amount'],
  ],
  ['SELECT id, nullif(trim(note), chr(32)) AS note FROM o', ['id < o.id', 'note < o.note']],
  [
    'SELECT o.id, coalesce(c.name, o.note, c.country) AS label FROM o FULL JOIN c ON o.customer_id = c.customer_id',
    ['id < o.id', 'label < c.name', 'label < o.note', 'label < c.country'],
  ],
  [
    'SELECT DISTINCT ON (customer_id) customer_id, id, placed FROM o ORDER BY customer_id, placed DESC',
    same('o', ['customer_id', 'id', 'placed']),
  ],
  ['SELECT id FROM o WHERE amount > ALL (SELECT amount FROM o x WHERE x.customer_id = 1)', ['id < o.id']],
  // What people write of `COLUMNS` and of tables turned around; what is missed here counts as missed.
  ['SELECT COLUMNS(*) FROM o', same('o', O)],
  ['SELECT 1 AS one, COLUMNS(*) FROM c', same('c', C)],
  ["SELECT COLUMNS('customer|note') FROM o", same('o', ['customer_id', 'note'])],
  [
    "SELECT * FROM o PIVOT (sum(amount) FOR note IN ('a', 'b') GROUP BY customer_id)",
    ['customer_id < o.customer_id', 'a < o.amount', 'b < o.amount'],
    ['a < o.note', 'b < o.note'],
  ],
  [
    "WITH p AS (SELECT * FROM o PIVOT (sum(amount) FOR note IN ('a', 'b') GROUP BY customer_id)) SELECT c.name, p.a FROM p JOIN c ON p.customer_id = c.customer_id",
    ['name < c.name', 'a < o.amount'],
    ['a < o.note'],
  ],
  [
    "PIVOT o ON note IN ('a', 'b') USING sum(amount) GROUP BY customer_id",
    ['customer_id < o.customer_id', 'a < o.amount', 'b < o.amount'],
    ['a < o.note', 'b < o.note'],
  ],
  ['UNPIVOT (SELECT id, amount FROM o) ON amount INTO NAME n VALUE v', ['id < o.id', 'v < o.amount']],
  [
    'SELECT id, v FROM (SELECT id, amount, customer_id FROM o) UNPIVOT (v FOR n IN (amount, customer_id))',
    ['id < o.id', 'v < o.amount', 'v < o.customer_id'],
  ],
];

/** Queries, and the columns that decide about their rows. */
export const INDIRECT: [sql: string, expected: string[]][] = [
  ['SELECT id FROM o', []],
  ["SELECT id FROM o WHERE placed > DATE '2026-01-01' AND note IS NOT NULL", ['FILTER o.placed', 'FILTER o.note']],
  ['SELECT o.id FROM o JOIN c ON o.customer_id = c.customer_id', ['JOIN o.customer_id', 'JOIN c.customer_id']],
  ['SELECT customer_id, sum(amount) AS s FROM o GROUP BY customer_id', ['GROUP_BY o.customer_id']],
  ['SELECT note, sum(amount) AS s FROM o GROUP BY ALL', ['GROUP_BY o.note']],
  [
    'SELECT customer_id, count(*) AS n FROM o GROUP BY customer_id HAVING max(amount) > 3',
    ['GROUP_BY o.customer_id', 'FILTER o.amount'],
  ],
  ['SELECT id FROM o ORDER BY placed, note', ['SORT o.placed', 'SORT o.note']],
  [
    'SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY placed) AS rn FROM o',
    ['WINDOW o.customer_id', 'WINDOW o.placed'],
  ],
  [
    'SELECT id FROM o QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY placed) = 1',
    ['FILTER o.customer_id', 'FILTER o.placed', 'WINDOW o.customer_id', 'WINDOW o.placed'],
  ],
  ['WITH t AS (SELECT id FROM o WHERE amount > 3) SELECT id FROM t', ['FILTER o.amount']],
  [
    'SELECT id FROM o WHERE EXISTS (SELECT 1 FROM c WHERE c.customer_id = o.customer_id)',
    ['FILTER o.customer_id', 'FILTER c.customer_id'],
  ],
  ['SELECT CASE WHEN amount > 3 THEN note END AS k FROM o', ['CONDITIONAL o.amount']],
];
