import { DataError } from '../../platform/errors/data-error.ts';
import type { ObjectStore } from '../../platform/objects/object-store.ts';
import { BatchWriter, type Change, type FillUnchanged, isOfTable, TableIssue } from './batch-writer.ts';
import type { ChangeLog } from './change-log.ts';
import type { ChangeReader, LogEvent, Relation, Tuple } from './change-reader.ts';
import { alteration, shapeIssue } from './fit-shapes.ts';
import type { Lsn } from './lsn.ts';
import type { CaptureState, CaptureStates, TableState } from './state.ts';
import type { Shape } from './table-shape.ts';

/** A batch ends with the next commit once it holds so many changes. */
const BATCH_CHANGES = 20_000;
/** So long nothing must have come before the position moves without a change. */
const REST_MS = 30_000;
/** Enough for all transactions that can be visible in the log and not yet in a snapshot. */
const MAX_RECENT_XIDS = 1_000;

export interface CapturePorts {
  reader: ChangeReader;
  states: Pick<CaptureStates, 'save'>;
  log: Pick<ChangeLog, 'batchItem' | 'covering'>;
  objects: ObjectStore;
  /** The types of a table's columns and its key, as they are now. */
  shapeOf(relation: Relation): Promise<Shape>;
  fillUnchanged: FillUnchanged;
  now(): Date;
}

interface Transaction {
  xid: number;
  commitLsn: Lsn;
  committedAt: string;
  /** It is in a batch already: the source was not told yet when the capture ended last time. */
  isKnown: boolean;
}

/** A table of the log whose changes are taken over. */
interface Followed {
  name: string;
  shape: Shape;
}

type ChangeEvent = Extract<LogEvent, { kind: 'insert' | 'update' | 'delete' | 'truncate' }>;

/**
 * Takes over what a reader brings: changes become files, whole transactions a batch, and only when the batch is stored the
 * source is told. It may die anywhere; what it repeats has no effect, because a batch names the position it goes up to.
 */
export class CaptureLoop {
  readonly #ports: CapturePorts;
  readonly #state: CaptureState;
  #writer: BatchWriter;
  readonly #shapes = new Map<number, Shape>();
  /** What was found out about tables of the log since the look began; null for those that are not followed. */
  readonly #followed = new Map<number, Followed | null>();
  /** The shapes in which rows of the tables were taken over last. */
  readonly #lastShapes = new Map<string, Shape>();
  #transaction: Transaction | undefined;
  /** End of the newest whole transaction that is not in a stored batch yet. */
  #reached: Lsn | null = null;
  #xids: number[] = [];
  #readUpTo: Lsn | null = null;

  constructor(ports: CapturePorts, state: CaptureState) {
    this.#ports = ports;
    this.#state = state;
    this.#writer = this.#newWriter();
  }

  #newWriter(): BatchWriter {
    return new BatchWriter(this.#ports.objects, this.#state, this.#ports.fillUnchanged, (issue) => this.#stop(issue));
  }

  /** Everything before was taken over, as far as the reader can tell. */
  get readUpTo(): Lsn {
    const committed = this.#state.committedLsn!;
    return this.#readUpTo !== null && this.#readUpTo > committed ? this.#readUpTo : committed;
  }

