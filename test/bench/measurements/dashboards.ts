import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIVE_CARD_MAX_AGE_SECONDS } from '../../../shared/domains/boards/cards/index.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import type { Bench } from '../bench.ts';
import { startServer } from '../child.ts';
import { HttpClient } from '../http-client.ts';
import type { Platform } from '../platform.ts';
import { postgresSource, salesTable } from '../postgres-sales.ts';
import type { Result, Row } from '../result.ts';
import { loadDataset } from '../sales.ts';
import { counted, scaled } from '../scale.ts';
import { percentile, ratios, rounds, spread } from '../spread.ts';
import { newWebhook } from './api-reads.ts';
import { exportRows } from './dashboard-exports.ts';
import { SALES } from './query-set.ts';

const CARDS = 30;
const QUERIES = 5;
const SOURCE_ROWS = scaled(200_000);
const DATASET_ROWS = scaled(1_000_000);
const READERS = scaled(200, 20);
const ARRIVING_MS = 10_000;
const READ_GOAL_MS = 2_000;
const HITS = 100;
const HIT_ROUNDS = 5;
const HIT_GOAL_MS = 120;
const PDFS = 5;
const PDF_GOAL_MS = 5_000;
/** A session of Postgres reports its scans at the latest so long after its last statement. */
const SCANS_REPORTED_MS = 11_000;
const REFERENCE = join(import.meta.dirname, '../references/bare-reads.ts');

