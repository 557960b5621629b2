import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExtractPlace, extractSource } from '../../shared/data/connectors/extract-source.ts';
import { connectPostgres, extractToParquet } from '../../shared/data/connectors/postgres/index.ts';
import { type Engine, openEngine } from '../../shared/data/duckdb/engine.ts';
import { writeResultFile } from '../../shared/data/duckdb/result-files.ts';
import type { ColumnChange } from '../../shared/data/files/changed-values.ts';
import { convertToParquet } from '../../shared/data/files/read-file.ts';
import { createAddressGuard } from '../../shared/platform/net/address-guard.ts';
import { HAS_MARIADB, startMariadb } from '../support/mariadb.ts';
import { startPostgres } from '../support/postgres.ts';
import { exactJson, isSame, type Truth } from './value-soak/compare.ts';
import { csvScenario, jsonScenario, type Scenario, sheetScenario } from './value-soak/files.ts';
import { mysqlScenario } from './value-soak/mysql-rows.ts';
import { postgresScenario } from './value-soak/postgres-rows.ts';
import { Choices } from './value-soak/random.ts';
import { byApacheArrow, byHyparquet } from './value-soak/read-back.ts';
import { type WebSource, WebSources } from './value-soak/web-sources.ts';

/**
 * `npm run soak:values [minutes] [first seed]`: writes random tables as CSV, JSON, NDJSON, Excel, Parquet, into
 * Postgres, MariaDB and a bucket, and behind a web service, reads them as sources and compares the stored rows with
 * what was written, through the platform's own results, hyparquet and Apache Arrow. A value that differs must be
 * counted as changed, and nothing else may be.
 */
const minutes = Number(process.argv[2] ?? 30);
const firstSeed = Number(process.argv[3] ?? 0);
const guard = createAddressGuard({ allowedPrivateCidrs: ['127.0.0.0/8'] });
const TIMEOUTS = { connectMs: 20_000, statementMs: 60_000 };
const server = await startPostgres();
const mariadb = HAS_MARIADB ? await startMariadb() : undefined;
const cloudDir = await mkdtemp(join(tmpdir(), 'soak-values-cloud-'));
const web = await WebSources.start(cloudDir);
const until = performance.now() + minutes * 60_000;
const counts: Record<string, number> = {};
let findings = 0;

interface Stored {
  columns: { name: string; type: string }[];
  changes: readonly ColumnChange[];
}

/** Compares the rows of a Parquet file with the truth; returns the differences as sentences. */
async function compare(
  engine: Engine,
  dir: string,
  path: string,
  { columns, changes }: Stored,
  rows: Truth[][],
): Promise<string[]> {
  await engine.attach('stored', [path]);
  const sql = 'SELECT * FROM stored';
  const { rowsJson } = await engine.query(sql, { limit: 100_000, maxBytes: 100_000_000 });
  const arrow = join(dir, 'stored.arrow');
  await writeResultFile(engine, sql, { format: 'arrow', limit: 100_000, maxBytes: 100_000_000, path: arrow });
  const shown = {
    wire: exactJson(rowsJson) as Truth[][],
    hyparquet: await byHyparquet(path),
    arrow: await byApacheArrow(arrow),
  };
  return Object.entries(shown).flatMap(([reader, read]) => {
    if (read.length !== rows.length) return [`${reader}: ${read.length} rows instead of ${rows.length}`];
    return columns.flatMap((column, i) => {
      const change = changes.find((each) => each.column === column.name);
      const cells = rows.map((row, at): Cell => ({ at, truth: row[i]!, value: read[at]![i] }));
      return differences(reader, column, cells, change ? change.nulls + change.rounded : 0);
    });
  });
}

interface Cell {
  at: number;
  truth: Truth;
  value: Truth | undefined;
}

