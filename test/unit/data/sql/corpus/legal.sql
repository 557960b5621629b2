-- Statements that the gate must accept, one per paragraph. They read the tables orders, customers and "Daily Sales".

SELECT 1

select * from orders

SELECT * FROM ORDERS o

SELECT o.id, o.amount FROM orders AS o WHERE o.amount > 100 ORDER BY o.amount DESC NULLS LAST LIMIT 10 OFFSET 5

SELECT * FROM "Daily Sales"

SELECT count(*) FROM orders;

SELECT count(*) FROM orders; -- how many

SELECT 1 /* one */ ;;

-- first a comment
SELECT 1

(SELECT 1)

((SELECT 1))

(SELECT 1) UNION ALL (SELECT 2)

SELECT 1 UNION SELECT 2 INTERSECT SELECT 2 EXCEPT SELECT 3

SELECT id FROM orders UNION ALL BY NAME SELECT id FROM customers

WITH a AS (SELECT 1 AS x) SELECT * FROM a

WITH a AS (SELECT 1 AS x), b AS (SELECT * FROM a) SELECT * FROM b JOIN a USING (x)

WITH a(x) AS MATERIALIZED (SELECT id FROM orders) SELECT sum(x) FROM a

WITH orders AS (SELECT * FROM orders WHERE amount > 0) SELECT * FROM orders

WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT * FROM t

WITH a AS (SELECT 1 AS x) (SELECT * FROM a)

SELECT * FROM (WITH c AS (SELECT 1 AS x) SELECT * FROM c) AS s

SELECT (SELECT max(amount) FROM orders) AS top

SELECT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id) FROM customers c

SELECT * FROM customers WHERE id IN (SELECT customer_id FROM orders)

SELECT * FROM customers WHERE id NOT IN (1, 2, 3)

SELECT * FROM orders WHERE amount = ANY (SELECT amount FROM orders)

SELECT * FROM orders WHERE amount > ALL ([1, 2])

SELECT * FROM orders o JOIN customers c ON o.customer_id = c.id

SELECT * FROM orders LEFT JOIN customers USING (id)

SELECT * FROM orders NATURAL JOIN customers

SELECT * FROM orders FULL OUTER JOIN customers ON true

SELECT * FROM orders CROSS JOIN customers

SELECT * FROM orders SEMI JOIN customers USING (id)

SELECT * FROM orders ANTI JOIN customers USING (id)

SELECT * FROM orders ASOF JOIN customers ON orders.created_at >= customers.created_at

SELECT * FROM orders POSITIONAL JOIN customers

SELECT * FROM orders, LATERAL (SELECT orders.amount * 2 AS double_amount)

SELECT DISTINCT customer_id FROM orders

SELECT DISTINCT ON (customer_id) * FROM orders ORDER BY customer_id, created_at DESC

SELECT * EXCLUDE (id) FROM orders

SELECT * REPLACE (amount * 2 AS amount) FROM orders

SELECT * RENAME (id AS order_id) FROM orders

SELECT orders.* FROM orders

SELECT COLUMNS('a.*') FROM orders

SELECT COLUMNS(c -> c LIKE 'a%') FROM orders

SELECT min(COLUMNS(*)) FROM orders

SELECT customer_id, sum(amount) FROM orders GROUP BY customer_id HAVING sum(amount) > 10

SELECT customer_id, sum(amount) FROM orders GROUP BY ALL ORDER BY ALL

SELECT customer_id, grouping(customer_id), sum(amount) FROM orders GROUP BY GROUPING SETS ((customer_id), ())

SELECT customer_id, sum(amount) FROM orders GROUP BY ROLLUP (customer_id)

SELECT customer_id, sum(amount) FROM orders GROUP BY CUBE (customer_id)

SELECT sum(amount) FILTER (WHERE amount > 0) FROM orders

SELECT sum(amount) OVER (PARTITION BY customer_id ORDER BY created_at ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM orders

SELECT row_number() OVER w, rank() OVER w, lag(amount) OVER w FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY created_at)

SELECT first_value(amount IGNORE NULLS) OVER (ORDER BY id), ntile(4) OVER (ORDER BY id), percent_rank() OVER (ORDER BY id), nth_value(id, 2) OVER (ORDER BY id) FROM orders

SELECT * FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY amount DESC) = 1

