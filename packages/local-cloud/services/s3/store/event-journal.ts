import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CloudEvent } from '../../../core/ports.ts';
import { preparedOnce } from './statements.ts';

export interface JournaledEvent {
  id: number;
  event: CloudEvent;
}

/** Unpublished events, committed together with their changes. */
export class EventJournal {
  readonly #sql: (sql: string) => StatementSync;

  constructor(database: DatabaseSync) {
    this.#sql = preparedOnce(database);
  }

  /** Stores the event that `create` creates; sequence numbers only grow. */
  append(create: (sequence: number) => CloudEvent & { time: Date }): void {
    const { lastInsertRowid } = this.#sql("INSERT INTO event_journal (event) VALUES ('')").run();
    const id = Number(lastInsertRowid);
    this.#sql('UPDATE event_journal SET event = ? WHERE id = ?').run(JSON.stringify(create(id)), id);
  }

  /** The oldest `max` events. */
  oldest(max: number): JournaledEvent[] {
    return this.#sql('SELECT id, event FROM event_journal ORDER BY id LIMIT ?')
      .all(max)
      .map((row) => {
        const event = JSON.parse(row.event as string) as CloudEvent & { time: string };
        return { id: row.id as number, event: { ...event, time: new Date(event.time) } };
      });
  }

  removeThrough(id: number): void {
    this.#sql('DELETE FROM event_journal WHERE id <= ?').run(id);
  }
}
