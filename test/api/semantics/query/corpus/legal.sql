-- Statements that must be accepted and answered as DuckDB alone answers them, one per paragraph. They read the tables of `tables.ts`.

SELECT 1

SELECT 1;

SELECT 1 AS a, 2 AS b, NULL AS c

SELECT 1 -- comment at the end

SELECT /* a /* nested */ comment */ 1

-- first a comment
(SELECT 1)

((SELECT 1 AS a))

select * from ORDERS order by ID limit 5

SELECT o.id, o.amount FROM orders AS o WHERE o.amount > 100 ORDER BY o.amount DESC NULLS LAST, o.id LIMIT 10 OFFSET 5

SELECT * FROM "Daily Sales" ORDER BY day LIMIT 7

SELECT count(*) FROM orders

SELECT count(*), count(tax), count(DISTINCT region) FROM orders

SELECT DISTINCT region FROM orders ORDER BY region NULLS FIRST

SELECT DISTINCT ON (customer_id) customer_id, id, amount FROM orders ORDER BY customer_id, id DESC

SELECT id FROM orders WHERE region IS NULL ORDER BY id LIMIT 3

SELECT id FROM orders WHERE region IN ('eu', 'us') AND amount BETWEEN 10 AND 20 ORDER BY id

SELECT id FROM orders WHERE (id, region) IN ((1, 'eu'), (2, 'us'), (3, 'asia')) ORDER BY id

SELECT id FROM orders WHERE region IS DISTINCT FROM 'eu' ORDER BY id LIMIT 5

SELECT id FROM orders WHERE NOT (amount < 50 OR tax IS NULL) ORDER BY id LIMIT 5

SELECT id FROM orders ORDER BY region NULLS LAST, amount DESC, id LIMIT 20

SELECT id FROM orders ORDER BY ALL LIMIT 3

SELECT id FROM orders ORDER BY 1 DESC LIMIT 3

SELECT id FROM orders ORDER BY #1 LIMIT 3

SELECT id FROM orders ORDER BY id LIMIT 10%

SELECT amount, id FROM orders ORDER BY amount DESC, id ASC LIMIT 3 OFFSET 2

SELECT count(*) FROM (SELECT * FROM orders USING SAMPLE reservoir(50 ROWS) REPEATABLE (42))

SELECT count(*) > 0 FROM orders TABLESAMPLE bernoulli(50%) REPEATABLE (7)

SELECT count(*) FROM (SELECT * FROM orders USING SAMPLE 10 ROWS)

SELECT sum(id) FROM (SELECT id FROM orders ORDER BY id LIMIT 10)

SELECT region, sum(amount) FROM orders GROUP BY region ORDER BY region NULLS FIRST

SELECT region, sum(amount) FROM orders GROUP BY ALL ORDER BY ALL

SELECT region AS r, avg(tax) FROM orders GROUP BY r HAVING count(*) > 10 ORDER BY r

SELECT customer_id, region, sum(amount) FROM orders WHERE id < 50 GROUP BY GROUPING SETS ((customer_id), (region), ()) ORDER BY ALL

SELECT region, customer_id % 2 AS half, count(*) FROM orders GROUP BY ROLLUP (region, half) ORDER BY ALL

SELECT region, customer_id % 2 AS half, count(*) FROM orders GROUP BY CUBE (region, half) ORDER BY ALL

SELECT region, grouping(region) AS g, count(*) FROM orders GROUP BY ROLLUP (region) ORDER BY ALL

SELECT grouping_id(region, customer_id % 2), count(*) FROM orders GROUP BY CUBE (region, customer_id % 2) ORDER BY ALL

SELECT sum(amount) FILTER (WHERE region = 'eu') AS eu, sum(amount) FILTER (WHERE region = 'us') AS us FROM orders

SELECT count(*) FILTER (WHERE amount > 100), count(*) FILTER (amount <= 100) FROM orders

SELECT sum(id), sum(amount), avg(id), min(created_at), max(created_at) FROM orders

SELECT median(amount), mode(region), quantile_cont(amount, 0.25), quantile_disc(amount, [0.1, 0.9]) FROM orders

SELECT round(stddev(amount), 6), round(var_pop(amount), 6), round(skewness(amount), 6), round(kurtosis(amount), 6) FROM orders

SELECT round(corr(amount, id), 9), round(covar_pop(amount, id), 6), round(regr_slope(amount, id), 9), regr_count(amount, tax) FROM orders

SELECT list(id ORDER BY id DESC) FROM orders WHERE id < 5

SELECT array_agg(DISTINCT region ORDER BY region) FROM orders

SELECT string_agg(region, ',' ORDER BY id) FROM orders WHERE id < 10

SELECT string_agg(DISTINCT region, '|' ORDER BY region) FROM orders

SELECT arg_max(id, amount), arg_min(id, amount), max_by(region, id), min_by(region, id) FROM orders

SELECT arg_max(id, amount, 3) FROM orders

SELECT max(id, 3), min(id, 2) FROM orders

SELECT bool_and(amount > 0), bool_or(amount > 10000), bit_and(id), bit_or(id), bit_xor(id) FROM orders

SELECT histogram(region) FROM orders WHERE region IS NOT NULL

SELECT approx_count_distinct(id) BETWEEN 150 AND 250 FROM orders

