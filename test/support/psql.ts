import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestPostgres } from './postgres.ts';

/** The machine's own, if it has one: the server that comes with npm has none. */
const PSQL = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'psql'))
  .find(existsSync);

/** Whether this machine can show what psql makes of a table. */
export const HAS_PSQL = PSQL !== undefined;
if (!HAS_PSQL) console.warn('psql is not installed: what it shows is not compared here.');

/** Runs a statement in psql, whose output goes into a file. */
export async function psql(
  { host, port, database, user, password }: Pick<TestPostgres, 'host' | 'port' | 'database' | 'user' | 'password'>,
  sql: string,
  file: string,
): Promise<void> {
  const place = ['-h', host, '-p', String(port), '-U', user, '-d', database];
  const child = spawn(PSQL!, [...place, '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-c', sql, '-o', file], {
    env: { ...process.env, PGPASSWORD: password },
    stdio: 'ignore',
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`psql ended with ${code}`);
}
