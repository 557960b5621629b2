import { readingOf } from '../../data/connectors/postgres/types.ts';
import { folded } from '../../data/duckdb/column-names.ts';
import { engineTypeOf } from '../../data/duckdb/column-types.ts';
import type { CopyResult, Engine } from '../../data/duckdb/engine.ts';
import { csvTable } from '../../data/duckdb/exact-csv.ts';
import { quoteIdentifier } from '../../data/duckdb/quoting.ts';
import { DataError } from '../../platform/errors/data-error.ts';
import { type Batch, type ChangeFile, type ChangeLog, LINE_HEAD } from './change-log.ts';
import { misfit, shapeIssue } from './fit-shapes.ts';
import { CDC_COLUMNS } from './record.ts';
import type { StatePlace } from './state.ts';
import type { Shape, ShapeColumn } from './table-shape.ts';

/** Ours among the columns of the table, under names that no table has. */
const [POSITION, OP, LSN, AT, GONE] = ['position', 'op', 'lsn', 'at', 'gone'].map(
  (name) => `"the change's ${name}"`,
) as [string, string, string, string, string];

export interface ChangesRequest {
  place: StatePlace;
  table: string;
  /** The last batch that was read before; null when none was, and for the rows as they are. */
  after: number | null;
  upTo: number;
  /** Of the table's newest columns. */
  schemaSeq: number;
  /** Columns of the table; all when absent. */
  columns?: readonly string[];
  out: string;
}

interface Place {
  log: ChangeLog;
  engine: Engine;
  /** Local copies of objects. */
  localCopies(files: readonly { key: string }[]): Promise<string[]>;
}

/** What was to be read has been folded meanwhile into something larger: it is to be read anew, up to where it goes now. */
export class LogFolded extends Error {}

/** Files of one shape, which are read together. */
interface Part extends Shape {
  /** SQL that reads their lines. */
  lines: string;
}

/**
 * Writes the newest state of every row that has changed as Parquet: each key once, with `_cdc_deleted` for rows that are gone. What
 * was read before a truncation or a new snapshot is gone too, unless it came again. Reading on from nothing, or everything,
 * gives the rows that are there. Throws `LogFolded` when it has taken longer than folds wait, and SCHEMA_MISMATCH when the table
 * was altered so that its rows from before do not go with those of now.
 */
export async function readChanges(place: Place, request: ChangesRequest): Promise<CopyResult> {
  const { engine } = place;
  const { after, upTo, out } = request;
  const batches = await batchesOf(place, request, after ?? 0, upTo);
  const files = filesOf(sinceTruncation(batches, request.table), request.table);
  const newest = shapeOf(files.at(-1) ?? (await newestFile(place, request)));
  const issue = shapeIssue(request.table, newest);
  if (issue) throw new DataError('SCHEMA_MISMATCH', `${issue}; resync it.`);
  const keys = (newest.key ?? newest.columns.map(({ name }) => name)).map(quoteIdentifier).join(', ');
  const texts = doubtfulKeys(newest).map(({ name }) => keyText(name));
  const parts = await partsOf(place, files);
  const since = `seq > ${after ?? 0}`;
  const over = await misfits(engine, parts, (part) => stale(request.table, part, newest), { rows: since, cuts: since });
  const kept = parts.filter((part) => !over.has(part));
  // Of rows that are gone no more is read than that a truncation may be among them.
  await keep(engine, 'changes', parts, { newest, after: after ?? 0, isKept: (part) => !over.has(part) });
  const [[last = null] = []] = await engine.run(`SELECT max(${POSITION}) FROM changes WHERE ${OP} = 't'`);
  await engine.run(`
    CREATE OR REPLACE TEMP TABLE newest AS SELECT * FROM changes
    WHERE ${OP} <> 't' AND ${POSITION} > ${last ?? -1}
    QUALIFY row_number() OVER (PARTITION BY ${[keys, ...texts].join(', ')} ORDER BY ${POSITION} DESC) = 1`);
  const selects = [`SELECT *, ${OP} = 'd' AS ${GONE} FROM newest${after === null ? ` WHERE ${OP} <> 'd'` : ''}`];
  if (after !== null && last !== null) {
    selects.push(await goneRows(place, request, { after, newest, keys, truncation: String(last) }));
  }
  if (await isFoldedBeyond(place, request)) throw new LogFolded();
  const known = columnsOf([...kept, newest]);
  const wanted = request.columns ?? known;
  const unknown = wanted.find((name) => !known.some((each) => folded(each) === folded(name)));
  if (unknown !== undefined) throw new DataError('SCHEMA_MISMATCH', `There is no column "${unknown}".`);
  const list = [
    ...wanted.map(quoteIdentifier),
    ...[OP, LSN, AT, GONE].map((value, i) => `${value} AS ${CDC_COLUMNS[i]}`),
  ];
  const rows = selects.join('\nUNION ALL BY NAME\n');
  return engine.copyToParquet(`SELECT ${list.join(', ')} FROM (${rows})`, { path: out });
}