SELECT first(id ORDER BY created_at, id), last(id ORDER BY created_at, id), any_value(1) FROM orders

SELECT product(x), sum(x), fsum(x), avg(x) FROM (VALUES (1.5::DOUBLE), (2), (4)) t(x)

SELECT entropy(region) > 0 FROM orders

SELECT count_if(amount > 100), countif(id > 3) FROM orders

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount), percentile_disc(0.5) WITHIN GROUP (ORDER BY id) FROM orders

SELECT mode() WITHIN GROUP (ORDER BY region) FROM orders

SELECT mad(amount), favg(tax) FROM orders

SELECT bitstring_agg(id % 8, 0, 7) FROM orders

SELECT id, row_number() OVER (ORDER BY id DESC) FROM orders ORDER BY id LIMIT 5

SELECT id, rank() OVER w, dense_rank() OVER w, percent_rank() OVER w, cume_dist() OVER w, ntile(4) OVER (ORDER BY id) FROM orders WINDOW w AS (ORDER BY region NULLS LAST) ORDER BY id LIMIT 20

SELECT id, lag(id) OVER w, lead(id, 2, -1) OVER w FROM orders WINDOW w AS (PARTITION BY region ORDER BY id) ORDER BY id LIMIT 20

SELECT id, first_value(id) OVER w, last_value(id) OVER w, nth_value(id, 2) OVER w FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) ORDER BY id LIMIT 10

SELECT id, sum(amount) OVER (PARTITION BY customer_id ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM orders ORDER BY id LIMIT 20

SELECT id, sum(id) OVER (ORDER BY created_at RANGE BETWEEN INTERVAL 7 DAY PRECEDING AND CURRENT ROW) FROM orders ORDER BY id LIMIT 20

SELECT id, sum(id) OVER (ORDER BY id GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) FROM orders ORDER BY id LIMIT 9

SELECT id, count(*) OVER (), sum(id) OVER (PARTITION BY region) FROM orders ORDER BY id LIMIT 3

SELECT id, avg(amount) OVER (ORDER BY id ROWS 3 PRECEDING EXCLUDE TIES) FROM orders ORDER BY id LIMIT 5

SELECT id, first_value(tax IGNORE NULLS) OVER (ORDER BY id), last_value(tax IGNORE NULLS) OVER (ORDER BY id) FROM orders ORDER BY id LIMIT 5

SELECT id FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY amount DESC, id) = 1 ORDER BY id

SELECT customer_id, sum(amount) AS s FROM orders GROUP BY customer_id QUALIFY rank() OVER (ORDER BY s DESC) <= 3 ORDER BY ALL

SELECT id, sum(amount) FILTER (WHERE region = 'eu') OVER (ORDER BY id) FROM orders ORDER BY id LIMIT 9

SELECT id, count(DISTINCT region) OVER (ORDER BY id) FROM orders ORDER BY id LIMIT 9

SELECT id, list(id) OVER (ORDER BY id ROWS 2 PRECEDING) FROM orders ORDER BY id LIMIT 4

SELECT date_trunc('month', created_at) AS m, sum(sum(amount)) OVER (ORDER BY m) FROM orders GROUP BY m ORDER BY m

SELECT * FROM (SELECT region, amount FROM orders) PIVOT (sum(amount) FOR region IN ('eu', 'us', 'asia'))

SELECT * FROM (SELECT customer_id % 3 AS k, region, id FROM orders) PIVOT (count(*) AS n, max(id) AS top FOR region IN ('eu', 'us') GROUP BY k) ORDER BY k

SELECT * FROM (SELECT id, amount, tax FROM orders WHERE id < 4) UNPIVOT (value FOR name IN (amount, tax)) ORDER BY ALL

SELECT * FROM (SELECT id, amount, tax FROM orders WHERE id < 4) UNPIVOT INCLUDE NULLS (value FOR name IN (amount, tax)) ORDER BY ALL

SELECT o.id, c.name FROM orders o JOIN customers c ON o.customer_id = c.id ORDER BY o.id LIMIT 5

SELECT o.id, c.name FROM orders o LEFT JOIN customers c ON o.customer_id = c.id AND c.id > 5 ORDER BY o.id LIMIT 9

SELECT c.id, o.id FROM orders o RIGHT JOIN customers c ON o.customer_id = c.id AND o.id < 5 ORDER BY ALL

SELECT a.i, b.i FROM range(3) a(i) FULL OUTER JOIN range(1, 5) b(i) USING (i) ORDER BY ALL

SELECT count(*) FROM customers CROSS JOIN customers c2

SELECT count(*) FROM customers NATURAL JOIN customers c2

SELECT id FROM customers SEMI JOIN orders ON orders.customer_id = customers.id ORDER BY id

SELECT id FROM customers ANTI JOIN orders ON orders.customer_id = customers.id ORDER BY id

SELECT o.id, c.id FROM orders o ASOF JOIN customers c ON o.created_at >= c.created_at ORDER BY o.id LIMIT 10

SELECT o.id, c.id FROM orders o ASOF LEFT JOIN customers c ON o.created_at > c.created_at ORDER BY o.id LIMIT 10

SELECT a.i, b.i FROM range(3) a(i) POSITIONAL JOIN range(5) b(i) ORDER BY ALL

