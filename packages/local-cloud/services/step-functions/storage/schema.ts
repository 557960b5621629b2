export const SCHEMA = `
CREATE TABLE IF NOT EXISTS machines (
  arn TEXT PRIMARY KEY, name TEXT NOT NULL, status TEXT NOT NULL, created_at INTEGER NOT NULL,
  revision INTEGER NOT NULL, tags TEXT NOT NULL
);
-- An execution keeps the revision it started with, so revisions outlive an update.
CREATE TABLE IF NOT EXISTS revisions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, revision_id TEXT NOT NULL, machine_arn TEXT NOT NULL,
  definition TEXT NOT NULL, role_arn TEXT NOT NULL, created_at INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS executions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, arn TEXT NOT NULL UNIQUE, machine_arn TEXT NOT NULL, name TEXT NOT NULL,
  revision INTEGER NOT NULL, status TEXT NOT NULL, input TEXT NOT NULL, started_at INTEGER NOT NULL,
  stopped_at INTEGER, output TEXT, error TEXT, cause TEXT
);
CREATE INDEX IF NOT EXISTS executions_by_machine ON executions (machine_arn, id);
CREATE INDEX IF NOT EXISTS executions_by_status ON executions (status, machine_arn, id);
CREATE TABLE IF NOT EXISTS events (
  execution INTEGER NOT NULL, id INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (execution, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS frames (
  execution INTEGER NOT NULL, path TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (execution, path)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tokens (token TEXT PRIMARY KEY, execution INTEGER NOT NULL, path TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS tokens_by_execution ON tokens (execution);
-- Status changes that EventBridge has not accepted yet.
CREATE TABLE IF NOT EXISTS outbox (id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL);
`;
