-- Statements that a MySQL or MariaDB source must answer as the server does, one per paragraph. They read orders and customers.

SELECT 1

SELECT 1 AS a, NULL AS b, 'x' AS c;

select * from customers order by id

(SELECT 1 AS n) UNION (SELECT 2) ORDER BY 1 -- two

(SELECT 1 AS n UNION ALL SELECT 1) INTERSECT SELECT 1

WITH a AS (SELECT 1 AS x), b AS (SELECT * FROM a) SELECT * FROM b JOIN a USING (x)

WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT n FROM t ORDER BY n

SELECT o.id, c.name FROM orders o LEFT JOIN customers c ON c.id = o.customer_id ORDER BY o.id LIMIT 5

SELECT o.id FROM shop.orders AS o WHERE EXISTS (SELECT 1 FROM customers c WHERE c.id = o.customer_id AND c.name LIKE '%3') ORDER BY o.id

SELECT region, count(*), sum(amount), avg(amount) FROM orders GROUP BY region HAVING count(*) > 1 ORDER BY region

SELECT region, count(*) FROM orders GROUP BY region WITH ROLLUP

SELECT count(DISTINCT region), min(id), max(id), sum(id) FROM orders

SELECT group_concat(name ORDER BY id SEPARATOR ' | ') FROM customers

SELECT id, row_number() OVER (PARTITION BY region ORDER BY id) AS n, lag(id) OVER (ORDER BY id) AS before_it FROM orders ORDER BY id LIMIT 9

SELECT id, sum(amount) OVER w AS running FROM orders WINDOW w AS (ORDER BY id) ORDER BY id LIMIT 7

SELECT DISTINCT region FROM orders ORDER BY region DESC

SELECT id FROM orders WHERE id BETWEEN 3 AND 6 OR id IN (8, 9) ORDER BY id DESC

SELECT id FROM orders ORDER BY id LIMIT 3 OFFSET 4

SELECT id FROM orders ORDER BY id LIMIT 4, 3

SELECT CASE WHEN amount > 50 THEN 'big' ELSE 'small' END AS size, count(*) FROM orders GROUP BY size ORDER BY size

SELECT if(1 > 2, 'a', 'b'), ifnull(NULL, 'c'), nullif(1, 1), coalesce(NULL, NULL, 3)

SELECT upper(name), lower(name), char_length(name), substring(name, 1, 4), concat_ws('-', id, name) FROM customers ORDER BY id

SELECT trim('  x '), lpad('7', 3, '0'), reverse('abc'), replace('aXb', 'X', '-'), locate('b', 'abc'), repeat('ab', 3)

SELECT 'it''s', "double ""quoted""", 'back\\slash', 'a\'b', 'new\nline'

SELECT 'DROP TABLE orders; -- not one', '/* nor this */', '# nor that'

SELECT /* a comment; with DELETE FROM orders inside */ 2 # and one to the end; SELECT sleep(1)

SELECT 3 -- a comment; DROP TABLE orders

SELECT abs(-3), ceil(1.2), floor(-1.2), round(2.567, 2), mod(7, 3), 7 DIV 2, 7 % 4, power(2, 10), sqrt(16)

SELECT 1.10, 0.1 + 0.2, 1e3, -5, 0x41 + 0, 12345678901234567890123456789.123456789

SELECT 9007199254740991, 9007199254740993, 18446744073709551615, -9223372036854775808

SELECT date('2026-02-28'), date_add('2026-01-31', INTERVAL 1 MONTH), datediff('2026-03-01', '2026-02-01'), last_day('2024-02-10')

SELECT year(created_at), month(created_at), dayofweek(created_at), hour(created_at) FROM orders ORDER BY id LIMIT 4

SELECT created_at, date_format(created_at, '%Y-%m') AS month FROM orders ORDER BY id LIMIT 4

SELECT date_format(created_at, '%Y-%m') AS month, sum(amount) FROM orders GROUP BY month ORDER BY month

SELECT extract(YEAR FROM created_at), timestampdiff(HOUR, '2026-01-01', created_at) FROM orders ORDER BY id LIMIT 3

SELECT str_to_date('01,5,2026', '%d,%m,%Y'), makedate(2026, 60), sec_to_time(3661), time_to_sec('01:00:01')

SELECT cast('12' AS UNSIGNED), cast('1.5' AS DECIMAL(5,2)), cast(12 AS CHAR), convert('x' USING utf8mb4), cast('2026-01-02' AS DATE)

SELECT hex('abc'), unhex('616263') = 'abc', md5('x'), sha2('x', 256), crc32('x'), ascii('a'), ord('b')

SELECT json_extract('{"a": [1, 2]}', '$.a[1]'), json_unquote(json_extract('{"b": "c"}', '$.b')), json_length('[1, 2, 3]')

SELECT name REGEXP '^customer [12]$', name NOT LIKE '%1', regexp_replace(name, '[0-9]', '#') FROM customers ORDER BY id

SELECT id IS NULL, id IS NOT NULL, id <=> NULL, NOT id, id XOR 0 FROM customers ORDER BY id

SELECT TRUE, FALSE, 1 = 1, 1 <> 1, 5 & 3, 5 | 3, 5 ^ 3, ~0, 1 << 4

SELECT greatest(1, 5, 3), least(4, 2), field('b', 'a', 'b'), elt(2, 'x', 'y'), interval(23, 1, 15, 30)

SELECT round(stddev_pop(id), 2), round(var_samp(id), 2), bit_or(id), bit_and(id) FROM customers

SELECT `name` AS `a b`, `id` AS `select` FROM `customers` ORDER BY `id`

SELECT c.user, c.version, c.`database` FROM (SELECT 1 AS user, 2 AS version, 3 AS `database`) c

SELECT id, (SELECT count(*) FROM orders o WHERE o.customer_id = c.id) AS orders FROM customers c ORDER BY id

SELECT a.id, b.id FROM customers a CROSS JOIN customers b WHERE a.id < b.id ORDER BY 1, 2

SELECT * FROM customers NATURAL JOIN (SELECT 1 AS id) one

SELECT 'ü☕日本', char_length('日本'), length('日本'), 'x' COLLATE utf8mb4_bin = 'X'

SELECT b'101' + 0, hex(x'4142'), _utf8mb4'text', N'national'

SELECT inet_aton('10.0.0.1'), inet_ntoa(167772161), bit_count(7), conv('ff', 16, 10)

SELECT region, max(amount) FILTER_ FROM orders GROUP BY region ORDER BY region

SELECT rank() OVER (ORDER BY region), dense_rank() OVER (ORDER BY region), ntile(3) OVER (ORDER BY id) FROM orders ORDER BY id LIMIT 5

SELECT id FROM customers WHERE (id, name) IN ((1, 'customer 1'), (2, 'nobody')) ORDER BY id

SELECT id FROM orders WHERE created_at >= '2026-01-02' AND created_at < '2026-01-02' + INTERVAL 1 DAY ORDER BY id
