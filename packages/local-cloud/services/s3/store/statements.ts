import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Prepares each statement once. Not for statements that are iterated: two readers must not share one. */
export function preparedOnce(database: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
}
