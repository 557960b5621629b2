-- Statements for a Postgres source that the gate must accept, one per paragraph.

SELECT 1

select * from orders;

(SELECT 1) UNION (SELECT 2) -- two

-- a comment
WITH a AS (SELECT 1 AS x), b AS (SELECT * FROM a) SELECT * FROM b JOIN a USING (x)

WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT * FROM t

SELECT o.*, c.name FROM sales.orders o LEFT JOIN LATERAL (SELECT * FROM customers c WHERE c.id = o.customer_id) c ON true

SELECT DISTINCT ON (customer_id) * FROM orders ORDER BY customer_id, created_at DESC NULLS LAST LIMIT 10 OFFSET 5

SELECT count(*) FILTER (WHERE amount > 0), sum(amount), string_agg(name, ',' ORDER BY name), percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) FROM orders GROUP BY ROLLUP (region) HAVING count(*) > 1

SELECT row_number() OVER w, lag(amount) OVER (PARTITION BY region ORDER BY id ROWS 2 PRECEDING) FROM orders WINDOW w AS (ORDER BY id)

SELECT pg_catalog.lower(name), upper(name), substring(name FROM 1 FOR 2), trim(BOTH FROM name), position('a' IN name), overlay(name PLACING 'x' FROM 1) FROM customers

SELECT extract(year FROM created_at), date_trunc('day', created_at), created_at AT TIME ZONE 'UTC', now(), current_date, current_timestamp, interval '1 day' FROM orders

SELECT data->>'a', data #>> '{a,b}', data @> '{}', jsonb_path_query(data, '$.a'), jsonb_array_elements(data) FROM docs

SELECT CASE WHEN a THEN 1 END, coalesce(a, b), nullif(a, b), greatest(1, 2), a::numeric(10, 2), CAST(a AS text), a IN (1, 2), a BETWEEN 1 AND 2, a LIKE 'x%', a ~ 'x', a IS DISTINCT FROM b FROM t

SELECT * FROM generate_series(1, 10) AS g(i), unnest(ARRAY[1, 2]) AS u(x)

SELECT * FROM orders TABLESAMPLE system (10)

SELECT * FROM orders WHERE id = $1 AND region = ANY ($2)

SELECT 'DELETE FROM x; -- no', $$ DROP $$, E'\''

SELECT ARRAY(SELECT id FROM orders), ROW(1, 2), EXISTS (SELECT 1)

SELECT "Select", "from" FROM "My Table"
