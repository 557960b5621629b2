import type { GroupJoin } from '../../../data/blends/group-sql.ts';
import type { Join, JoinedColumn, JoinKey, JoinStatistics, Side, SortedColumn } from '../../../data/blends/join-sql.ts';
import type { BoundParameter } from '../../../data/duckdb/parameters.ts';
import type { QueryAnswer, TableInput } from '../../engine/index.ts';

/** The rows of one side, from the caller's own rights: the statement contains them, or the tables do. */
export interface SideStatement {
  sql: string;
  params: BoundParameter[];
  /** Where the statement runs: over these tables of datasets, or in a database. */
  from: { tables: TableInput[] } | { sourceId: string };
  /** Reads at most so many rows and does without the others, for a look at the keys. */
  sampleRows?: number;
}

/** A request to the function that joins the rows of two sides. It has access to the bucket and to data sources. */
export interface BlendRequest {
  workspaceId: string;
  left: SideStatement;
  right: SideStatement;
  keys: JoinKey[];
  /** The keys by whose values on the left the database of the right side is asked, and their types there. */
  pushedKeys: { index: number; type: PushedType }[];
  result: JoinedRows | GroupedRows;
  limit: number;
  maxBytes: number;
  timeoutMs: number;
  timezone: string;
}

/** The rows of both sides beside each other. */
export interface JoinedRows {
  columns: JoinedColumn[];
  join: Join;
  sort: SortedColumn[];
}

/** What a statement makes of the sides, whose rows are groups already. */
export interface GroupedRows {
  join: GroupJoin;
  statement: { sql: string; params: BoundParameter[] };
}

export const PUSHED_TYPES = ['text', 'bigint', 'numeric', 'date'] as const;
export type PushedType = (typeof PUSHED_TYPES)[number];

export interface BlendAnswer extends Pick<QueryAnswer, 'columns' | 'rowsJson' | 'rowCount' | 'truncated' | 'warnings'> {
  statistics: JoinStatistics;
  /** Null if the right side was read whole. */
  pushedDown: { keys: number; rows: number } | null;
  readBytes: number;
  leftMs: number;
  rightMs: number;
  joinMs: number;
}

/** The limits of a side: larger ones are refused and never cut. The size is that of rows that come from a database. */
export const SIDE_LIMITS = { rows: 1_000_000, bytes: 256 * 1024 * 1024 };

export type BlendReply =
  | { ok: true; answer: BlendAnswer }
  | { ok: false; side: Side | null; code: string; message: string; rows?: number };
