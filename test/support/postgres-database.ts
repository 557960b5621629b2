import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { type PostgresAccess, sharedPostgres } from './setup/ask.ts';

export interface TestDatabase extends PostgresAccess {
  /** Runs statements as the superuser. */
  run(sql: string): Promise<void>;
  /** The rows of one statement, as pg reads them. */
  rows(sql: string): Promise<unknown[][]>;
  /** Removes it, and ends its connections. */
  drop(): Promise<void>;
}

/**
 * An empty database on the server that the files of a run share. Roles, settings and the activity of sessions belong to
 * the server: a test of these starts one of its own with `startPostgres`.
 */
export async function openDatabase(): Promise<TestDatabase> {
  const server = await sharedPostgres();
  const database = `test_${randomBytes(6).toString('hex')}`;
  const own = { ...server, database };
  await connected(server, (client) => client.query(`CREATE DATABASE ${database}`));
  return {
    ...own,
    run: (sql) => connected(own, async (client) => void (await client.query(sql))),
    rows: (sql) => connected(own, async (client) => (await client.query({ text: sql, rowMode: 'array' })).rows),
    drop: () =>
      connected(server, async (client) => void (await client.query(`DROP DATABASE ${database} WITH (FORCE)`))),
  };
}

async function connected<T>(access: PostgresAccess, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(access);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
