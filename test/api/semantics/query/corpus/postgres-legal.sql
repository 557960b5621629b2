-- Statements that a Postgres source must answer, one per paragraph. They read sales.orders and customers.

SELECT 1

SELECT 1 AS a, NULL AS b, 'x' AS c;

select * from customers order by id

(SELECT 1) UNION (SELECT 2) ORDER BY 1 -- two

WITH a AS (SELECT 1 AS x), b AS (SELECT * FROM a) SELECT * FROM b JOIN a USING (x)

WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT * FROM t

WITH a AS MATERIALIZED (SELECT id FROM sales.orders) SELECT count(*) FROM a

SELECT o.id, c.name FROM sales.orders o LEFT JOIN LATERAL (SELECT * FROM customers c WHERE c.id = o.customer_id) c ON true ORDER BY o.id LIMIT 5

SELECT DISTINCT ON (customer_id) customer_id, id FROM sales.orders ORDER BY customer_id, created_at DESC NULLS LAST LIMIT 10 OFFSET 2

SELECT region, count(*) FILTER (WHERE amount > 100), sum(amount), string_agg(region, ',' ORDER BY id) FROM sales.orders WHERE id < 20 GROUP BY ROLLUP (region) HAVING count(*) > 1 ORDER BY region

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount), mode() WITHIN GROUP (ORDER BY region) FROM sales.orders

SELECT id, row_number() OVER w, lag(amount) OVER (PARTITION BY region ORDER BY id ROWS 2 PRECEDING) FROM sales.orders WINDOW w AS (ORDER BY id) ORDER BY id LIMIT 5

SELECT pg_catalog.lower(name), upper(name), substring(name FROM 1 FOR 2), trim(BOTH FROM name), position('a' IN name), overlay(name PLACING 'x' FROM 1) FROM customers ORDER BY id

SELECT extract(year FROM created_at), date_trunc('day', created_at), created_at AT TIME ZONE 'UTC', interval '1 day' FROM sales.orders ORDER BY id LIMIT 3

SELECT now() IS NOT NULL, current_date IS NOT NULL, current_timestamp = now()

SELECT data->>'n', data #>> '{tags,0}', data @> '{}', jsonb_path_query(data, '$.n') FROM sales.orders ORDER BY id LIMIT 3

SELECT id, jsonb_array_elements_text(data->'tags') FROM sales.orders WHERE id < 3 ORDER BY 1, 2

SELECT CASE WHEN id > 5 THEN 1 END, coalesce(NULL, region), nullif(1, 1), greatest(1, 2), id::numeric(10, 2) AS n, CAST(id AS text) AS t FROM sales.orders ORDER BY id LIMIT 8

SELECT id IN (1, 2), id BETWEEN 1 AND 2, region LIKE 'r%', region ~ 'r1', region IS DISTINCT FROM 'r1' FROM sales.orders ORDER BY id LIMIT 4

SELECT g.i, u.x FROM generate_series(1, 3) AS g(i), unnest(ARRAY[1, 2]) AS u(x) ORDER BY 1, 2

SELECT count(*) >= 0 FROM sales.orders TABLESAMPLE system (10)

SELECT 'DELETE FROM x; -- no', $$ DROP $$, E'\''

SELECT ARRAY(SELECT id FROM sales.orders WHERE id < 4 ORDER BY id), ROW(1, 2), EXISTS (SELECT 1)

SELECT region, count(*) FROM sales.orders GROUP BY region ORDER BY region

SELECT region, customer_id, count(*) FROM sales.orders GROUP BY GROUPING SETS ((region), (customer_id)) ORDER BY 1, 2

SELECT region, customer_id % 2, grouping(region) FROM sales.orders GROUP BY CUBE (region, customer_id % 2) ORDER BY 1, 2

SELECT c.id FROM customers c WHERE EXISTS (SELECT 1 FROM sales.orders o WHERE o.customer_id = c.id AND o.amount > 200) ORDER BY 1

SELECT c.id FROM customers c WHERE c.id NOT IN (SELECT customer_id FROM sales.orders WHERE id < 4) ORDER BY 1

SELECT id FROM sales.orders WHERE amount > ALL (SELECT amount FROM sales.orders WHERE id < 100) ORDER BY id LIMIT 3

SELECT id FROM customers INTERSECT SELECT customer_id FROM sales.orders ORDER BY 1

SELECT id FROM customers EXCEPT ALL SELECT 1 ORDER BY 1

