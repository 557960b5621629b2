import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { duckdbAlone, QUERY_MEMORY_MB, total } from '../duckdb-alone.ts';
import type { Platform } from '../platform.ts';
import { untilCopied } from '../reports.ts';
import type { Result, Row } from '../result.ts';
import { copyFiles, loadDataset } from '../sales.ts';
import { counted, scaled } from '../scale.ts';
import { ratios, rounds, spread } from '../spread.ts';

const ROWS = scaled(10_000_000);
const ROUNDS = 8;
const AT_ONCE = 12;
const AT_ONCE_ROUNDS = 4;
const CSV_ROWS = scaled(50_000);
const GOAL = 1.3;
const AT_ONCE_GOAL = 1.2;

const ORDERS = `
  SELECT i AS id, (hash(i) % 50000)::INTEGER AS customer, DATE '2023-01-01' + (hash(i + 1) % 1095)::INTEGER AS day,
    (hash(i + 2) % 50)::INTEGER AS product, ((hash(i + 3) % 100000) / 100)::DECIMAL(10,2) AS amount,
    'region ' || hash(i + 4) % 12 AS region, CASE WHEN hash(i + 5) % 10 = 0 THEN 'returned' ELSE 'shipped' END AS status
  FROM range(${ROWS}) t(i)`;
const BUYERS = `SELECT i::INTEGER AS id, 'segment ' || hash(i) % 8 AS segment FROM range(50000) t(i)`;

const MODEL = `
version: 1
name: Orders
tables:
  - alias: orders
    sourceTable: orders
    fields:
      - { name: customer, fieldType: dimension, dataType: integer }
      - { name: region, fieldType: dimension, dataType: string }
      - { name: day, fieldType: dimension, dataType: date }
      - { name: product, fieldType: dimension, dataType: integer }
      - { name: status, fieldType: dimension, dataType: string }
      - { name: amount, fieldType: measure, dataType: decimal }
  - alias: buyers
    sourceTable: order_buyers
    fields:
      - { name: id, fieldType: dimension, dataType: integer }
      - { name: segment, fieldType: dimension, dataType: string }
relationships:
  - { from: buyers.id, to: orders.customer }
`;
const SUM = { expression: 'SUM([orders.amount])', label: 'amount' };
const MONTH = { expression: 'DATE_TRUNC("month", [orders.day])', label: 'month' };

interface Asked {
  question: object;
  sql: string;
}

/** Questions to a model, and the statements that a person would write for them. */
const QUESTIONS: Record<string, Asked> = {
  'group by one column': {
    question: { dimensions: [{ expression: '[orders.region]', label: 'region' }], measures: [SUM] },
    sql: 'SELECT region, sum(amount) FROM orders GROUP BY 1 ORDER BY 1',
  },
  'month × segment over a join': {
    question: { dimensions: [MONTH, { expression: '[buyers.segment]', label: 'segment' }], measures: [SUM] },
    sql: `SELECT date_trunc('month', day), segment, sum(amount) FROM orders LEFT JOIN order_buyers b ON b.id = customer GROUP BY 1, 2 ORDER BY 1, 2`,
  },
  'top ten customers of a filter': {
    question: {
      dimensions: [{ expression: '[orders.customer]', label: 'customer' }],
      measures: [SUM],
      filters: [{ expression: '[orders.status] = "returned" AND [orders.product] = 7' }],
      sort: [{ column: 'amount', direction: 'desc' }],
      limit: 10,
    },
    sql: `SELECT customer, sum(amount) FROM orders WHERE status = 'returned' AND product = 7 GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10`,
  },
  'customers by month, each counted once': {
    question: { dimensions: [MONTH], measures: [{ expression: 'COUNT_DISTINCT([orders.customer])', label: 'n' }] },
    sql: `SELECT date_trunc('month', day), count(DISTINCT customer) FROM orders GROUP BY 1 ORDER BY 1`,
  },
};

