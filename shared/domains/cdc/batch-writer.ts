import { COMMON_LINE_BYTES, csvValue } from '../../data/duckdb/exact-csv.ts';
import { DataError } from '../../platform/errors/data-error.ts';
import type { ObjectStore } from '../../platform/objects/object-store.ts';
import { batchPrefix, type ChangeFile, type ChangeOp } from './change-log.ts';
import type { Tuple } from './change-reader.ts';
import { LineBuffer, MAX_PER_CHARACTER } from './line-buffer.ts';
import type { Lsn } from './lsn.ts';
import type { CaptureState } from './state.ts';
import { type Shape, type ShapeColumn, storedText } from './table-shape.ts';

/** Changes that wait in memory: of one table, and of all together. */
const FILE_BYTES = 8 * 1024 * 1024;
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
/** Files that are on their way while the next ones fill. */
const MAX_UPLOADS = 3;

export interface Change {
  op: ChangeOp;
  lsn: Lsn;
  committedAt: string;
  /** In the order of the shape's columns; undefined where the source did not send the value. */
  values: Tuple;
}

/** Finds values that the source did not send, of the rows as they are now. Writes them into the tuples. */
export type FillUnchanged = (table: string, shape: Shape, rows: Tuple[]) => Promise<void>;

/** One table cannot be followed any more; the others can. */
export class TableIssue extends Error {
  readonly table: string;

  constructor(table: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.table = table;
  }
}

type Numbered = Change & { ordinal: number };

/** A file on its way. */
interface Waiting {
  shape: Shape;
  rows: number;
  lines: LineBuffer;
  /** From the first change on that lacks a value: they become lines when it is found. */
  open: Numbered[];
  /** About what it holds in memory. */
  bytes: number;
}

/**
 * Writes the files of one batch, as the changes come: a transaction of any size needs no more memory than a few files.
 * Nothing is visible before the batch is stored.
 */
export class BatchWriter {
  readonly #objects: ObjectStore;
  readonly #state: Pick<CaptureState, 'workspaceId' | 'id' | 'seq' | 'epoch'>;
  readonly #fill: FillUnchanged;
  readonly #failed: (issue: TableIssue) => void;
  readonly #waiting = new Map<string, Waiting>();
  readonly #files: ChangeFile[] = [];
  readonly #truncated = new Set<string>();
  readonly #uploads: Promise<void>[] = [];
  #ordinal = 0;
  #bytes = 0;

  constructor(
    objects: ObjectStore,
    state: Pick<CaptureState, 'workspaceId' | 'id' | 'seq' | 'epoch'>,
    fill: FillUnchanged,
    failed: (issue: TableIssue) => void,
  ) {
    this.#objects = objects;
    this.#state = { ...state };
    this.#fill = fill;
    this.#failed = failed;
  }

  get changes(): number {
    return this.#ordinal;
  }

