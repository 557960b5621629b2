-- Statements for a Postgres source that the gate must refuse, one per paragraph.

INSERT INTO orders VALUES (1)

UPDATE orders SET a = 1

DELETE FROM orders

MERGE INTO a USING b ON true WHEN MATCHED THEN DELETE

TRUNCATE orders

DROP TABLE orders

CREATE TABLE x AS SELECT 1

COPY orders TO '/tmp/x'

COPY (SELECT 1) TO PROGRAM 'id'

DO $$ BEGIN END $$

CALL p()

SET TRANSACTION READ WRITE

BEGIN

COMMIT; CREATE TABLE x (a int)

SELECT 1; SELECT 2

EXPLAIN SELECT 1

EXPLAIN ANALYZE DELETE FROM orders

VACUUM

LISTEN x

NOTIFY x

LOCK TABLE orders

PREPARE p AS SELECT 1

EXECUTE p

DECLARE c CURSOR FOR SELECT 1

FETCH c

SHOW all

RESET ALL

GRANT ALL ON orders TO public

TABLE orders

VALUES (1)

WITH t AS (DELETE FROM orders RETURNING *) SELECT * FROM t

WITH t AS (INSERT INTO orders VALUES (1) RETURNING *) SELECT * FROM t

WITH t AS (UPDATE orders SET a = 1 RETURNING *) SELECT * FROM t

SELECT * FROM (WITH t AS (DELETE FROM orders RETURNING *) SELECT * FROM t) s

WITH x AS (SELECT 1) DELETE FROM orders

SELECT * INTO x FROM orders

SELECT 1 UNION SELECT * FROM (SELECT 2 FROM orders FOR UPDATE) s

SELECT * FROM orders FOR UPDATE

SELECT * FROM orders FOR KEY SHARE SKIP LOCKED

SELECT pg_sleep(10)

SELECT pg_read_file('/etc/passwd')

SELECT pg_catalog.pg_read_file('/etc/passwd')

SELECT * FROM pg_ls_dir('/')

SELECT lo_import('/etc/passwd')

SELECT lo_create(1)

SELECT set_config('x', 'y', false)

SELECT current_setting('data_directory')

SELECT nextval('s')

SELECT random()

SELECT gen_random_uuid()

SELECT dblink('host=x', 'select 1')

SELECT public.my_function(1)

SELECT my_function(1)

SELECT query_to_xml('delete from orders', true, true, '')

SELECT table_to_xml('orders', true, true, '')

SELECT pg_terminate_backend(1)

SELECT pg_advisory_lock(1)

SELECT txid_current()

SELECT version()

SELECT inet_server_addr()

SELECT * FROM pg_shadow

SELECT * FROM pg_settings

SELECT * FROM pg_catalog.pg_class

SELECT * FROM information_schema.tables

SELECT * FROM pg_toast.pg_toast_1

SELECT * FROM other_db.public.orders

WITH pg_shadow AS (SELECT 1) SELECT * FROM pg_shadow

SELECT 1 OPERATOR(public.+) 2

SELECT * FROM orders ORDER BY pg_sleep(1)

SELECT (SELECT pg_sleep(1)) FROM orders

SELECT count(*) FILTER (WHERE pg_sleep(1) IS NULL) FROM orders

SELEC 1

SELECT 'open

SELECT * FROM

;