SELECT c.id, x.top FROM customers c, LATERAL (SELECT max(amount) AS top FROM orders o WHERE o.customer_id = c.id) x ORDER BY c.id

SELECT i, j FROM range(3) t(i), LATERAL (SELECT i * 2 AS j) ORDER BY i

SELECT t.i, u.x FROM range(3) t(i), unnest([t.i, t.i * 10]) u(x) ORDER BY ALL

SELECT a.id FROM orders a JOIN orders b ON a.id = b.id + 1 AND a.region = b.region ORDER BY a.id LIMIT 5

SELECT count(*) FROM orders a JOIN orders b ON a.amount < b.amount AND a.id < 10

SELECT * FROM customers JOIN (VALUES (1, 'x'), (2, 'y')) v(id, mark) USING (id) ORDER BY id

SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 2 ORDER BY 1

SELECT 1 UNION SELECT 2 UNION SELECT 2 ORDER BY 1

SELECT i FROM range(5) t(i) INTERSECT SELECT i FROM range(3, 9) t(i) ORDER BY i

SELECT i FROM range(5) t(i) EXCEPT SELECT i FROM range(3, 9) t(i) ORDER BY i

SELECT x FROM (VALUES (1), (1), (2)) t(x) INTERSECT ALL SELECT x FROM (VALUES (1), (1)) t(x) ORDER BY x

SELECT x FROM (VALUES (1), (1), (2)) t(x) EXCEPT ALL SELECT 1 ORDER BY x

SELECT 1 AS a, 2 AS b UNION ALL BY NAME SELECT 3 AS b, 4 AS c ORDER BY ALL

SELECT 1 AS a UNION BY NAME SELECT 1 AS a ORDER BY a

(SELECT 1 AS a ORDER BY a LIMIT 1) UNION ALL (SELECT 2) ORDER BY a

WITH a AS (SELECT 1 AS x) SELECT * FROM a

WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS x FROM a) SELECT a.x, b.x FROM a, b

WITH a(x, y) AS (SELECT id, amount FROM orders) SELECT sum(x), sum(y) FROM a

WITH a AS MATERIALIZED (SELECT id FROM orders) SELECT count(*) FROM a JOIN a b USING (id)

WITH a AS NOT MATERIALIZED (SELECT id FROM orders) SELECT count(*) FROM a

WITH orders AS (SELECT * FROM orders WHERE id < 3) SELECT count(*) FROM orders

WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT sum(n) FROM t

WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT (n * 7) % 10 FROM t) SELECT * FROM t ORDER BY n

WITH RECURSIVE fib(i, a, b) AS (SELECT 1, 0::HUGEINT, 1::HUGEINT UNION ALL SELECT i + 1, b, a + b FROM fib WHERE i < 90) SELECT i, a FROM fib ORDER BY i

WITH RECURSIVE tree(id, path) AS (SELECT 1, [1] UNION ALL SELECT id + 1, list_append(path, id + 1) FROM tree WHERE id < 5) SELECT id, path FROM tree ORDER BY id

WITH RECURSIVE t(k, v) USING KEY (k) AS (SELECT 1, 1 UNION SELECT k, v + 1 FROM t WHERE v < 5) SELECT * FROM t

SELECT * FROM (WITH c AS (SELECT 1 AS x) SELECT * FROM c) AS s

SELECT (SELECT max(amount) FROM orders) AS top

SELECT c.id, (SELECT count(*) FROM orders o WHERE o.customer_id = c.id) AS n FROM customers c ORDER BY c.id

SELECT c.id FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.amount > 200) ORDER BY c.id

SELECT id FROM customers WHERE id IN (SELECT customer_id FROM orders) ORDER BY id

SELECT id FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL) ORDER BY id

SELECT id FROM orders WHERE amount >= ALL (SELECT amount FROM orders) ORDER BY id

SELECT id FROM orders WHERE id = ANY ([1, 2, 3]) ORDER BY id

SELECT ARRAY(SELECT id FROM orders WHERE id < 4 ORDER BY id)

SELECT * EXCLUDE (created_at, note) FROM orders ORDER BY id LIMIT 2

SELECT * EXCLUDE amount FROM orders ORDER BY id LIMIT 2

SELECT * REPLACE (amount * 2 AS amount) FROM orders ORDER BY id LIMIT 2

SELECT * RENAME (id AS order_id) FROM orders ORDER BY order_id LIMIT 2

SELECT o.* EXCLUDE (note) REPLACE (upper(region) AS region) FROM orders o ORDER BY id LIMIT 2

SELECT * LIKE 'a%' FROM orders ORDER BY id LIMIT 2

SELECT COLUMNS('^(id|amount)$') FROM orders ORDER BY id LIMIT 2

SELECT COLUMNS(c -> c LIKE '%am%') FROM orders ORDER BY id LIMIT 2

SELECT COLUMNS(lambda c: c IN ('id', 'tax')) FROM orders ORDER BY id LIMIT 2

SELECT min(COLUMNS(* EXCLUDE (note))) FROM orders

SELECT COLUMNS('(.)m(.*)') AS '\1_\2' FROM orders ORDER BY 1 LIMIT 2

SELECT coalesce(*COLUMNS(['tax', 'amount'])) FROM orders ORDER BY id LIMIT 3

SELECT id AS "a""b", amount AS "order" FROM orders ORDER BY id LIMIT 1

