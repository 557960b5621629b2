/** Statements that move, for what is more than an expression. */
export const STATEMENTS: [title: string, duckdb: string, trino: string][] = [
  [
    'a star without a column',
    'SELECT * EXCLUDE (sold, paid) FROM orders',
    'SELECT "orders"."id" AS "id", "orders"."title" AS "title", "orders"."code" AS "code", "orders"."amount" AS "amount", "orders"."price" AS "price", "orders"."day" AS "day", "orders"."region" AS "region" FROM "orders" AS "orders"',
  ],
  [
    'a star with a column in another way',
    'SELECT o.* REPLACE (upper(region) AS region) FROM orders o',
    'SELECT "o"."id" AS "id", "o"."title" AS "title", "o"."code" AS "code", "o"."amount" AS "amount", "o"."price" AS "price", "o"."paid" AS "paid", "o"."day" AS "day", "o"."sold" AS "sold", upper("o"."region") AS "region" FROM "orders" AS "o"',
  ],
  [
    'an alias used again',
    'SELECT id * 2 AS twice, twice + 1 AS more FROM orders WHERE twice > 4',
    'SELECT ("orders"."id" * 2) AS "twice", (("orders"."id" * 2) + 1) AS "more" FROM "orders" AS "orders" WHERE (("orders"."id" * 2) > 4)',
  ],
  [
    'sums, which have 128 bits',
    'SELECT region, sum(id) AS n, avg(price) AS mean FROM orders GROUP BY region',
    'SELECT "orders"."region" AS "region", sum(CAST("orders"."id" AS decimal(38,0))) AS "n", (CAST(sum(CAST("orders"."price" AS decimal(38,2))) AS double) / count("orders"."price")) AS "mean" FROM "orders" AS "orders" GROUP BY "orders"."region"',
  ],
  [
    'groups by all and by number',
    'SELECT region, paid, count(*) FROM orders GROUP BY ALL',
    'SELECT "orders"."region" AS "region", "orders"."paid" AS "paid", count(*) AS "column 3" FROM "orders" AS "orders" GROUP BY "orders"."region", "orders"."paid"',
  ],
  [
    'a group by an alias',
    'SELECT upper(region) AS r, count(DISTINCT code) AS n FROM orders GROUP BY r HAVING n > 0',
    'SELECT upper("orders"."region") AS "r", count(DISTINCT "orders"."code") AS "n" FROM "orders" AS "orders" GROUP BY upper("orders"."region") HAVING (count(DISTINCT "orders"."code") > 0)',
  ],
  [
    'greatest and least doubles',
    'SELECT max(amount), min(amount) FROM orders',
    'SELECT CASE WHEN bool_or(is_nan("orders"."amount")) THEN nan() ELSE max("orders"."amount") FILTER (WHERE NOT is_nan("orders"."amount")) END AS "column 1", coalesce(min("orders"."amount") FILTER (WHERE NOT is_nan("orders"."amount")), min("orders"."amount")) AS "column 2" FROM "orders" AS "orders"',
  ],
  [
    'an exact median',
    'SELECT region, median(id), median(amount) FROM orders GROUP BY 1',
    'SELECT "orders"."region" AS "region", element_at(transform(ARRAY[array_sort(array_agg(CAST("orders"."id" AS double)) FILTER (WHERE CAST("orders"."id" AS double) IS NOT NULL))], sorted -> element_at(sorted, (cardinality(sorted) + 1) / 2) + (element_at(sorted, (cardinality(sorted) + 2) / 2) - element_at(sorted, (cardinality(sorted) + 1) / 2)) / 2.0E0), 1) AS "column 2", element_at(transform(ARRAY[array_sort(array_agg("orders"."amount") FILTER (WHERE "orders"."amount" IS NOT NULL))], sorted -> element_at(sorted, (cardinality(sorted) + 1) / 2) + (element_at(sorted, (cardinality(sorted) + 2) / 2) - element_at(sorted, (cardinality(sorted) + 1) / 2)) / 2.0E0), 1) AS "column 3" FROM "orders" AS "orders" GROUP BY "orders"."region"',
  ],
  [
    'spreads',
    'SELECT stddev(id), var_pop(price) FROM orders',
    'SELECT stddev_samp(CAST("orders"."id" AS double)) AS "column 1", var_pop(CAST("orders"."price" AS double)) AS "column 2" FROM "orders" AS "orders"',
  ],
  [
    'further aggregates',
    'SELECT any_value(region) IS NULL AS a, bool_and(paid), bool_or(paid), count_if(id > 1), stddev_pop(id), variance(id), var_samp(id) FROM orders',
    'SELECT (arbitrary("orders"."region") IS NULL) AS "a", bool_and("orders"."paid") AS "column 2", bool_or("orders"."paid") AS "column 3", count_if(("orders"."id" > 1)) AS "column 4", stddev_pop(CAST("orders"."id" AS double)) AS "column 5", var_samp(CAST("orders"."id" AS double)) AS "column 6", var_samp(CAST("orders"."id" AS double)) AS "column 7" FROM "orders" AS "orders"',
  ],
  [
    'filtered aggregates',
    'SELECT count(*) FILTER (WHERE paid), sum(price) FILTER (WHERE id > 1) FROM orders',
    'SELECT count(*) FILTER (WHERE "orders"."paid") AS "column 1", sum("orders"."price") FILTER (WHERE ("orders"."id" > 1)) AS "column 2" FROM "orders" AS "orders"',
  ],
  [
    'texts in order',
    "SELECT region, string_agg(title, ', ' ORDER BY id DESC) FROM orders GROUP BY region",
    'SELECT "orders"."region" AS "region", array_join(array_agg("orders"."title" ORDER BY "orders"."id" DESC NULLS LAST) FILTER (WHERE "orders"."title" IS NOT NULL), \', \') AS "column 2" FROM "orders" AS "orders" GROUP BY "orders"."region"',
  ],
  [
    'the value of an extreme',
    'SELECT arg_max(title, id), arg_min(title, price) FROM orders',
    'SELECT max_by("orders"."title", "orders"."id") FILTER (WHERE "orders"."title" IS NOT NULL AND "orders"."id" IS NOT NULL) AS "column 1", min_by("orders"."title", "orders"."price") FILTER (WHERE "orders"."title" IS NOT NULL AND "orders"."price" IS NOT NULL) AS "column 2" FROM "orders" AS "orders"',
  ],
  [
    'QUALIFY',
    'SELECT id, region FROM orders QUALIFY row_number() OVER (PARTITION BY region ORDER BY id DESC) = 1',
    'SELECT "id", "region" FROM (SELECT "orders"."id" AS "id", "orders"."region" AS "region", (row_number() OVER (PARTITION BY "orders"."region" ORDER BY "orders"."id" DESC NULLS LAST) = 1) AS "row is kept" FROM "orders" AS "orders") AS "judged rows" WHERE "row is kept"',
  ],
  [
    'DISTINCT ON',
    'SELECT DISTINCT ON (region) region, id FROM orders ORDER BY region, id DESC',
    'SELECT "region", "id" FROM (SELECT "orders"."region" AS "region", "orders"."id" AS "id", (row_number() OVER (PARTITION BY "orders"."region" ORDER BY "orders"."region" ASC NULLS LAST, "orders"."id" DESC NULLS LAST) = 1) AS "row is kept" FROM "orders" AS "orders") AS "judged rows" WHERE "row is kept"',
  ],
  [
    'DISTINCT',
    'SELECT DISTINCT region FROM orders',
    'SELECT DISTINCT "orders"."region" AS "region" FROM "orders" AS "orders"',
  ],
  [
    'an order with a limit',
    'SELECT id FROM orders ORDER BY price DESC, id LIMIT 2 OFFSET 1',
    'SELECT "orders"."id" AS "id" FROM "orders" AS "orders" ORDER BY "orders"."price" DESC NULLS LAST, "orders"."id" ASC NULLS LAST OFFSET 1 LIMIT 2',
  ],
  [
    'windows',
    'SELECT id, sum(id) OVER (PARTITION BY region ORDER BY id) AS s, lag(id, 1, 0) OVER (ORDER BY id) AS l FROM orders',
    'SELECT "orders"."id" AS "id", sum(CAST("orders"."id" AS decimal(38,0))) OVER (PARTITION BY "orders"."region" ORDER BY "orders"."id" ASC NULLS LAST) AS "s", lag("orders"."id", 1, 0) OVER (ORDER BY "orders"."id" ASC NULLS LAST) AS "l" FROM "orders" AS "orders"',
  ],
  [
    'a frame of rows',
    'SELECT avg(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS around FROM orders',
    'SELECT (CAST(sum(CAST("orders"."id" AS decimal(38,0))) OVER (ORDER BY "orders"."id" ASC NULLS LAST ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS double) / count("orders"."id") OVER (ORDER BY "orders"."id" ASC NULLS LAST ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)) AS "around" FROM "orders" AS "orders"',
  ],
  [
    'an inner join',
    'SELECT o.id, r.label FROM orders o JOIN regions r ON o.region = r.region',
    'SELECT "o"."id" AS "id", "r"."label" AS "label" FROM "orders" AS "o" JOIN "regions" AS "r" ON ("o"."region" = "r"."region")',
  ],
  [
    'a join by USING',
    'SELECT * EXCLUDE (sold) FROM orders FULL JOIN regions USING (region)',
    'SELECT "orders"."id" AS "id", "orders"."title" AS "title", "orders"."code" AS "code", "orders"."amount" AS "amount", "orders"."price" AS "price", "orders"."paid" AS "paid", "orders"."day" AS "day", coalesce("orders"."region", "regions"."region") AS "region", "regions"."label" AS "label", "regions"."rank" AS "rank" FROM "orders" AS "orders" FULL JOIN "regions" AS "regions" ON ("orders"."region" = "regions"."region")',
  ],
  [
    'a cross join',
    'SELECT id, label FROM orders, regions WHERE orders.region = regions.region',
    'SELECT "orders"."id" AS "id", "regions"."label" AS "label" FROM "orders" AS "orders" CROSS JOIN "regions" AS "regions" WHERE ("orders"."region" = "regions"."region")',
  ],
  [
    'queries within',
    'SELECT id FROM orders o WHERE EXISTS (SELECT 1 FROM regions r WHERE r.region = o.region) AND region IN (SELECT region FROM regions) AND id > (SELECT min(rank) FROM regions)',
    'SELECT "o"."id" AS "id" FROM "orders" AS "o" WHERE (EXISTS (SELECT 1 AS "column 1" FROM "regions" AS "r" WHERE ("r"."region" = "o"."region")) AND ("o"."region" IN (SELECT "regions"."region" AS "region" FROM "regions" AS "regions")) AND ("o"."id" > (SELECT min("regions"."rank") AS "column 1" FROM "regions" AS "regions")))',
  ],
  [
    'WITH and a query in FROM',
    'WITH paid(key) AS (SELECT id FROM orders WHERE paid) SELECT sub.k FROM (SELECT key + 1 AS k FROM paid) sub',
    'WITH "paid" ("key") AS (SELECT "orders"."id" AS "id" FROM "orders" AS "orders" WHERE "orders"."paid") SELECT "sub"."k" AS "k" FROM (SELECT ("paid"."key" + 1) AS "k" FROM "paid" AS "paid") AS "sub"',
  ],
  [
    'sets',
    "SELECT region FROM orders UNION SELECT region FROM regions EXCEPT SELECT 'us'",
    '((SELECT "orders"."region" AS "region" FROM "orders" AS "orders") UNION (SELECT "regions"."region" AS "region" FROM "regions" AS "regions")) EXCEPT (SELECT \'us\' AS "column 1")',
  ],
  [
    'a table that is called like its query',
    'WITH orders AS (SELECT id FROM orders WHERE paid) SELECT * FROM orders',
    'WITH "orders" AS (SELECT "orders"."id" AS "id" FROM "orders" AS "orders" WHERE "orders"."paid") SELECT "orders"."id" AS "id" FROM "orders" AS "orders"',
  ],
];