/** Dashboards as their readers meet them: over a database, cached, and as files. */
export async function dashboards({ platform, deployment }: Bench): Promise<Result> {
  const folder = deployment.scratch('dashboards');
  // A query is one scan of the table only if no workers share it.
  const server = await startPostgres(['-c', 'max_parallel_workers_per_gather=0']);
  try {
    const live = await readersOfSource(platform, server);
    const dataset = await loadDataset(platform, 'shown_sales', SALES(DATASET_ROWS), folder);
    const cached = await givenDashboard(platform, 'Cached', (index) => salesByRegion(dataset, index));
    return {
      title: 'Dashboards',
      rows: [
        ...live.rows,
        await cachedCards(platform, cached),
        await pdfs(platform, cached),
        ...(await exportRows(platform, folder)),
      ],
      notes: [
        `A dashboard of ${CARDS} charts with ${QUERIES} different queries, each of which reads all ${counted(SOURCE_ROWS)} rows of a table in Postgres. First one reader reads the ${CARDS} cards in as many requests at once; then ${counted(READERS)} readers of another such dashboard arrive evenly within ten seconds, and each reads all cards in one request. Postgres itself counts the scans of its tables: the source ran ${live.queries[0]} queries for the first, and ${live.queries[1]} for the others. ${live.refused} of the readers got no answer in time.`,
        `Cached cards are read one after the other, ${HITS} in each of ${HIT_ROUNDS} rounds; the bare server reads one item of the same table. The PDF has the ${CARDS} charts over a dataset of ${counted(DATASET_ROWS)} rows, whose answers are cached.`,
        'Memory is the most that a fresh environment of the function has used by its own report, for a file of all rows and for one of a tenth of them.',
      ],
      bound: 'the cores. Gateway, table, functions, Postgres and readers share those of this machine.',
    };
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const look = { mark: { type: 'bar' }, encoding: { x: { field: 'region' }, y: { field: 'amount' } } };

const salesByRegion = (datasetId: string, index: number) => ({
  source: { kind: 'dataset', id: datasetId },
  dimensions: [{ column: 'region', label: 'region' }],
  measures: [{ column: 'amount', aggregation: 'sum', label: 'amount' }],
  filters: [{ column: 'product', op: 'ne', values: [index] }],
});

/** Charts on a grid, with the queries in turn. */
async function givenDashboard(
  platform: Platform,
  name: string,
  query: (index: number) => object,
): Promise<{ path: string; cardIds: string[] }> {
  const { id } = await platform.call<{ id: string }>('POST', '/api/dashboards', { name });
  const path = `/api/dashboards/${id}`;
  const cardIds = Array.from({ length: CARDS }, (_, index) => `card-${index}`);
  for (const [index, cardId] of cardIds.entries()) {
    const chartSpec = { version: 1, query: query(index % QUERIES), ...look };
    const position = { x: (index % 3) * 8, y: Math.floor(index / 3) * 6, w: 8, h: 6 };
    await platform.call('POST', `${path}/cards`, { id: cardId, title: cardId, cardType: 'chart', position, chartSpec });
  }
  return { path, cardIds };
}

/** A dashboard of its own for a table of its own, so that nothing of it is cached. */
async function givenLive(platform: Platform, server: TestPostgres, sourceId: string, table: string) {
  await server.run(salesTable(SOURCE_ROWS).replaceAll('sales', table));
  const ids = await rounds(QUERIES, async (index) => {
    const sql = `SELECT region, sum(amount) AS amount FROM ${table} WHERE customer % ${QUERIES} <> ${index} GROUP BY region`;
    const saved = { name: `${table} ${index}`, sql, sourceId };
    return (await platform.call<{ id: string }>('POST', '/api/saved-queries', saved)).id;
  });
  const dashboard = await givenDashboard(platform, table, (index) => ({
    source: { kind: 'savedQuery', id: ids[index] },
  }));
  const scans = async () => {
    const [[count] = []] = await server.rows(`SELECT seq_scan FROM pg_stat_user_tables WHERE relname = '${table}'`);
    return Number(count);
  };
  return { ...dashboard, scans };
}

async function readersOfSource(platform: Platform, server: TestPostgres) {
  const sourceId = await postgresSource(platform, server, 'Live sales');
  const alone = await givenLive(platform, server, sourceId, 'sales_alone');
  const shared = await givenLive(platform, server, sourceId, 'sales_shared');
  // Functions and connections start with the cards of another.
  await readAll(platform, (await givenLive(platform, server, sourceId, 'sales_before')).path);
  await sleep(SCANS_REPORTED_MS);
  const before = [await alone.scans(), await shared.scans()];
  const aloneMs = await readOneByOne(platform, alone);
  const arrivedAt = performance.now();
  const { ms: crowdMs, refused } = await crowd(platform, shared.path);
  // Rows are read again once they are too old for readers who are still waiting, on a machine that is too slow for all
  // of them.
  const periods = 1 + Math.floor((performance.now() - arrivedAt) / (LIVE_CARD_MAX_AGE_SECONDS * 1000));
  await sleep(SCANS_REPORTED_MS);
  const queries = [await alone.scans(), await shared.scans()].map((scans, index) => scans - before[index]!);
  if (queries[0] !== QUERIES || queries[1]! > QUERIES * periods)
    throw new Error(`the source ran ${queries} queries, not ${QUERIES} each in ${periods} periods`);
  const goal = { of: 'measured', atMost: READ_GOAL_MS } as const;
  const row = (what: string, ms: number, more: Partial<Row> = {}): Row => ({
    ...{ what, unit: 'ms', measured: spread([ms]) },
    ...more,
  });
  const rows: Row[] = [
    row(`${CARDS} cards of a database at once, the last`, Math.max(...aloneMs)),
    row(`${counted(READERS)} readers of ${CARDS} cards within ten seconds, p50`, percentile(crowdMs, 50)),
    row(`${counted(READERS)} readers of ${CARDS} cards within ten seconds, p95`, percentile(crowdMs, 95), { goal }),
  ];
  return { rows, refused, queries };
}

async function send(platform: Platform, path: string, body: object): Promise<{ ms: number; text: string }> {
  const { status, text, ms } = await platform.http.send('POST', platform.endpoint + path, body);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  return { ms, text };
}

/** Milliseconds until every card is there. */
async function readAll(platform: Platform, path: string, body: object = {}): Promise<number> {
  const { ms, text } = await send(platform, `${path}/data`, body);
  const failed = (JSON.parse(text) as { cards: { problem: unknown }[] }).cards.find(({ problem }) => problem);
  if (failed) throw new Error(`a card failed: ${JSON.stringify(failed)}`);
  return ms;
}

const readOneByOne = (platform: Platform, { path, cardIds }: { path: string; cardIds: string[] }): Promise<number[]> =>
  Promise.all(cardIds.map(async (cardId) => (await send(platform, `${path}/cards/${cardId}/data`, {})).ms));

/**
 * Milliseconds of each reader, who does not wait for the others. A machine that is too busy leaves some without an
 * answer.
 */
async function crowd(platform: Platform, path: string): Promise<{ ms: number[]; refused: number }> {
  let refused = 0;
  const ms = await Promise.all(
    Array.from({ length: READERS }, async (_, reader) => {
      await sleep((ARRIVING_MS * reader) / READERS);
      const reply = await platform.http.send('POST', `${platform.endpoint}${path}/data`, {});
      if (reply.status >= 503) refused += 1;
      else if (reply.status !== 200) throw new Error(`a reader got ${reply.status}: ${reply.text}`);
      return reply.ms;
    }),
  );
  return { ms, refused };
}

async function cachedCards(platform: Platform, { path, cardIds }: { path: string; cardIds: string[] }): Promise<Row> {
  const { TABLE_NAME = '' } = await platform.variablesOf('webhooks');
  const server = await startServer([REFERENCE, platform.endpoint, TABLE_NAME, platform.workspaceId]);
  const bare = new HttpClient();
  try {
    const webhook = (await newWebhook(platform)).replace('/api', '');
    await readAll(platform, path);
    const cached = () => rounds(HITS, (index) => send(platform, `${path}/cards/${cardIds[index % CARDS]}/data`, {}));
    const alone = () => rounds(HITS, () => bare.send('GET', server.url + webhook));
    const p95 = (found: { ms: number }[]) =>
      percentile(
        found.map(({ ms }) => ms),
        95,
      );
    for (const warmUp of [cached, alone]) await warmUp();
    const found = await rounds(HIT_ROUNDS, async () => ({ ours: p95(await cached()), theirs: p95(await alone()) }));
    const [ours, theirs] = [found.map((round) => round.ours), found.map((round) => round.theirs)];
    return {
      what: 'a cached card, p95; against a bare server',
      unit: 'ms',
      measured: spread(ours),
      reference: spread(theirs),
      ratio: ratios(ours, theirs),
      goal: { of: 'measured', atMost: HIT_GOAL_MS },
    };
  } finally {
    server.stop();
    bare.close();
  }
}

async function pdfs(platform: Platform, { path }: { path: string }): Promise<Row> {
  const pdf = async () => (await send(platform, `${path}/export`, { format: 'pdf' })).ms;
  await pdf();
  const measured = spread(await rounds(PDFS, pdf));
  return { what: `PDF of ${CARDS} cards`, unit: 'ms', measured, goal: { of: 'measured', atMost: PDF_GOAL_MS } };
}
