import type { DatabaseSync } from 'node:sqlite';
import { inTransaction, openDatabase } from '../core/database.ts';
import type { Value } from './value.ts';

/** A resource as it was last deployed. */
export interface DeployedResource {
  stack: string;
  logicalId: string;
  type: string;
  name: string;
  properties: Record<string, Value>;
  /** Text of everything that the resource was made from; the same text means that nothing has changed. */
  fingerprint: string;
  ref: string;
  attributes: Record<string, Value>;
  /** Kept when the resource disappears from its template. */
  retained: boolean;
}

export interface StackOutput {
  value: string;
  exportName?: string;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS resources (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    stack TEXT NOT NULL,
    logical_id TEXT NOT NULL,
    document TEXT NOT NULL,
    UNIQUE (stack, logical_id)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS outputs (
    stack TEXT NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (stack, name)
  ) STRICT;`;

/** Records every deployed resource, so that an interrupted deployment continues where it stopped. */
export class DeploymentStore {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = openDatabase(path, SCHEMA);
  }

  /** The resources of a stack (of all stacks without a name) in order of creation. */
  resources(stack?: string): DeployedResource[] {
    const rows = this.#database
      .prepare('SELECT document FROM resources WHERE stack = coalesce(?, stack) ORDER BY sequence')
      .all(stack ?? null);
    return rows.map((row) => JSON.parse(row.document as string) as DeployedResource);
  }

  save(resource: DeployedResource): void {
    this.#database
      .prepare(
        `INSERT INTO resources (stack, logical_id, document) VALUES (?, ?, ?)
         ON CONFLICT (stack, logical_id) DO UPDATE SET document = excluded.document`,
      )
      .run(resource.stack, resource.logicalId, JSON.stringify(resource));
  }

  forget(stack: string, logicalId: string): void {
    this.#database.prepare('DELETE FROM resources WHERE stack = ? AND logical_id = ?').run(stack, logicalId);
  }

  outputs(): Map<string, Map<string, StackOutput>> {
    const stacks = new Map<string, Map<string, StackOutput>>();
    for (const row of this.#database.prepare('SELECT stack, name, document FROM outputs').all()) {
      const outputs = stacks.get(row.stack as string) ?? new Map<string, StackOutput>();
      outputs.set(row.name as string, JSON.parse(row.document as string) as StackOutput);
      stacks.set(row.stack as string, outputs);
    }
    return stacks;
  }

  replaceOutputs(stack: string, outputs: Map<string, StackOutput>): void {
    inTransaction(this.#database, () => {
      this.#database.prepare('DELETE FROM outputs WHERE stack = ?').run(stack);
      const insert = this.#database.prepare('INSERT INTO outputs (stack, name, document) VALUES (?, ?, ?)');
      for (const [name, output] of outputs) insert.run(stack, name, JSON.stringify(output));
    });
  }

  close(): void {
    this.#database.close();
  }
}