SELECT x: 1, y: 2

SELECT id * 2 AS twice, twice + 1 AS more FROM orders ORDER BY id LIMIT 2

SELECT CASE WHEN amount > 200 THEN 'big' WHEN amount > 100 THEN 'medium' ELSE 'small' END AS size, count(*) FROM orders GROUP BY size ORDER BY size

SELECT CASE region WHEN 'eu' THEN 1 WHEN 'us' THEN 2 END FROM orders ORDER BY id LIMIT 5

SELECT if(1 > 2, 'a', 'b'), ifnull(NULL, 0), nullif(1, 1), coalesce(NULL, NULL, 3)

SELECT CAST('1.5' AS DECIMAL(3,1)), TRY_CAST('x' AS INTEGER), '[1, 2]'::INTEGER[], 1::VARCHAR

SELECT TRY(1 / 0), TRY('x'::INTEGER)

SELECT 7 / 2, 7 // 2, 7 % 2, 2 ** 10, 2 ^ 3, -7 // 2, -7 % 3, 5!

SELECT 1 & 3, 1 | 2, xor(1, 3), ~1, 1 << 4, 16 >> 2

SELECT abs(-1.5), sign(-3), round(2.5), round(-2.5), round(1.2345, 2), floor(-1.5), ceil(1.2), trunc(1.9), even(1.1)

SELECT sqrt(2), cbrt(27), exp(1), ln(10), log(100), log2(8), power(2, 0.5), pi(), degrees(pi()), radians(180)

SELECT sin(1), cos(1), tan(1), asin(0.5), acos(0.5), atan(1), atan2(1, 2), cot(1), sinh(1), tanh(1)

SELECT gcd(12, 18), lcm(4, 6), factorial(20), greatest(1, 2, 3), least(3, 2, 1), mod(7, 3), gamma(5), bit_count(7)

SELECT 0.1 + 0.2, 0.1::DOUBLE + 0.2::DOUBLE, 1e308::DOUBLE * 10, -1e308::DOUBLE * 10, 'nan'::DOUBLE

SELECT 1 / 0, 0 / 0, 1.0::DOUBLE % 0

SELECT 0.1::FLOAT, 16777217::FLOAT, 1e-7::DOUBLE, 123456789012345678::DOUBLE, -0.0::DOUBLE

SELECT 9007199254740991, 9007199254740992, 9007199254740993, -9007199254740993, 9223372036854775807, -9223372036854775808

SELECT 170141183460469231731687303715884105727, 340282366920938463463374607431768211455::UHUGEINT, 18446744073709551615::UBIGINT

SELECT 127::TINYINT, 255::UTINYINT, 32767::SMALLINT, 65535::USMALLINT, 4294967295::UINTEGER

SELECT 1.10, 1.10::DECIMAL(10,4), 99999999999999999999999999999999999999::DECIMAL(38,0), -0.00000000000000000001::DECIMAL(38,20)

SELECT sum(x) FROM (VALUES (9223372036854775807), (9223372036854775807)) t(x)

SELECT avg(x::DECIMAL(10,2)), sum(x::DECIMAL(10,2)) FROM range(10) t(x)

SELECT 1_000_000, 0xFF, 1e3, .5, 5., 0b101

SELECT 123456789012345678901234567890::BIGNUM

SELECT true, false, NULL, true AND NULL, false AND NULL, NOT NULL

SELECT 'it''s', E'a\nb\t', $$dollar 'quoted'$$, $tag$ $$ $tag$

SELECT 'DROP TABLE orders; -- not code' AS text

SELECT 'Zoë ☕ 日本語 🎉', length('🎉'), strlen('🎉'), reverse('añb'), upper('straße'), lower('ÀÉ')

SELECT 'ｆｕｌｌ　ｗｉｄｔｈ' AS "列"

SELECT unicode('a'), chr(8364), ascii('A'), ord('é'), nfc_normalize('é') = 'é', strip_accents('crème')

SELECT 'a' < 'B', 'a' COLLATE NOCASE = 'A', 'é' COLLATE NOACCENT = 'e'

SELECT length('abc'), substring('abcdef', 2, 3), left('abc', 2), right('abc', 2), 'abcdef'[2:4], 'abc'[1], 'abc'[-1]

SELECT trim('  x '), ltrim('xxa', 'x'), rtrim('axx', 'x'), lpad('7', 3, '0'), rpad('7', 3, '.'), repeat('ab', 3)

SELECT replace('aXbX', 'X', '-'), translate('abc', 'ab', 'xy'), starts_with('abc', 'a'), ends_with('abc', 'c'), contains('abc', 'b')

SELECT position('c' IN 'abc'), strpos('abc', 'c'), instr('abc', 'z'), concat('a', NULL, 'b'), concat_ws('-', 'a', NULL, 'b'), 'a' || 'b'

SELECT split_part('a,b,c', ',', 2), string_split('a b', ' '), str_split_regex('a1b2c', '\d'), array_to_string(['a', 'b'], '+')

SELECT format('{} is {:.2f}', 'x', 1.5), printf('%05d', 42), format('{:,}', 1234567)

SELECT md5('a'), sha1('a'), sha256('a'), hex('ab'), unhex('6162'), base64('ab'::BLOB), from_base64('YWI=')

