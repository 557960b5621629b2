import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { DatabaseExtract } from '../../../../shared/data/connectors/extract/database-extract.ts';
import { openMysql } from '../../../../shared/data/connectors/mysql/catalog.ts';
import type { MysqlConfig } from '../../../../shared/data/connectors/mysql/config.ts';
import { connectMysql } from '../../../../shared/data/connectors/mysql/connection.ts';
import { extractMysql } from '../../../../shared/data/connectors/mysql/extract.ts';
import { createAddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { HAS_MARIADB, startMariadb, type TestMariadb } from '../../../support/mariadb.ts';
import { openTestEngine, rowsOf } from '../../data/engine/open-test-engine.ts';

const TIMEOUTS = { connectMs: 3000, statementMs: 4000 };
const GUARD = createAddressGuard({ allowedPrivateCidrs: ['127.0.0.0/8'] });
const OPTIONS = { guard: GUARD, timeouts: TIMEOUTS };

let server: TestMariadb;
let config: MysqlConfig;
let secrets: { password: string };

async function extract(request: DatabaseExtract, timeouts = TIMEOUTS, query = 'SELECT * FROM out') {
  const source = await connectMysql(config, secrets, { guard: GUARD, timeouts });
  try {
    const { engine, dir } = await openTestEngine();
    const result = await extractMysql(engine, source, request, `${dir}/out.parquet`);
    await engine.attach('out', [`${dir}/out.parquet`]);
    return { ...result, data: await rowsOf(engine, query) };
  } finally {
    await source.close();
  }
}

const table = (name: string, more: Partial<DatabaseExtract> = {}) =>
  extract({ from: { schema: 'shop', table: name }, ...more });

const title = HAS_MARIADB ? 'a MariaDB source' : 'a MariaDB source (mariadbd is not installed: not tested)';

describe.runIf(HAS_MARIADB)(title, () => {
  beforeAll(async () => {
    server = await startMariadb();
    const { host, port, database, user, password } = server;
    config = { host, port, database, user, ssl: false };
    secrets = { password };
    await server.run(
      `CREATE TABLE orders (id INT PRIMARY KEY, note VARCHAR(40), amount DECIMAL(10,2) NOT NULL, at DATETIME(3))`,
      `INSERT INTO orders VALUES (1, NULL, 10.50, '2026-01-01 10:00:00.125'), (2, '', 0.10, NULL), (3, 'a "b", c\n', -3.00, '2026-01-03')`,
      'CREATE VIEW recent AS SELECT * FROM orders',
      `CREATE TABLE every_type (b BIGINT, bu BIGINT UNSIGNED, t TINYINT(1), f FLOAT, d DOUBLE, m DECIMAL(50,20), s TIMESTAMP(6) NULL,
         y YEAR, c TIME, day DATE, j JSON, e ENUM('x','y'), bin VARBINARY(4), bits BIT(10), txt TEXT, g POINT)`,
      `SET STATEMENT sql_mode='' FOR INSERT INTO every_type VALUES
         (-9223372036854775808, 18446744073709551615, 1, 0.1, 0.1, 1.5, '2026-03-04 05:06:07.123456', 2026, '12:34:56', '2026-05-06', '{"a":1}', 'y', x'00ff27', b'1000000001', '日本 "x"', ST_GeomFromText('POINT(1 2)')),
         (NULL, 0, 0, NULL, 1e300, 12345678901234567890123456789012.1234567891, NULL, NULL, '-100:00:00', '0000-00-00', NULL, NULL, NULL, NULL, NULL, NULL)`,
      'CREATE TABLE `od``d "x"` (`a b` INT)',
    );
  });
  afterAll(() => server.stop());

  it('reports its version, schemas, tables and columns', async () => {
    const connection = await openMysql(config, secrets, OPTIONS);
    onTestFinished(() => connection.close());
    expect(await connection.version()).toMatch(/MariaDB/);
    expect(await connection.schemas()).toEqual(['shop']);
    expect(await connection.tables('shop', { limit: 10 })).toEqual([
      { name: 'every_type', kind: 'table', estimatedRows: expect.any(Number) },
      { name: 'od`d "x"', kind: 'table', estimatedRows: expect.any(Number) },
      { name: 'orders', kind: 'table', estimatedRows: expect.any(Number) },
      { name: 'recent', kind: 'view', estimatedRows: null },
    ]);
    expect(await connection.tables('shop', { after: 'od`d "x"', limit: 1 })).toMatchObject([{ name: 'orders' }]);
    expect(await connection.tables('mysql', { limit: 10 })).toEqual([]);
    expect(await connection.columns('shop', 'orders')).toEqual([
      { name: 'id', type: 'integer', sourceType: 'int(11)', nullable: false, primaryKey: true },
      { name: 'note', type: 'string', sourceType: 'varchar(40)', nullable: true, primaryKey: false },
      { name: 'amount', type: 'decimal(10,2)', sourceType: 'decimal(10,2)', nullable: false, primaryKey: false },
      { name: 'at', type: 'timestamp', sourceType: 'datetime(3)', nullable: true, primaryKey: false },
    ]);
    await expect(connection.columns('shop', 'none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(connection.columns('mysql', 'user')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('keeps null, empty and awkward texts apart', async () => {
    const { data, rows } = await table('orders');
    expect(rows).toBe(3);
    expect(data).toEqual([
      [1, null, '10.50', '2026-01-01T10:00:00.125Z'],
      [2, '', '0.10', null],
      [3, 'a "b", c\n', '-3.00', '2026-01-03T00:00:00.000Z'],
    ]);
    const one = await table('od`d "x"');
    expect(one.columns).toEqual([{ name: 'a b', type: 'integer' }]);
  });

  it('types every kind of value exactly, and counts those that cannot be held', async () => {
    const { columns, data, changes } = await table('every_type');
    expect(columns.map(({ type }) => type)).toEqual([
      'integer',
      'decimal(20,0)',
      'integer',
      'double',
      'double',
      'decimal(38,9)',
      'timestamptz',
      'integer',
      'time',
      'date',
      'string',
      'string',
      'binary',
      'decimal(20,0)',
      'string',
      'string',
    ]);
    expect(data[0]!.slice(0, 3)).toEqual(['-9223372036854775808', '18446744073709551615', 1]);
    expect(data[0]![3]).toBeCloseTo(0.1, 6);
    expect(data[0]!.slice(4, 12)).toEqual([
      0.1,
      '1.500000000',
      '2026-03-04T05:06:07.123456Z',
      2026,
      '12:34:56',
      '2026-05-06',
      '{"a":1}',
      'y',
    ]);
    expect(data[0]!.slice(13)).toEqual(['513', '日本 "x"', 'POINT(1 2)']);
    expect(changes).toEqual([
      {
        column: 'm',
        nulls: 1,
        rounded: 0,
        examples: [{ row: 2, value: '12345678901234567890123456789012.12345678910000000000' }],
      },
      { column: 'c', nulls: 1, rounded: 0, examples: [{ row: 2, value: '-100:00:00' }] },
      { column: 'day', nulls: 1, rounded: 0, examples: [{ row: 2, value: '0000-00-00' }] },
    ]);
  });

  it('takes values that are longer than what a function of the server may answer', async () => {
    await server.run(
      'CREATE TABLE long_values (id INT PRIMARY KEY, b LONGBLOB, t LONGTEXT, j JSON, latin LONGTEXT CHARACTER SET latin1)',
      `INSERT INTO long_values VALUES (1, REPEAT(x'00ff', 600000), REPEAT('語', 400000), CONCAT('["', REPEAT('j', 1200000), '"]'),
         REPEAT('é', 1200000)), (2, '', '', '{}', ''), (3, NULL, NULL, NULL, NULL)`,
      'SET GLOBAL max_allowed_packet = 1048576',
    );
    onTestFinished(() => server.run('SET GLOBAL max_allowed_packet = DEFAULT'));
    const query = `SELECT id, octet_length(b), hex(b[-2:]), length(t), t[-1:], length(j), length(latin), latin[-1:] FROM out ORDER BY id`;
    const { data, changes } = await extract({ from: { schema: 'shop', table: 'long_values' } }, TIMEOUTS, query);
    expect(data).toEqual([
      [1, 1_200_000, '00FF', 400_000, '語', 1_200_004, 1_200_000, 'é'],
      [2, 0, '', 0, '', 2, 0, ''],
      [3, null, null, null, null, null, null, null],
    ]);
    expect(changes).toEqual([]);
  });

  it('refuses a row that is too long before a text is made of it', async () => {
    const part = "REPEAT(x'0102', 6000000)";
    const query = `SELECT ${Array.from({ length: 6 }, (_, i) => `${part} AS b${i}`).join(', ')}`;
    await expect(extract({ from: { query } })).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
  });

  it('reads only what is new since the watermark', async () => {
    const first = await table('orders', { cursor: { column: 'at' } });
    expect(first.rows).toBe(2);
    expect(first.watermark).toMatchObject({ to: '2026-01-03T00:00:00.000Z', nullCursorRows: 1 });
    const again = await table('orders', {
      cursor: { column: 'at', from: first.watermark!.to!, boundary: first.watermark!.boundary },
    });
    expect(again).toMatchObject({ rows: 0, watermark: { repeatedRows: 1 } });
    const byText = await table('orders', { cursor: { column: 'note', from: 'a' } });
    expect(byText.data.map(([id]) => id)).toEqual([3]);
  });

  it('leaves out, and counts, dates that are in no calendar', async () => {
    await server.run(
      'CREATE TABLE impossible (id INT PRIMARY KEY, at DATETIME, day DATE, s TIMESTAMP NULL)',
      `SET STATEMENT sql_mode = 'ALLOW_INVALID_DATES' FOR INSERT INTO impossible VALUES
         (1, '2024-01-01 10:00', '2024-01-01', '2024-01-01 10:00'), (2, '0000-00-00', '0000-00-00', '0000-00-00'),
         (3, '2024-02-00 08:00', '2024-02-00', NULL), (4, '2024-02-30', '2024-02-30', NULL), (5, NULL, NULL, NULL),
         (6, '2024-02-29 23:59:59', '2024-02-29', '2024-02-29 23:59:59')`,
    );
    for (const column of ['at', 'day', 's']) {
      const read = async (cursor: object) => {
        const { data, watermark, changes } = await table('impossible', {
          columns: ['id', column],
          cursor: { column, ...cursor },
        });
        return [column, data.map(([id]) => id), watermark?.nullCursorRows, changes];
      };
      expect(await read({})).toEqual([column, [1, 6], 4, []]);
      expect(await read({ from: '2024-01-31' })).toEqual([column, [6], 4, []]);
    }
  });

  it('goes on from an instant, wherever its clock stands', async () => {
    await server.run(
      'CREATE TABLE instants (id INT PRIMARY KEY, at DATETIME(6), s TIMESTAMP(6) NULL)',
      `INSERT INTO instants VALUES (1, '2024-01-01 10:00:00.123455', '2024-01-01 10:00:00.123455'),
         (2, '2024-01-01 10:00:00.123456', '2024-01-01 10:00:00.123456'), (3, '2024-01-01 11:00', '2024-01-01 11:00')`,
    );
    const clock = (hour: string, offset: string) => `2024-01-01T${hour}:00.123456${offset}`;
    for (const column of ['at', 's']) {
      const ids = async (cursor: object) =>
        (await table('instants', { cursor: { column, ...cursor } })).data.map(([id]) => id);
      for (const from of [
        clock('11:00', '+01:00'),
        clock('07:30', '-0230'),
        clock('12:00', '+02'),
        clock('10:00', 'Z'),
      ]) {
        expect([column, from, await ids({ from })]).toEqual([column, from, [2, 3]]);
        expect(await ids({ from, lagSeconds: 1 })).toEqual([1, 2, 3]);
        expect(await ids({ from: '2024-01-01', before: from })).toEqual([1]);
      }
      expect(await ids({ from: '2024-01-01 11:00:00+00' })).toEqual([3]);
    }
  });

  it('reads on from decimals with more digits than are held', async () => {
    await server.run(
      'CREATE TABLE fine (id INT PRIMARY KEY, n DECIMAL(60,20), d DECIMAL(20,12), whole DECIMAL(38,0))',
      `INSERT INTO fine VALUES (1, 1.0000000006, 1.0000000006, 10000000000000000000000000000000000001),
         (2, 12345678901234567890123456789012, NULL, NULL), (3, -12345678901234567890123456789012, NULL, NULL)`,
    );
    const read = (column: string, cursor: object) =>
      table('fine', { columns: ['id', column], cursor: { column, ...cursor } });
    const columns = ['n', 'd', 'whole'];
    const first = await Promise.all(columns.map((column) => read(column, {})));
    expect(first.map(({ data, watermark }) => [data.length, watermark?.to, watermark?.nullCursorRows])).toEqual([
      [1, '1.000000001', 2],
      [1, '1.000000000600', 2],
      [1, '10000000000000000000000000000000000001', 2],
    ]);

    await server.run(`INSERT INTO fine VALUES
      (4, 1.0000000007, 1.0000000007, 10000000000000000000000000000000000002),
      (5, 1.0000000004, 1.0000000005, 10000000000000000000000000000000000000)`);
    for (const [i, column] of columns.entries()) {
      const { to, boundary } = first[i]!.watermark!;
      const next = await read(column, { from: to!, boundary });
      expect([column, next.data.map(([id]) => id), next.watermark?.repeatedRows]).toEqual([column, [4], 1]);
    }
  });

  it('runs a query with bound values and a filter', async () => {
    const { data } = await extract({
      from: { query: "SELECT id, concat(note, '!') AS loud FROM orders WHERE amount > $1;", params: ['0.2'] },
      filter: 'id < $2 AND $2 < 10',
      filterParams: [3],
    });
    expect(data).toEqual([[1, null]]);
  });

  it('refuses what is not a read, before the server sees it', async () => {
    for (const query of [
      'DELETE FROM orders',
      'SELECT 1; DROP TABLE orders',
      "SELECT load_file('/etc/passwd')",
      "SELECT * FROM orders INTO OUTFILE '/tmp/x'",
      "SELECT 1) AS x INTO OUTFILE '/tmp/x' -- ",
      'SELECT * FROM orders FOR UPDATE',
      'SELECT sleep(100)',
      'SELECT `sleep`(100)',
      'SELECT 1, `evil`(2)',
      'SELECT shop.evil(2)',
      'SELECT /*!50000 sleep(1) */ 1',
      'SELECT @@version',
      'SELECT @x := 1',
      'SELECT * FROM mysql.user',
      'SELECT * FROM `mysql`.user',
      'SELECT * FROM information_schema.tables',
      "SELECT get_lock('x', 10)",
      'SELECT benchmark(1e9, md5(1))',
      'SELECT 1 # comment\n; DELETE FROM orders',
      "SELECT 'it\\'s' ; SELECT 2",
      'CALL evil()',
      "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE orders",
      '',
    ]) {
      await expect(extract({ from: { query } }), query).rejects.toMatchObject({
        code: expect.stringMatching(/^SQL_(NOT_READ_ONLY|PARSE)$/),
      });
    }
    await expect(table('orders', { filter: '1) OR (1' })).rejects.toMatchObject({ code: 'SQL_NOT_READ_ONLY' });
    expect((await server.ask('SELECT count(*) AS n FROM orders'))[0]).toMatchObject({ n: 3 });
  });

  it('stops at the statement timeout and at the most bytes', async () => {
    const endless = `SELECT a.id FROM (${Array(9).fill('SELECT id FROM orders').join(' UNION ALL ')}) AS a,
      ${Array.from({ length: 8 }, (_, i) => `(${Array(9).fill('SELECT 1').join(' UNION ALL ')}) AS t${i}`).join(', ')}`;
    await expect(extract({ from: { query: endless }, maxBytes: 100_000 })).rejects.toMatchObject({
      code: 'RESULT_TOO_LARGE',
    });
    const slow = extract(
      { from: { query: endless.replace('a.id', 'count(*)') } },
      { connectMs: 3000, statementMs: 500 },
    );
    await expect(slow).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('says why there is no connection', async () => {
    const open = (changes: Partial<MysqlConfig>, password = secrets.password) =>
      connectMysql({ ...config, ...changes }, { password }, OPTIONS);
    await expect(open({}, 'wrong')).rejects.toMatchObject({ code: 'AUTH_FAILED' });
    await expect(open({ database: 'none' })).rejects.toMatchObject({
      code: expect.stringMatching(/NOT_FOUND|PERMISSION_DENIED/),
    });
    await expect(open({ port: 1 })).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    await expect(open({ ssl: true })).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    await expect(open({ ssl: true, host: 'localhost' })).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringMatching(/^The server does not offer TLS\. .*set ssl: false/),
    });
    await expect(open({ host: '169.254.169.254' })).rejects.toMatchObject({ code: 'ADDRESS_BLOCKED' });
  });

  it('leaves no connection behind', async () => {
    await table('orders');
    await expect(table('none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const left = async () =>
      Number(
        (await server.ask("SELECT count(*) AS n FROM information_schema.PROCESSLIST WHERE USER = 'reader'"))[0]!.n,
      );
    await expect.poll(left).toBe(0);
  });
});

describe('a server that is no honest MySQL', () => {
  async function serve(onConnection: (socket: Socket) => void): Promise<MysqlConfig> {
    const sockets = new Set<Socket>();
    const listener = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      onConnection(socket);
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      listener.close();
    });
    const { port } = listener.address() as AddressInfo;
    return { host: '127.0.0.1', port, database: 'x', user: 'x', ssl: false };
  }

  const quick = { guard: GUARD, timeouts: { connectMs: 400, statementMs: 400 } };

  it('fails the connection and nothing else, whatever it sends', async () => {
    for (const greeting of [
      'HTTP/1.1 200 OK\r\n\r\n',
      Buffer.alloc(64, 0xff),
      Buffer.from([0, 0, 0, 0, 0, 0, 0, 0]),
      Buffer.concat([Buffer.from([40, 0, 0, 0, 10]), Buffer.alloc(39, 0x41)]),
      Buffer.from([1, 0, 0, 0, 254]),
    ]) {
      const target = await serve((socket) => socket.write(greeting));
      await expect(connectMysql(target, { password: 'x' }, quick)).rejects.toMatchObject({
        code: expect.stringMatching(/^(CONNECTION_FAILED|TIMEOUT|AUTH_FAILED)$/),
      });
    }
    const silent = await serve(() => {});
    await expect(connectMysql(silent, { password: 'x' }, quick)).rejects.toMatchObject({ code: 'TIMEOUT' });
    const closing = await serve((socket) => socket.destroy());
    await expect(connectMysql(closing, { password: 'x' }, quick)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  });
});
