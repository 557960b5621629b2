import type { Platform } from '../platform.ts';
import { peakMemoryOf } from '../reports.ts';
import type { Row } from '../result.ts';
import { loadDataset } from '../sales.ts';
import { counted, scaled } from '../scale.ts';
import { ratios, spread } from '../spread.ts';
import { SALES } from './query-set.ts';

const WIDE_ROWS = scaled(500_000);
const WIDE_COLUMNS = 20;
const LONG_ROWS = scaled(5_000_000);
/** Constant memory: a file with ten times the rows takes no more. */
const CONSTANT = 1.2;
const XLSX_GOAL_S = 60;
const XLSX_GOAL_MB = 512;

/** Rows with texts, numbers and dates. */
const WIDE = (rows: number) => {
  const column = (index: number) =>
    [
      `(hash(i + ${index}) % 100000)::INTEGER`,
      `((hash(i + ${index}) % 1000000) / 100)::DECIMAL(10,2)`,
      `'text ' || hash(i + ${index}) % 1000`,
      `DATE '2020-01-01' + (hash(i + ${index}) % 2000)::INTEGER`,
    ][index % 4]!;
  const columns = Array.from({ length: WIDE_COLUMNS }, (_, index) => `${column(index)} AS c${index}`);
  return `SELECT ${columns.join(', ')} FROM range(${rows}) t(i)`;
};

/** Large files of one card: how long they take, and how much memory. */
export async function exportRows(platform: Platform, folder: string): Promise<Row[]> {
  await loadDataset(platform, 'wide', WIDE(WIDE_ROWS), folder);
  await loadDataset(platform, 'long', SALES(LONG_ROWS), folder);
  const files = {
    xlsx: await givenTable(platform, 'Wide', 'SELECT * FROM wide'),
    tenth: await givenTable(platform, 'A tenth', `SELECT * FROM long WHERE id < ${LONG_ROWS / 10}`),
    csv: await givenTable(platform, 'Long', 'SELECT * FROM long'),
  };
  const xlsx = await exported(platform, files.xlsx, { format: 'xlsx', rows: WIDE_ROWS });
  const tenth = await exported(platform, files.tenth, { format: 'csv', rows: LONG_ROWS / 10 });
  const csv = await exported(platform, files.csv, { format: 'csv', rows: LONG_ROWS });
  const what = `XLSX of ${counted(WIDE_ROWS)} rows and ${WIDE_COLUMNS} columns`;
  const constant = (name: 'exports' | 'engine'): Row => ({
    what: `CSV of ${counted(LONG_ROWS)} rows, memory of ${name}; against ${counted(LONG_ROWS / 10)} rows`,
    unit: 'MB',
    measured: spread([csv.peakMb[name]]),
    reference: spread([tenth.peakMb[name]]),
    ratio: ratios([csv.peakMb[name]], [tenth.peakMb[name]]),
    ...(name === 'exports' && { goal: { of: 'ratio', atMost: CONSTANT } as const }),
  });
  return [
    { what, unit: 's', measured: spread([xlsx.s]), goal: { of: 'measured', atMost: XLSX_GOAL_S } },
    {
      what: `${what}, memory`,
      unit: 'MB',
      measured: spread([xlsx.peakMb.exports]),
      goal: { of: 'measured', atMost: XLSX_GOAL_MB },
    },
    { what: `CSV of ${counted(LONG_ROWS)} rows`, unit: 's', measured: spread([csv.s]) },
    constant('exports'),
    constant('engine'),
  ];
}

/** The path of a dashboard with the rows of a statement as its only card. */
async function givenTable(platform: Platform, name: string, sql: string): Promise<string> {
  const saved = await platform.call<{ id: string }>('POST', '/api/saved-queries', { name, sql });
  const { id } = await platform.call<{ id: string }>('POST', '/api/dashboards', { name });
  const query = { source: { kind: 'savedQuery', id: saved.id } };
  const card = { cardType: 'table', position: { x: 0, y: 0, w: 12, h: 6 } };
  const chartSpec = { version: 1, query, mark: { type: 'table' } };
  await platform.call('POST', `/api/dashboards/${id}/cards`, { ...card, chartSpec });
  return `/api/dashboards/${id}`;
}

interface Exported {
  s: number;
  peakMb: { exports: number; engine: number };
}

/** Exports by fresh environments, which report the memory of this file alone. Throws for a file that lacks rows. */
async function exported(
  platform: Platform,
  path: string,
  { format, rows }: { format: 'csv' | 'xlsx'; rows: number },
): Promise<Exported> {
  for (const name of ['exports', 'engine']) await platform.replaceEnvironments(name, `${format} of ${path}`);
  const since = Date.now();
  const url = `${platform.endpoint}${path}/export`;
  const { status, text, ms } = await platform.http.send('POST', url, { format }, { accept: 'application/json' });
  if (status !== 200) throw new Error(`the export answered ${status}: ${text}`);
  const { bytes, downloadUrl } = JSON.parse(text) as { bytes: number; downloadUrl: string };
  // No row is that short; a file that says that its card has failed is.
  if (bytes < rows * 10) throw new Error(`the file lacks rows: ${await (await fetch(downloadUrl)).text()}`);
  const peakMb = {
    exports: await peakMemoryOf(platform, 'exports', since),
    engine: await peakMemoryOf(platform, 'engine', since),
  };
  return { s: ms / 1000, peakMb };
}
