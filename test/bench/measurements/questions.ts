import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { duckdbAlone, QUERY_MEMORY_MB } from '../duckdb-alone.ts';
import type { Platform } from '../platform.ts';
import type { Result, Row } from '../result.ts';
import { copyFiles, loadDataset } from '../sales.ts';
import { counted, scaled } from '../scale.ts';
import { ratios, rounds, spread } from '../spread.ts';
import { CUSTOMERS, SALES, VISITS } from './query-set.ts';
import { compileMs, TABLES } from './question-compiler.ts';

const ROWS = scaled(10_000_000);
const VISIT_ROWS = scaled(2_000_000);
const ROUNDS = 20;
const GROUP_BY_GOAL_MS = 300;
const TWO_LEGS_GOAL = 1.2;
const COMPILE_GOAL_MS = 5;

const MODEL = `
version: 1
name: Sales
tables:
  - alias: sales
    sourceTable: sold
    fields:
      - { name: customer, fieldType: dimension, dataType: integer }
      - { name: region, fieldType: dimension, dataType: string }
      - { name: amount, fieldType: measure, dataType: decimal }
  - alias: customers
    sourceTable: buyers
    fields:
      - { name: id, fieldType: dimension, dataType: integer }
      - { name: segment, fieldType: dimension, dataType: string }
  - alias: visits
    sourceTable: visits
    fields:
      - { name: customer, fieldType: dimension, dataType: integer }
      - { name: minutes, fieldType: measure, dataType: integer }
relationships:
  - { from: customers.id, to: sales.customer }
  - { from: customers.id, to: visits.customer }
`;
const REVENUE = { expression: 'SUM([sales.amount])', label: 'revenue' };
const GROUP_BY = {
  dimensions: [{ expression: '[sales.region]', label: 'region' }],
  measures: [{ expression: 'COUNT([sales.customer])', label: 'n' }, REVENUE],
};
const GROUP_BY_SQL = 'SELECT region, count(customer) AS n, sum(amount) AS revenue FROM sold GROUP BY 1 ORDER BY 1';
const TWO_LEGS = {
  dimensions: [{ expression: '[customers.segment]', label: 'segment' }],
  measures: [REVENUE, { expression: 'SUM([visits.minutes])', label: 'minutes' }],
};
const TWO_LEGS_SQL = `
  WITH s AS (SELECT segment, sum(amount) AS revenue FROM sold LEFT JOIN buyers ON buyers.id = sold.customer GROUP BY 1),
    v AS (SELECT segment, sum(minutes) AS minutes FROM visits LEFT JOIN buyers ON buyers.id = visits.customer GROUP BY 1)
  SELECT segment, revenue, minutes FROM s FULL JOIN v USING (segment) ORDER BY 1`;

/** Questions to a model over large datasets through the API, against DuckDB alone and against SQL written by hand. */
export async function questions({ platform, deployment }: Bench): Promise<Result> {
  const folder = deployment.scratch('questions');
  try {
    const id = await loadDataset(platform, 'sold', SALES(ROWS), folder);
    await copyFiles(platform, id, join(folder, 'sold'));
    await loadDataset(platform, 'buyers', CUSTOMERS, folder);
    await loadDataset(platform, 'visits', VISITS(VISIT_ROWS), folder);
    const model = await newModel(platform);
    const question = (body: object) => () => ask(platform, `${model}/query`, body);
    const statement = (sql: string) => () => ask(platform, '/api/query', { sql });
    await assertEqual(question(TWO_LEGS), statement(TWO_LEGS_SQL));
    const rows = [
      await groupBy(question(GROUP_BY), join(folder, 'sold')),
      await twoLegs(question(TWO_LEGS), statement(TWO_LEGS_SQL)),
      ...compiling(),
    ];
    return {
      title: 'Questions to models',
      rows,
      notes: [
        `Sales have ${counted(ROWS)} rows, visits ${counted(VISIT_ROWS)}, customers ${counted(100_000)}. ${ROUNDS} rounds on warm functions, computed again each time; the time is that of the whole request. The SQL by hand aggregates sales and visits by segment and joins the results; it takes the same way through the API. Compiling runs in this process, with rights of a reader who may see everything: the first question to a definition also prepares its join graph and its names.`,
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function newModel(platform: Platform): Promise<string> {
  const { id } = await platform.call<{ id: string }>('POST', '/api/models', { name: 'Sales', sourceId: 'datasets' });
  await platform.call('PUT', `/api/models/${id}/file`, { yaml: MODEL });
  return `/api/models/${id}`;
}

interface Answer {
  rows: unknown;
  ms: number;
}

/** Computed again, with the milliseconds until the whole answer is there. */
async function ask(platform: Platform, path: string, question: object): Promise<Answer> {
  const body = { ...question, maxAgeSeconds: 0, timeoutMs: 25_000 };
  const { status, text, ms } = await platform.http.send('POST', platform.endpoint + path, body);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  return { rows: (JSON.parse(text) as { rows: unknown }).rows, ms };
}

async function assertEqual(one: () => Promise<Answer>, other: () => Promise<Answer>): Promise<void> {
  const [a, b] = [JSON.stringify((await one()).rows), JSON.stringify((await other()).rows)];
  if (a !== b) throw new Error(`the question and the SQL by hand answered differently: ${a} and ${b}`);
}

async function groupBy(question: () => Promise<Answer>, files: string): Promise<Row> {
  const before = [`CREATE VIEW sold AS FROM read_parquet('${files}/*.parquet')`];
  const alone = { memoryMb: QUERY_MEMORY_MB, before, statements: [GROUP_BY_SQL], apart: true };
  await question();
  const found = await rounds(ROUNDS, async () => ({
    ours: (await question()).ms,
    theirs: (await duckdbAlone(alone)).ms[0]!,
  }));
  const [ours, theirs] = [found.map((round) => round.ours), found.map((round) => round.theirs)];
  return {
    what: `group by over ${counted(ROWS)} rows, against DuckDB alone`,
    unit: 'ms',
    measured: spread(ours),
    reference: spread(theirs),
    ratio: ratios(ours, theirs),
    goal: { of: 'measured', atMost: GROUP_BY_GOAL_MS },
  };
}

async function twoLegs(question: () => Promise<Answer>, statement: () => Promise<Answer>): Promise<Row> {
  const found = await rounds(ROUNDS, async () => ({ ours: (await question()).ms, theirs: (await statement()).ms }));
  const [ours, theirs] = [found.map((round) => round.ours), found.map((round) => round.theirs)];
  return {
    what: 'sales and visits by segment, against SQL by hand',
    unit: 'ms',
    measured: spread(ours),
    reference: spread(theirs),
    ratio: ratios(ours, theirs),
    goal: { of: 'ratio', atMost: TWO_LEGS_GOAL },
  };
}

function compiling(): Row[] {
  const { first, next } = compileMs();
  const row = (what: string, ms: readonly number[]): Row => ({
    what: `${what} to a model of ${TABLES} tables, compiled`,
    unit: 'ms',
    measured: spread(ms),
    goal: { of: 'measured', atMost: COMPILE_GOAL_MS },
  });
  return [row('the first question', first), row('further questions', next)];
}
