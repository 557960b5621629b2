-- Statements that must not run on a MySQL or MariaDB source, one per paragraph. Each would write, read the server or hold it up.

DELETE FROM orders

INSERT INTO orders (id) VALUES (999)

UPDATE orders SET amount = 0

REPLACE INTO customers VALUES (1, 'x')

TRUNCATE TABLE orders

DROP TABLE orders

CREATE TABLE t (a INT)

ALTER TABLE orders ADD COLUMN x INT

GRANT ALL ON *.* TO reader

SET GLOBAL local_infile = 1

SET PASSWORD = PASSWORD('x')

SHOW GRANTS

SHOW VARIABLES

DESCRIBE orders

EXPLAIN SELECT 1

HANDLER orders OPEN

LOCK TABLES orders WRITE

FLUSH TABLES

KILL 1

CALL evil()

DO sleep(1)

PREPARE s FROM 'DELETE FROM orders'

EXECUTE IMMEDIATE 'DELETE FROM orders'

BEGIN NOT ATOMIC DELETE FROM orders; END

START TRANSACTION

COMMIT

USE mysql

LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE orders

LOAD DATA INFILE '/etc/passwd' INTO TABLE orders

SELECT 1; DROP TABLE orders

SELECT 1;; SELECT 2

SELECT 1 # comment
; DELETE FROM orders

SELECT load_file('/etc/passwd')

SELECT LOAD_FILE (0x2f6574632f706173737764)

SELECT load_file/**/('/etc/passwd')

SELECT * FROM orders INTO OUTFILE '/tmp/x'

SELECT 'x' INTO DUMPFILE '/tmp/x'

SELECT id INTO @x FROM orders

SELECT 1) AS x INTO OUTFILE '/tmp/x' -- 

SELECT * FROM orders FOR UPDATE

SELECT * FROM orders LOCK IN SHARE MODE

SELECT * FROM orders FOR SHARE

SELECT sleep(100)

SELECT SLEEP (100)

SELECT sleep
(100)

SELECT `sleep`(100)

SELECT 1 + (SELECT sleep(9) FROM customers)

SELECT benchmark(1000000000, md5(1))

SELECT get_lock('x', 10)

SELECT release_all_locks()

SELECT master_pos_wait('x', 1, 10)

SELECT leak()

SELECT shop.leak()

SELECT `shop`.`leak`()

SELECT shop . leak ()

SELECT /*!50000 sleep(1) */ 1

SELECT /*M! sleep(1) */ 1

SELECT /*! 1 */ + 1

SELECT /*+ MAX_EXECUTION_TIME(0) */ 1

SELECT @@version

SELECT @@global.secure_file_priv

SELECT @x := 1

SELECT @'x'

SELECT version()

SELECT user()

SELECT current_user

SELECT current_user()

SELECT database()

SELECT connection_id()

SELECT last_insert_id(5)

SELECT * FROM mysql.user

SELECT * FROM `mysql`.user

SELECT * FROM `mysql` . `user`

SELECT * FROM information_schema.tables

SELECT * FROM INFORMATION_SCHEMA.PROCESSLIST

SELECT * FROM performance_schema.threads

SELECT * FROM sys.version

SELECT extractvalue(1, concat(0x7e, user()))

SELECT updatexml(1, concat(0x7e, 1), 1)

SELECT * FROM orders PROCEDURE ANALYSE()

SELECT nextval(numbers)

SELECT NEXT VALUE FOR numbers

SELECT setval(numbers, 100)

SELECT 'it\'s' ; SELECT 2

SELECT "a\"b" ; SELECT 2

SELECT 'never closed

SELECT "never closed

SELECT `never closed

SELECT 1 /* never closed

SELECT (1

SELECT 1)

WITH x AS (SELECT 1) DELETE FROM orders

WITH x AS (DELETE FROM orders RETURNING id) SELECT * FROM x

TABLE orders

VALUES (1), (2)

SELECT {d '2026-01-01'}

SELECT 1 \G

SELECT uuid_short()

SELECT sys_exec('id')

XA START 'x'

INSTALL PLUGIN x SONAME 'x.so'

SELECT nope FROM orders

SELECT * FROM nowhere

SELECT 1 --'
, sleep(10) -- '

SELECT 1 --'
, leak() -- '