/** How the cells of a column differ by one reader, if more or less differs than is counted. */
function differences(
  reader: string,
  { name, type }: Stored['columns'][number],
  cells: readonly Cell[],
  counted: number,
): string[] {
  // hyparquet shows decimals as doubles. The results of queries are JSON, so their JSON columns have doubles only.
  if (type.includes(reader === 'hyparquet' ? 'decimal' : 'json') || (reader === 'hyparquet' && type === 'time'))
    return [];
  const isCounting = reader === (type.includes('json') ? 'hyparquet' : 'wire');
  const wrong = cells.filter(({ truth, value }) => value !== undefined && !isSame(truth, value, type));
  if (isCounting ? wrong.length > 0 === counted > 0 : wrong.length === 0 || counted > 0) return [];
  const text = (value: unknown) => JSON.stringify(value)?.slice(0, 160);
  const [first] = wrong;
  const example = first ? `row ${first.at + 1}: ${text(first.truth)} is ${text(first.value)}` : 'all are equal';
  return [`${reader} ${name} ${type}: ${wrong.length} differ, ${counted} counted; ${example}`];
}

type Convert = (
  engine: Engine,
  scenario: Scenario,
  out: string,
) => Promise<{ columns: Stored['columns']; changes?: Stored['changes'] }>;

const asFile =
  (dir: string): Convert =>
  async (engine, { format, content, options }, out) => {
    const path = join(dir, 'in');
    await writeFile(path, content);
    return convertToParquet(engine, { path, format, options }, out);
  };

const asWebSource =
  (place: (scenario: Scenario) => WebSource | Promise<WebSource>): Convert =>
  async (engine, scenario, out) => {
    const { settings, object } = await place(scenario);
    return extractSource(placeOf(engine), settings, { object, signal: new AbortController().signal }, out);
  };

/** Uploaded files are played as files. */
const placeOf = (engine: Engine): ExtractPlace => ({
  engine,
  options: { guard, timeouts: TIMEOUTS, schemes: ['http'], ownBucket: 'own' },
  upload: (path) => Promise.reject(new Error(`${path} is no upload`)),
});

async function playFile(engine: Engine, dir: string, scenario: Scenario, convert: Convert): Promise<string[]> {
  const out = join(dir, 'out.parquet');
  const { columns, changes = [] } = await convert(engine, scenario, out);
  const order = orderOf(scenario, columns);
  const rows = scenario.rows.map((row) => order.map((at) => (at === undefined ? null : row[at]!)));
  const found = await compare(engine, dir, out, { columns, changes }, rows);
  // What was stored is itself a Parquet file to import.
  const again = join(dir, 'again.parquet');
  const second = await convertToParquet(engine, { path: out, format: 'parquet' }, again);
  const [[differing] = []] = await engine.run(
    `SELECT count(*) FROM (SELECT to_json(_first)::VARCHAR FROM '${out}' _first EXCEPT ALL SELECT to_json(_second)::VARCHAR FROM '${again}' _second)`,
  );
  if (Number(differing) > 0 || second.changes?.length)
    found.push(`parquet: ${differing} rows differ when it is imported again`);
  return found;
}

/** Where the columns of the result are in the file: JSON columns come in the order of the engine. */
function orderOf({ format, names }: Scenario, columns: Stored['columns']): (number | undefined)[] {
  if (format === 'csv' || format === 'xlsx') return columns.map((_, i) => i);
  const trimmed = (name: string) => name.replace(/_\d+$/, '');
  const left = new Set(names.keys());
  return columns.map(({ name }) => {
    const exact = [...left].find((i) => names[i] === name || (names[i] === '' && /^column_\d+$/.test(name)));
    const at = exact ?? [...left].find((i) => names[i]!.toLowerCase() === trimmed(name).toLowerCase());
    if (at !== undefined) left.delete(at);
    return at;
  });
}