SELECT * FROM orders LIMIT 10%

SELECT * FROM orders USING SAMPLE 10 ROWS

SELECT * FROM orders TABLESAMPLE reservoir(10%)

SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t(id, name)

SELECT * FROM range(10)

SELECT * FROM generate_series(1, 10, 2) AS s(i)

SELECT * FROM unnest([1, 2, 3]) AS u(x)

SELECT unnest([1, 2, 3])

SELECT unnest({'a': 1, 'b': 2})

SELECT * FROM orders PIVOT (sum(amount) FOR region IN ('eu', 'us'))

SELECT * FROM (SELECT id, amount, tax FROM orders) UNPIVOT (value FOR name IN (amount, tax))

SELECT CASE WHEN amount > 10 THEN 'big' WHEN amount > 5 THEN 'medium' ELSE 'small' END FROM orders

SELECT CASE region WHEN 'eu' THEN 1 END FROM orders

SELECT if(amount > 1, 'a', 'b'), ifnull(amount, 0), nullif(amount, 0), coalesce(amount, tax, 0) FROM orders

SELECT CAST(amount AS DECIMAL(18, 2)), TRY_CAST(region AS INTEGER), amount::VARCHAR, '[1]'::INTEGER[] FROM orders

SELECT {'a': 1}::STRUCT(a BIGINT), [1]::DOUBLE[], 'x'::ENUM('x', 'y')

SELECT DATE '2024-01-01', TIMESTAMP '2024-01-01 00:00:00', INTERVAL '1 day', INTERVAL 3 MONTH, TIME '01:02'

SELECT current_date, current_timestamp, now(), today(), current_localtimestamp()

SELECT date_trunc('month', created_at), extract(year FROM created_at), created_at + INTERVAL 1 DAY FROM orders

SELECT created_at AT TIME ZONE 'Europe/Berlin' FROM orders

SELECT strftime(created_at, '%Y-%m'), strptime('2024', '%Y'), date_diff('day', created_at, now()), age(created_at) FROM orders

SELECT dayname(created_at), monthname(created_at), last_day(created_at), time_bucket(INTERVAL '1 week', created_at) FROM orders

SELECT to_timestamp(0), epoch(created_at), epoch_ms(created_at), make_date(2024, 1, 1) FROM orders

SELECT lower(name), upper(name), trim(name), length(name), substring(name, 1, 2), replace(name, 'a', 'b') FROM customers

SELECT name || ' ' || region, concat(name, region), concat_ws('-', name, region), left(name, 1), right(name, 1) FROM customers

SELECT ('abc').upper().lower(), name.upper(), main.upper(name) FROM customers

SELECT split_part(name, ' ', 1), string_split(name, ' '), regexp_matches(name, '^a'), regexp_extract(name, '(a+)', 1), regexp_replace(name, 'a', 'b', 'g') FROM customers

SELECT substring(name FROM 1 FOR 2), position('a' IN name), trim(BOTH 'x' FROM name) FROM customers

SELECT name LIKE 'a%', name NOT LIKE 'a%', name ILIKE 'a%', name LIKE 'a!%' ESCAPE '!', name SIMILAR TO 'a.*', name GLOB 'a*', name ~ 'a' FROM customers

SELECT format('{} {}', 'a', 1), printf('%d', 1), lpad('a', 3, ' '), chr(65), ascii('a')

SELECT abs(-1), round(1.234, 2), floor(1.5), ceil(1.5), sqrt(4), power(2, 3), ln(1), log(10), exp(1), mod(5, 2), 5 % 2, 5 // 2, 2 ** 3, greatest(1, 2), least(1, 2)

SELECT -amount, +amount, ~1, 1 & 2, 1 | 2, 1 << 2, 8 >> 1, NOT true, 5! FROM orders

SELECT avg(amount), min(amount), max(amount), median(amount), mode(region), stddev(amount), variance(amount), quantile_cont(amount, 0.5), approx_count_distinct(id) FROM orders

SELECT count(DISTINCT customer_id), array_agg(id ORDER BY created_at), string_agg(region, ',' ORDER BY region), list(DISTINCT region), arg_max(id, amount), bool_and(amount > 0), histogram(region), corr(amount, tax) FROM orders

