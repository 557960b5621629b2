import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { type DuckdbScript, duckdbAlone, QUERY_MEMORY_MB } from '../duckdb-alone.ts';
import type { Platform } from '../platform.ts';
import type { Result, Row } from '../result.ts';
import { copyFiles, loadDataset } from '../sales.ts';
import { counted, scaled } from '../scale.ts';
import { ratios, rounds, spread } from '../spread.ts';
import { CUSTOMERS, SALES } from './query-set.ts';

const ROWS = scaled(1_000_000);
const ROUNDS = 15;
const RETURNED = 1000;
const GOAL = 1.5;

const MODEL = `
version: 1
name: Blended
tables:
  - alias: sales
    sourceTable: blended_sales
    fields:
      - { name: id, fieldType: dimension, dataType: integer }
      - { name: customer, fieldType: dimension, dataType: integer }
      - { name: amount, fieldType: measure, dataType: decimal }
  - alias: customers
    sourceTable: blended_customers
    fields:
      - { name: id, fieldType: dimension, dataType: integer }
      - { name: segment, fieldType: dimension, dataType: string }
`;
const JOIN = `
  SELECT s.id, amount, segment FROM blended_sales AS s LEFT JOIN blended_customers AS c ON c.id = s.customer
  ORDER BY amount DESC, s.id LIMIT ${RETURNED + 1}`;
/** What the reply says about the join besides its rows. */
const STATISTICS = `
  WITH l AS MATERIALIZED (SELECT customer AS key, count(*) AS n FROM blended_sales GROUP BY 1),
    r AS MATERIALIZED (SELECT id AS key, count(*) AS n FROM blended_customers GROUP BY 1)
  SELECT sum(l.n), sum(r.n), max(r.n), sum(l.n * r.n), (SELECT sum(n) FROM l), (SELECT sum(n) FROM r),
    (SELECT max(n) FROM l), (SELECT max(n) FROM r),
    (SELECT sum(n) FROM l WHERE key IS NULL), (SELECT sum(n) FROM r WHERE key IS NULL)
  FROM l JOIN r USING (key)`;

/** A blend of two large datasets through the API, against the same join in DuckDB alone. */
export async function blends({ platform, deployment }: Bench): Promise<Result> {
  const folder = deployment.scratch('blends');
  try {
    const before: string[] = [];
    for (const [name, select] of [
      ['blended_sales', SALES(ROWS)],
      ['blended_customers', CUSTOMERS],
    ] as const) {
      const files = join(folder, `${name}-files`);
      await copyFiles(platform, await loadDataset(platform, name, select, folder), files);
      before.push(`CREATE VIEW ${name} AS FROM read_parquet('${files}/*.parquet')`);
    }
    const execute = await newBlend(platform);
    const alone = { memoryMb: QUERY_MEMORY_MB, before } satisfies Partial<DuckdbScript>;
    await execute();
    const found = await rounds(ROUNDS, async () => {
      const { ms: ours, engineMs } = await execute();
      // In one instance, as the platform does.
      const [joinMs, statisticsMs] = (await duckdbAlone({ ...alone, statements: [JOIN, STATISTICS] })).ms;
      return { ours, engineMs, joinMs: joinMs!, bothMs: joinMs! + statisticsMs! };
    });
    const row = (what: string, ours: 'ours' | 'engineMs', theirs: 'joinMs' | 'bothMs'): Row => {
      const [measured, reference] = [found.map((round) => round[ours]), found.map((round) => round[theirs])];
      return {
        ...{ what, unit: 'ms', measured: spread(measured), reference: spread(reference) },
        ratio: ratios(measured, reference),
      };
    };
    return {
      title: 'Blends',
      rows: [
        { ...row('the function, against the join alone', 'engineMs', 'joinMs'), goal: { of: 'ratio', atMost: GOAL } },
        row('the function, against the join and its statistics', 'engineMs', 'bothMs'),
        row('the whole request, against the join and its statistics', 'ours', 'bothMs'),
      ],
      notes: [
        `Sales of ${counted(ROWS)} rows join ${counted(100_000)} customers; the ${counted(RETURNED)} largest amounts are returned. ${ROUNDS} rounds on warm functions, computed again each time. The time of the function is what the reply reports: attaching the files, the exact statistics and the join. DuckDB alone has its own instance over the same files, which it opens in this time; the second reference also computes what the reply says about matches, duplicates and missing keys.`,
      ],
      bound: 'the exact statistics read the keys of all rows once more.',
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns what executes the blend, computed again. */
async function newBlend(platform: Platform): Promise<() => Promise<{ ms: number; engineMs: number }>> {
  const { id } = await platform.call<{ id: string }>('POST', '/api/models', { name: 'Blended', sourceId: 'datasets' });
  await platform.call('PUT', `/api/models/${id}/file`, { yaml: MODEL });
  const { items } = await platform.call<{ items: { id: string; alias: string }[] }>('GET', `/api/models/${id}/tables`);
  const tableId = (alias: string) => items.find((table) => table.alias === alias)?.id;
  const blend = await platform.call<{ id: string }>('POST', '/api/composite-models', {
    name: 'Sales with customers',
    ...{
      leftTableId: tableId('sales'),
      leftAlias: 'sales',
      rightTableId: tableId('customers'),
      rightAlias: 'customers',
    },
    keys: [{ left: 'customer', right: 'id' }],
  });
  const body = {
    ...{ leftColumns: ['id', 'amount'], rightColumns: ['segment'], limit: RETURNED, maxAgeSeconds: 0 },
    sort: [{ column: 'sales.amount', direction: 'desc' }, { column: 'sales.id' }],
  };
  return async () => {
    const path = `${platform.endpoint}/api/composite-models/${blend.id}/execute`;
    const { status, text, ms } = await platform.http.send('POST', path, body);
    if (status !== 200) throw new Error(`the blend answered ${status}: ${text}`);
    const { rowCount, totalRows, stats } = JSON.parse(text) as {
      rowCount: number;
      totalRows: number;
      stats: { ms: number; matchedLeft: number };
    };
    if (rowCount !== Math.min(RETURNED, ROWS) || totalRows !== ROWS || stats.matchedLeft !== ROWS)
      throw new Error(`the blend joined ${totalRows} rows, of which ${stats.matchedLeft} match`);
    return { ms, engineMs: stats.ms };
  };
}
