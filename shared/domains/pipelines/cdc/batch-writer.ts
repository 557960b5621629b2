import { COMMON_LINE_BYTES, csvValue } from '../../../data/duckdb/exact-csv.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { batchPrefix, type ChangeFile, type ChangeOp } from './change-log.ts';
import type { Tuple } from './change-reader.ts';
import { LineBuffer, MAX_BYTES_PER_CHARACTER } from './line-buffer.ts';
import type { Lsn } from './lsn.ts';
import type { CaptureState } from './state.ts';
import { type Shape, type ShapeColumn, storedText } from './table-shape.ts';

/** A file is written when its table has this many bytes in memory, or when all tables together reach the maximum. */
const FILE_BYTES = 8 * 1024 * 1024;
const MAX_PENDING_BYTES = 32 * 1024 * 1024;
/** Uploads that may run while the next files are filled. */
const MAX_UPLOADS = 3;

export interface Change {
  op: ChangeOp;
  lsn: Lsn;
  committedAt: string;
  /** In the order of the shape's columns; undefined where the source did not send the value. */
  values: Tuple;
}

/** Reads the values that the source did not send from the current rows, and writes them into the tuples. */
export type FillUnchanged = (table: string, shape: Shape, rows: Tuple[]) => Promise<void>;

/** An error that stops the capture of one table; the others continue. */
export class TableError extends Error {
  readonly table: string;

  constructor(table: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.table = table;
  }
}

type Numbered = Change & { ordinal: number };

/** A file that is being filled. */
interface PendingFile {
  shape: Shape;
  rows: number;
  lines: LineBuffer;
  /** The changes from the first one with a missing value on. They become lines when the values have been read. */
  open: Numbered[];
  /** Its approximate size in memory. */
  bytes: number;
}

/**
 * Writes the files of one batch while changes arrive, so a transaction of any size needs no more memory than a few
 * files. Nothing is visible before the batch is stored.
 */
export class BatchWriter {
  readonly #objects: ObjectStore;
  readonly #state: Pick<CaptureState, 'workspaceId' | 'id' | 'seq' | 'epoch'>;
  readonly #fill: FillUnchanged;
  readonly #onFailure: (error: TableError) => void;
  readonly #pending = new Map<string, PendingFile>();
  readonly #files: ChangeFile[] = [];
  readonly #truncated = new Set<string>();
  readonly #uploads: Promise<void>[] = [];
  #ordinal = 0;
  #bytes = 0;

  constructor(
    objects: ObjectStore,
    state: Pick<CaptureState, 'workspaceId' | 'id' | 'seq' | 'epoch'>,
    fill: FillUnchanged,
    onFailure: (error: TableError) => void,
  ) {
    this.#objects = objects;
    this.#state = { ...state };
    this.#fill = fill;
    this.#onFailure = onFailure;
  }

  get changes(): number {
    return this.#ordinal;
  }

