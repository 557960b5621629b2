import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { S3Error } from '../errors.ts';
import { preparedOnce } from './statements.ts';

export interface Bucket {
  name: string;
  /** Epoch milliseconds. */
  created: number;
  /** `null` until versioning is first configured; from then on, replies have version ids. */
  versioning: 'Enabled' | 'Suspended' | null;
}

/** Buckets and their configuration documents. */
export class Buckets {
  readonly #sql: (sql: string) => StatementSync;

  constructor(database: DatabaseSync) {
    this.#sql = preparedOnce(database);
  }

  find(name: string): Bucket | undefined {
    return this.#sql('SELECT name, created, versioning FROM buckets WHERE name = ?').get(name) as Bucket | undefined;
  }

  /** Throws `NoSuchBucket`. */
  require(name: string): Bucket {
    const bucket = this.find(name);
    if (!bucket) throw new S3Error('NoSuchBucket', { fields: { BucketName: name } });
    return bucket;
  }

  /** In order of their names. */
  all(): Bucket[] {
    return this.#sql('SELECT name, created, versioning FROM buckets ORDER BY name').all() as unknown as Bucket[];
  }

  create(name: string, created: number): void {
    this.#sql('INSERT INTO buckets (name, created) VALUES (?, ?)').run(name, created);
  }

  remove(name: string): void {
    this.#sql('DELETE FROM buckets WHERE name = ?').run(name);
    this.#sql('DELETE FROM bucket_documents WHERE bucket = ?').run(name);
  }

  setVersioning(name: string, versioning: 'Enabled' | 'Suspended'): void {
    this.#sql('UPDATE buckets SET versioning = ? WHERE name = ?').run(versioning, name);
  }

  document(bucket: string, kind: string): string | undefined {
    const row = this.#sql('SELECT document FROM bucket_documents WHERE bucket = ? AND kind = ?').get(bucket, kind);
    return row?.document as string | undefined;
  }

  setDocument(bucket: string, kind: string, document: string): void {
    this.#sql('INSERT OR REPLACE INTO bucket_documents (bucket, kind, document) VALUES (?, ?, ?)').run(
      bucket,
      kind,
      document,
    );
  }

  removeDocument(bucket: string, kind: string): void {
    this.#sql('DELETE FROM bucket_documents WHERE bucket = ? AND kind = ?').run(bucket, kind);
  }
}
