import { DataError } from '../../../platform/errors/data-error.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { BatchWriter, type Change, type FillUnchanged, isTableError, TableError } from './batch-writer.ts';
import type { ChangeLog } from './change-log.ts';
import type { ChangeReader, LogEvent, Relation, Tuple } from './change-reader.ts';
import type { Lsn } from './lsn.ts';
import { alterationIssue, shapeIssue } from './shape-compatibility.ts';
import type { CaptureState, CaptureStates, TableState } from './state.ts';
import type { Shape } from './table-shape.ts';

/** A batch ends with the first commit after this many changes. */
const BATCH_CHANGES = 20_000;
/** After this time without a change, the position advances without a batch. */
const IDLE_MS = 30_000;
/** Enough for all transactions that the log contains and a snapshot does not show yet. */
const MAX_RECENT_XIDS = 1_000;

export interface CapturePorts {
  reader: ChangeReader;
  states: Pick<CaptureStates, 'save'>;
  log: Pick<ChangeLog, 'batchItem' | 'covering'>;
  objects: ObjectStore;
  /** The current types of a table's columns, and its key. */
  shapeOf(relation: Relation): Promise<Shape>;
  fillUnchanged: FillUnchanged;
  now(): Date;
}

interface Transaction {
  xid: number;
  commitLsn: Lsn;
  committedAt: string;
  /** A batch contains it already: the capture ended before it could confirm the position to the source. */
  isCaptured: boolean;
}

/** A table of the log whose changes are captured. */
interface FollowedTable {
  name: string;
  shape: Shape;
}

type ChangeEvent = Extract<LogEvent, { kind: 'insert' | 'update' | 'delete' | 'truncate' }>;

/**
 * Captures the events of a reader: changes become files, and whole transactions become batches. The position is
 * confirmed to the source only after the batch is stored. The loop may crash at any point; repeated events have no
 * effect, because a batch records the position that it reaches.
 */
export class CaptureLoop {
  readonly #ports: CapturePorts;
  readonly #state: CaptureState;
  #writer: BatchWriter;
  readonly #shapes = new Map<number, Shape>();
  /** The tables of the log that were resolved since the read began; null for those that are not followed. */
  readonly #followed = new Map<number, FollowedTable | null>();
  /** The shapes of the rows of each table that were captured last. */
  readonly #lastShapes = new Map<string, Shape>();
  #transaction: Transaction | undefined;
  /** The end of the newest whole transaction that no stored batch contains. */
  #reached: Lsn | null = null;
  #xids: number[] = [];
  #readUpTo: Lsn | null = null;

  constructor(ports: CapturePorts, state: CaptureState) {
    this.#ports = ports;
    this.#state = state;
    this.#writer = this.#newWriter();
  }

  #newWriter(): BatchWriter {
    return new BatchWriter(this.#ports.objects, this.#state, this.#ports.fillUnchanged, (error) => this.#stop(error));
  }

  /** Everything before this position has been captured, as far as the reader knows. */
  get readUpTo(): Lsn {
    const committed = this.#state.committedLsn!;
    return this.#readUpTo !== null && this.#readUpTo > committed ? this.#readUpTo : committed;
  }

  /**
   * Captures the events of one read. Returns whether they were all that the source has. Throws `CaptureLost` and the
   * errors of the reader.
   */
  async drain(): Promise<boolean> {
    this.#followed.clear();
    let isAll = false;
    try {
      for await (const events of this.#ports.reader.read()) {
        for (const event of events) {
          if (event.kind === 'idle') {
            await this.#finishRead(event.lsn);
            isAll = event.lsn !== null;
            continue;
          }
          const pending = this.#handle(event);
          if (pending) await pending;
          if (event.kind === 'commit' && this.#writer.changes >= BATCH_CHANGES) await this.#persist();
        }
      }
    } catch (error) {
      await this.#writer.abandon();
      throw error;
    }
    return isAll;
  }

  async #finishRead(lsn: Lsn | null): Promise<void> {
    await this.#persist();
    if (lsn !== null) await this.#advanceIdle(lsn);
    this.#readUpTo = lsn;
  }

