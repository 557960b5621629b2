import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { preparedOnce } from './statements.ts';

/** One content file of an object version or of an unfinished upload. */
export interface Part {
  number: number;
  /** Id of the content file. */
  content: string;
  size: number;
  /** MD5 in hex. */
  etag: string;
  /** Base64, in the algorithm of its upload. */
  checksum: string | null;
  /** Epoch milliseconds. */
  modified: number;
}

/** The content files of versions and uploads. A content file without an entry is deleted. */
export class Parts {
  readonly #sql: (sql: string) => StatementSync;
  #released: string[] = [];

  constructor(database: DatabaseSync) {
    this.#sql = preparedOnce(database);
  }

  put(owner: string, part: Part): void {
    const replaced = this.#sql('SELECT content FROM parts WHERE owner = ? AND number = ?').get(owner, part.number);
    if (replaced) this.#released.push(replaced.content as string);
    this.#sql(
      'INSERT OR REPLACE INTO parts (owner, number, content, size, etag, checksum, modified) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ).run(owner, part.number, part.content, part.size, part.etag, part.checksum, part.modified);
  }

  /** In order of their numbers. */
  of(owner: string): Part[] {
    return this.#sql(
      'SELECT number, content, size, etag, checksum, modified FROM parts WHERE owner = ? ORDER BY number',
    ).all(owner) as unknown as Part[];
  }

  remove(owner: string, number: number): void {
    const removed = this.#sql('DELETE FROM parts WHERE owner = ? AND number = ? RETURNING content').get(owner, number);
    if (removed) this.#released.push(removed.content as string);
  }

  removeAll(owner: string): void {
    const removed = this.#sql('DELETE FROM parts WHERE owner = ? RETURNING content').all(owner);
    for (const row of removed) this.#released.push(row.content as string);
  }

  moveAll(from: string, to: string): void {
    this.#sql('UPDATE parts SET owner = ? WHERE owner = ?').run(to, from);
  }

  isReferenced(content: string): boolean {
    return this.#sql('SELECT 1 FROM parts WHERE content = ? LIMIT 1').get(content) !== undefined;
  }

  /** Content files that lost a reference since the last call; others may still refer to them. */
  takeReleased(): string[] {
    const released = this.#released;
    this.#released = [];
    return released;
  }
}
