import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { openDatabase } from '../../core/database.ts';
import type { SecondaryIndex, TableDefinition } from './table.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS catalogue (name TEXT PRIMARY KEY, definition TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS ids (kind TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS streams (
    arn TEXT PRIMARY KEY, id INTEGER NOT NULL, table_name TEXT NOT NULL, definition TEXT NOT NULL, closed_at INTEGER
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS stream_records (
    stream INTEGER NOT NULL, sequence INTEGER NOT NULL, created_at INTEGER NOT NULL, size INTEGER NOT NULL,
    record TEXT NOT NULL, PRIMARY KEY (stream, sequence)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS transactions (
    token TEXT PRIMARY KEY, digest TEXT NOT NULL, expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
`;

/**
 * A checkpoint waits for the disk, so it runs once per 16 MB of log instead of per 4; and the pages of one busy table
 * stay in memory.
 */
const SETTINGS = 'PRAGMA wal_autocheckpoint = 4096; PRAGMA cache_size = -65536;';

type Row = Record<string, unknown>;

/** The SQLite file of the service, with every statement prepared once. */
export class Store {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #inTransaction = false;

  constructor(dataDir: string) {
    this.#database = openDatabase(join(dataDir, 'dynamodb.sqlite'), SETTINGS + SCHEMA);
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values);
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values);
  }

  /**
   * Rows one by one, so that a reader can stop at a limit. No other reader may use the same statement in the meantime.
   */
  each(sql: string, ...values: SQLInputValue[]): Iterable<Row> {
    return this.#statement(sql).iterate(...values);
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** Runs `work` in one transaction; inside another one it joins that one. */
  transaction<T>(work: () => T): T {
    if (this.#inTransaction) return work();
    this.run('BEGIN IMMEDIATE');
    this.#inTransaction = true;
    try {
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      this.run('ROLLBACK');
      throw error;
    } finally {
      this.#inTransaction = false;
    }
  }

  /** Changes the schema. Prepared statements may refer to removed tables, so they are prepared again. */
  define(sql: string): void {
    this.#statements.clear();
    this.#database.exec(sql);
  }

  nextId(kind: string): number {
    const row = this.get(
      'INSERT INTO ids VALUES (?, 1) ON CONFLICT (kind) DO UPDATE SET last = last + 1 RETURNING last',
      kind,
    );
    return Number(row?.last);
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** Items of a table: ordered key bytes, the item as JSON text, its size, and its expiry (epoch seconds). */
export function itemsTable(table: TableDefinition): string {
  return `items_${table.id}`;
}

/** Entries of an index: index key, table key, the projected attributes as JSON text and their size. */
export function entriesTable(index: SecondaryIndex): string {
  return `entries_${index.id}`;
}

export function createItemsTable(table: TableDefinition): string {
  const name = itemsTable(table);
  return `
    CREATE TABLE ${name} (
      pk BLOB NOT NULL, sk BLOB NOT NULL, item TEXT NOT NULL, size INTEGER NOT NULL, expires INTEGER,
      PRIMARY KEY (pk, sk)
    ) WITHOUT ROWID;
    CREATE INDEX ${name}_expires ON ${name} (expires) WHERE expires IS NOT NULL;`;
}

export function createEntriesTable(index: SecondaryIndex): string {
  return `
    CREATE TABLE ${entriesTable(index)} (
      pk BLOB NOT NULL, sk BLOB NOT NULL, base_pk BLOB NOT NULL, base_sk BLOB NOT NULL,
      item TEXT NOT NULL, size INTEGER NOT NULL, PRIMARY KEY (pk, sk, base_pk, base_sk)
    ) WITHOUT ROWID;`;
}
