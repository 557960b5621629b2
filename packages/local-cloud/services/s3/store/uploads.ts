import { randomBytes } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { S3Error } from '../errors.ts';
import type { ChecksumType, ObjectAttributes, Tags } from '../model.ts';
import { type ChecksumAlgorithm, DEFAULT_ALGORITHM } from '../payload/digests.ts';
import type { Parts } from './parts.ts';
import { preparedOnce } from './statements.ts';

/** An unfinished multipart upload. */
export interface Upload {
  id: string;
  bucket: string;
  key: string;
  /** Epoch milliseconds; it becomes the object's modification time. */
  initiated: number;
  attributes: ObjectAttributes;
  tags: Tags;
  /** The initiator's choice; `null` for none. */
  checksumAlgorithm: ChecksumAlgorithm | null;
  checksumType: ChecksumType | null;
}

/** The algorithm of the parts' checksums. */
export function uploadAlgorithm(upload: Upload): ChecksumAlgorithm {
  return upload.checksumAlgorithm ?? DEFAULT_ALGORITHM;
}

/** A finished upload, kept so that a repeated completion gets the same answer. */
export interface CompletedUpload {
  /** `Version.id` of the object it made. */
  version: number;
  /** The list of parts that completed it. */
  request: string;
}

const columns = 'id, bucket, key, initiated, attributes, tags, checksum_algorithm, checksum_type';

/** Multipart uploads. Changes must run inside a transaction of the store. */
export class Uploads {
  readonly #sql: (sql: string) => StatementSync;
  readonly #parts: Parts;

  constructor(database: DatabaseSync, parts: Parts) {
    this.#sql = preparedOnce(database);
    this.#parts = parts;
  }

  create(upload: Omit<Upload, 'id'>): Upload {
    const created = { ...upload, id: randomBytes(48).toString('base64url') };
    this.#sql(`INSERT INTO uploads (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`).run(
      created.id,
      upload.bucket,
      upload.key,
      upload.initiated,
      JSON.stringify(upload.attributes),
      JSON.stringify(upload.tags),
      upload.checksumAlgorithm,
      upload.checksumType,
    );
    return created;
  }

  find(id: string, bucket: string, key: string): Upload | undefined {
    const row = this.#sql(`SELECT ${columns} FROM uploads WHERE id = ? AND bucket = ? AND key = ?`).get(
      id,
      bucket,
      key,
    );
    return row && toUpload(row);
  }

  /** Throws `NoSuchUpload`. */
  require(id: string, bucket: string, key: string): Upload {
    const upload = this.find(id, bucket, key);
    if (!upload) throw new S3Error('NoSuchUpload', { fields: { UploadId: id } });
    return upload;
  }

  /** In key order, oldest first within a key. */
  of(bucket: string): Upload[] {
    return this.#sql(`SELECT ${columns} FROM uploads WHERE bucket = ? ORDER BY key, initiated, id`)
      .all(bucket)
      .map(toUpload);
  }

  /** Deletes the upload and its remaining parts. */
  remove(id: string): void {
    this.#sql('DELETE FROM uploads WHERE id = ?').run(id);
    this.#parts.removeAll(id);
  }

  recordCompleted(upload: Upload, completed: CompletedUpload, now: number): void {
    this.#sql(
      'INSERT INTO completed_uploads (id, bucket, key, version, request, completed) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(upload.id, upload.bucket, upload.key, completed.version, completed.request, now);
  }

  completed(id: string, bucket: string, key: string): CompletedUpload | undefined {
    return this.#sql('SELECT version, request FROM completed_uploads WHERE id = ? AND bucket = ? AND key = ?').get(
      id,
      bucket,
      key,
    ) as CompletedUpload | undefined;
  }

  forgetCompletedBefore(instant: number): void {
    this.#sql('DELETE FROM completed_uploads WHERE completed < ?').run(instant);
  }
}

function toUpload(row: Record<string, SQLOutputValue>): Upload {
  return {
    id: row.id as string,
    bucket: row.bucket as string,
    key: row.key as string,
    initiated: row.initiated as number,
    attributes: JSON.parse(row.attributes as string) as ObjectAttributes,
    tags: JSON.parse(row.tags as string) as Tags,
    checksumAlgorithm: row.checksum_algorithm as ChecksumAlgorithm | null,
    checksumType: row.checksum_type as ChecksumType | null,
  };
}
