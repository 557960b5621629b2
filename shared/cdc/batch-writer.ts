import { EngineError } from '../engine/engine-error.ts';
import { csvValue } from '../engine/exact-csv.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { batchPrefix, type ChangeFile, type ChangeOp } from './change-log.ts';
import type { Tuple } from './change-reader.ts';
import type { Lsn } from './lsn.ts';
import type { CaptureState } from './state.ts';
import { type Shape, type ShapeColumn, storedText } from './table-shape.ts';

/** Changes that wait in memory: of one table, and of all together. */
const FILE_BYTES = 8 * 1024 * 1024;
const MOST_WAITING_BYTES = 32 * 1024 * 1024;

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
export class TableFault extends Error {
  readonly table: string;

  constructor(table: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.table = table;
  }
}

interface Waiting {
  shape: Shape;
  changes: (Change & { ordinal: number })[];
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
  readonly #failed: (fault: TableFault) => void;
  readonly #waiting = new Map<string, Waiting>();
  readonly #files: ChangeFile[] = [];
  readonly #truncated = new Set<string>();
  #ordinal = 0;
  #bytes = 0;

  constructor(
    objects: ObjectStore,
    state: Pick<CaptureState, 'workspaceId' | 'id' | 'seq' | 'epoch'>,
    fill: FillUnchanged,
    failed: (fault: TableFault) => void,
  ) {
    this.#objects = objects;
    this.#state = { ...state };
    this.#fill = fill;
    this.#failed = failed;
  }

  get changes(): number {
    return this.#ordinal;
  }

  async add(table: string, shape: Shape, change: Change): Promise<void> {
    let waiting = this.#waiting.get(table);
    if (waiting && !sameShape(waiting.shape, shape)) {
      await this.#flush(table);
      waiting = undefined;
    }
    if (!waiting) {
      waiting = { shape, changes: [], bytes: 0 };
      this.#waiting.set(table, waiting);
    }
    if (change.op === 't') this.#truncated.add(table);
    this.#ordinal += 1;
    waiting.changes.push({ ...change, ordinal: this.#ordinal });
    const bytes = 80 + change.values.reduce((sum, value) => sum + (value?.length ?? 0) + 3, 0);
    waiting.bytes += bytes;
    this.#bytes += bytes;
    if (waiting.bytes >= FILE_BYTES) await this.#flush(table);
    else if (this.#bytes >= MOST_WAITING_BYTES) await this.#flush(this.#largest());
  }

  /** Forgets what waits of a table: its capture has failed. What was written before stays. */
  drop(table: string): void {
    this.#bytes -= this.#waiting.get(table)?.bytes ?? 0;
    this.#waiting.delete(table);
  }

  /** Stores what waits of a table. */
  async #flush(table: string): Promise<void> {
    const waiting = this.#waiting.get(table);
    if (!waiting || waiting.changes.length === 0) return;
    const { shape, changes } = waiting;
    const text = await this.#text(table, waiting);
    if (text === undefined) return;
    const key = `${batchPrefix(this.#state, this.#state.seq + 1)}${this.#state.epoch}-${this.#files.length + 1}.csv`;
    const content = Buffer.from(text);
    await this.#objects.write(key, content, 'text/csv');
    const { columns, key: rowKey } = shape;
    this.#files.push({ table, key, rows: changes.length, bytes: content.length, columns, rowKey });
    this.drop(table);
  }

  /** Undefined when the table has failed, which stops nothing but itself. */
  async #text(table: string, { shape, changes }: Waiting): Promise<string | undefined> {
    try {
      const partial = changes.map(({ values }) => values).filter((values) => values.includes(undefined));
      if (partial.length > 0) await this.#fill(table, shape, partial);
      return changes.map((change) => this.#line(shape.columns, change)).join('');
    } catch (error) {
      if (!isOfTable(error)) throw error;
      this.drop(table);
      this.#failed(new TableFault(table, error));
      return undefined;
    }
  }

  /** Stores all that waits and answers what the batch consists of. */
  async finish(): Promise<{ files: ChangeFile[]; truncated: string[] }> {
    for (const table of [...this.#waiting.keys()]) await this.#flush(table);
    return { files: [...this.#files], truncated: [...this.#truncated] };
  }

  #line(
    columns: readonly ShapeColumn[],
    { ordinal, op, lsn, committedAt, values }: Waiting['changes'][number],
  ): string {
    const head = `${this.#state.seq + 1},${ordinal},${op},${lsn},${committedAt}`;
    return `${head},${columns.map((column, i) => csvValue(storedText(column, values[i] ?? null))).join(',')}\n`;
  }

  #largest(): string {
    const [[largest] = ['']] = [...this.#waiting].sort(([, one], [, other]) => other.bytes - one.bytes);
    return largest;
  }
}

const OF_THE_SOURCE = new Set(['CONNECTION_FAILED', 'TIMEOUT', 'AUTH_FAILED', 'ADDRESS_BLOCKED']);

/** What the source says of one table, unlike what stands between us and the source. */
export const isOfTable = (error: unknown): boolean => error instanceof EngineError && !OF_THE_SOURCE.has(error.code);

/** A table that was altered begins a new file. */
function sameShape(one: Shape, other: Shape): boolean {
  if (one === other) return true;
  return JSON.stringify([one.columns, one.key]) === JSON.stringify([other.columns, other.key]);
}
