import { engineTypeOf } from '../engine/column-types.ts';
import type { CopyResult, Engine } from '../engine/engine.ts';
import { csvTable } from '../engine/exact-csv.ts';
import { quoteIdentifier } from '../engine/quoting.ts';
import { readingOf } from '../sources/postgres-types.ts';
import { type Batch, type ChangeFile, type ChangeLog, LINE_HEAD } from './change-log.ts';
import { CDC_COLUMNS } from './record.ts';
import type { StatePlace } from './state.ts';
import type { ShapeColumn } from './table-shape.ts';

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

/**
 * Writes the newest state of every row that has changed as Parquet: each key once, with `_cdc_deleted` for rows that are gone. What
 * was read before a truncation or a new snapshot is gone too, unless it came again. Reading on from nothing, or everything,
 * gives the rows that are there. Throws `LogFolded` when it has taken longer than folds wait.
 */
export async function readChanges(place: Place, request: ChangesRequest): Promise<CopyResult> {
  const { engine } = place;
  const { after, upTo, out } = request;
  const batches = await batchesOf(place, request, after ?? 0, upTo);
  const files = filesOf(sinceTruncation(batches, request.table), request.table);
  const newest = filesOf([(await place.log.covering(request.place, request.schemaSeq))!], request.table).at(-1)!;
  const keys = (newest.rowKey ?? newest.columns.map(({ name }) => name)).map(quoteIdentifier).join(', ');
  await keep(place, 'changes', files, newest.columns, after ?? 0);
  const [[last = null] = []] = await engine.run(`SELECT max(${POSITION}) FROM changes WHERE ${OP} = 't'`);
  await engine.run(`
    CREATE OR REPLACE TEMP TABLE newest AS SELECT * FROM changes
    WHERE ${OP} <> 't' AND ${POSITION} > ${last ?? -1}
    QUALIFY row_number() OVER (PARTITION BY ${keys} ORDER BY ${POSITION} DESC) = 1`);
  const parts = [`SELECT *, ${OP} = 'd' AS ${GONE} FROM newest${after === null ? ` WHERE ${OP} <> 'd'` : ''}`];
  if (after !== null && last !== null) {
    parts.push(await goneRows(place, request, { after, newest, keys, truncation: String(last) }));
  }
  if (await isFoldedBeyond(place, request)) throw new LogFolded();
  const wanted = request.columns ?? columnsOf(files.length > 0 ? files : [newest]);
  const list = [
    ...wanted.map(quoteIdentifier),
    ...[OP, LSN, AT, GONE].map((value, i) => `${value} AS ${CDC_COLUMNS[i]}`),
  ];
  const rows = parts.join('\nUNION ALL BY NAME\n');
  return engine.copyToParquet(`SELECT ${list.join(', ')} FROM (${rows})`, { path: out });
}

/** Whether a fold took the end of what was read into a later batch: then it was not all found. */
async function isFoldedBeyond({ log }: Place, { place, upTo }: ChangesRequest): Promise<boolean> {
  return ((await log.covering(place, upTo))?.seq ?? upTo) > upTo;
}

interface Truncated {
  after: number;
  newest: ChangeFile;
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
  await keep(place, 'earlier', filesOf(known, request.table), newest.columns);
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

const columnsOf = (files: readonly ChangeFile[]): string[] => [
  ...new Set(files.flatMap(({ columns }) => columns.map(({ name }) => name))),
];

/** Reads the changes of files that come after a batch as one table; files of one shape are read together. */
async function keep(
  { engine, localCopies }: Place,
  table: string,
  files: readonly ChangeFile[],
  whenEmpty: readonly ShapeColumn[],
  after = 0,
): Promise<void> {
  const paths = await localCopies(files);
  const shapes = new Map<string, { columns: ShapeColumn[]; paths: string[] }>();
  for (const [index, { columns }] of files.entries()) {
    const name = JSON.stringify(columns);
    const shape = shapes.get(name) ?? { columns, paths: [] };
    shape.paths.push(paths[index]!);
    shapes.set(name, shape);
  }
  const reads = [...shapes.values()].map(
    ({ columns, paths: own }) =>
      `SELECT ${typed(columns)} FROM ${csvTable(own, LINE_HEAD.length + columns.length)} WHERE c0::BIGINT > ${after}`,
  );
  const empty = `SELECT ${emptyList(whenEmpty)} WHERE false`;
  const rows = (reads.length > 0 ? reads : [empty]).join('\nUNION ALL BY NAME\n');
  await engine.run(`CREATE OR REPLACE TEMP TABLE ${table} AS ${rows}`);
}

function typed(columns: readonly ShapeColumn[]): string {
  const values = columns.map((column, i) => {
    return `${readingOf(column).read(`c${LINE_HEAD.length + i}`)} AS ${quoteIdentifier(column.name)}`;
  });
  return [
    `c0::BIGINT * 4294967296 + c1::BIGINT AS ${POSITION}`,
    `c2 AS ${OP}`,
    `c3 AS ${LSN}`,
    `c4::TIMESTAMPTZ AS ${AT}`,
    ...values,
  ].join(', ');
}

function emptyList(columns: readonly ShapeColumn[]): string {
  const values = columns.map(
    (column) => `NULL::${engineTypeOf(readingOf(column).type)} AS ${quoteIdentifier(column.name)}`,
  );
  return [
    `NULL::BIGINT AS ${POSITION}`,
    `NULL::VARCHAR AS ${OP}`,
    `NULL::VARCHAR AS ${LSN}`,
    `NULL::TIMESTAMPTZ AS ${AT}`,
    ...values,
  ].join(', ');
}