SELECT url_encode('a b&c'), url_decode('a%20b'), encode('é'), decode('\xC3\xA9'::BLOB), bin(5), to_base(255, 16)

SELECT levenshtein('kitten', 'sitting'), damerau_levenshtein('ab', 'ba'), jaccard('ab', 'bc'), jaro_winkler_similarity('a', 'ab'), hamming('ab', 'ac')

SELECT 'abc' LIKE 'a%', 'abc' NOT LIKE 'b%', 'ABC' ILIKE 'a%', 'a%c' LIKE 'a!%c' ESCAPE '!', 'abc' SIMILAR TO '(a|b).*', 'abc' GLOB 'a*'

SELECT regexp_matches('abc123', '\d+'), regexp_extract('abc123', '([a-z]+)(\d+)', 2), regexp_replace('a1b2', '\d', '#', 'g'), regexp_extract_all('a1b2', '\d'), regexp_full_match('abc', '[a-c]+')

SELECT regexp_extract('2026-03-04', '(\d+)-(\d+)-(\d+)', ['y', 'm', 'd'])

SELECT 'Hello' ~ 'H.*', 'Hello' !~ 'h.*', regexp_matches('Hello', 'HELLO', 'i'), regexp_split_to_array('a-b', '-'), regexp_escape('a.b')

SELECT regexp_replace(repeat('a', 30), '(a+)+$', 'x')

SELECT parse_path('a/b/c.txt'), parse_filename('a/b.txt'), parse_dirname('a/b.txt')

SELECT ('abc').upper().concat('x'), ('a b').string_split(' ')

SELECT count(*) FROM customers WHERE name LIKE '%o%' AND regexp_matches(name, '^[A-Z]')

SELECT DATE '2024-02-29', DATE '0001-01-01', DATE '9999-12-31', '1969-12-31'::DATE

SELECT DATE '2024-02-29' + 1, DATE '2024-03-01' - DATE '2024-02-01', DATE '2024-01-31' + INTERVAL 1 MONTH, DATE '2024-02-29' + INTERVAL '1 year'

SELECT TIMESTAMP '2024-01-02 03:04:05.123456', TIMESTAMP '2024-01-02 03:04:05', '1969-12-31 23:59:59.999999'::TIMESTAMP, TIMESTAMP '0044-03-15 12:00:00'

SELECT TIMESTAMPTZ '2024-06-01 12:00:00+02', TIMESTAMPTZ '2024-06-01 12:00:00.5-08:30', '2024-06-01T12:00:00Z'::TIMESTAMPTZ

SELECT TIMESTAMP '2024-06-01 12:00:00' AT TIME ZONE 'Europe/Berlin', TIMESTAMPTZ '2024-06-01 12:00:00+00' AT TIME ZONE 'America/New_York'

SELECT timezone('Asia/Kolkata', TIMESTAMPTZ '2024-06-01 00:00:00Z'), TIMESTAMP '2024-03-31 02:30:00' AT TIME ZONE 'Europe/Berlin'

SELECT date_trunc('day', TIMESTAMPTZ '2024-06-01 23:30:00Z'), date_trunc('week', DATE '2024-06-01'), date_trunc('quarter', TIMESTAMP '2024-05-05 01:02:03')

SELECT date_part('year', DATE '2024-05-06'), extract(dow FROM DATE '2024-05-05'), extract(isodow FROM DATE '2024-05-05'), extract(week FROM DATE '2024-12-30'), extract(epoch FROM TIMESTAMP '2024-01-01')

SELECT year(DATE '2024-05-06'), month(DATE '2024-05-06'), day(DATE '2024-05-06'), quarter(DATE '2024-05-06'), dayofyear(DATE '2024-05-06'), weekofyear(DATE '2024-05-06'), yearweek(DATE '2024-05-06')

SELECT date_part(['year', 'month'], DATE '2024-05-06'), dayname(DATE '2024-05-06'), monthname(DATE '2024-05-06'), last_day(DATE '2024-02-01')

SELECT date_diff('day', DATE '2024-01-01', DATE '2024-03-01'), date_sub('month', DATE '2024-01-31', DATE '2024-03-01'), age(TIMESTAMP '2024-03-01', TIMESTAMP '2023-01-15')

SELECT strftime(TIMESTAMP '2024-01-02 03:04:05', '%Y/%m/%d %H:%M:%S'), strptime('02.01.2024', '%d.%m.%Y'), try_strptime('x', '%Y')

SELECT make_date(2024, 2, 3), make_time(1, 2, 3.5), make_timestamp(2024, 1, 2, 3, 4, 5.5), to_timestamp(1700000000), epoch_ms(1700000000123)

SELECT epoch(TIMESTAMP '2024-01-01'), epoch_ms(TIMESTAMP '2024-01-01'), epoch_us(TIMESTAMP '2024-01-01'), epoch_ns(TIMESTAMP '2024-01-01')

SELECT time_bucket(INTERVAL '2 weeks', DATE '2024-05-06'), time_bucket(INTERVAL '15 minutes', TIMESTAMP '2024-05-06 07:08:09')

SELECT TIME '01:02:03', TIME '23:59:59.999999', TIME '24:00:00', '10:00:00+02'::TIMETZ, TIME '10:00' + INTERVAL 3 HOUR

