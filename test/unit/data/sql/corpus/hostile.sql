-- Statements that the gate must refuse, one per paragraph. The tables orders, customers and "Daily Sales" are allowed.

INSERT INTO orders VALUES (1)

UPDATE orders SET amount = 0

DELETE FROM orders

TRUNCATE orders

DROP TABLE orders

DROP VIEW IF EXISTS orders

CREATE TABLE x AS SELECT 1

CREATE TEMP TABLE x AS SELECT 1

CREATE OR REPLACE VIEW orders AS SELECT 1

CREATE OR REPLACE MACRO sum(x) AS 0

CREATE SCHEMA s

CREATE SEQUENCE s

CREATE TYPE mood AS ENUM ('a')

ALTER TABLE orders ADD COLUMN x INT

MERGE INTO orders USING customers ON true WHEN MATCHED THEN DELETE

COPY orders TO '/tmp/out.csv'

COPY (SELECT 1) TO '/tmp/out.csv'

COPY orders FROM '/etc/passwd'

EXPORT DATABASE '/tmp/x'

IMPORT DATABASE '/tmp/x'

ATTACH '/tmp/x.db'

ATTACH ':memory:' AS m

DETACH memory

USE memory

INSTALL httpfs

LOAD httpfs

SET memory_limit = '90GB'

SET VARIABLE x = 1

RESET memory_limit

PRAGMA version

PRAGMA database_list

PRAGMA enable_profiling

PRAGMA show_tables

CALL pragma_version()

SHOW TABLES

SHOW ALL TABLES

DESCRIBE orders

DESCRIBE SELECT 1

SUMMARIZE orders

SUMMARIZE SELECT 1

EXPLAIN SELECT 1

EXPLAIN ANALYZE DELETE FROM orders

PREPARE p AS SELECT 1

EXECUTE p

DEALLOCATE p

BEGIN

BEGIN TRANSACTION; SELECT 1; COMMIT

COMMIT

CHECKPOINT

FORCE CHECKPOINT

VACUUM

ANALYZE

COMMENT ON TABLE orders IS 'x'

CREATE SECRET (TYPE s3)

FROM orders

FROM orders SELECT *

(FROM orders)

SELECT * FROM (FROM orders)

WITH a AS (SELECT 1) FROM a

WITH a AS (FROM orders) SELECT * FROM a

SELECT 1 UNION ALL FROM orders

TABLE orders

VALUES (1)

PIVOT orders ON region USING sum(amount)

UNPIVOT orders ON amount, tax

SELECT * FROM (PIVOT orders ON region USING sum(amount))

SELECT * FROM (SUMMARIZE orders)

SELECT * FROM (DESCRIBE orders)

SELECT * FROM (SHOW TABLES)

SELECT 1; SELECT 2

SELECT 1; DROP TABLE orders

SELECT 1; -- x
DROP TABLE orders

; SELECT 1

;

-- nothing

SELEC 1

SELECT * FRM orders

SELECT * FROM orders WHERE

SELECT 'unclosed

SELECT "unclosed