SELECT * FROM (VALUES (1, 'a'), (2, NULL)) AS t(id, name) ORDER BY id

SELECT o.id FROM sales.orders o JOIN customers c ON c.id = o.customer_id AND c.id = 3 ORDER BY 1 LIMIT 4

SELECT a.id AS x, b.id AS y FROM customers a FULL JOIN customers b ON a.id = b.id + 3 ORDER BY 1, 2

SELECT count(*) FROM customers NATURAL JOIN customers b

SELECT count(*) FROM customers CROSS JOIN customers b

SELECT json_build_object('a', 1, 'b', ARRAY[1, 2]), to_jsonb(c) FROM customers c ORDER BY c.id LIMIT 2

SELECT json_agg(c ORDER BY c.id), jsonb_object_agg(c.id, c.name) FROM customers c

SELECT array_agg(id ORDER BY id), array_length(array_agg(id), 1) FROM customers

SELECT (ARRAY[1, 2, 3])[2], (ARRAY[1, 2, 3])[1:2], ARRAY[1] || 2, array_position(ARRAY[5, 6], 6), 1 = ANY (ARRAY[1, 2])

SELECT regexp_replace('a1b2', '\d', '#', 'g'), regexp_match('abc', '(b)(c)'), split_part('a,b', ',', 2), string_to_array('a b', ' ')

SELECT to_char(timestamp '2024-01-02 03:04:05', 'YYYY-MM-DD'), to_date('02.01.2024', 'DD.MM.YYYY'), to_number('12', '99')

SELECT date '2024-02-29' + 1, date '2024-03-01' - date '2024-02-01', timestamp '2024-01-31' + interval '1 month', age(timestamp '2024-03-01', timestamp '2024-01-01')

SELECT make_date(2024, 1, 2), make_interval(days => 3), date_bin('15 minutes', timestamp '2024-01-01 00:07:00', timestamp '2024-01-01')

SELECT abs(-1), round(2.5), round(1.234, 2), floor(1.5), ceil(1.2), sqrt(2), power(2, 3), mod(7, 3), 7 / 2, 7 % 2, sign(-3)

SELECT stddev(amount), variance(amount), corr(amount, id), regr_slope(amount, id), bool_and(id > 0), bit_or(id) FROM sales.orders

SELECT id, first_value(id) OVER (PARTITION BY region ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM sales.orders ORDER BY id LIMIT 3

SELECT rank() OVER (ORDER BY region), dense_rank() OVER (ORDER BY region), ntile(3) OVER (ORDER BY id), cume_dist() OVER (ORDER BY id) FROM sales.orders ORDER BY id LIMIT 3

SELECT sum(amount) OVER (ORDER BY created_at RANGE BETWEEN interval '1 day' PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM sales.orders ORDER BY id LIMIT 5

SELECT id FROM sales.orders ORDER BY id FETCH FIRST 3 ROWS WITH TIES

SELECT id FROM sales.orders WHERE (id, customer_id) IN ((1, 1), (2, 2)) ORDER BY id

SELECT md5('a'), sha256('a'), encode('ab', 'hex'), convert_from('\x6162', 'UTF8'), length('ü')

SELECT 'Zoë ☕ 日本語' AS "列", U&'\00e9'

SELECT "name" AS "select" FROM customers ORDER BY 1 LIMIT 1

SELECT int4range(1, 5) @> 3, lower(int4range(1, 5)), daterange('2024-01-01', '2024-02-01')

SELECT to_tsvector('english', 'the quick fox') @@ to_tsquery('english', 'fox')

SELECT '10.0.0.1'::inet << '10.0.0.0/8'::cidr, host('10.0.0.1/8'::inet)

SELECT NULL IS NULL, NOT true, true AND NULL, 1 IS NOT NULL

SELECT sum(id) FROM sales.orders WHERE false

SELECT * FROM sales.orders WHERE false

SELECT jsonb_set('{"a": 1}', '{b}', '2'), '{"a": 1}'::jsonb || '{"c": 3}', '{"a": 1}'::jsonb - 'a'

SELECT t.* FROM jsonb_to_recordset('[{"a": 1, "b": "x"}]') AS t(a int, b text)

SELECT width_bucket(5, 0, 10, 5), num_nulls(1, NULL), format('%s-%s', 'a', 1), quote_literal('a''b'), chr(65), ascii('A')

SELECT count(*) FROM sales.orders WHERE created_at >= timestamp '2024-01-10' AND created_at < date '2024-02-01'
