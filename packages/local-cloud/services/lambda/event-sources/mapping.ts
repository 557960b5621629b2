import type { DatabaseSync } from 'node:sqlite';
import { AwsError } from '../../../core/aws-error.ts';

export const MAPPINGS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS event_source_mappings (
    uuid TEXT PRIMARY KEY,
    document TEXT NOT NULL,
    checkpoint TEXT
  ) STRICT;
`;

/** Common members of all mappings. */
interface MappingBase {
  uuid: string;
  eventSourceArn: string;
  /** With the qualifier given at creation, if any. */
  functionArn: string;
  enabled: boolean;
  batchSize: number;
  batchingWindowSeconds: number;
  /** Patterns as JSON text; a record must match one of them. Without patterns, all records pass. */
  filters: string[];
  reportBatchItemFailures: boolean;
  tags: Record<string, string>;
  /** Epoch milliseconds. */
  lastModified: number;
}

export interface SqsMapping extends MappingBase {
  source: 'sqs';
  maximumConcurrency?: number;
}

export interface StreamMapping extends MappingBase {
  source: 'dynamodb';
  startingPosition: 'TRIM_HORIZON' | 'LATEST';
  bisectOnError: boolean;
  /** -1: unlimited. */
  maximumRetryAttempts: number;
  maximumRecordAgeSeconds: number;
  onFailure?: string;
}

export type Mapping = SqsMapping | StreamMapping;

/** Event source mappings and the positions of stream readers, on disk. */
export class MappingStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  all(): Mapping[] {
    const rows = this.#database.prepare('SELECT document FROM event_source_mappings ORDER BY rowid').all();
    return rows.map((row) => JSON.parse(row.document as string));
  }

  /** Throws `ResourceNotFoundException`. */
  get(uuid: string): Mapping {
    const row = this.#database.prepare('SELECT document FROM event_source_mappings WHERE uuid = ?').get(uuid);
    if (!row) {
      throw new AwsError('ResourceNotFoundException', 'The resource you requested does not exist.', { status: 404 });
    }
    return JSON.parse(row.document as string);
  }

  /** Stores a new mapping and the position to read after. */
  create(mapping: Mapping, checkpoint: string | undefined): void {
    this.#database
      .prepare('INSERT INTO event_source_mappings VALUES (?, ?, ?)')
      .run(mapping.uuid, JSON.stringify(mapping), checkpoint ?? null);
  }

  replace(mapping: Mapping): void {
    this.#database
      .prepare('UPDATE event_source_mappings SET document = ? WHERE uuid = ?')
      .run(JSON.stringify(mapping), mapping.uuid);
  }

  delete(uuid: string): void {
    this.#database.prepare('DELETE FROM event_source_mappings WHERE uuid = ?').run(uuid);
  }

  /** Sequence number of the last record that needs no further work. */
  checkpoint(uuid: string): string | undefined {
    const row = this.#database.prepare('SELECT checkpoint FROM event_source_mappings WHERE uuid = ?').get(uuid);
    return (row?.checkpoint as string | null | undefined) ?? undefined;
  }

  saveCheckpoint(uuid: string, sequence: string): void {
    this.#database.prepare('UPDATE event_source_mappings SET checkpoint = ? WHERE uuid = ?').run(sequence, uuid);
  }
}
