import type { Lsn } from './lsn.ts';
import type { ShapeColumn } from './table-shape.ts';

/** A table as the log of the source describes it before its first change. */
export interface Relation {
  oid: number;
  /** Qualified with its schema. */
  name: string;
  columns: ShapeColumn[];
}

/**
 * Values in the order of the relation's columns; undefined for a large value that was not sent because it did not
 * change. A key has null for all other columns.
 */
export type Tuple = (string | null | undefined)[];

export type LogEvent =
  | { kind: 'begin'; xid: number; commitLsn: Lsn; committedAt: string }
  | { kind: 'relation'; relation: Relation }
  | { kind: 'insert'; relation: Relation; row: Tuple }
  /**
   * `old` is the previous key, sent only if it has changed; with REPLICA IDENTITY FULL it is always the previous row.
   */
  | { kind: 'update'; relation: Relation; old: Tuple | null; row: Tuple }
  | { kind: 'delete'; relation: Relation; old: Tuple }
  | { kind: 'truncate'; relations: Relation[] }
  | { kind: 'commit'; endLsn: Lsn }
  /** The end of a read. All changes before `lsn` were read; null if there may be more. */
  | { kind: 'idle'; lsn: Lsn | null };

/** Reads the log of a source from a slot: whole transactions in the order of their commits. */
export interface ChangeReader {
  /**
   * Yields the available events, and those that arrive within a moment, in portions of any size. Ends with `idle`,
   * never within a transaction, even if changes keep arriving. Unconfirmed changes may be repeated by the next reader.
   */
  read(): AsyncIterable<LogEvent[]>;
  /** Confirms to the source that everything before the position is stored; it is not sent again. */
  confirm(lsn: Lsn): Promise<void>;
  close(): Promise<void>;
}
