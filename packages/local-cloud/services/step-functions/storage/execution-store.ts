import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../../../core/database.ts';
import type { Position } from '../frame.ts';

export const EXECUTION_STATUSES = ['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

export interface ExecutionRecord {
  readonly id: number;
  readonly arn: string;
  readonly machineArn: string;
  readonly name: string;
  readonly revision: number;
  readonly status: ExecutionStatus;
  readonly input: string;
  readonly startedAt: number;
  readonly stoppedAt?: number;
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}

type Row = Record<string, string | number | null>;

/** Reads executions, their history and the state to resume them; the journal writes them. */
export class ExecutionStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  find(arn: string): ExecutionRecord | undefined {
    const row = this.#database.prepare('SELECT * FROM executions WHERE arn = ?').get(arn) as Row | undefined;
    return row && executionRecord(row);
  }

  open(): ExecutionRecord[] {
    const rows = this.#database.prepare("SELECT * FROM executions WHERE status = 'RUNNING' ORDER BY id").all();
    return (rows as Row[]).map(executionRecord);
  }

  hasOpen(machineArn: string): boolean {
    const query = "SELECT 1 FROM executions WHERE status = 'RUNNING' AND machine_arn = ? LIMIT 1";
    return this.#database.prepare(query).get(machineArn) !== undefined;
  }

  /** Newest first, older than `before`. */
  list(machineArn: string, filter: { status?: ExecutionStatus; before: number; limit: number }): ExecutionRecord[] {
    const rows = filter.status
      ? this.#database
          .prepare('SELECT * FROM executions WHERE status = ? AND machine_arn = ? AND id < ? ORDER BY id DESC LIMIT ?')
          .all(filter.status, machineArn, filter.before, filter.limit)
      : this.#database
          .prepare('SELECT * FROM executions WHERE machine_arn = ? AND id < ? ORDER BY id DESC LIMIT ?')
          .all(machineArn, filter.before, filter.limit);
    return (rows as Row[]).map(executionRecord);
  }

  /** Events from `from` on, in the given direction, in wire format. */
  history(execution: number, page: { from: number; limit: number; reverse: boolean }): Record<string, unknown>[] {
    const rows = this.#database
      .prepare(
        page.reverse
          ? 'SELECT body FROM events WHERE execution = ? AND id <= ? ORDER BY id DESC LIMIT ?'
          : 'SELECT body FROM events WHERE execution = ? AND id >= ? ORDER BY id LIMIT ?',
      )
      .all(execution, page.from, page.limit);
    return rows.map((row) => JSON.parse(String(row.body)));
  }

  eventCount(execution: number): number {
    const row = this.#database.prepare('SELECT max(id) AS last FROM events WHERE execution = ?').get(execution);
    return Number(row?.last ?? 0);
  }

  /** Stored frames, each parent before its children. */
  frames(execution: number): { path: string; position: Position }[] {
    const rows = this.#database.prepare('SELECT path, body FROM frames WHERE execution = ?').all(execution);
    return rows
      .map((row) => ({ path: String(row.path), position: JSON.parse(String(row.body)) as Position }))
      .sort((a, b) => a.path.length - b.path.length);
  }

  token(token: string): { execution: number; path: string } | undefined {
    const row = this.#database.prepare('SELECT execution, path FROM tokens WHERE token = ?').get(token);
    return row && { execution: Number(row.execution), path: String(row.path) };
  }

  /** Deletes executions that closed before the instant. */
  removeClosedBefore(instant: number): void {
    this.#remove('stopped_at < ?', instant);
  }

  remove(id: number): void {
    this.#remove('id = ?', id);
  }

  #remove(condition: string, value: number): void {
    inTransaction(this.#database, () => {
      for (const table of ['events', 'frames', 'tokens']) {
        this.#database
          .prepare(`DELETE FROM ${table} WHERE execution IN (SELECT id FROM executions WHERE ${condition})`)
          .run(value);
      }
      this.#database.prepare(`DELETE FROM executions WHERE ${condition}`).run(value);
    });
  }
}

function executionRecord(row: Row): ExecutionRecord {
  return {
    id: Number(row.id),
    arn: String(row.arn),
    machineArn: String(row.machine_arn),
    name: String(row.name),
    revision: Number(row.revision),
    status: row.status as ExecutionStatus,
    input: String(row.input),
    startedAt: Number(row.started_at),
    ...(row.stopped_at != null && { stoppedAt: Number(row.stopped_at) }),
    ...(row.output != null && { output: String(row.output) }),
    ...(row.error != null && { error: String(row.error) }),
    ...(row.cause != null && { cause: String(row.cause) }),
  };
}
