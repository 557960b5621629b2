import type { TestPostgres } from '../support/postgres.ts';
import type { Platform } from './platform.ts';

/** Makes a table `sales` with so many rows. */
export const salesTable = (rows: number): string => `
  CREATE TABLE sales AS
  SELECT i::bigint AS id, (i * 7919 % 100000)::int AS customer, 'region ' || i % 12 AS region,
    ((i * 104729 % 100000) / 100.0)::numeric(10,2) AS amount, timestamp '2026-01-01' + i * interval '1 second' AS sold, (i % 1000) / 7.0::float8 AS score
  FROM generate_series(1::bigint, ${rows}) i;
  ALTER TABLE sales ADD PRIMARY KEY (id);
  ANALYZE sales`;

export async function postgresSource(platform: Platform, server: TestPostgres, name: string): Promise<string> {
  const { host, port, database, user, password } = server;
  const { id } = await platform.call<{ id: string }>('POST', '/api/data-sources', {
    name,
    type: 'postgres',
    config: { host, port, database, user, ssl: false },
    secrets: { password },
  });
  return id;
}
