import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { type Principal, ROOT } from '../../../core/access/principal.ts';

export const DELIVERIES_SCHEMA = `
  CREATE TABLE IF NOT EXISTS deliveries (
    id TEXT PRIMARY KEY,
    document TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS deliveries_by_due ON deliveries (due_at);
`;

/** One event on its way to one target. */
export interface Delivery {
  id: string;
  targetArn: string;
  /** The target's role, or the service itself on behalf of the rule. */
  caller: Principal;
  payload: string;
  messageGroupId?: string | undefined;
  /** For a target that is an event bus. */
  event?: { source: string; detailType: string } | undefined;
  retry: { attempts: number; ageSeconds: number };
  deadLetter?: { queueArn: string; body: string; attributes: Record<string, string> } | undefined;
}

export interface JournaledDelivery extends Delivery {
  /** Epoch milliseconds. */
  acceptedAt: number;
  dueAt: number;
  /** Failed attempts so far. */
  attempts: number;
}

/** Unfinished deliveries, on disk. */
export class Journal {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  add(delivery: Delivery, acceptedAt: number, dueAt: number): void {
    this.#database
      .prepare('INSERT INTO deliveries VALUES (?, ?, ?, ?, 0)')
      .run(delivery.id, JSON.stringify(delivery), acceptedAt, dueAt);
  }

  /** Due deliveries, longest overdue first, at most `max`. */
  due(now: number, max: number): JournaledDelivery[] {
    return this.#database
      .prepare('SELECT * FROM deliveries WHERE due_at <= ? ORDER BY due_at, rowid LIMIT ?')
      .all(now, max)
      .map(readRow);
  }

  /** When the next delivery after `now` is due. */
  nextDueAt(now: number): number | undefined {
    const row = this.#database.prepare('SELECT min(due_at) AS at FROM deliveries WHERE due_at > ?').get(now);
    return (row?.at as number | null) ?? undefined;
  }

  retryLater(id: string, attempts: number, dueAt: number): void {
    this.#database.prepare('UPDATE deliveries SET attempts = ?, due_at = ? WHERE id = ?').run(attempts, dueAt, id);
  }

  remove(id: string): void {
    this.#database.prepare('DELETE FROM deliveries WHERE id = ?').run(id);
  }
}

function readRow(row: Record<string, SQLOutputValue>): JournaledDelivery {
  return {
    // Deliveries of earlier versions name no caller.
    caller: ROOT,
    ...(JSON.parse(row.document as string) as Omit<Delivery, 'caller'>),
    acceptedAt: row.accepted_at as number,
    dueAt: row.due_at as number,
    attempts: row.attempts as number,
  };
}