  /** Whoever gets a promise waits for it: a file is being made. Throws RESULT_TOO_LARGE for a row that is too long. */
  add(table: string, shape: Shape, change: Change): Promise<void> | undefined {
    const known = this.#waiting.get(table);
    if (known && !sameShape(known.shape, shape)) return this.#flush(table).then(() => this.add(table, shape, change));
    const waiting: Waiting = known ?? { shape, rows: 0, lines: new LineBuffer(), open: [], bytes: 0 };
    if (!known) this.#waiting.set(table, waiting);
    if (change.op === 't') this.#truncated.add(table);
    this.#ordinal += 1;
    const bytes = this.#keep(waiting, { ...change, ordinal: this.#ordinal });
    waiting.bytes += bytes;
    this.#bytes += bytes;
    if (waiting.bytes >= FILE_BYTES) return this.#flush(table);
    if (this.#bytes >= MAX_WAITING_BYTES) return this.#flush(this.#largest());
    return undefined;
  }

  /** Answers how many bytes that takes. */
  #keep(waiting: Waiting, change: Numbered): number {
    const { shape, lines, open } = waiting;
    // What says that all rows before are gone, as a snapshot does first, is none itself.
    if (change.op !== 't') waiting.rows += 1;
    if (open.length === 0 && !change.values.includes(undefined)) return lines.add(this.#line(shape.columns, change));
    open.push(change);
    return change.values.reduce((sum, value) => sum + (value?.length ?? 0) + 3, 80);
  }

  /** Forgets what waits of a table: its capture has failed. What was written before stays. */
  drop(table: string): void {
    this.#bytes -= this.#waiting.get(table)?.bytes ?? 0;
    this.#waiting.delete(table);
  }

  /** Makes a file of what waits of a table and sends it on its way. */
  async #flush(table: string): Promise<void> {
    const waiting = this.#waiting.get(table);
    if (!waiting || !(await this.#complete(table, waiting))) return;
    const { shape, rows } = waiting;
    const content = waiting.lines.content();
    const key = `${batchPrefix(this.#state, this.#state.seq + 1)}${this.#state.epoch}-${this.#files.length + 1}.csv`;
    while (this.#uploads.length >= MAX_UPLOADS) await this.#uploads.shift();
    const upload = this.#objects.write(key, content, 'text/csv');
    // Whoever waits for it hears of its failure.
    upload.catch(() => {});
    this.#uploads.push(upload);
    const { columns, key: rowKey } = shape;
    this.#files.push({ table, key, rows, bytes: content.length, columns, rowKey });
    this.drop(table);
  }

  /** False when the table has failed, which stops nothing but itself. */
  async #complete(table: string, { shape, lines, open }: Waiting): Promise<boolean> {
    try {
      const partial = open.map(({ values }) => values).filter((values) => values.includes(undefined));
      if (partial.length > 0) await this.#fill(table, shape, partial);
      for (const change of open) lines.add(this.#line(shape.columns, change));
      return true;
    } catch (error) {
      if (!isOfTable(error)) throw error;
      this.drop(table);
      this.#failed(new TableIssue(table, error));
      return false;
    }
  }

  /** Stores all that waits and answers what the batch consists of. */
  async finish(): Promise<{ files: ChangeFile[]; truncated: string[] }> {
    for (const table of [...this.#waiting.keys()]) await this.#flush(table);
    await Promise.all(this.#uploads);
    return { files: [...this.#files], truncated: [...this.#truncated] };
  }

  /** Waits until nothing is under way any more: what was written is nobody's. */
  async abandon(): Promise<void> {
    await Promise.allSettled(this.#uploads);
  }

  #line(columns: readonly ShapeColumn[], { ordinal, op, lsn, committedAt, values }: Numbered): string {
    let line = `${this.#state.seq + 1},${ordinal},${op},${lsn},${committedAt}`;
    for (let i = 0; i < columns.length; i += 1) line += `,${csvValue(storedText(columns[i]!, values[i] ?? null))}`;
    line += '\n';
    if (line.length > COMMON_LINE_BYTES / MAX_PER_CHARACTER && Buffer.byteLength(line) > COMMON_LINE_BYTES)
      throw tooLongRow();
    return line;
  }

  #largest(): string {
    const [[largest] = ['']] = [...this.#waiting].sort(([, one], [, other]) => other.bytes - one.bytes);
    return largest;
  }
}

/** Readers have room for a longer one, but those with little memory not for several. */
const tooLongRow = () =>
  new DataError(
    'RESULT_TOO_LARGE',
    `A row has more than ${COMMON_LINE_BYTES / 1024 ** 2} MB as text, in which bytes count twice; shorten it, and resync the table.`,
  );

const OF_THE_SOURCE = new Set(['CONNECTION_FAILED', 'TIMEOUT', 'AUTH_FAILED', 'ADDRESS_BLOCKED']);

/** What the source says of one table, unlike what stands between us and the source. */
export const isOfTable = (error: unknown): boolean => error instanceof DataError && !OF_THE_SOURCE.has(error.code);

/** A table that was altered begins a new file. */
function sameShape(one: Shape, other: Shape): boolean {
  if (one === other) return true;
  return JSON.stringify([one.columns, one.key]) === JSON.stringify([other.columns, other.key]);
}