SELECT [1, 2, 3][1], [1, 2, 3][1:2], [x * 2 FOR x IN [1, 2, 3] IF x > 1], list_transform([1, 2], x -> x + 1), list_filter([1, 2], lambda x: x > 1), list_reduce([1, 2], (a, b) -> a + b)

SELECT len([1]), list_contains([1], 1), list_sort([2, 1]), list_sum([1, 2]), array_to_string(['a'], ','), flatten([[1]]), list_distinct([1, 1]), [1] || [2]

SELECT {'a': 1, 'b': {'c': 2}}.b.c, struct_pack(a := 1), row(1, 2), (1, 2), MAP {'a': 1}['a'], map_keys(MAP {'a': 1}), struct_extract({'a': 1}, 'a')

SELECT '{"a": 1}'::JSON -> 'a', '{"a": 1}'::JSON ->> '$.a', json_extract('{"a": 1}', '$.a'), json_array_length('[1]'), json_keys('{"a": 1}'), to_json([1]), json_object('a', 1), json_group_array(1)

SELECT md5('a'), sha256('a'), hash('a'), base64('a'::BLOB), hex('a'), url_encode('a b'), encode('a'), decode('a'::BLOB)

SELECT levenshtein('a', 'b'), jaro_winkler_similarity('a', 'b'), strip_accents('é'), translate('abc', 'a', 'b'), reverse('abc'), repeat('a', 3)

SELECT typeof(1), isnan(1.0), isfinite(1.0), bar(1, 0, 10), enum_range(NULL::ENUM('a', 'b'))

SELECT * FROM orders WHERE amount BETWEEN 1 AND 2 AND region IS NOT NULL AND region IS DISTINCT FROM 'x' AND (amount IS NULL OR amount <> 3)

SELECT * FROM orders WHERE (id, region) IN ((1, 'eu'), (2, 'us'))

SELECT * FROM orders WHERE region COLLATE NOCASE = 'EU'

SELECT id AS "a""b", amount "order" FROM orders

SELECT $1, $2::DATE

SELECT * FROM orders WHERE region = $region AND amount > $least

SELECT ?

SELECT 'it''s', E'a\nb', $$dollar 'quoted'$$, $tag$ $$ $tag$, X'00FF'

SELECT 'DROP TABLE orders; -- not code'

SELECT "drop" FROM (SELECT 1 AS "drop")

SELECT '{{' AS braces, {'a': {'b': 1}} AS nested

SELECT /* a /* nested */ comment */ 1

SELECT 1_000, 1e3, .5, 0x1F, 1.5e-3, true, NULL

SELECT TRY(1 / 0)

SELECT ARRAY[1, 2], ARRAY(SELECT id FROM orders)

SELECT date '2024-01-01' + 1, sum(1) FROM orders GROUP BY 1

SELECT max_by(id, amount), first(id ORDER BY amount), any_value(region), product(amount), entropy(region), kurtosis(amount), skewness(amount), regr_slope(amount, tax) FROM orders

SELECT amount, sum(amount) OVER (ORDER BY created_at RANGE BETWEEN INTERVAL 7 DAY PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM orders

SELECT sum(amount) AS total, total / count(*) AS mean_amount FROM orders

SELECT * FROM (SELECT * FROM orders) AS s(a, b, c)

SELECT s.a FROM (SELECT 1 AS a) s, (SELECT 2 AS b) t WHERE s.a < t.b

SELECT 'ｆｕｌｌ　ｗｉｄｔｈ', 'é', '日本語' AS "列"

SELECT TIMESTAMPTZ '2024-01-01 00:00:00+02', timezone('UTC', now()), date_part('dow', current_date)

SELECT #1 FROM orders

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount), percentile_disc(0.5) WITHIN GROUP (ORDER BY amount), mode() WITHIN GROUP (ORDER BY region) FROM orders

SELECT user, filename FROM (SELECT 'a' AS user, 'b' AS filename)

WITH a AS (SELECT 1), b AS (WITH c AS (SELECT * FROM a) SELECT * FROM c) SELECT * FROM b

SELECT a.x FROM (SELECT 1 AS x) a WHERE NOT EXISTS (WITH q AS (SELECT id FROM orders) SELECT 1 FROM q WHERE q.id = a.x)

SELECT id FROM orders ORDER BY (SELECT count(*) FROM customers), 1

SELECT CASE WHEN EXISTS (SELECT 1 FROM "daily sales") THEN 1 END
