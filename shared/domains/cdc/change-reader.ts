import type { Lsn } from './lsn.ts';
import type { ShapeColumn } from './table-shape.ts';

/** A table as the source's log describes it before the first change of it. */
export interface Relation {
  oid: number;
  /** With its schema. */
  name: string;
  columns: ShapeColumn[];
}

/**
 * Values in the order of the relation's columns; undefined where a large value did not change and so was not sent. A key has
 * null for all other columns.
 */
export type Tuple = (string | null | undefined)[];

export type LogEvent =
  | { kind: 'begin'; xid: number; commitLsn: Lsn; committedAt: string }
  | { kind: 'relation'; relation: Relation }
  | { kind: 'insert'; relation: Relation; row: Tuple }
  /** `old` holds the key, or with REPLICA IDENTITY FULL the row; only when the key has changed, or always with FULL. */
  | { kind: 'update'; relation: Relation; old: Tuple | null; row: Tuple }
  | { kind: 'delete'; relation: Relation; old: Tuple }
  | { kind: 'truncate'; relations: Relation[] }
  | { kind: 'commit'; endLsn: Lsn }
  /** The end of a look. Everything that is there by now was read: all before `lsn`; null when there may be more. */
  | { kind: 'idle'; lsn: Lsn | null };

/** Reads the log of a source from a slot: whole transactions in the order of their commits. */
export interface ChangeReader {
  /**
   * What is there or comes within a moment, in portions of any size, ending with `idle`, never in the middle of a transaction. A
   * look has an end also where more and more comes. What was not confirmed may come again with the next reader.
   */
  read(): AsyncIterable<LogEvent[]>;
  /** Tells the source that everything before the position is safe here: it never comes again. */
  confirm(lsn: Lsn): Promise<void>;
  close(): Promise<void>;
}
