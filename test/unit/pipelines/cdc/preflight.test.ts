import { expect, it } from 'vitest';
import type { PostgresSource } from '../../../../shared/data/connectors/postgres/connection.ts';
import { preflightIssues } from '../../../../shared/domains/pipelines/cdc/preflight.ts';

it('refuses a server that is older than Postgres 14, beside everything else that it lacks', async () => {
  const facts = ['130014', 'replica', 'app', 'f', '0', 't', 'shop', null, null];
  const table = ['public.orders', 'r', 'p', 't', 't', 't', 'f', 'f', '["id"]'];
  const source = { query: async (sql: string) => ({ rows: [sql.includes('server_version_num') ? facts : table] }) };
  const wanted = { tables: ['public.orders'], slotName: 'analytics_shop_1' };
  const issues = await preflightIssues(source as unknown as PostgresSource, wanted);
  expect(issues.map(({ code }) => code)).toEqual([
    'SERVER_TOO_OLD',
    'WAL_LEVEL',
    'NO_REPLICATION_RIGHT',
    'NO_FREE_SLOT',
  ]);
});
