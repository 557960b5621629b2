import { EngineError } from '../engine/engine-error.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { BatchWriter, type Change, type FillUnchanged, isOfTable, TableFault } from './batch-writer.ts';
import type { ChangeLog } from './change-log.ts';
import type { ChangeReader, LogEvent, Relation, Tuple } from './change-reader.ts';
import type { Lsn } from './lsn.ts';
import type { CaptureState, CaptureStates, TableState } from './state.ts';
import type { Shape } from './table-shape.ts';

/** A batch ends with the next commit once it holds so many changes. */
const BATCH_CHANGES = 20_000;
/** So long nothing must have come before the position moves without a change. */
const REST_MS = 30_000;
/** Enough for all transactions that can be visible in the log and not yet in a snapshot. */
const MOST_RECENT_XIDS = 1_000;

export interface CapturePorts {
  reader: ChangeReader;
  states: Pick<CaptureStates, 'save'>;
  log: Pick<ChangeLog, 'batchItem'>;
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

/**
 * Takes over what a reader brings: changes become files, whole transactions a batch, and only when the batch is stored the
 * source is told. It may die anywhere; what it repeats has no effect, because a batch names the position it goes up to.
 */
export class CaptureLoop {
  readonly #ports: CapturePorts;
  readonly #state: CaptureState;
  #writer: BatchWriter;
  readonly #shapes = new Map<number, Promise<Shape>>();
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
    return new BatchWriter(this.#ports.objects, this.#state, this.#ports.fillUnchanged, (fault) => this.#stop(fault));
  }

  /** Everything before was taken over, as far as the reader can tell. */
  get readUpTo(): Lsn {
    const committed = this.#state.committedLsn!;
    return this.#readUpTo !== null && this.#readUpTo > committed ? this.#readUpTo : committed;
  }

  /** Takes over everything that is there. Answers how many changes that were. Throws `CaptureLost` and what the reader throws. */
  async drain(): Promise<number> {
    let changes = 0;
    for await (const event of this.#ports.reader.read()) {
      if (event.kind === 'idle') {
        changes += await this.#persist();
        if (event.lsn !== null) await this.#atRest(event.lsn);
        this.#readUpTo = event.lsn;
      } else {
        await this.#take(event);
        if (event.kind === 'commit' && this.#writer.changes >= BATCH_CHANGES) changes += await this.#persist();
      }
    }
    return changes;
  }

  /** Makes a batch of rows of a snapshot; the log stands still meanwhile. */
  async append(table: string, shape: Shape, changes: AsyncIterable<Change>): Promise<number> {
    try {
      for await (const change of changes) await this.#writer.add(table, shape, change);
    } catch (error) {
      this.#writer = this.#newWriter();
      throw error;
    }
    return this.#persist();
  }

  async #take(event: Exclude<LogEvent, { kind: 'idle' }>): Promise<void> {
    switch (event.kind) {
      case 'begin': {
        const { xid, commitLsn, committedAt } = event;
        const isKnown = this.#state.committedLsn !== null && commitLsn < this.#state.committedLsn;
        this.#transaction = { xid, commitLsn, committedAt, isKnown };
        return;
      }
      case 'commit':
        this.#reached = event.endLsn;
        if (this.#transaction && !this.#transaction.isKnown) this.#xids.push(this.#transaction.xid);
        this.#transaction = undefined;
        return;
      case 'relation':
        this.#shapes.delete(event.relation.oid);
        return;
      case 'truncate':
        for (const relation of event.relations) await this.#change(relation, async (add) => add('t', []));
        return;
      case 'insert':
        return this.#change(event.relation, async (add) => add('i', event.row));
      case 'delete':
        return this.#change(event.relation, async (add) => add('d', event.old));
      case 'update':
        return this.#change(event.relation, async (add, shape) => {
          if (event.old && !sameKey(shape, event.old, event.row)) await add('d', event.old);
          await add('u', event.row);
        });
    }
  }

  async #change(
    relation: Relation,
    work: (add: (op: Change['op'], values: Tuple) => Promise<void>, shape: Shape) => Promise<void>,
  ): Promise<void> {
    const transaction = this.#transaction!;
    if (transaction.isKnown) return;
    const { name, oid } = relation;
    const table = this.#followed(relation);
    if (!table) return;
    try {
      if (table.oid !== oid) {
        throw new EngineError('SCHEMA_MISMATCH', `${name} is another table by now, or was given this name.`);
      }
      const shape = await this.#shapeOf(relation);
      const { commitLsn: lsn, committedAt } = transaction;
      await work((op, values) => this.#writer.add(name, shape, { op, lsn, committedAt, values: [...values] }), shape);
    } catch (error) {
      if (!isOfTable(error)) throw error;
      this.#stop(new TableFault(name, error));
    }
  }

  /** A table before its snapshot needs no changes: the snapshot will hold them. */
  #followed({ name, oid }: Relation): TableState | undefined {
    const renamed = Object.entries(this.#state.tables).find(([known, table]) => table.oid === oid && known !== name);
    if (renamed && isFollowed(renamed[1])) {
      this.#stop(new TableFault(renamed[0], new EngineError('NOT_FOUND', `The table is called ${name} by now.`)));
    }
    const table = this.#state.tables[name];
    return table && isFollowed(table) ? table : undefined;
  }

  #shapeOf(relation: Relation): Promise<Shape> {
    let shape = this.#shapes.get(relation.oid);
    if (!shape) {
      shape = this.#ports.shapeOf(relation);
      this.#shapes.set(relation.oid, shape);
    }
    return shape;
  }

  /** Only this table stops; it goes on with a new snapshot. */
  #stop(fault: TableFault): void {
    this.#writer.drop(fault.table);
    const table = this.#state.tables[fault.table];
    if (table) Object.assign(table, { status: 'error', error: errorOf(fault.cause) });
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
    return isSnapshotting ? [...recentXids, ...this.#xids].slice(-MOST_RECENT_XIDS) : [];
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
  if (cause instanceof EngineError) return { code: cause.code, message: cause.message };
  return { code: 'INTERNAL', message: 'Something went wrong on our side.' };
}
