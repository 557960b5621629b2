-- More statements that a Postgres source must never see, one per paragraph.

COMMIT; DROP TABLE customers

SELECT 1; COMMIT; DROP TABLE customers

ROLLBACK; DELETE FROM customers

WITH d AS (DELETE FROM customers RETURNING id) SELECT count(*) FROM d

WITH a AS (WITH b AS (UPDATE customers SET name = 'x' RETURNING *) SELECT * FROM b) SELECT * FROM a

SELECT * FROM customers c, LATERAL (WITH d AS (DELETE FROM customers RETURNING *) SELECT * FROM d) x

SELECT * INTO TEMP stolen FROM customers

SELECT 1 FROM customers FOR NO KEY UPDATE

SELECT pg_read_binary_file('/etc/passwd')

SELECT pg_stat_file('/etc/passwd')

SELECT * FROM pg_ls_waldir()

SELECT lo_get(1)

SELECT lo_export(1, '/tmp/x')

SELECT lo_from_bytea(0, 'x')

SELECT pg_logical_emit_message(true, 'a', 'b')

SELECT pg_notify('a', 'b')

SELECT pg_switch_wal()

SELECT pg_reload_conf()

SELECT pg_cancel_backend(1)

SELECT pg_try_advisory_lock(1)

SELECT pg_backend_pid()

SELECT setval('s', 1)

SELECT currval('s')

SELECT leak()

SELECT public.leak()

SELECT * FROM leak()

SELECT name FROM customers ORDER BY leak()

SELECT database_to_xml(true, true, '')

SELECT query_to_xml_and_xmlschema('SELECT 1', true, true, '')

SELECT cursor_to_xml('c', 1, true, true, '')

SELECT schema_to_xml('public', true, true, '')

SELECT ts_stat('SELECT 1')

SELECT * FROM ts_stat('DELETE FROM customers')

SELECT pg_catalog.set_config('transaction_read_only', 'off', false)

SELECT current_setting('ssl_key_file')

SELECT clock_timestamp()

SELECT uuidv7(), gen_random_uuid()

SELECT random_normal()

SELECT pg_sleep_for('5 minutes')

SELECT pg_sleep_until('tomorrow')

SELECT * FROM pg_user

SELECT * FROM pg_stat_activity

SELECT rolpassword FROM pg_authid

SELECT * FROM pg_hba_file_rules

SELECT * FROM pg_catalog.pg_proc

SELECT * FROM information_schema.columns

SELECT has_table_privilege('customers', 'select')

SELECT to_regclass('customers')

SELECT pg_get_viewdef('x')

SELECT obj_description(1)

SELECT col_description(1, 1)

SELECT dblink_exec('host=x', 'DROP TABLE y')

SELECT postgres_fdw_get_connections()

SELECT xmlparse(DOCUMENT '<a/>') FROM pg_class

SELECT 1 OPERATOR(sales.=) 1

EXPLAIN (ANALYZE) SELECT 1

TABLE customers

VALUES (1)

MERGE INTO customers c USING customers d ON c.id = d.id WHEN MATCHED THEN DELETE

COPY customers TO STDOUT

COPY customers FROM PROGRAM 'id'

DO $$ BEGIN PERFORM 1; END $$

CREATE TEMP TABLE x AS SELECT 1

CREATE OR REPLACE FUNCTION lower(text) RETURNS text LANGUAGE sql AS 'SELECT $1'

ALTER SYSTEM SET log_statement = 'all'

ALTER ROLE postgres SUPERUSER

SET ROLE postgres

SET SESSION AUTHORIZATION postgres

SET LOCAL statement_timeout = 0

RESET statement_timeout

DISCARD ALL

SECURITY LABEL ON TABLE customers IS 'x'

LOAD 'auto_explain'

REFRESH MATERIALIZED VIEW x

REINDEX TABLE customers

CLUSTER customers

CHECKPOINT

NOTIFY x, 'y'

UNLISTEN *

SAVEPOINT a

PREPARE TRANSACTION 'x'

START TRANSACTION READ WRITE

IMPORT FOREIGN SCHEMA x FROM SERVER y INTO z

SELECT 'open

SELECT /* open

SELECT $a$ open
