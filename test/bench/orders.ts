import { join } from 'node:path';
import { duckdbAlone, QUERY_MEMORY_MB } from './duckdb-alone.ts';
import type { Platform } from './platform.ts';
import { untilCopied } from './reports.ts';
import { copyFiles, loadDataset } from './sales.ts';
import { scaled } from './scale.ts';

export const ORDER_ROWS = scaled(10_000_000);
export const CUSTOMERS = 50_000;

const ORDERS = `
  SELECT i AS id, (hash(i) % ${CUSTOMERS})::INTEGER AS customer, DATE '2023-01-01' + (hash(i + 1) % 1095)::INTEGER AS day,
    (hash(i + 2) % 50)::INTEGER AS product, ((hash(i + 3) % 100000) / 100)::DECIMAL(10,2) AS amount,
    'region ' || hash(i + 4) % 12 AS region, CASE WHEN hash(i + 5) % 10 = 0 THEN 'returned' ELSE 'shipped' END AS status
  FROM range(${ORDER_ROWS}) t(i)`;
const BUYERS = `SELECT i::INTEGER AS id, 'segment ' || hash(i) % 8 AS segment FROM range(${CUSTOMERS}) t(i)`;

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

export interface Asked {
  question: object;
  sql: string;
}

/** Questions to a model, and the statements that a person would write for them. */
export const QUESTIONS: Record<string, Asked> = {
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

/** The native file's name in the folder. */
export const NATIVE_FILE = 'native.duckdb';

/** A native file of both tables for DuckDB alone, and what opens it. */
export interface NativeFile {
  before: string[];
}

/** Orders and their buyers in the platform and in files, with a model over them. */
export interface Orders {
  native: NativeFile;
  /** Holds a folder of Parquet files for each table. */
  folder: string;
  /** The path of the model in the API. */
  model: string;
}

/** Loads the tables, and asks until the engines have made native copies of them. */
export async function loadOrders(platform: Platform, folder: string): Promise<Orders> {
  const id = await loadDataset(platform, 'orders', ORDERS, folder);
  await copyFiles(platform, id, join(folder, 'orders'));
  const buyers = await loadDataset(platform, 'order_buyers', BUYERS, folder);
  await copyFiles(platform, buyers, join(folder, 'order_buyers'));
  const native = await nativeFile(folder);
  const model = await newModel(platform);
  const ask = ({ question }: Asked) =>
    platform.call('POST', `${model}/query`, { ...question, maxAgeSeconds: 0, timeoutMs: 25_000 });
  for (let turn = 0; turn < 2; turn += 1) await Promise.all(Object.values(QUESTIONS).map(ask));
  await untilCopied(platform, id);
  return { native, folder, model };
}

async function nativeFile(folder: string): Promise<NativeFile> {
  const path = join(folder, NATIVE_FILE);
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
