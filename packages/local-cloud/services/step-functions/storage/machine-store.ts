import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../../../core/database.ts';

export interface StateMachineRecord {
  readonly arn: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'DELETING';
  readonly createdAt: number;
  readonly tags: Record<string, string>;
  readonly revision: RevisionRecord;
}

/** One revision of a machine; running executions keep theirs. */
export interface RevisionRecord {
  readonly id: number;
  readonly revisionId: string;
  readonly machineArn: string;
  readonly createdAt: number;
  readonly definition: string;
  readonly roleArn: string;
}

export type RevisionContent = Pick<RevisionRecord, 'definition' | 'roleArn'>;

type Row = Record<string, string | number>;

/** State machines and their revisions. */
export class MachineStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  create(
    machine: { arn: string; name: string; tags: Record<string, string> },
    content: RevisionContent,
    at: number,
  ): void {
    inTransaction(this.#database, () => {
      const revision = this.#insertRevision(machine.arn, content, at);
      this.#database
        .prepare('INSERT INTO machines (arn, name, status, created_at, revision, tags) VALUES (?, ?, ?, ?, ?, ?)')
        .run(machine.arn, machine.name, 'ACTIVE', at, revision.id, JSON.stringify(machine.tags));
    });
  }

  update(arn: string, content: RevisionContent, at: number): { revisionId: string } {
    return inTransaction(this.#database, () => {
      const revision = this.#insertRevision(arn, content, at);
      this.#database.prepare('UPDATE machines SET revision = ? WHERE arn = ?').run(revision.id, arn);
      return revision;
    });
  }

  find(arn: string): StateMachineRecord | undefined {
    const row = this.#database.prepare('SELECT * FROM machines WHERE arn = ?').get(arn) as Row | undefined;
    return row && this.#record(row);
  }

  revision(id: number): RevisionRecord {
    return revisionRecord(this.#database.prepare('SELECT * FROM revisions WHERE id = ?').get(id) as Row);
  }

  /** Ordered by name, after the given one. */
  list(afterName: string, limit: number): StateMachineRecord[] {
    const rows = this.#database
      .prepare('SELECT * FROM machines WHERE name > ? ORDER BY name LIMIT ?')
      .all(afterName, limit);
    return (rows as Row[]).map((row) => this.#record(row));
  }

  setTags(arn: string, tags: Record<string, string>): void {
    this.#database.prepare('UPDATE machines SET tags = ? WHERE arn = ?').run(JSON.stringify(tags), arn);
  }

  markDeleting(arn: string): void {
    this.#database.prepare("UPDATE machines SET status = 'DELETING' WHERE arn = ?").run(arn);
  }

  /** Removes the machine with all data of its executions. */
  remove(arn: string): void {
    inTransaction(this.#database, () => {
      for (const table of ['events', 'frames', 'tokens']) {
        this.#database
          .prepare(`DELETE FROM ${table} WHERE execution IN (SELECT id FROM executions WHERE machine_arn = ?)`)
          .run(arn);
      }
      this.#database.prepare('DELETE FROM executions WHERE machine_arn = ?').run(arn);
      this.#database.prepare('DELETE FROM revisions WHERE machine_arn = ?').run(arn);
      this.#database.prepare('DELETE FROM machines WHERE arn = ?').run(arn);
    });
  }

  #insertRevision(arn: string, content: RevisionContent, at: number): { id: number; revisionId: string } {
    const revisionId = randomUUID();
    const { lastInsertRowid } = this.#database
      .prepare(
        'INSERT INTO revisions (revision_id, machine_arn, definition, role_arn, created_at) VALUES (?, ?, ?, ?, ?)',
      )
      .run(revisionId, arn, content.definition, content.roleArn, at);
    return { id: Number(lastInsertRowid), revisionId };
  }

  #record(row: Row): StateMachineRecord {
    return {
      arn: String(row.arn),
      name: String(row.name),
      status: row.status as StateMachineRecord['status'],
      createdAt: Number(row.created_at),
      tags: JSON.parse(String(row.tags)),
      revision: this.revision(Number(row.revision)),
    };
  }
}

function revisionRecord(row: Row): RevisionRecord {
  return {
    id: Number(row.id),
    revisionId: String(row.revision_id),
    machineArn: String(row.machine_arn),
    createdAt: Number(row.created_at),
    definition: String(row.definition),
    roleArn: String(row.role_arn),
  };
}