  /** Stores rows of a snapshot as a batch, between two reads of the log. The first rows replace all earlier ones. */
  async append(table: string, shape: Shape, changes: AsyncIterable<Change>, areFirst: boolean): Promise<number> {
    if (areFirst) this.#lastShapes.delete(table);
    try {
      await this.#checkShape(table, shape, areFirst ? null : this.#state.tables[table]!.schemaSeq);
      for await (const change of changes) await this.#writer.add(table, shape, change);
    } catch (error) {
      await this.#writer.abandon();
      this.#writer = this.#newWriter();
      throw error;
    }
    return this.#persist();
  }

  /** The caller must await a returned promise. There are too many events to await each. */
  #handle(event: Exclude<LogEvent, { kind: 'idle' }>): Promise<void> | undefined {
    switch (event.kind) {
      case 'begin': {
        const { xid, commitLsn, committedAt } = event;
        const isCaptured = this.#state.committedLsn !== null && commitLsn < this.#state.committedLsn;
        this.#transaction = { xid, commitLsn, committedAt, isCaptured };
        return undefined;
      }
      case 'commit':
        this.#reached = event.endLsn;
        if (this.#transaction && !this.#transaction.isCaptured) this.#xids.push(this.#transaction.xid);
        this.#transaction = undefined;
        return undefined;
      case 'relation':
        this.#shapes.delete(event.relation.oid);
        this.#followed.delete(event.relation.oid);
        return undefined;
      default:
        return this.#transaction!.isCaptured ? undefined : this.#change(event);
    }
  }