/** Questions that are computed again each time, against DuckDB alone with a native file of the same rows. */
export async function freshAnswers({ platform, deployment }: Bench): Promise<Result> {
  const folder = deployment.scratch('fresh-answers');
  try {
    const id = await loadDataset(platform, 'orders', ORDERS, folder);
    await copyFiles(platform, id, join(folder, 'orders'));
    const buyers = await loadDataset(platform, 'order_buyers', BUYERS, folder);
    await copyFiles(platform, buyers, join(folder, 'order_buyers'));
    const file = await nativeFile(folder);
    const model = await newModel(platform);
    const ask = (question: object) => askFresh(platform, `${model}/query`, question);
    for (let turn = 0; turn < 2; turn += 1)
      await Promise.all(Object.values(QUESTIONS).map((each) => ask(each.question)));
    await untilCopied(platform, id);
    return {
      title: 'Fresh answers',
      rows: [
        ...(await oneByOne(ask, file, folder)),
        await manyAtOnce(ask, file),
        await asCsv(platform, file, join(folder, 'orders.csv')),
      ],
      notes: [
        `Questions to a model over ${counted(ROWS)} orders and ${counted(50_000)} customers, computed again each time, after the engines have made [native copies](decisions/042-native-copies.md). The references are statements that a person would write, in DuckDB alone: over a native file of the same rows, and over the dataset's Parquet files. ${ROUNDS} rounds; the time of the platform is the whole request. ${AT_ONCE} questions at once are compared with the same ones one after the other in one instance of DuckDB.`,
      ],
      bound:
        'the cores, which clients, gateway, functions and two engines share, and the fixed work of each question: some 30 ms of processor time in four processes.',
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What opens the native file, for DuckDB alone. */
interface NativeFile {
  before: string[];
}

async function nativeFile(folder: string): Promise<NativeFile> {
  const path = join(folder, 'native.duckdb');
  const tables = ['orders', 'order_buyers'];
  const fill = tables.map(
    (name) => `CREATE TABLE made.${name} AS FROM read_parquet('${join(folder, name)}/*.parquet')`,
  );
  await duckdbAlone({
    memoryMb: QUERY_MEMORY_MB,
    statements: [`ATTACH '${path}' AS made (STORAGE_VERSION 'latest')`, ...fill, 'DETACH made'],
  });
  return {
    before: [
      `ATTACH '${path}' AS made (READ_ONLY)`,
      ...tables.map((name) => `CREATE VIEW ${name} AS FROM made.${name}`),
    ],
  };
}

async function newModel(platform: Platform): Promise<string> {
  const { id } = await platform.call<{ id: string }>('POST', '/api/models', { name: 'Orders', sourceId: 'datasets' });
  await platform.call('PUT', `/api/models/${id}/file`, { yaml: MODEL });
  return `/api/models/${id}`;
}

/** Milliseconds until the whole answer is there. */
async function askFresh(platform: Platform, path: string, question: object): Promise<number> {
  const body = { ...question, maxAgeSeconds: 0, timeoutMs: 25_000 };
  const { status, text, ms } = await platform.http.send('POST', platform.endpoint + path, body);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  return ms;
}

async function oneByOne(
  ask: (question: object) => Promise<number>,
  native: NativeFile,
  folder: string,
): Promise<Row[]> {
  const view = (name: string) => `CREATE VIEW ${name} AS FROM read_parquet('${join(folder, name)}/*.parquet')`;
  const parquet = { before: [view('orders'), view('order_buyers')] };
  const names = Object.keys(QUESTIONS);
  const alone = async ({ before }: NativeFile, sql: string) =>
    total(await duckdbAlone({ memoryMb: QUERY_MEMORY_MB, before, statements: [sql], apart: true }));
  const found = await rounds(ROUNDS, () =>
    rounds(names.length, async (index) => {
      const { question, sql } = QUESTIONS[names[index]!]!;
      return { ours: await ask(question), native: await alone(native, sql), parquet: await alone(parquet, sql) };
    }),
  );
  return names.flatMap((name, index) => {
    const [ours, floor, stored] = (['ours', 'native', 'parquet'] as const).map((side) =>
      found.map((round) => round[index]![side]),
    );
    const row = (what: string, reference: number[]): Row => ({
      what: `${name}; against ${what}`,
      unit: 'ms',
      measured: spread(ours!),
      reference: spread(reference),
      ratio: ratios(ours!, reference),
    });
    return [
      { ...row('a native file', floor!), goal: { of: 'ratio', atMost: GOAL } as const },
      row('the Parquet files', stored!),
    ];
  });
}

async function manyAtOnce(ask: (question: object) => Promise<number>, { before }: NativeFile): Promise<Row> {
  const asked = Array.from({ length: AT_ONCE }, (_, index) => Object.values(QUESTIONS)[index % 4]!);
  const statements = asked.map(({ sql }) => sql);
  const found = await rounds(AT_ONCE_ROUNDS, async () => {
    const startedAt = performance.now();
    await Promise.all(asked.map(({ question }) => ask(question)));
    const ours = performance.now() - startedAt;
    return { ours, theirs: total(await duckdbAlone({ memoryMb: QUERY_MEMORY_MB, before, statements })) };
  });
  const [ours, theirs] = [found.map((round) => round.ours), found.map((round) => round.theirs)];
  return {
    what: `${AT_ONCE} of these at once, the last; against one after the other`,
    unit: 'ms',
    measured: spread(ours),
    reference: spread(theirs),
    ratio: ratios(ours, theirs),
    goal: { of: 'ratio', atMost: AT_ONCE_GOAL },
  };
}

async function asCsv(platform: Platform, { before }: NativeFile, path: string): Promise<Row> {
  const sql = `SELECT id, customer, day, amount, region FROM orders LIMIT ${CSV_ROWS}`;
  const body = { sql, limit: CSV_ROWS, maxAgeSeconds: 0, timeoutMs: 25_000 };
  const found = await rounds(ROUNDS, async () => {
    const reply = await platform.http.send('POST', `${platform.endpoint}/api/query`, body, { accept: 'text/csv' });
    if (reply.status !== 200) throw new Error(`the query answered ${reply.status}: ${reply.text}`);
    const statements = [`COPY (${sql}) TO '${path}' (FORMAT csv, HEADER)`];
    return { ours: reply.ms, theirs: total(await duckdbAlone({ memoryMb: QUERY_MEMORY_MB, before, statements })) };
  });
  const [ours, theirs] = [found.map((round) => round.ours), found.map((round) => round.theirs)];
  return {
    what: `${counted(CSV_ROWS)} rows as CSV, in one reply; against writing a file`,
    unit: 'ms',
    measured: spread(ours),
    reference: spread(theirs),
    ratio: ratios(ours, theirs),
  };
}
