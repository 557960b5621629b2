import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';

const SERVER = ['/usr/sbin/mariadbd', '/usr/bin/mariadbd', '/usr/local/bin/mariadbd'].find((path) => existsSync(path));
const INSTALL = ['/usr/bin/mariadb-install-db', '/usr/local/bin/mariadb-install-db'].find((path) => existsSync(path));

/** Whether this machine can run the tests against a real server; no package on npm brings one. */
export const HAS_MARIADB = SERVER !== undefined && INSTALL !== undefined;
if (!HAS_MARIADB) console.warn('mariadbd is not installed: what needs a MySQL server is not tested here.');

export interface TestMariadb {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  /** Runs statements as the superuser, in the test database. */
  run(...statements: string[]): Promise<void>;
  ask(sql: string): Promise<RowDataPacket[]>;
  stop(): Promise<void>;
}

/** A MariaDB server of its own on a free port of loopback, with an empty database; two seconds to start. */
export async function startMariadb(): Promise<TestMariadb> {
  const directory = await mkdtemp(join(tmpdir(), 'mariadb-'));
  const data = join(directory, 'data');
  const asRoot = process.getuid?.() === 0;
  if (asRoot) {
    await chmod(directory, 0o755);
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'mysql'], { encoding: 'utf8' })));
    await chown(directory, uid!, gid!);
  }
  const user = asRoot ? ['--user=mysql'] : [];
  const options = ['--no-defaults', `--datadir=${data}`];
  execFileSync(INSTALL!, [...options, ...user, '--auth-root-authentication-method=normal', '--skip-test-db'], {
    stdio: 'ignore',
  });
  const port = await freePort();
  const server = spawn(
    SERVER!,
    [
      ...options,
      ...user,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(directory, 'socket')}`,
      `--pid-file=${join(directory, 'pid')}`,
      '--skip-name-resolve',
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-buffer-pool-size=32M',
      '--character-set-server=utf8mb4',
    ],
    { stdio: 'ignore' },
  );
  const root = { host: '127.0.0.1', port, user: 'root' };
  await listening(root, server);
  const reader = { database: 'shop', user: 'reader', password: 'p@ss word' };
  const ask = async (sql: string, database: string | undefined = reader.database) => {
    const connection = await createConnection({ ...root, ...(database ? { database } : {}) });
    try {
      const [rows] = await connection.query<RowDataPacket[]>(sql);
      return rows;
    } finally {
      await connection.end();
    }
  };
  await ask('CREATE DATABASE shop', '');
  await ask(`CREATE USER 'reader'@'%' IDENTIFIED BY '${reader.password}'`);
  await ask(`GRANT SELECT, SHOW VIEW ON shop.* TO 'reader'@'%'`);
  return {
    host: '127.0.0.1',
    port,
    ...reader,
    async run(...statements) {
      for (const statement of statements) await ask(statement);
    },
    ask: (sql) => ask(sql),
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function listening(root: { host: string; port: number; user: string }, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error('mariadbd did not start');
    try {
      await (await createConnection(root)).end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