/** Statements that stay on DuckDB, with the reason. */
export const STAYING: [duckdb: string, reason: string][] = [
  [
    'SELECT list_transform([id], lambda x: x + 1) FROM orders',
    'The function list_transform has no counterpart in Athena.',
  ],
  ['SELECT now() FROM orders', 'The function now has no counterpart in Athena.'],
  ['SELECT current_date', 'current_date is another moment in Athena than in the step.'],
  ['SELECT id FROM orders ORDER BY id', 'ORDER BY without LIMIT cannot move: Athena keeps no order of rows.'],
  ['SELECT id FROM orders LIMIT 3', 'LIMIT without ORDER BY cannot move: Athena would take other rows.'],
  ['SELECT quantile_cont(id, 0.5) FROM orders', 'The function quantile_cont has no counterpart in Athena.'],
  [
    'SELECT row_number() OVER () FROM orders',
    'row_number needs an ORDER BY in its window: Athena keeps no order of rows.',
  ],
  [
    "SELECT string_agg(title, ',') FROM orders",
    'The function string_agg cannot move to Athena: it needs an ORDER BY: Athena keeps no order of rows.',
  ],
  ['SELECT * FROM orders SEMI JOIN regions USING (region)', 'SEMI JOIN has no counterpart in Athena.'],
  ['SELECT * FROM orders ASOF JOIN regions ON orders.id >= regions.rank', 'ASOF JOIN has no counterpart in Athena.'],
  ['SELECT * FROM orders TABLESAMPLE 10%', 'sample has no counterpart in Athena.'],
  ['SELECT region FROM orders UNION BY NAME SELECT region FROM regions', 'UNION BY NAME has no counterpart in Athena.'],
  ['SELECT * FROM range(3)', 'TABLE FUNCTION in FROM has no counterpart in Athena.'],
  [
    'WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < 3) SELECT n FROM t',
    'WITH RECURSIVE has no counterpart in Athena.',
  ],
  [
    'SELECT region, count(*) FROM orders GROUP BY GROUPING SETS ((region), ())',
    'Several grouping sets have no counterpart in Athena.',
  ],
  [
    "SELECT regexp_matches(title, '\\bA') FROM orders",
    'The function regexp_matches cannot move to Athena: the pattern has parts that Athena reads differently.',
  ],
  [
    "SELECT regexp_replace(title, 'a', 'b') FROM orders",
    'The function regexp_replace cannot move to Athena: it replaces the first match only, Athena every one.',
  ],
  ['SELECT CAST(amount AS VARCHAR) FROM orders', 'A cast from double to string has other results in Athena.'],
  ['SELECT CAST(id AS INTEGER) FROM orders', 'The type INTEGER has no counterpart in Athena.'],
  ['SELECT amount::DECIMAL(10,2) FROM orders', 'A cast from double to decimal(10,2) has other results in Athena.'],
  ['SELECT [id] FROM orders', 'The function list_value has no counterpart in Athena.'],
  [
    'SELECT substr(title, id) FROM orders',
    'The function substr cannot move to Athena: the start must be a whole number from 1 on, written in the text.',
  ],
  [
    "SELECT date_diff('week', day, day) FROM orders",
    'The function date_diff cannot move to Athena: Athena cannot count the "week"s between times like it.',
  ],
  [
    'SELECT id FROM orders WHERE id',
    'A value of type integer stands for a truth value here: Athena needs a comparison.',
  ],
  ["SELECT COLUMNS(c -> c LIKE 'i%') FROM orders", 'columns has no counterpart in Athena.'],
  ['SELECT 12345678901234567890 AS n', 'A constant of this kind or size has no counterpart in Athena.'],
  ['SELECT title COLLATE nocase FROM orders', 'collate expressions have no counterpart in Athena.'],
  ['SELECT max(title ORDER BY id) FROM orders', 'ORDER BY within max has no counterpart in Athena.'],
];