  /** Takes over what one look brings. Answers whether that was all there is. Throws `CaptureLost` and what the reader throws. */
  async drain(): Promise<boolean> {
    this.#followed.clear();
    let isAll = false;
    try {
      for await (const events of this.#ports.reader.read()) {
        for (const event of events) {
          if (event.kind === 'idle') {
            await this.#rest(event.lsn);
            isAll = event.lsn !== null;
            continue;
          }
          const pending = this.#take(event);
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

  async #rest(lsn: Lsn | null): Promise<void> {
    await this.#persist();
    if (lsn !== null) await this.#atRest(lsn);
    this.#readUpTo = lsn;
  }

  /** Makes a batch of rows of a snapshot; the log stands still meanwhile. The first ones take the place of all rows before. */
  async append(table: string, shape: Shape, changes: AsyncIterable<Change>, areFirst: boolean): Promise<number> {
    if (areFirst) this.#lastShapes.delete(table);
    try {
      await this.#judge(table, shape, areFirst ? null : this.#state.tables[table]!.schemaSeq);
      for await (const change of changes) await this.#writer.add(table, shape, change);
    } catch (error) {
      await this.#writer.abandon();
      this.#writer = this.#newWriter();
      throw error;
    }
    return this.#persist();
  }

  /** Whoever gets a promise waits for it; there are too many events to wait for each. */
  #take(event: Exclude<LogEvent, { kind: 'idle' }>): Promise<void> | undefined {
    switch (event.kind) {
      case 'begin': {
        const { xid, commitLsn, committedAt } = event;
        const isKnown = this.#state.committedLsn !== null && commitLsn < this.#state.committedLsn;
        this.#transaction = { xid, commitLsn, committedAt, isKnown };
        return undefined;
      }
      case 'commit':
        this.#reached = event.endLsn;
        if (this.#transaction && !this.#transaction.isKnown) this.#xids.push(this.#transaction.xid);
        this.#transaction = undefined;
        return undefined;
      case 'relation':
        this.#shapes.delete(event.relation.oid);
        this.#followed.delete(event.relation.oid);
        return undefined;
      default:
        return this.#transaction!.isKnown ? undefined : this.#change(event);
    }
  }

  #change(event: ChangeEvent): Promise<void> | undefined {
    if (event.kind === 'truncate') return this.#truncate(event.relations);
    const followed = this.#followed.get(event.relation.oid);
    if (followed === null) return undefined;
    return followed ? this.#add(followed, event) : this.#learn(event.relation).then(() => this.#change(event));
  }

  #add({ name, shape }: Followed, event: Exclude<ChangeEvent, { kind: 'truncate' }>): Promise<void> | undefined {
    switch (event.kind) {
      case 'insert':
        return this.#write(name, shape, 'i', event.row);
      case 'delete':
        return this.#write(name, shape, 'd', event.old);
      case 'update': {
        const isMoved = event.old !== null && !sameKey(shape, event.old, event.row);
        const gone = isMoved ? this.#write(name, shape, 'd', event.old!) : undefined;
        const add = () => this.#write(name, shape, 'u', event.row);
        return gone ? gone.then(add) : add();
      }
    }
  }

  async #truncate(relations: readonly Relation[]): Promise<void> {
    for (const relation of relations) {
      if (!this.#followed.has(relation.oid)) await this.#learn(relation);
      const followed = this.#followed.get(relation.oid);
      if (followed) await this.#write(followed.name, followed.shape, 't', []);
    }
  }

  #write(name: string, shape: Shape, op: Change['op'], values: Tuple): Promise<void> | undefined {
    // It may have stopped in the middle of a change.
    if (!isFollowed(this.#state.tables[name]!)) return undefined;
    const { commitLsn: lsn, committedAt } = this.#transaction!;
    try {
      const pending = this.#writer.add(name, shape, { op, lsn, committedAt, values });
      return pending?.catch((error) => this.#failed(name, error));
    } catch (error) {
      return this.#failed(name, error);
    }
  }

  /** Finds out whether a table is followed, and as what. A table before its snapshot needs no changes: the snapshot will hold them. */
  async #learn(relation: Relation): Promise<void> {
    const { name, oid } = relation;
    this.#followed.set(oid, null);
    this.#stopRenamed(relation);
    const table = this.#state.tables[name];
    if (!table || !isFollowed(table)) return;
    try {
      if (table.oid !== oid) {
        throw new DataError('SCHEMA_MISMATCH', `${name} is another table by now, or was given this name.`);
      }
      const shape = this.#shapes.get(oid) ?? (await this.#ports.shapeOf(relation));
      await this.#judge(name, shape, table.schemaSeq);
      this.#shapes.set(oid, shape);
      this.#followed.set(oid, { name, shape });
    } catch (error) {
      this.#failed(name, error);
    }
  }

  #failed(name: string, error: unknown): undefined {
    if (!isOfTable(error)) throw error;
    this.#stop(new TableIssue(name, error));
  }

  /** Throws SCHEMA_MISMATCH when rows of the shape do not go with those of before: nobody could read the table any more. */
  async #judge(name: string, shape: Shape, schemaSeq: number | null): Promise<void> {
    const last = this.#lastShapes.get(name) ?? (await this.#storedShape(name, schemaSeq));
    const issue = shapeIssue(name, shape) ?? (last && alteration(name, last, shape));
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
      this.#stop(new TableIssue(known, new DataError('NOT_FOUND', `The table is called ${name} by now.`)));
    }
  }

  /** Only this table stops; it goes on with a new snapshot. */
  #stop(issue: TableIssue): void {
    this.#followed.clear();
    this.#writer.drop(issue.table);
    const table = this.#state.tables[issue.table];
    if (table) Object.assign(table, { status: 'error', error: errorOf(issue.cause) });
  }

  /** Durable first, then the source is told. */
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

  /** They matter to snapshots only. */
  #recentXids(): number[] {
    const { tables, recentXids } = this.#state;
    const isSnapshotting = Object.values(tables).some(({ complete }) => !complete);
    return isSnapshotting ? [...recentXids, ...this.#xids].slice(-MAX_RECENT_XIDS) : [];
  }

  #count(name: string, rows: number, seq: number, lastLsn: Lsn): void {
    const table = this.#state.tables[name];
    if (table) Object.assign(table, { rows: table.rows + rows, lastLsn, schemaSeq: seq });
  }

  /** Nothing happens that is followed; the source's log up to here can go nevertheless. */
  async #atRest(lsn: Lsn): Promise<void> {
    const { committedLsn, updatedAt } = this.#state;
    const now = this.#ports.now();
    if (committedLsn !== null && lsn <= committedLsn) return;
    if (now.getTime() - Date.parse(updatedAt) < REST_MS) return;
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

/** Whether a row is still the same one: all of it counts where there is no key. */
function sameKey({ columns, key }: Shape, old: Tuple, row: Tuple): boolean {
  return columns.every(
    ({ name }, i) => (key !== null && !key.includes(name)) || row[i] === undefined || old[i] === row[i],
  );
}

export function errorOf(cause: unknown): { code: string; message: string } {
  if (cause instanceof DataError) return { code: cause.code, message: cause.message };
  return { code: 'INTERNAL', message: 'Something went wrong on our side.' };
}
