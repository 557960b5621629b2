import type { DatabaseSync } from 'node:sqlite';
import type { CloudEvent } from '../../../core/ports.ts';

export interface JournaledEvent {
  id: number;
  event: CloudEvent;
}

/** Events that were committed together with the change they tell of and are not yet published. */
export class EventJournal {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  append(event: CloudEvent & { time: Date }): void {
    this.#database.prepare('INSERT INTO event_journal (event) VALUES (?)').run(JSON.stringify(event));
  }

  /** The oldest `max` events. */
  oldest(max: number): JournaledEvent[] {
    return this.#database
      .prepare('SELECT id, event FROM event_journal ORDER BY id LIMIT ?')
      .all(max)
      .map((row) => {
        const event = JSON.parse(row.event as string) as CloudEvent & { time: string };
        return { id: row.id as number, event: { ...event, time: new Date(event.time) } };
      });
  }

  removeThrough(id: number): void {
    this.#database.prepare('DELETE FROM event_journal WHERE id <= ?').run(id);
  }
}
