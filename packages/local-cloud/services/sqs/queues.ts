import type { DatabaseSync } from 'node:sqlite';
import { queueDoesNotExist } from './errors.ts';

export const QUEUES_SCHEMA = `
  CREATE TABLE IF NOT EXISTS queues (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    attributes TEXT NOT NULL,
    tags TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    modified_at INTEGER NOT NULL,
    purged_at INTEGER
  ) STRICT;
  CREATE TABLE IF NOT EXISTS deleted_queues (name TEXT PRIMARY KEY, deleted_at INTEGER NOT NULL) STRICT;
`;

export interface Queue {
  readonly id: number;
  readonly name: string;
  readonly fifo: boolean;
  attributes: Record<string, string>;
  tags: Record<string, string>;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  modifiedAt: number;
  purgedAt?: number;
}

/** All queues, cached in memory and written through to disk. */
export class Queues {
  readonly #database: DatabaseSync;
  readonly #byName = new Map<string, Queue>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    for (const row of database.prepare('SELECT * FROM queues').all()) {
      const name = row.name as string;
      this.#byName.set(name, {
        id: row.id as number,
        name,
        fifo: name.endsWith('.fifo'),
        attributes: JSON.parse(row.attributes as string),
        tags: JSON.parse(row.tags as string),
        createdAt: row.created_at as number,
        modifiedAt: row.modified_at as number,
        ...(row.purged_at !== null && { purgedAt: row.purged_at as number }),
      });
    }
  }

  all(): Queue[] {
    return [...this.#byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  find(name: string): Queue | undefined {
    return this.#byName.get(name);
  }

  /** Throws `QueueDoesNotExist`. */
  get(name: string): Queue {
    const queue = this.#byName.get(name);
    if (!queue) throw queueDoesNotExist();
    return queue;
  }

  create(name: string, attributes: Record<string, string>, tags: Record<string, string>, now: number): void {
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO queues (name, attributes, tags, created_at, modified_at) VALUES (?, ?, ?, ?, ?)')
      .run(name, JSON.stringify(attributes), JSON.stringify(tags), now, now);
    const id = Number(lastInsertRowid);
    this.#byName.set(name, {
      id,
      name,
      fifo: name.endsWith('.fifo'),
      attributes,
      tags,
      createdAt: now,
      modifiedAt: now,
    });
  }

  save(queue: Queue): void {
    this.#database
      .prepare('UPDATE queues SET attributes = ?, tags = ?, modified_at = ?, purged_at = ? WHERE id = ?')
      .run(
        JSON.stringify(queue.attributes),
        JSON.stringify(queue.tags),
        queue.modifiedAt,
        queue.purgedAt ?? null,
        queue.id,
      );
  }

  /** Removes the queue with its messages and records when. */
  delete(queue: Queue, now: number): void {
    this.#database.prepare('INSERT OR REPLACE INTO deleted_queues VALUES (?, ?)').run(queue.name, now);
    this.#database.prepare('DELETE FROM queues WHERE id = ?').run(queue.id);
    this.#byName.delete(queue.name);
  }

  /** When a queue of this name was last deleted, in epoch milliseconds. */
  deletedAt(name: string): number | undefined {
    const row = this.#database.prepare('SELECT deleted_at FROM deleted_queues WHERE name = ?').get(name);
    return row?.deleted_at as number | undefined;
  }
}
