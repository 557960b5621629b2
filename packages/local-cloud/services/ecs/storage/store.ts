import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../../../core/database.ts';
import type { Cluster, Task, TaskDefinition } from '../model.ts';

export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS clusters (name TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS families (name TEXT PRIMARY KEY, last_revision INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS task_definitions (
    family TEXT NOT NULL,
    revision INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (family, revision)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS tasks (
    arn TEXT PRIMARY KEY,
    cluster TEXT NOT NULL,
    created_at REAL NOT NULL,
    stopped_at REAL,
    client_token TEXT,
    request TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS tasks_by_token ON tasks (cluster, client_token);
`;

/** Persistent data: clusters, task definitions, and tasks with the requests that started them. */
export class EcsStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  cluster(name: string): Cluster | undefined {
    return this.#one('SELECT body FROM clusters WHERE name = ?', name);
  }

  clusters(): Cluster[] {
    return this.#all('SELECT body FROM clusters ORDER BY name');
  }

  saveCluster(cluster: Cluster): void {
    this.#run('INSERT OR REPLACE INTO clusters VALUES (?, ?)', cluster.clusterName, JSON.stringify(cluster));
  }

  deleteCluster(name: string): void {
    this.#run('DELETE FROM clusters WHERE name = ?', name);
  }

  /** Stores the family's next revision, built by `make`; numbers are never reused. */
  addDefinition(family: string, make: (revision: number) => TaskDefinition): TaskDefinition {
    return inTransaction(this.#database, () => {
      this.#run(
        'INSERT INTO families VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET last_revision = last_revision + 1',
        family,
      );
      const row = this.#database.prepare('SELECT last_revision FROM families WHERE name = ?').get(family);
      const definition = make(Number(row?.last_revision));
      this.saveDefinition(definition);
      return definition;
    });
  }

  saveDefinition(definition: TaskDefinition): void {
    const { family, revision } = definition;
    this.#run('INSERT OR REPLACE INTO task_definitions VALUES (?, ?, ?)', family, revision, JSON.stringify(definition));
  }

  /** Newest first. */
  definitions(family?: string): TaskDefinition[] {
    const order = 'ORDER BY family, revision DESC';
    return family === undefined
      ? this.#all(`SELECT body FROM task_definitions ${order}`)
      : this.#all(`SELECT body FROM task_definitions WHERE family = ? ${order}`, family);
  }

  task(arn: string): Task | undefined {
    return this.#one('SELECT body FROM tasks WHERE arn = ?', arn);
  }

  /** Oldest first. */
  tasks(cluster: string): Task[] {
    return this.#all('SELECT body FROM tasks WHERE cluster = ? ORDER BY created_at, arn', cluster);
  }

  openTasks(): Task[] {
    return this.#all('SELECT body FROM tasks WHERE stopped_at IS NULL');
  }

  /** The tasks started with a client token, and the request. */
  startedWith(cluster: string, clientToken: string): { tasks: Task[]; request: string } | undefined {
    const rows = this.#database
      .prepare('SELECT body, request FROM tasks WHERE cluster = ? AND client_token = ? ORDER BY created_at, arn')
      .all(cluster, clientToken) as { body: string; request: string }[];
    const [first] = rows;
    return first && { tasks: rows.map(({ body }) => JSON.parse(body) as Task), request: first.request };
  }

  addTasks(cluster: string, tasks: readonly Task[], started: { clientToken?: string; request: string }): void {
    inTransaction(this.#database, () => {
      for (const task of tasks) {
        this.#run(
          'INSERT INTO tasks VALUES (?, ?, ?, NULL, ?, ?, ?)',
          task.taskArn,
          cluster,
          task.createdAt,
          started.clientToken ?? null,
          started.request,
          JSON.stringify(task),
        );
      }
    });
  }

  saveTask(task: Task): void {
    this.#run(
      'UPDATE tasks SET stopped_at = ?, body = ? WHERE arn = ?',
      task.stoppedAt ?? null,
      JSON.stringify(task),
      task.taskArn,
    );
  }

  /** `before` in epoch seconds. */
  removeStoppedBefore(before: number): void {
    this.#run('DELETE FROM tasks WHERE stopped_at < ?', before);
  }

  #run(sql: string, ...values: (string | number | null)[]): void {
    this.#database.prepare(sql).run(...values);
  }

  #one<T>(sql: string, ...values: string[]): T | undefined {
    const row = this.#database.prepare(sql).get(...values);
    return row && (JSON.parse(String(row.body)) as T);
  }

  #all<T>(sql: string, ...values: string[]): T[] {
    return this.#database
      .prepare(sql)
      .all(...values)
      .map(({ body }) => JSON.parse(String(body)) as T);
  }
}