const shapeOf = ({ columns, rowKey }: ChangeFile): Shape => ({ columns, key: rowKey });

async function newestFile({ log }: Place, { place, schemaSeq, table }: ChangesRequest): Promise<ChangeFile> {
  return filesOf([(await log.covering(place, schemaSeq))!], table).at(-1)!;
}

/** Whether a fold took the end of what was read into a later batch: then it was not all found. */
async function isFoldedBeyond({ log }: Place, { place, upTo }: ChangesRequest): Promise<boolean> {
  return ((await log.covering(place, upTo))?.seq ?? upTo) > upTo;
}

interface Truncated {
  after: number;
  newest: Shape;
  keys: string;
  /** Where in the log all rows went. */
  truncation: string;
}

/** The keys that a reader may have from before a truncation and that did not come again. */
async function goneRows(place: Place, request: ChangesRequest, { after, newest, keys, truncation }: Truncated) {
  // In one go: what is folded between two looks could be missing from both.
  const all = await batchesOf(place, request, 0, request.upTo);
  const before = all.filter(({ seq }) => seq <= after);
  const known = [...sinceTruncation(before, request.table), ...all.slice(before.length)];
  const parts = await partsOf(place, filesOf(known, request.table));
  const over = await misfits(place.engine, parts, (part) => lost(request.table, part, newest), {
    rows: `place < ${truncation}`,
    cuts: `seq <= ${after}`,
  });
  const kept = parts.filter((part) => !over.has(part));
  await keep(place.engine, 'earlier', kept, { newest, after: 0, isKept: (_, name) => tellsApart(newest, name) });
  return `
    SELECT lost.*, mark.*, true AS ${GONE}
    FROM (
      SELECT DISTINCT ${keys} FROM earlier WHERE ${OP} <> 't' AND ${POSITION} < ${truncation}
      EXCEPT SELECT ${keys} FROM newest) AS lost
    CROSS JOIN (SELECT ${OP}, ${LSN}, ${AT} FROM changes WHERE ${POSITION} = ${truncation}) AS mark`;
}

async function batchesOf({ log }: Place, { place, table }: ChangesRequest, after: number, upTo: number) {
  const batches: Batch[] = [];
  for await (const batch of log.read(place, { after, upTo })) {
    if (batch.files.some((file) => file.table === table)) batches.push(batch);
  }
  return batches;
}

/** What came before the newest truncation tells nothing of the rows that are there now. */
function sinceTruncation(batches: readonly Batch[], table: string): Batch[] {
  const last = batches.findLastIndex(({ truncated }) => truncated.includes(table));
  return batches.slice(Math.max(0, last));
}

const filesOf = (batches: readonly Batch[], table: string): ChangeFile[] =>
  batches.flatMap(({ files }) => files.filter((file) => file.table === table));

/** Their names, each once, as it is spelt by now. */
const columnsOf = (shapes: readonly Shape[]): string[] => [
  ...new Map(shapes.flatMap(({ columns }) => columns.map(({ name }) => [folded(name), name]))).values(),
];

const tellsApart = ({ key }: Shape, name: string): boolean =>
  key?.some((each) => folded(each) === folded(name)) ?? true;

/** Columns of the key with values that the engine does not hold, or only rounded: such keys are told apart by their texts. */
const doubtfulKeys = (shape: Shape): ShapeColumn[] =>
  shape.columns.filter((column) => tellsApart(shape, column.name) && readingOf(column).lossy);

const keyText = (name: string): string => quoteIdentifier(`the change's key ${folded(name)}`);

const stale = (table: string, earlier: Shape, newest: Shape): string | undefined => {
  const issue = misfit(table, earlier, newest);
  return issue && `${issue}; resync it.`;
};

/** Why keys from before do not tell which of the rows are gone that were read by them. */
const lost = (table: string, { columns, key }: Shape, newest: Shape): string | undefined => {
  const issue = misfit(table, { key, columns: columns.filter(({ name }) => tellsApart(newest, name)) }, newest);
  return (
    issue &&
    `${issue}. Rows that were loaded before cannot be found by it: read the table by a new step, into a new target.`
  );
};

