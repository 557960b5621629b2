import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { duckdbAlone, QUERY_MEMORY_MB, total } from '../duckdb-alone.ts';
import { CUSTOMERS, loadOrders, type NativeFile, ORDER_ROWS, QUESTIONS } from '../orders.ts';
import type { Platform } from '../platform.ts';
import { reportsOf } from '../reports.ts';
import type { Result, Row } from '../result.ts';
import { counted, scaled } from '../scale.ts';
import { ratios, rounds, spread } from '../spread.ts';

const ROUNDS = 8;
const AT_ONCE = 12;
const AT_ONCE_ROUNDS = 4;
const CSV_ROWS = scaled(50_000);
const COLD_ROUNDS = 5;
const COLD_GOAL_MS = 500;
const GOAL = 1.3;
const AT_ONCE_GOAL = 1.2;

/** Questions that are computed again each time, against DuckDB alone with a native file of the same rows. */
export async function freshAnswers({ platform, deployment }: Bench): Promise<Result> {
  const folder = deployment.scratch('fresh-answers');
  try {
    const { native, model } = await loadOrders(platform, folder);
    const ask = (question: object) => askFresh(platform, `${model}/query`, question);
    return {
      title: 'Fresh answers',
      rows: [
        ...(await oneByOne(ask, native, folder)),
        await manyAtOnce(ask, native),
        await asCsv(platform, native, join(folder, 'orders.csv')),
        ...(await onColdFunctions(platform, ask)),
      ],
      notes: [
        `Questions to a model over ${counted(ORDER_ROWS)} orders and ${counted(CUSTOMERS)} customers, computed again each time, after the engines have made [native copies](decisions/042-native-copies.md). The references are statements that a person would write, in DuckDB alone: over a native file of the same rows, and over the dataset's Parquet files. ${ROUNDS} rounds; the time of the platform is the whole request. ${AT_ONCE} questions at once are compared with the same ones one after the other in one instance of DuckDB.`,
        'On cold functions, neither the function of questions nor an engine runs. Both start at the same time, because the one lets the other start while it starts itself.',
      ],
      bound:
        'the cores, which clients, gateway, functions and two engines share, and the fixed work of each question: some 30 ms of processor time in four processes.',
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
  const alone = async ({ before }: Pick<NativeFile, 'before'>, sql: string) =>
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

/** The first question where no function runs yet: the whole request, and what each function reports of its start. */
async function onColdFunctions(platform: Platform, ask: (question: object) => Promise<number>): Promise<Row[]> {
  const { question } = Object.values(QUESTIONS)[0]!;
  const found = await rounds(COLD_ROUNDS, async (round) => {
    for (const name of ['questions', 'engine']) await platform.replaceEnvironments(name, `Cold round ${round}`);
    const since = Date.now();
    const ms = await ask(question);
    const [asked] = await reportsOf(platform, 'questions', since);
    const engine = await reportsOf(platform, 'engine', since);
    return {
      'the first question on cold functions': ms,
      'its function, start': asked!.initMs!,
      'its function, first call, with that of the engine': asked!.durationMs,
      'the engine, start': engine.find(({ initMs }) => initMs !== undefined)!.initMs!,
      'the engine, first statement': engine.at(-1)!.durationMs,
    };
  });
  const names = Object.keys(found[0]!) as (keyof (typeof found)[number])[];
  return names.map((what, index) => ({
    what,
    unit: 'ms',
    measured: spread(found.map((each) => each[what])),
    ...(index === 0 && { goal: { of: 'measured', atMost: COLD_GOAL_MS } as const }),
  }));
}
