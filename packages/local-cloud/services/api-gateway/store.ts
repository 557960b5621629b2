import type { DatabaseSync } from 'node:sqlite';
import { inTransaction, openDatabase } from '../../core/database.ts';
import type { Deployment, GatewayResponse, Method, Resource, RestApi, Stage } from './model.ts';

interface Kinds {
  api: RestApi;
  resource: Resource;
  method: Method;
  response: GatewayResponse;
  deployment: Deployment;
  stage: Stage;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS parts (
    api_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (api_id, kind, id)
  ) STRICT;`;

/** The parts of all REST APIs, each a JSON document. */
export class GatewayStore {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = openDatabase(path, SCHEMA);
  }

  apis(): RestApi[] {
    const rows = this.#database.prepare("SELECT document FROM parts WHERE kind = 'api' ORDER BY id").all();
    return rows.map((row) => JSON.parse(row.document as string) as RestApi);
  }

  get<K extends keyof Kinds>(apiId: string, kind: K, id: string): Kinds[K] | undefined {
    const row = this.#database
      .prepare('SELECT document FROM parts WHERE api_id = ? AND kind = ? AND id = ?')
      .get(apiId, kind, id);
    return row && (JSON.parse(row.document as string) as Kinds[K]);
  }

  list<K extends keyof Kinds>(apiId: string, kind: K): Kinds[K][] {
    const rows = this.#database
      .prepare('SELECT document FROM parts WHERE api_id = ? AND kind = ? ORDER BY id')
      .all(apiId, kind);
    return rows.map((row) => JSON.parse(row.document as string) as Kinds[K]);
  }

  put<K extends keyof Kinds>(apiId: string, kind: K, id: string, part: Kinds[K]): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO parts (api_id, kind, id, document) VALUES (?, ?, ?, ?)')
      .run(apiId, kind, id, JSON.stringify(part));
  }

  delete(apiId: string, kind: keyof Kinds, id: string): void {
    this.#database.prepare('DELETE FROM parts WHERE api_id = ? AND kind = ? AND id = ?').run(apiId, kind, id);
  }

  deleteKind(apiId: string, kind: keyof Kinds): void {
    this.#database.prepare('DELETE FROM parts WHERE api_id = ? AND kind = ?').run(apiId, kind);
  }

  deleteApi(apiId: string): void {
    this.#database.prepare('DELETE FROM parts WHERE api_id = ?').run(apiId);
  }

  transaction<T>(work: () => T): T {
    return inTransaction(this.#database, work);
  }

  close(): void {
    this.#database.close();
  }
}