async function playPostgres(engine: Engine, dir: string, choices: Choices, seed: number): Promise<string[]> {
  const { table, decimalsAs, rows } = await postgresScenario(server, choices, seed);
  const { host, port, database, user, password } = server;
  const source = await connectPostgres(
    { host, port, database, user, password, ssl: false },
    { guard, timeouts: TIMEOUTS },
  );
  try {
    const out = join(dir, 'out.parquet');
    const from = { schema: 'public', table };
    const read = await extractToParquet(engine, source, { from, ...(decimalsAs ? { decimalsAs } : {}) }, out);
    return await compare(engine, dir, out, read, rows);
  } finally {
    await source.close();
    await server.run(`DROP TABLE ${table}`);
  }
}

async function playMysql(engine: Engine, dir: string, choices: Choices, seed: number): Promise<string[]> {
  const { table, decimalsAs, rows } = await mysqlScenario(mariadb!, choices, seed);
  const { host, port, database, user, password } = mariadb!;
  const settings = {
    type: 'mysql',
    config: { host, port, database, user, ssl: false },
    secrets: { password },
  } as const;
  const object = { table, ...(decimalsAs ? { decimalsAs } : {}) };
  try {
    const out = join(dir, 'out.parquet');
    const extract = { object, signal: new AbortController().signal };
    return await compare(engine, dir, out, await extractSource(placeOf(engine), settings, extract, out), rows);
  } finally {
    await mariadb!.run(`DROP TABLE ${table}`);
  }
}

/**
 * The sources. A seed chooses the same one on every machine; without a MariaDB server, the seeds that choose it are
 * skipped.
 */
const KINDS: Record<string, (engine: Engine, dir: string, choices: Choices, seed: number) => Promise<string[]>> = {
  csv: (engine, dir, choices) => playFile(engine, dir, csvScenario(choices), asFile(dir)),
  json: (engine, dir, choices) => playFile(engine, dir, jsonScenario(choices), asFile(dir)),
  xlsx: (engine, dir, choices) => playFile(engine, dir, sheetScenario(choices), asFile(dir)),
  postgres: playPostgres,
  mysql: playMysql,
  s3: (engine, dir, choices) => {
    const make = choices.of([csvScenario, jsonScenario, sheetScenario]);
    return playFile(
      engine,
      dir,
      make(choices),
      asWebSource((scenario) => web.inBucket(scenario, choices)),
    );
  },
  http: (engine, dir, choices) =>
    playFile(
      engine,
      dir,
      jsonScenario(choices),
      asWebSource((scenario) => web.overHttp(scenario, choices)),
    ),
};

for (let seed = firstSeed; performance.now() < until; seed += 1) {
  const choices = new Choices(seed);
  const kind = choices.of(Object.keys(KINDS));
  if (kind === 'mysql' && !mariadb) continue;
  const dir = await mkdtemp(join(tmpdir(), 'soak-values-'));
  const engine = await openEngine({ memoryLimitMb: 512, threads: 1, tempDir: dir });
  try {
    const found = await KINDS[kind]!(engine, dir, choices, seed);
    for (const each of found) console.error(`seed ${seed} ${kind}: ${each}`);
    if (found.length > 0) findings += 1;
  } catch (error) {
    findings += 1;
    console.error(`seed ${seed} ${kind}: ${(error as Error).message.slice(0, 400)}`);
  } finally {
    await engine.close();
    await rm(dir, { recursive: true, force: true });
  }
  counts[kind] = (counts[kind] ?? 0) + 1;
  if ((seed - firstSeed + 1) % 100 === 0)
    console.log(`${seed - firstSeed + 1} seeds, ${findings} with findings: ${JSON.stringify(counts)}`);
}
await Promise.all([server.stop(), mariadb?.stop(), web.stop()]);
await rm(cloudDir, { recursive: true, force: true });
const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
console.log(`${total} seeds from ${firstSeed} in ${minutes} min, ${findings} with findings: ${JSON.stringify(counts)}`);
process.exitCode = findings === 0 ? 0 : 1;
