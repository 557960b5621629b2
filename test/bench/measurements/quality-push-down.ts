import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import type { Platform } from '../platform.ts';
import { postgresSource, salesTable } from '../postgres-sales.ts';
import { QUALITY, runAllTests } from '../quality-jobs.ts';
import type { Row } from '../result.ts';
import { counted, scaled } from '../scale.ts';
import { ratios, rounds, spread } from '../spread.ts';

const ROWS = scaled(1_000_000);
const ROUNDS = 3;
const WATCH_EVERY_MS = 200;

const TESTS: { testType: string; columnName?: string; config?: object }[] = [
  ...['id', 'customer', 'region', 'amount', 'sold', 'score'].map((columnName) => ({
    testType: 'not_null',
    columnName,
  })),
  { testType: 'unique', columnName: 'id' },
  { testType: 'no_negative', columnName: 'amount' },
  { testType: 'value_range', columnName: 'customer', config: { min: 0, max: 99_999 } },
  { testType: 'value_range', columnName: 'score', config: { max: 100 } },
  { testType: 'allowed_values', columnName: 'region', config: { values: ['region 1', 'region 2'] } },
  { testType: 'date_range', columnName: 'sold', config: { min: '2026-01-01' } },
  { testType: 'row_count', config: { min: ROWS } },
];

/**
 * The same tests of the same table, run by its server and over copied rows, both in one job; a `where` that is true
 * copies the rows.
 */
export async function pushDown(platform: Platform): Promise<Row> {
  const server = await startPostgres();
  try {
    await server.run(salesTable(ROWS));
    const [inServer, copied] = [
      await givenTests(platform, server, 'database', {}),
      await givenTests(platform, server, 'engine', { where: 'true' }),
    ];
    // The first run warms up both.
    await runAllTests(platform);
    const found = await rounds(ROUNDS, async () => {
      await runAllTests(platform);
      return { database: await secondsOf(platform, inServer), engine: await secondsOf(platform, copied) };
    });
    for (const { ids } of [inServer, copied]) {
      for (const id of ids) await platform.call('DELETE', `${QUALITY}/tests/${id}`);
    }
    const [database, engine] = [found.map((each) => each.database), found.map((each) => each.engine)];
    return {
      what: `${TESTS.length} tests of a Postgres table of ${counted(ROWS)} rows in the database; against copied rows`,
      unit: 's',
      measured: spread(database),
      reference: spread(engine),
      ratio: ratios(database, engine),
    };
  } finally {
    await server.stop();
  }
}

interface GivenTests {
  ids: string[];
  ranIn: string;
}

async function givenTests(
  platform: Platform,
  server: TestPostgres,
  ranIn: string,
  more: { where?: string },
): Promise<GivenTests> {
  const sourceId = await postgresSource(platform, server, `Sales tested in the ${ranIn}`);
  await synced(platform, sourceId);
  const ids: string[] = [];
  for (const [index, { config = {}, ...test }] of TESTS.entries()) {
    const { id } = await platform.call<{ id: string }>('POST', `${QUALITY}/tests`, {
      ...{ name: `${ranIn} ${index}`, targetType: 'source_table', sourceId, tableName: 'public.sales' },
      ...test,
      config: { ...config, ...more },
    });
    ids.push(id);
  }
  return { ids, ranIn };
}

async function synced(platform: Platform, sourceId: string): Promise<void> {
  await platform.call('POST', `/api/data-sources/${sourceId}/sync`);
  for (;;) {
    const path = `/api/data-sources/${sourceId}/history?limit=1`;
    const { items } = await platform.call<{ items: { status: string }[] }>('GET', path);
    const status = items[0]?.status;
    if (status === 'succeeded') return;
    if (status !== 'queued' && status !== 'running') throw new Error(`the sync is ${status}`);
    await sleep(WATCH_EVERY_MS);
  }
}

interface Run {
  status: string;
  ranIn: string;
  ms: number;
}

/** How long the newest run of the tests took, which is the same for all of a table. Throws if one ran elsewhere. */
async function secondsOf(platform: Platform, { ids, ranIn }: GivenTests): Promise<number> {
  let seconds = 0;
  for (const id of ids) {
    const { items } = await platform.call<{ items: Run[] }>('GET', `${QUALITY}/tests/${id}/runs?limit=1`);
    const [run] = items;
    if (run?.ranIn !== ranIn) throw new Error(`a test ended as ${run?.status} in ${run?.ranIn} in place of ${ranIn}`);
    seconds = run.ms / 1000;
  }
  return seconds;
}