SELECT INTERVAL '1 year 2 months 3 days 04:05:06.7', INTERVAL 90 MINUTE, INTERVAL '-3 days', INTERVAL (1 + 1) DAY, to_days(3), INTERVAL '0 seconds'

SELECT INTERVAL '1 day' * 3, TIMESTAMP '2024-01-01' - INTERVAL '1 hour', TIMESTAMP '2024-01-02 03:00:00' - TIMESTAMP '2024-01-01', datepart('hour', INTERVAL '90 minutes')

SELECT isfinite(DATE 'infinity'), DATE 'infinity', '-infinity'::TIMESTAMP, 'infinity'::TIMESTAMPTZ, isinf('inf'::DOUBLE), isnan('nan'::FLOAT)

SELECT current_date IS NOT NULL, now() = now(), today() = current_date, current_timestamp <= now() + INTERVAL 1 DAY

SELECT generate_series, dayofweek(generate_series) FROM generate_series(DATE '2024-01-01', DATE '2024-01-10', INTERVAL 3 DAY) ORDER BY 1

SELECT range FROM range(TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-02', INTERVAL 6 HOUR) ORDER BY 1

SELECT '2024-01-01 00:00:00.123456789'::TIMESTAMP_NS, '2024-01-01 00:00:00'::TIMESTAMP_S, '2024-01-01 00:00:00.5'::TIMESTAMP_MS

SELECT d, sum(1) OVER (ORDER BY d) FROM (SELECT created_at::DATE AS d FROM orders WHERE id < 5) ORDER BY d

SELECT strftime(created_at, '%Y-%m') AS month, count(*) FROM orders GROUP BY month ORDER BY month

SELECT century(DATE '2024-01-01'), decade(DATE '2024-01-01'), era(DATE '2024-01-01'), julian(DATE '2024-01-01'), isoyear(DATE '2024-12-30'), millennium(DATE '2024-01-01')

SELECT [1, 2, 3], [], [NULL], ['a', NULL], [[1], [2, 3], []], [1.5, 2]

SELECT [1, 2, 3][1], [1, 2, 3][-1], [1, 2, 3][2:], [1, 2, 3][:2], [1, 2, 3, 4][1:4:2], [1][9]

SELECT [x * 2 FOR x IN [1, 2, 3]], [x FOR x IN [1, 2, 3] IF x > 1], [x + i FOR x, i IN [10, 20]]

SELECT list_transform([1, 2], x -> x + 1), list_transform([1, 2], lambda x: x * x), list_transform(['a', 'b'], lambda x, i: x || i)

SELECT list_filter([1, 2, 3], lambda x: x % 2 = 1), list_reduce([1, 2, 3], lambda a, b: a + b), list_reduce([1, 2], lambda a, b: a + b, 10)

SELECT len([1, 2]), array_length([[1], [2]], 1), list_contains([1, 2], 2), list_position([5, 6], 6), list_has_any([1], [1, 2]), list_has_all([1, 2], [1])

SELECT list_sort([3, 1, 2]), list_sort([3, NULL, 1], 'DESC', 'NULLS LAST'), list_reverse_sort([1, 3, 2]), list_reverse([1, 2]), list_distinct([1, 1, 2]).list_sort(), list_unique([1, 1])

SELECT list_sum([1, 2]), list_avg([1, 2]), list_min([2, 1]), list_max([2, 1]), list_aggregate([1, 2], 'sum'), list_count([1, NULL]), list_median([1, 2, 3])

SELECT list_append([1], 2), list_prepend(0, [1]), [1] || [2], list_concat([1], [2]), flatten([[1], [2]]), list_slice([1, 2, 3], 1, 2)

SELECT list_resize([1], 3, 0), list_where([1, 2, 3], [true, false, true]), list_select([5, 6, 7], [1, 3]), list_intersect([1, 2], [2]), list_grade_up([3, 1])

SELECT list_cosine_similarity([1.0, 0], [1.0, 1]), list_distance([1.0, 2], [2.0, 4]), list_inner_product([1.0, 2], [3.0, 4])

SELECT array_value(1, 2, 3), [1, 2]::INTEGER[2], array_distance([1, 2]::FLOAT[2], [2, 3]::FLOAT[2]), array_cross_product([1, 0, 0]::DOUBLE[3], [0, 1, 0]::DOUBLE[3])

SELECT generate_series(1, 3), range(2, 8, 3), range(3)

SELECT unnest([1, 2, 3]) AS x ORDER BY x

SELECT unnest([{'a': 1, 'b': 2}, {'a': 3, 'b': 4}], recursive := true)

SELECT unnest({'a': 1, 'b': 'x'})

SELECT * FROM unnest([1, 2, NULL]) WITH ORDINALITY AS u(x, n) ORDER BY n

SELECT i, generate_subscripts([5, 6], 1) FROM range(1) t(i)

SELECT {'a': 1, 'b': {'c': [1, 2]}}, {'a': NULL}, struct_pack(x := 1, y := 'z')

SELECT s.a, s['b'], s.b.c[1], struct_extract(s, 'a') FROM (SELECT {'a': 1, 'b': {'c': [7]}} AS s)

SELECT s.* FROM (SELECT {'a': 1, 'b': 2} AS s)

SELECT struct_insert({'a': 1}, b := 2), struct_concat({'a': 1}, {'b': 2}), struct_update({'a': 1}, a := 5)

SELECT {'d': DATE '2024-01-01', 't': TIMESTAMP '2024-01-01 00:00:00.5', 'n': 1.50::DECIMAL(4,2), 'big': 9007199254740993}

SELECT MAP {'a': 1, 'b': 2}, MAP {}, MAP {'a': 1}['a'], MAP {'a': 1}['z'], MAP([1, 2], ['x', 'y'])

SELECT map_keys(MAP {'a': 1}), map_values(MAP {'a': 1}), map_entries(MAP {'a': 1}), cardinality(MAP {'a': 1}), map_contains(MAP {'a': 1}, 'a'), element_at(MAP {'a': 1}, 'a')

SELECT map_from_entries([('k', 1), ('l', 2)]), map_concat(MAP {'a': 1}, MAP {'b': 2})

SELECT MAP {DATE '2024-01-01': [1, 2]}, MAP {1: 'x'}, MAP {'k': {'n': 1.5}}

SELECT union_value(num := 1), union_tag(union_value(num := 1)), union_extract(union_value(str := 'x'), 'str')

SELECT 'x'::ENUM('x', 'y'), enum_range(NULL::ENUM('x', 'y')), enum_first(NULL::ENUM('x', 'y')), enum_code('y'::ENUM('x', 'y'))

SELECT '101'::BIT, bit_count('101'::BIT), '\xAA\x00'::BLOB, ''::BLOB, octet_length('\xAA'::BLOB), set_bit('000'::BIT, 1, 1)

SELECT '6f2b1e2a-0000-4000-8000-000000000001'::UUID, UUID '00000000-0000-0000-0000-000000000000'

SELECT '{"a": 1, "b": [1, {"c": null}]}'::JSON, '[]'::JSON, '"x"'::JSON, 'null'::JSON, '1.50'::JSON

SELECT '{"a": {"b": [5, 6]}}'::JSON -> 'a' -> 'b' -> 0, '{"a": 1}'::JSON ->> '$.a', json_extract('{"a": [1, 2]}', '$.a[1]'), json_extract_string('{"a": "x"}', 'a')

SELECT json_array_length('[1, 2]'), json_keys('{"a": 1, "b": 2}'), json_type('[1]'), json_valid('{'), json_contains('[1, 2]', '1'), json_exists('{"a": 1}', '$.a')

SELECT to_json([1, 2]), to_json({'a': 1}), json_object('a', 1, 'b', [1]), json_array(1, 'x', NULL), json_merge_patch('{"a": 1}', '{"b": 2}'), json_quote('x')

SELECT json_group_array(i), json_group_object('k' || i, i) FROM (SELECT i FROM range(3) t(i) ORDER BY i)

SELECT json_transform('{"a": "1", "b": [1]}', '{"a": "INTEGER", "b": ["INTEGER"]}'), from_json('[1, 2]', '["BIGINT"]')

SELECT json_structure('{"a": 1, "b": ["x"]}'), json_pretty('{"a":1}'), json_value('{"a": 1}', '$.a')

SELECT unnest(json_extract('[1, 2]', '$[*]')), json_extract('{"a": 1}', ['$.a', '$.b'])

SELECT j.a.b FROM (SELECT '{"a": {"b": 7}}'::JSON AS j)

SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (3, NULL)) AS t(id, name) ORDER BY id

