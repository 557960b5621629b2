import { readingOf } from '../../../data/connectors/postgres/types.ts';
import { inexact } from '../../../data/connectors/rows/text-readings.ts';
import { folded } from '../../../data/duckdb/column-names.ts';
import { engineTypeOf } from '../../../data/duckdb/column-types.ts';
import type { CopyResult, Engine } from '../../../data/duckdb/engine.ts';
import { csvTable } from '../../../data/duckdb/exact-csv.ts';
import { quoteIdentifier } from '../../../data/duckdb/quoting.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import { type Batch, type ChangeFile, type ChangeLog, LINE_HEAD } from './change-log.ts';
import { CDC_COLUMNS } from './record.ts';
import { incompatibility, shapeIssue } from './shape-compatibility.ts';
import type { StatePlace } from './state.ts';
import type { Shape, ShapeColumn } from './table-shape.ts';

/** Internal columns in addition to those of the table, with names that no table uses. */
const [POSITION, OP, LSN, AT, DELETED] = ['position', 'op', 'lsn', 'at', 'deleted'].map(
  (name) => `"the change's ${name}"`,
) as [string, string, string, string, string];

export interface ChangesRequest {
  place: StatePlace;
  table: string;
  /** The last batch that was already read; null to read the current rows. */
  after: number | null;
  upTo: number;
  /** The batch with the newest columns of the table. */
  schemaSeq: number;
  /** Columns of the table; all if absent. */
  columns?: readonly string[];
  out: string;
}

interface Place {
  log: ChangeLog;
  engine: Engine;
  /** Local copies of objects. */
  localCopies(files: readonly { key: string }[]): Promise<string[]>;
}

/** A compaction has moved the end of the requested range into a later batch: read again up to the current position. */
export class LogCompacted extends Error {}

/** Files of the same shape, which are read together. */
interface Part extends Shape {
  /** SQL that reads their lines. */
  lines: string;
}

/**
 * Writes the newest state of every changed row as Parquet: each key once, with `_cdc_deleted` for deleted rows. Rows
 * that were read before a truncation or a new snapshot count as deleted, unless they came again. Without `after`,
 * writes only the current rows. Throws `LogCompacted` if a compaction has replaced batches while they were read, and
 * SCHEMA_MISMATCH if the table was altered so that its earlier rows are incompatible with the current ones.
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
  const texts = lossyKeyColumns(newest).map(({ name }) => keyText(name));
  const parts = await partsOf(place, files);
  const since = `seq > ${after ?? 0}`;
  const incompatible = await incompatibleParts(engine, parts, (part) => readIssue(request.table, part, newest), {
    rows: since,
    cuts: since,
  });
  const kept = parts.filter((part) => !incompatible.has(part));
  // Incompatible parts are read only for their truncations.
  await readInto(engine, 'changes', parts, { newest, after: after ?? 0, isKept: (part) => !incompatible.has(part) });
  const [[last = null] = []] = await engine.run(`SELECT max(${POSITION}) FROM changes WHERE ${OP} = 't'`);
  await engine.run(`
    CREATE OR REPLACE TEMP TABLE newest AS SELECT * FROM changes
    WHERE ${OP} <> 't' AND ${POSITION} > ${last ?? -1}
    QUALIFY row_number() OVER (PARTITION BY ${[keys, ...texts].join(', ')} ORDER BY ${POSITION} DESC) = 1`);
  const selects = [`SELECT *, ${OP} = 'd' AS ${DELETED} FROM newest${after === null ? ` WHERE ${OP} <> 'd'` : ''}`];
  if (after !== null && last !== null) {
    selects.push(await deletedRows(place, request, { after, newest, keys, truncation: String(last) }));
  }
  if (await isCompactedBeyond(place, request)) throw new LogCompacted();
  const known = columnsOf([...kept, newest]);
  const wanted = request.columns ?? known;
  const unknown = wanted.find((name) => !known.some((each) => folded(each) === folded(name)));
  if (unknown !== undefined) throw new DataError('SCHEMA_MISMATCH', `The table has no column "${unknown}".`);
  const list = [
    ...wanted.map(quoteIdentifier),
    ...[OP, LSN, AT, DELETED].map((value, i) => `${value} AS ${CDC_COLUMNS[i]}`),
  ];
  const rows = selects.join('\nUNION ALL BY NAME\n');
  return engine.copyToParquet(`SELECT ${list.join(', ')} FROM (${rows})`, { path: out });
}

const shapeOf = ({ columns, rowKey }: ChangeFile): Shape => ({ columns, key: rowKey });

async function newestFile({ log }: Place, { place, schemaSeq, table }: ChangesRequest): Promise<ChangeFile> {
  return filesOf([(await log.covering(place, schemaSeq))!], table).at(-1)!;
}

/** Whether a compaction has moved the end of the range into a later batch, so that the read may be incomplete. */
async function isCompactedBeyond({ log }: Place, { place, upTo }: ChangesRequest): Promise<boolean> {
  return ((await log.covering(place, upTo))?.seq ?? upTo) > upTo;
}

interface Truncated {
  after: number;
  newest: Shape;
  keys: string;
  /** The position of the truncation in the log. */
  truncation: string;
}