SELECT /* unclosed

SELECT $$unclosed

SELECT 1) AS a, (SELECT 2

SELECT * FROM orders) UNION (SELECT * FROM customers

WITH t AS (DELETE FROM orders RETURNING *) SELECT * FROM t

WITH t AS (INSERT INTO orders VALUES (1) RETURNING *) SELECT * FROM t

WITH x AS (SELECT 1) DELETE FROM orders

WITH x AS (SELECT 1) INSERT INTO orders SELECT * FROM x

SELECT * INTO x FROM orders

SELECT * FROM orders FOR UPDATE

SELECT * FROM secrets

SELECT * FROM main.orders

SELECT * FROM memory.main.orders

SELECT * FROM other.orders

SELECT * FROM information_schema.tables

SELECT * FROM pg_catalog.pg_class

SELECT * FROM pg_class

SELECT * FROM sqlite_master

SELECT * FROM duckdb_settings

SELECT * FROM duckdb_settings()

SELECT * FROM duckdb_tables()

SELECT * FROM duckdb_views()

SELECT * FROM duckdb_functions()

SELECT * FROM duckdb_secrets()

SELECT * FROM duckdb_extensions()

SELECT * FROM duckdb_logs

SELECT * FROM '/etc/passwd'

SELECT * FROM 'orders.parquet'

SELECT * FROM "/tmp/x.csv"

SELECT * FROM 'https://example.com/x.parquet'

SELECT * FROM 's3://bucket/key.parquet'

SELECT * FROM read_csv('/etc/passwd')

SELECT * FROM read_csv_auto('/etc/passwd')

SELECT * FROM read_text('/etc/passwd')

SELECT * FROM read_blob('/proc/self/environ')

SELECT * FROM read_json('/x.json')

SELECT * FROM read_json_objects('/x.json')

SELECT * FROM read_ndjson('/x.json')

SELECT * FROM read_parquet('/x.parquet')

SELECT * FROM parquet_scan('/x.parquet')

SELECT * FROM parquet_metadata('/x.parquet')

SELECT * FROM parquet_schema('/x.parquet')

SELECT * FROM sniff_csv('/etc/passwd')

SELECT * FROM glob('/**')

SELECT * FROM "read_text"('/etc/passwd')

SELECT * FROM main.read_text('/etc/passwd')

SELECT * FROM READ_TEXT('/etc/passwd')

SELECT * FROM query('SELECT 1')

SELECT * FROM query_table('orders')

SELECT * FROM json_execute_serialized_sql('{}')

SELECT * FROM pragma_table_info('orders')

SELECT * FROM pragma_storage_info('orders')

SELECT * FROM test_all_types()

SELECT * FROM repeat_row(1, num_rows = 10)

SELECT * FROM seq_scan('orders')

SELECT * FROM checkpoint()

SELECT * FROM force_checkpoint()

SELECT * FROM orders, LATERAL (SELECT * FROM read_text(orders.region))

SELECT (SELECT content FROM read_text('/etc/passwd'))

SELECT * FROM orders WHERE EXISTS (SELECT 1 FROM read_text('/etc/passwd'))

SELECT * FROM orders ORDER BY (SELECT size FROM read_text('/etc/passwd'))

SELECT * FROM orders LIMIT (SELECT count(*) FROM duckdb_settings())

SELECT row_number() OVER w FROM orders WINDOW w AS (ORDER BY (SELECT 1 FROM duckdb_settings()))

SELECT * FROM orders QUALIFY row_number() OVER (ORDER BY current_setting('temp_directory')) = 1

SELECT list_transform([1], x -> current_setting('threads'))

SELECT [current_setting(x) FOR x IN ['threads']]

SELECT current_setting('temp_directory')

SELECT main.current_setting('temp_directory')

SELECT pg_catalog.current_setting('temp_directory')

SELECT getenv('HOME')

SELECT getvariable('x')

SELECT version()

SELECT current_query()

SELECT txid_current()

SELECT pg_sleep(10)

SELECT sleep_ms(10000)

SELECT nextval('s')

SELECT random()

SELECT setseed(0.5)

SELECT uuid()

SELECT gen_random_uuid()

SELECT 'x'.current_setting()

SELECT write_log('x')

SELECT json_serialize_sql('SELECT 1')

SELECT json_deserialize_sql('{}')

SELECT __internal_decompress_string(1)

SELECT no_such_function(1)

SELECT sum(amount) FILTER (WHERE random() > 0.5) FROM orders

SELECT string_agg(region ORDER BY random()) FROM orders

WITH duckdb_settings AS (SELECT * FROM duckdb_settings) SELECT * FROM duckdb_settings

SELECT * FROM (WITH duckdb_settings AS (SELECT 1) SELECT * FROM duckdb_settings), duckdb_settings

SELECT (WITH pg_class AS (SELECT 1 AS a) SELECT a FROM pg_class), (SELECT count(*) FROM pg_class)

WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a

WITH RECURSIVE pg_class AS (SELECT oid FROM pg_class UNION SELECT 1) SELECT * FROM pg_class

WITH RECURSIVE t AS (SELECT 1 AS n UNION SELECT n FROM recurring.t) SELECT * FROM t

SELECT * FROM orders AT (VERSION => 1)

SELECT * FROM orders PIVOT (sum(amount) FOR region IN (SELECT DISTINCT region FROM secrets))

SELECT * FROM (VALUES ((SELECT content FROM read_text('/etc/passwd')))) AS t(x)

SELECT * FROM range((SELECT count(*) FROM duckdb_settings()))

SELECT * FROM unnest((SELECT list(name) FROM duckdb_settings()))

SELECT CASE WHEN (SELECT count(*) FROM glob('/*')) > 0 THEN 1 END

SELECT * REPLACE ((SELECT 1 FROM secrets) AS id) FROM orders

SELECT DISTINCT ON ((SELECT 1 FROM secrets)) * FROM orders

SELECT sum(amount) OVER (ROWS BETWEEN (SELECT count(*) FROM secrets) PRECEDING AND CURRENT ROW) FROM orders

SELECT * FROM orders JOIN customers ON (SELECT true FROM secrets)

SELECT amount FROM orders GROUP BY (SELECT 1 FROM secrets), amount HAVING (SELECT true FROM secrets)

SELECT DEFAULT

SELECT COLUMNS(c -> (SELECT true FROM secrets)) FROM orders
