import { DatabaseSync } from 'node:sqlite';

/**
 * Opens a SQLite file in write-ahead mode. A commit has reached the operating system when it returns, so killing the
 * process loses nothing; only a power cut may lose the last commits.
 */
export function openDatabase(path: string, schema: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;',
  );
  database.exec(schema);
  return database;
}

/** Runs `work` in one transaction, which is rolled back if it throws. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  let result: T;
  try {
    result = work();
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
  database.exec('COMMIT');
  return result;
}