SELECT * FROM (VALUES (1), (NULL), (3)) t(x) ORDER BY x DESC NULLS FIRST

SELECT * FROM range(5) ORDER BY 1

SELECT i FROM range(10, 0, -3) t(i) ORDER BY i

SELECT * FROM generate_series(1, 10, 4) AS s(i) ORDER BY i

SELECT s.a, s.b FROM (SELECT 1, 2) AS s(a, b)

SELECT "select" FROM (SELECT 1 AS "select")

SELECT "a b", "c""d" FROM (SELECT 1 AS "a b", 2 AS "c""d")

SELECT 1 AS a, 2 AS a, 3 AS A

SELECT * FROM (SELECT 1 AS a) x, (SELECT 2 AS a) y

SELECT 1 + 1, 'x' || 'y', upper('a')

SELECT typeof(1), typeof(1.5), typeof([1]), typeof({'a': 1}), typeof(NULL)

SELECT hash('a') = hash('a'), bar(5, 0, 10, 10), format_bytes(123456), formatReadableSize(1000)

SELECT count(*) FROM orders o WHERE o.created_at >= TIMESTAMP '2024-03-01' AND o.created_at < DATE '2024-04-01'

SELECT region, count(*) AS n, round(100.0 * n / sum(n) OVER (), 2) AS share FROM orders GROUP BY region ORDER BY region

SELECT id, amount - lag(amount) OVER (ORDER BY id) AS diff FROM orders ORDER BY id LIMIT 5

SELECT region, quantile_cont(amount, [0.25, 0.5, 0.75]) FROM orders GROUP BY region ORDER BY region NULLS FIRST

SELECT customer_id, list({'id': id, 'amount': amount} ORDER BY id) AS o FROM orders WHERE id < 12 GROUP BY customer_id ORDER BY customer_id

SELECT id, tags, list_contains(tags, 'a') FROM customers ORDER BY id

SELECT DISTINCT unnest(tags) AS tag FROM customers ORDER BY tag

