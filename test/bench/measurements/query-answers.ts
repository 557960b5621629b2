import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { duckdbAlone, QUERY_MEMORY_MB } from '../duckdb-alone.ts';
import { Meter } from '../meter.ts';
import type { Platform } from '../platform.ts';
import { reportsOf } from '../reports.ts';
import type { Result, Row } from '../result.ts';
import { copyFiles, loadDataset } from '../sales.ts';
import { counted, scaled } from '../scale.ts';
import { percentile, ratios, rounds, spread } from '../spread.ts';
import { over } from '../unit-costs.ts';
import { SALES } from './query-set.ts';

const ROWS = scaled(10_000_000);
/** Each caller with a statement of its own has an engine of its own, which fetches the file. */
const ROWS_ASKED_AT_ONCE = scaled(1_000_000);
const ANSWERED = scaled(100_000);
/** As many as one reply may have. */
const IN_ONE_REPLY = scaled(50_000);
const CALLERS = scaled(50, 5);
const HITS = 50;
const STARTS = 5;
const COSTED = 20;
const HIT_GOAL_MS = 120;
const AGGREGATE = 'SELECT region, count(*) AS n, sum(amount) AS total FROM answers GROUP BY region ORDER BY region';
const LARGE = 'SELECT id, customer, amount FROM answers';