  #change(event: ChangeEvent): Promise<void> | undefined {
    if (event.kind === 'truncate') return this.#truncate(event.relations);
    const followed = this.#followed.get(event.relation.oid);
    if (followed === null) return undefined;
    return followed ? this.#add(followed, event) : this.#resolve(event.relation).then(() => this.#change(event));
  }

  #add({ name, shape }: FollowedTable, event: Exclude<ChangeEvent, { kind: 'truncate' }>): Promise<void> | undefined {
    switch (event.kind) {
      case 'insert':
        return this.#write(name, shape, 'i', event.row);
      case 'delete':
        return this.#write(name, shape, 'd', event.old);
      case 'update': {
        const isRekeyed = event.old !== null && !sameKey(shape, event.old, event.row);
        const deletion = isRekeyed ? this.#write(name, shape, 'd', event.old!) : undefined;
        const add = () => this.#write(name, shape, 'u', event.row);
        return deletion ? deletion.then(add) : add();
      }
    }
  }

  async #truncate(relations: readonly Relation[]): Promise<void> {
    for (const relation of relations) {
      if (!this.#followed.has(relation.oid)) await this.#resolve(relation);
      const followed = this.#followed.get(relation.oid);
      if (followed) await this.#write(followed.name, followed.shape, 't', []);
    }
  }

  #write(name: string, shape: Shape, op: Change['op'], values: Tuple): Promise<void> | undefined {
    // The table may have failed within the same change.
    if (!isFollowed(this.#state.tables[name]!)) return undefined;
    const { commitLsn: lsn, committedAt } = this.#transaction!;
    try {
      const pending = this.#writer.add(name, shape, { op, lsn, committedAt, values });
      return pending?.catch((error) => this.#failed(name, error));
    } catch (error) {
      return this.#failed(name, error);
    }
  }

  /**
   * Resolves whether a table is followed, and its shape. Before its snapshot a table needs no changes: the snapshot
   * will contain them.
   */
  async #resolve(relation: Relation): Promise<void> {
    const { name, oid } = relation;
    this.#followed.set(oid, null);
    this.#stopRenamed(relation);
    const table = this.#state.tables[name];
    if (!table || !isFollowed(table)) return;
    try {
      if (table.oid !== oid) {
        throw new DataError('SCHEMA_MISMATCH', `${name} is now a different table; resync it.`);
      }
      const shape = this.#shapes.get(oid) ?? (await this.#ports.shapeOf(relation));
      await this.#checkShape(name, shape, table.schemaSeq);
      this.#shapes.set(oid, shape);
      this.#followed.set(oid, { name, shape });
    } catch (error) {
      this.#failed(name, error);
    }
  }

  #failed(name: string, error: unknown): undefined {
    if (!isTableError(error)) throw error;
    this.#stop(new TableError(name, error));
  }

  /** Throws SCHEMA_MISMATCH if rows of the shape are incompatible with earlier ones: readers could not combine them. */
  async #checkShape(name: string, shape: Shape, schemaSeq: number | null): Promise<void> {
    const last = this.#lastShapes.get(name) ?? (await this.#storedShape(name, schemaSeq));
    const issue = shapeIssue(name, shape) ?? (last && alterationIssue(name, last, shape));
    if (issue) throw new DataError('SCHEMA_MISMATCH', `${issue}; resync it.`);
    this.#lastShapes.set(name, shape);
  }

  async #storedShape(name: string, schemaSeq: number | null): Promise<Shape | undefined> {
    if (schemaSeq === null) return undefined;
    const batch = await this.#ports.log.covering(this.#state, schemaSeq);
    const file = batch?.files.findLast(({ table }) => table === name);
    return file && { columns: file.columns, key: file.rowKey };
  }

  #stopRenamed({ name, oid }: Relation): void {
    for (const [known, table] of Object.entries(this.#state.tables)) {
      if (table.oid !== oid || known === name || !isFollowed(table)) continue;
      this.#stop(
        new TableError(
          known,
          new DataError('NOT_FOUND', `The table was renamed to ${name}; update the tables of the stream.`),
        ),
      );
    }
  }

  /** Stops only this table; a new snapshot restarts it. */
  #stop(error: TableError): void {
    this.#followed.clear();
    this.#writer.drop(error.table);
    const table = this.#state.tables[error.table];
    if (table) Object.assign(table, { status: 'error', error: errorOf(error.cause) });
  }

  /** Stores the batch first, then confirms its position to the source. */
  async #persist(): Promise<number> {
    const { states, log, now } = this.#ports;
    const state = this.#state;
    const changes = this.#writer.changes;
    if (changes > 0 || this.#xids.length > 0) {
      const at = now().toISOString();
      const committedLsn = this.#reached ?? state.committedLsn!;
      const { files, truncated } = await this.#writer.finish();
      const seq = changes > 0 ? state.seq + 1 : state.seq;
      for (const file of files) this.#count(file.table, file.rows, seq, committedLsn);
      Object.assign(state, { seq, committedLsn, recentXids: this.#recentXids(), updatedAt: at });
      const batch = { seq, committedLsn, files, truncated, at };
      await states.save(state, changes > 0 ? [await log.batchItem(state, batch, state.epoch)] : []);
      this.#writer = this.#newWriter();
    }
    this.#xids = [];
    this.#reached = null;
    await this.#confirm();
    return changes;
  }

  /** Only snapshots need them. */
  #recentXids(): number[] {
    const { tables, recentXids } = this.#state;
    const isSnapshotting = Object.values(tables).some(({ complete }) => !complete);
    return isSnapshotting ? [...recentXids, ...this.#xids].slice(-MAX_RECENT_XIDS) : [];
  }

  #count(name: string, rows: number, seq: number, lastLsn: Lsn): void {
    const table = this.#state.tables[name];
    if (table) Object.assign(table, { rows: table.rows + rows, lastLsn, schemaSeq: seq });
  }

  /** Advances the position while no followed table changes, so that the source can remove its log. */
  async #advanceIdle(lsn: Lsn): Promise<void> {
    const { committedLsn, updatedAt } = this.#state;
    const now = this.#ports.now();
    if (committedLsn !== null && lsn <= committedLsn) return;
    if (now.getTime() - Date.parse(updatedAt) < IDLE_MS) return;
    Object.assign(this.#state, { committedLsn: lsn, updatedAt: now.toISOString() });
    await this.#ports.states.save(this.#state);
    await this.#confirm();
  }

  async #confirm(): Promise<void> {
    const { committedLsn, confirmedLsn } = this.#state;
    if (committedLsn === null || committedLsn === confirmedLsn) return;
    await this.#ports.reader.confirm(committedLsn);
    this.#state.confirmedLsn = committedLsn;
  }
}

const isFollowed = ({ status }: TableState) => status === 'snapshotting' || status === 'streaming';

/** Whether a row keeps its identity. Without a key, all columns identify it. */
function sameKey({ columns, key }: Shape, old: Tuple, row: Tuple): boolean {
  return columns.every(
    ({ name }, i) => (key !== null && !key.includes(name)) || row[i] === undefined || old[i] === row[i],
  );
}

export function errorOf(cause: unknown): { code: string; message: string } {
  if (cause instanceof DataError) return { code: cause.code, message: cause.message };
  return { code: 'INTERNAL', message: 'Something went wrong on our side.' };
}