  /**
   * Adds a change. If it returns a promise, a file is being written and the caller must await it before the next
   * change. Throws RESULT_TOO_LARGE for a row that is too long.
   */
  add(table: string, shape: Shape, change: Change): Promise<void> | undefined {
    const known = this.#pending.get(table);
    if (known && !sameShape(known.shape, shape)) return this.#flush(table).then(() => this.add(table, shape, change));
    const pending: PendingFile = known ?? { shape, rows: 0, lines: new LineBuffer(), open: [], bytes: 0 };
    if (!known) this.#pending.set(table, pending);
    if (change.op === 't') this.#truncated.add(table);
    this.#ordinal += 1;
    const bytes = this.#append(pending, { ...change, ordinal: this.#ordinal });
    pending.bytes += bytes;
    this.#bytes += bytes;
    if (pending.bytes >= FILE_BYTES) return this.#flush(table);
    if (this.#bytes >= MAX_PENDING_BYTES) return this.#flush(this.#largest());
    return undefined;
  }

  /** Returns how many bytes the change takes. */
  #append(pending: PendingFile, change: Numbered): number {
    const { shape, lines, open } = pending;
    // A truncation, with which every snapshot begins, is not a row.
    if (change.op !== 't') pending.rows += 1;
    if (open.length === 0 && !change.values.includes(undefined)) return lines.add(this.#line(shape.columns, change));
    open.push(change);
    return change.values.reduce((sum, value) => sum + (value?.length ?? 0) + 3, 80);
  }

  /** Drops the pending changes of a table whose capture has failed. Files written before stay. */
  drop(table: string): void {
    this.#bytes -= this.#pending.get(table)?.bytes ?? 0;
    this.#pending.delete(table);
  }

  /** Writes the pending changes of a table to a file and starts its upload. */
  async #flush(table: string): Promise<void> {
    const pending = this.#pending.get(table);
    if (!pending || !(await this.#complete(table, pending))) return;
    const { shape, rows } = pending;
    const content = pending.lines.content();
    const key = `${batchPrefix(this.#state, this.#state.seq + 1)}${this.#state.epoch}-${this.#files.length + 1}.csv`;
    while (this.#uploads.length >= MAX_UPLOADS) await this.#uploads.shift();
    const upload = this.#objects.write(key, content, 'text/csv');
    // The failure is reported to the caller that awaits the upload.
    upload.catch(() => {});
    this.#uploads.push(upload);
    const { columns, key: rowKey } = shape;
    this.#files.push({ table, key, rows, bytes: content.length, columns, rowKey });
    this.drop(table);
  }

  /**
   * Reads missing values and completes the lines. Returns false if the table has failed, which stops only this table.
   */
  async #complete(table: string, { shape, lines, open }: PendingFile): Promise<boolean> {
    try {
      const partial = open.map(({ values }) => values).filter((values) => values.includes(undefined));
      if (partial.length > 0) await this.#fill(table, shape, partial);
      for (const change of open) lines.add(this.#line(shape.columns, change));
      return true;
    } catch (error) {
      if (!isTableError(error)) throw error;
      this.drop(table);
      this.#onFailure(new TableError(table, error));
      return false;
    }
  }

  /** Stores all pending changes and returns the content of the batch. */
  async finish(): Promise<{ files: ChangeFile[]; truncated: string[] }> {
    for (const table of [...this.#pending.keys()]) await this.#flush(table);
    await Promise.all(this.#uploads);
    return { files: [...this.#files], truncated: [...this.#truncated] };
  }

  /** Waits until no upload is running. The written files belong to no batch. */
  async abandon(): Promise<void> {
    await Promise.allSettled(this.#uploads);
  }

  #line(columns: readonly ShapeColumn[], { ordinal, op, lsn, committedAt, values }: Numbered): string {
    let line = `${this.#state.seq + 1},${ordinal},${op},${lsn},${committedAt}`;
    for (let i = 0; i < columns.length; i += 1) line += `,${csvValue(storedText(columns[i]!, values[i] ?? null))}`;
    line += '\n';
    if (line.length > COMMON_LINE_BYTES / MAX_BYTES_PER_CHARACTER && Buffer.byteLength(line) > COMMON_LINE_BYTES)
      throw tooLongRow();
    return line;
  }

  #largest(): string {
    const [[largest] = ['']] = [...this.#pending].sort(([, one], [, other]) => other.bytes - one.bytes);
    return largest;
  }
}

/** Readers could hold a longer row, but workers with little memory could not hold several. */
const tooLongRow = () =>
  new DataError(
    'RESULT_TOO_LARGE',
    `A row has more than ${COMMON_LINE_BYTES / 1024 ** 2} MB as text, in which binary values count twice; shorten it and resync the table.`,
  );

const CONNECTION_ERRORS = new Set(['CONNECTION_FAILED', 'TIMEOUT', 'AUTH_FAILED', 'ADDRESS_BLOCKED']);

/** Whether an error concerns one table, and not the connection to the source. */
export const isTableError = (error: unknown): boolean =>
  error instanceof DataError && !CONNECTION_ERRORS.has(error.code);

/** The changes of an altered table go into a new file. */
function sameShape(one: Shape, other: Shape): boolean {
  if (one === other) return true;
  return JSON.stringify([one.columns, one.key]) === JSON.stringify([other.columns, other.key]);
}