/** The keys that a reader may have from before a truncation and that were not inserted again. */
async function deletedRows(place: Place, request: ChangesRequest, { after, newest, keys, truncation }: Truncated) {
  // One query: batches that are compacted between two queries could be missing from both.
  const all = await batchesOf(place, request, 0, request.upTo);
  const before = all.filter(({ seq }) => seq <= after);
  const known = [...sinceTruncation(before, request.table), ...all.slice(before.length)];
  const parts = await partsOf(place, filesOf(known, request.table));
  const incompatible = await incompatibleParts(
    place.engine,
    parts,
    (part) => deletionIssue(request.table, part, newest),
    {
      rows: `place < ${truncation}`,
      cuts: `seq <= ${after}`,
    },
  );
  const kept = parts.filter((part) => !incompatible.has(part));
  await readInto(place.engine, 'earlier', kept, { newest, after: 0, isKept: (_, name) => isKeyColumn(newest, name) });
  return `
    SELECT lost.*, mark.*, true AS ${DELETED}
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

/** Batches before the newest truncation do not affect the current rows. */
function sinceTruncation(batches: readonly Batch[], table: string): Batch[] {
  const last = batches.findLastIndex(({ truncated }) => truncated.includes(table));
  return batches.slice(Math.max(0, last));
}

const filesOf = (batches: readonly Batch[], table: string): ChangeFile[] =>
  batches.flatMap(({ files }) => files.filter((file) => file.table === table));

/** The names of all columns, each once, in their newest spelling. */
const columnsOf = (shapes: readonly Shape[]): string[] => [
  ...new Map(shapes.flatMap(({ columns }) => columns.map(({ name }) => [folded(name), name]))).values(),
];

const isKeyColumn = ({ key }: Shape, name: string): boolean =>
  key?.some((each) => folded(each) === folded(name)) ?? true;

/** Key columns whose values the engine cannot represent exactly; such keys are compared by their texts. */
const lossyKeyColumns = (shape: Shape): ShapeColumn[] =>
  shape.columns.filter((column) => isKeyColumn(shape, column.name) && inexact(readingOf(column)));

const keyText = (name: string): string => quoteIdentifier(`the change's key ${folded(name)}`);

const readIssue = (table: string, earlier: Shape, newest: Shape): string | undefined => {
  const issue = incompatibility(table, earlier, newest);
  return issue && `${issue}; resync it.`;
};

/** Why earlier keys do not identify the deleted rows. */
const deletionIssue = (table: string, { columns, key }: Shape, newest: Shape): string | undefined => {
  const issue = incompatibility(
    table,
    { key, columns: columns.filter(({ name }) => isKeyColumn(newest, name)) },
    newest,
  );
  return (
    issue &&
    `${issue}, so rows that were loaded earlier cannot be found. Read the table with a new step into a new target.`
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
 * The incompatible parts, whose rows must all precede the last of the truncations in `cuts`. Throws SCHEMA_MISMATCH if
 * a row comes after it.
 */
async function incompatibleParts(
  engine: Engine,
  parts: readonly Part[],
  issueOf: (part: Part) => string | undefined,
  { rows, cuts }: { rows: string; cuts: string },
): Promise<Set<Part>> {
  const incompatible = parts.filter((part) => issueOf(part) !== undefined);
  if (incompatible.length === 0) return new Set();
  const lines = parts.map(
    (part, i) => `SELECT ${i} AS part, c0::BIGINT AS seq, ${PLACE} AS place, c2 AS op FROM ${part.lines}`,
  );
  const found = await engine.run(`
    WITH lines AS (${lines.join(' UNION ALL ')})
    SELECT DISTINCT part FROM lines
    WHERE op <> 't' AND ${rows} AND place > coalesce((SELECT max(place) FROM lines WHERE op = 't' AND ${cuts}), -1)`);
  const counting = new Set(found.map(([part]) => parts[Number(part)]!));
  const bad = incompatible.find((part) => counting.has(part));
  if (bad) throw new DataError('SCHEMA_MISMATCH', issueOf(bad)!);
  return new Set(incompatible);
}

/** Reads the changes after a batch into one table, with the columns and types of the newest shape. */
async function readInto(
  engine: Engine,
  table: string,
  parts: readonly Part[],
  { newest, after, isKept }: { newest: Shape; after: number; isKept: (part: Part, name: string) => boolean },
): Promise<void> {
  const types = new Map(newest.columns.map((column) => [folded(column.name), engineTypeOf(readingOf(column).type)]));
  const reads = parts.map((part) => {
    const values = part.columns.flatMap((column, i) => {
      if (!isKept(part, column.name)) return [];
      const [cell, lossy] = [`c${LINE_HEAD.length + i}`, inexact(readingOf(column))];
      const text = lossy && isKeyColumn(newest, column.name);
      return [
        valueColumn(column, cell, types.get(folded(column.name))),
        ...(text ? [`CASE WHEN ${lossy(cell)} THEN ${cell} END AS ${keyText(column.name)}`] : []),
      ];
    });
    const head = [`${PLACE} AS ${POSITION}`, `c2 AS ${OP}`, `c3 AS ${LSN}`, `c4::TIMESTAMPTZ AS ${AT}`];
    return `SELECT ${[...head, ...values].join(', ')} FROM ${part.lines} WHERE c0::BIGINT > ${after}`;
  });
  const rows = [`SELECT ${emptyList(newest)} WHERE false`, ...reads].join('\nUNION ALL BY NAME\n');
  await engine.run(`CREATE OR REPLACE TEMP TABLE ${table} AS ${rows}`);
}

/**
 * Reads a value in the type that it was written with and casts it to the newest type of its column, if the column still
 * exists.
 */
function valueColumn(column: ShapeColumn, cell: string, newest: string | undefined): string {
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
    ...lossyKeyColumns(shape).map(({ name }) => `NULL::VARCHAR AS ${keyText(name)}`),
  ].join(', ');
}