/** What callers wait for beside the computing: large answers, many at once, cached answers, engines that start. */
export async function queryAnswers({ platform, deployment }: Bench): Promise<Result> {
  const folder = deployment.scratch('query-answers');
  const meter = new Meter(platform);
  try {
    const id = await loadDataset(platform, 'answers', SALES(ROWS), folder);
    await loadDataset(platform, 'asked', SALES(ROWS_ASKED_AT_ONCE), folder);
    const files = join(folder, 'answers');
    await copyFiles(platform, id, files);
    await ask(platform, { sql: AGGREGATE });

    await ask(platform, { sql: AGGREGATE, maxAgeSeconds: 3600 });
    const hits = await rounds(HITS, () => ask(platform, { sql: AGGREGATE, maxAgeSeconds: 3600 }));
    const starts = await coldStarts(platform);
    const large = await largeAnswers(platform, files);
    const same = await crowd(platform, () => AGGREGATE.replace('region,', 'region, max(id) AS newest,'));
    const different = await crowd(platform, (caller) => `${AGGREGATE.replace('answers', 'asked')} LIMIT ${caller + 1}`);
    const times = async (work: () => Promise<unknown>) => ({
      ...over(await meter.during(() => rounds(COSTED, work)), COSTED),
      apiCalls: 1,
    });
    const query = await times(() => ask(platform, { sql: AGGREGATE }));
    const cachedQuery = await times(() => ask(platform, { sql: AGGREGATE, maxAgeSeconds: 3600 }));

    return {
      title: 'Answers of queries',
      rows: [
        {
          what: 'cached answer',
          unit: 'ms',
          measured: spread(hits),
          goal: { of: 'measured', atMost: HIT_GOAL_MS },
        },
        {
          what: 'one row with a cold engine; against a warm one',
          unit: 'ms',
          measured: spread(starts.cold),
          reference: spread(starts.warm),
          ratio: ratios(starts.cold, starts.warm),
        },
        ...large,
        ...crowdRows('of one statement', same),
        ...crowdRows(`of one statement each (${counted(ROWS_ASKED_AT_ONCE)} rows)`, different),
      ],
      notes: [
        `Over ${counted(ROWS)} rows. An engine starts in ${Math.round(percentile(starts.initMs, 50))} ms by its own report, for Node, the bundle and DuckDB. One reply has up to ${counted(IN_ONE_REPLY)} rows; more need a query job, whose pages are read here one after the other.`,
        `Of the ${CALLERS} callers of one statement, ${same.computed} computed it; of those of one statement each, ${different.computed}; ${same.refused} and ${different.refused} got no answer in time or a reply that the service is busy.`,
      ],
      bound: 'a cached answer is two reads of the table, one of the bucket, and three hops between processes.',
      quantities: { query, cachedQuery },
    };
  } finally {
    meter.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Question {
  sql: string;
  maxAgeSeconds?: number;
  limit?: number;
}

/** Milliseconds until the whole answer is there. */
async function ask(platform: Platform, { sql, maxAgeSeconds = 0, limit = 1000 }: Question): Promise<number> {
  const body = { sql, maxAgeSeconds, limit };
  const { status, text, ms } = await platform.http.send('POST', `${platform.endpoint}/api/query`, body);
  if (status !== 200) throw new Error(`the query answered ${status}: ${text}`);
  return ms;
}

/** Each round on an engine whose environments have just been replaced, then on the same once more. */
async function coldStarts(platform: Platform): Promise<{ cold: number[]; warm: number[]; initMs: number[] }> {
  const since = Date.now();
  const sql = 'SELECT 1 AS one';
  const found = await rounds(STARTS, async (index) => {
    await platform.replaceEnvironments('engine', `Round ${index}`);
    return { cold: await ask(platform, { sql }), warm: await ask(platform, { sql }) };
  });
  const reports = await reportsOf(platform, 'engine', since);
  return {
    cold: found.map(({ cold }) => cold),
    warm: found.map(({ warm }) => warm),
    initMs: reports.flatMap(({ initMs }) => (initMs === undefined ? [] : [initMs])),
  };
}

async function largeAnswers(platform: Platform, files: string): Promise<Row[]> {
  const limited = (limit: number) => `${LARGE} LIMIT ${limit}`;
  const before = [`CREATE VIEW answers AS FROM read_parquet('${files}/*.parquet')`];
  const alone = async (limit: number) =>
    (await duckdbAlone({ memoryMb: QUERY_MEMORY_MB, before, statements: [limited(limit)], apart: true })).ms[0]!;
  const found = await rounds(3, async () => ({
    reply: await ask(platform, { sql: LARGE, limit: IN_ONE_REPLY }),
    replyAlone: await alone(IN_ONE_REPLY),
    job: await jobMs(platform, ANSWERED),
    jobAlone: await alone(ANSWERED),
  }));
  const row = (what: string, ours: number[], theirs: number[]): Row => ({
    what,
    unit: 'ms',
    measured: spread(ours),
    reference: spread(theirs),
    ratio: ratios(ours, theirs),
  });
  return [
    row(
      `${counted(IN_ONE_REPLY)} rows as JSON, in one reply`,
      found.map(({ reply }) => reply),
      found.map(({ replyAlone }) => replyAlone),
    ),
    row(
      `${counted(ANSWERED)} rows as JSON, by a query job`,
      found.map(({ job }) => job),
      found.map(({ jobAlone }) => jobAlone),
    ),
  ];
}

/** From the request for a job to the last of its pages. */
async function jobMs(platform: Platform, limit: number): Promise<number> {
  const startedAt = performance.now();
  const { id } = await platform.call<{ id: string }>('POST', '/api/query/jobs', { sql: LARGE, limit });
  for (let status = 'queued'; status !== 'succeeded'; await sleep(50)) {
    const job = await platform.call<{ status: string; error: unknown }>('GET', `/api/query/jobs/${id}`);
    if (job.status === 'failed') throw new Error(`the job failed: ${JSON.stringify(job.error)}`);
    status = job.status;
  }
  let rows = 0;
  for (let cursor: string | null = '0'; cursor !== null; ) {
    const path: string = `/api/query/jobs/${id}/result?cursor=${cursor}`;
    const page: { rows: unknown[]; nextCursor: string | null } = await platform.call('GET', path);
    rows += page.rows.length;
    cursor = page.nextCursor;
  }
  if (rows !== limit) throw new Error(`the job answered ${rows} rows in place of ${limit}`);
  return performance.now() - startedAt;
}

interface Crowd {
  ms: number[];
  computed: number;
  refused: number;
}

/** What a machine that is too busy answers. */
const REFUSED = /SERVICE_BUSY|QUERY_TIMEOUT/;

/** Many concurrent requests for queries without a cached answer. */
async function crowd(platform: Platform, statement: (caller: number) => string): Promise<Crowd> {
  const replies = await Promise.all(
    Array.from({ length: CALLERS }, (_, caller) =>
      platform.http.send('POST', `${platform.endpoint}/api/query`, { sql: statement(caller) }),
    ),
  );
  const answered = replies.filter(({ status }) => status === 200);
  const wrong = replies.find(({ status, text }) => status >= 400 && status < 500 && !REFUSED.test(text));
  if (wrong) throw new Error(`a query answered ${wrong.status}: ${wrong.text}`);
  return {
    ms: answered.map(({ ms }) => ms),
    computed: answered.filter(({ text }) => text.includes('"cache":"miss"')).length,
    refused: replies.length - answered.length,
  };
}

const crowdRows = (what: string, { ms }: Crowd): Row[] => [
  { what: `${CALLERS} callers ${what}, p50`, unit: 'ms', measured: { ...spread(ms) } },
  { what: `${CALLERS} callers ${what}, the last`, unit: 'ms', measured: spread([Math.max(...ms)]) },
];
