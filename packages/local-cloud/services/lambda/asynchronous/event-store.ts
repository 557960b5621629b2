import type { DatabaseSync } from 'node:sqlite';

export const EVENTS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS async_events (
    request_id TEXT PRIMARY KEY,
    function_name TEXT NOT NULL,
    qualifier TEXT,
    payload BLOB NOT NULL,
    client_context TEXT,
    accepted_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL
  ) STRICT;
`;

export interface AsyncEvent {
  requestId: string;
  functionName: string;
  qualifier?: string;
  payload: Buffer;
  clientContext?: unknown;
  /** Epoch milliseconds. */
  acceptedAt: number;
  dueAt: number;
  /** Failed attempts so far. */
  attempts: number;
}

/** Accepted, unfinished asynchronous events, on disk. */
export class EventStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  add(event: AsyncEvent): void {
    this.#database
      .prepare('INSERT INTO async_events VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        event.requestId,
        event.functionName,
        event.qualifier ?? null,
        event.payload,
        event.clientContext === undefined ? null : JSON.stringify(event.clientContext),
        event.acceptedAt,
        event.dueAt,
        event.attempts,
      );
  }

  /** Function and due time of each unfinished event, in order of acceptance. */
  pending(): { requestId: string; functionName: string; dueAt: number }[] {
    const rows = this.#database
      .prepare('SELECT request_id, function_name, due_at FROM async_events ORDER BY rowid')
      .all();
    return rows.map((row) => ({
      requestId: row.request_id as string,
      functionName: row.function_name as string,
      dueAt: row.due_at as number,
    }));
  }

  get(requestId: string): AsyncEvent | undefined {
    const row = this.#database.prepare('SELECT * FROM async_events WHERE request_id = ?').get(requestId);
    if (!row) return undefined;
    return {
      requestId,
      functionName: row.function_name as string,
      ...(row.qualifier !== null && { qualifier: row.qualifier as string }),
      payload: Buffer.from(row.payload as Uint8Array),
      ...(row.client_context !== null && { clientContext: JSON.parse(row.client_context as string) }),
      acceptedAt: row.accepted_at as number,
      dueAt: row.due_at as number,
      attempts: row.attempts as number,
    };
  }

  retryLater(requestId: string, attempts: number, dueAt: number): void {
    this.#database
      .prepare('UPDATE async_events SET attempts = ?, due_at = ? WHERE request_id = ?')
      .run(attempts, dueAt, requestId);
  }

  remove(requestId: string): void {
    this.#database.prepare('DELETE FROM async_events WHERE request_id = ?').run(requestId);
  }
}