async function partsOf({ localCopies }: Place, files: readonly ChangeFile[]): Promise<Part[]> {
  const paths = await localCopies(files);
  const shapes = new Map<string, Shape & { paths: string[] }>();
  for (const [index, file] of files.entries()) {
    const shape = shapeOf(file);
    const name = JSON.stringify(shape);
    const part = shapes.get(name) ?? { ...shape, paths: [] };
    part.paths.push(paths[index]!);
    shapes.set(name, part);
  }
  return Promise.all(
    [...shapes.values()].map(async ({ paths: own, ...shape }) => ({
      ...shape,
      lines: await csvTable(own, LINE_HEAD.length + shape.columns.length),
    })),
  );
}

const PLACE = 'c0::BIGINT * 4294967296 + c1::BIGINT';

/**
 * The parts that do not fit, of which no row counts: all are from before the last of some truncations. Throws SCHEMA_MISMATCH when
 * there are rows that count.
 */
async function misfits(
  engine: Engine,
  parts: readonly Part[],
  issueOf: (part: Part) => string | undefined,
  { rows, cuts }: { rows: string; cuts: string },
): Promise<Set<Part>> {
  const odd = parts.filter((part) => issueOf(part) !== undefined);
  if (odd.length === 0) return new Set();
  const lines = parts.map(
    (part, i) => `SELECT ${i} AS part, c0::BIGINT AS seq, ${PLACE} AS place, c2 AS op FROM ${part.lines}`,
  );
  const found = await engine.run(`
    WITH lines AS (${lines.join(' UNION ALL ')})
    SELECT DISTINCT part FROM lines
    WHERE op <> 't' AND ${rows} AND place > coalesce((SELECT max(place) FROM lines WHERE op = 't' AND ${cuts}), -1)`);
  const counting = new Set(found.map(([part]) => parts[Number(part)]!));
  const bad = odd.find((part) => counting.has(part));
  if (bad) throw new DataError('SCHEMA_MISMATCH', issueOf(bad)!);
  return new Set(odd);
}

/** Reads changes that come after a batch as one table, with all columns of the newest shape, in its types. */
async function keep(
  engine: Engine,
  table: string,
  parts: readonly Part[],
  { newest, after, isKept }: { newest: Shape; after: number; isKept: (part: Part, name: string) => boolean },
): Promise<void> {
  const types = new Map(newest.columns.map((column) => [folded(column.name), engineTypeOf(readingOf(column).type)]));
  const reads = parts.map((part) => {
    const values = part.columns.flatMap((column, i) => {
      if (!isKept(part, column.name)) return [];
      const [cell, { lossy }] = [`c${LINE_HEAD.length + i}`, readingOf(column)];
      const text = lossy && tellsApart(newest, column.name);
      return [
        held(column, cell, types.get(folded(column.name))),
        ...(text ? [`CASE WHEN ${lossy(cell)} THEN ${cell} END AS ${keyText(column.name)}`] : []),
      ];
    });
    const head = [`${PLACE} AS ${POSITION}`, `c2 AS ${OP}`, `c3 AS ${LSN}`, `c4::TIMESTAMPTZ AS ${AT}`];
    return `SELECT ${[...head, ...values].join(', ')} FROM ${part.lines} WHERE c0::BIGINT > ${after}`;
  });
  const rows = [`SELECT ${emptyList(newest)} WHERE false`, ...reads].join('\nUNION ALL BY NAME\n');
  await engine.run(`CREATE OR REPLACE TEMP TABLE ${table} AS ${rows}`);
}

/** A value by the type that it was written with; in the newest type of its column, if it still has one. */
function held(column: ShapeColumn, cell: string, newest: string | undefined): string {
  const { type, read } = readingOf(column);
  const value = read(cell);
  const exact = newest === undefined || newest === engineTypeOf(type) ? value : `CAST(${value} AS ${newest})`;
  return `${exact} AS ${quoteIdentifier(column.name)}`;
}

function emptyList(shape: Shape): string {
  const values = shape.columns.map(
    (column) => `NULL::${engineTypeOf(readingOf(column).type)} AS ${quoteIdentifier(column.name)}`,
  );
  return [
    `NULL::BIGINT AS ${POSITION}`,
    `NULL::VARCHAR AS ${OP}`,
    `NULL::VARCHAR AS ${LSN}`,
    `NULL::TIMESTAMPTZ AS ${AT}`,
    ...values,
    ...doubtfulKeys(shape).map(({ name }) => `NULL::VARCHAR AS ${keyText(name)}`),
  ].join(', ');
}