SELECT tag, count(*) FROM (SELECT unnest(tags) AS tag FROM customers) GROUP BY tag ORDER BY tag

SELECT c.address.city, count(*) FROM customers c GROUP BY ALL ORDER BY ALL

SELECT address FROM customers ORDER BY id LIMIT 3

SELECT profile, profile ->> 'plan' FROM customers ORDER BY id LIMIT 3

SELECT note FROM orders WHERE note IS NOT NULL ORDER BY id LIMIT 3

SELECT count(*) FROM orders WHERE note LIKE '%''%'

SELECT day, sales, sum(sales) OVER (ORDER BY day ROWS 6 PRECEDING) FROM "Daily Sales" ORDER BY day LIMIT 10

SELECT date_trunc('month', day) AS m, sum(sales), max(ratio) FROM "daily sales" GROUP BY m ORDER BY m

SELECT s.day, o.n FROM "Daily Sales" s LEFT JOIN (SELECT created_at::DATE AS d, count(*) AS n FROM orders GROUP BY d) o ON o.d = s.day ORDER BY s.day LIMIT 5

SELECT count(*) FROM orders, customers, "Daily Sales" WHERE orders.id = 1 AND customers.id = 1

SELECT max(length(note)), min(length(note)) FROM orders

SELECT * FROM orders WHERE false

SELECT count(*) FROM orders WHERE 1 = 0

SELECT sum(amount), max(created_at) FROM orders WHERE id < 0

SELECT id FROM orders WHERE id IN (SELECT unnest([3, 5, 7])) ORDER BY id

SELECT id, CASE WHEN id % 15 = 0 THEN 'FizzBuzz' WHEN id % 5 = 0 THEN 'Buzz' WHEN id % 3 = 0 THEN 'Fizz' ELSE id::VARCHAR END FROM orders WHERE id BETWEEN 1 AND 15 ORDER BY id

SELECT a.region, b.region FROM (SELECT DISTINCT region FROM orders) a, (SELECT DISTINCT region FROM orders) b WHERE a.region < b.region ORDER BY ALL

SELECT (SELECT string_agg(c, '' ORDER BY i) FROM (SELECT i, chr((65 + i)::INTEGER) AS c FROM range(26) t(i)))

SELECT x, x IS NULL, x IS NOT NULL, x = x FROM (VALUES (1), (NULL)) t(x) ORDER BY x NULLS LAST

SELECT (1, 2) = (1, 2), (1, 2) < (1, 3), [1, 2] < [1, 3], {'a': 1} = {'a': 1}

SELECT bool_and(x), bool_or(x) FROM (VALUES (true), (NULL)) t(x) WHERE x

SELECT least(DATE '2024-01-01', DATE '2023-01-01'), greatest('a', 'b'), greatest(NULL, 1)

SELECT sum(CASE WHEN region = 'eu' THEN amount ELSE 0 END) / nullif(sum(amount), 0) FROM orders

SELECT cast(avg(amount) AS DECIMAL(10,2)), avg(amount)::INTEGER FROM orders

SELECT count(*) FROM (SELECT customer_id, region FROM orders GROUP BY customer_id, region)

SELECT max(n) FROM (SELECT region, count(*) AS n FROM orders GROUP BY region)

SELECT id FROM orders o WHERE amount > (SELECT avg(amount) FROM orders i WHERE i.region = o.region) ORDER BY id LIMIT 5

SELECT region FROM orders GROUP BY region HAVING sum(amount) > (SELECT avg(s) FROM (SELECT sum(amount) AS s FROM orders GROUP BY region)) ORDER BY region

SELECT id, row_number() OVER (PARTITION BY region ORDER BY id) AS n FROM orders QUALIFY n <= 2 ORDER BY id

SELECT '2024-01-01'::DATE::TIMESTAMP::VARCHAR, 1::BOOLEAN, 'true'::BOOLEAN, '1e3'::DOUBLE, 1.9::INTEGER, 1.5::DECIMAL(2,1)::VARCHAR

SELECT 'select 1; drop table x' AS "semi;colon", ';' AS "--"

SELECT array_agg(x ORDER BY x DESC NULLS LAST) FROM (VALUES (1), (NULL), (2)) t(x)

SELECT list_transform(list_filter(range(20), lambda x: x % 3 = 0), lambda x: x * x)

SELECT count(*) FROM range(100000) t(i) WHERE i % 7 = 3

SELECT sum(i * i) FROM range(1000000) t(i)

SELECT approx_quantile(i, 0.5) BETWEEN 450 AND 550 FROM range(1000) t(i)

SELECT ceil(i / 3) AS g, count(*) FROM range(10) t(i) GROUP BY g ORDER BY g

SELECT i, i % 2 = 0 AS even FROM range(4) t(i) ORDER BY even, i

SELECT year(created_at) AS y, month(created_at) AS m, count(*) FROM orders GROUP BY y, m ORDER BY y, m

SELECT equi_width_bins(0, 10, 5, true), equi_width_bins(0.0, 1.0, 4, false) FROM (SELECT 1)

SELECT histogram_exact(x, [1, 2]) FROM (VALUES (1), (2), (9)) t(x)

SELECT is_histogram_other_bin(1), can_cast FROM (SELECT true AS can_cast)

SELECT localtimestamp IS NOT NULL, current_localtimestamp() IS NOT NULL
