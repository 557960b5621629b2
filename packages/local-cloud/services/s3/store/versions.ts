import { randomBytes } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { ObjectAttributes, Tags } from '../model.ts';
import type { Bucket } from './buckets.ts';
import type { Parts } from './parts.ts';
import { preparedOnce } from './statements.ts';

/** The writer's part of a new object version. */
export interface NewVersion {
  bucket: Bucket;
  key: string;
  /** Epoch milliseconds. */
  modified: number;
  size: number;
  /** Without quotes. */
  etag: string;
  /** Set for objects of multipart uploads. */
  partCount: number | null;
  attributes: ObjectAttributes;
  tags: Tags;
}

export interface Version extends Omit<NewVersion, 'bucket'> {
  /** Grows with every write to the store. */
  id: number;
  bucket: string;
  /** The text `null` for a version written without versioning. */
  versionId: string;
  latest: boolean;
  deleteMarker: boolean;
  /** When a newer version replaced it as the latest. */
  superseded: number | null;
}

/** The effect of a delete. */
export interface Deletion {
  /** The removed version, when there was one. */
  removed?: Version;
  /** The delete marker that now hides the key. */
  marker?: Version;
}

const NULL_VERSION = 'null';
const columns =
  'id, bucket, key, version_id, latest, delete_marker, modified, superseded, size, etag, part_count, attributes, tags';

/** Object versions and delete markers. Changes must run inside a transaction of the store. */
export class Versions {
  readonly #database: DatabaseSync;
  readonly #sql: (sql: string) => StatementSync;
  readonly #parts: Parts;

  constructor(database: DatabaseSync, parts: Parts) {
    this.#database = database;
    this.#sql = preparedOnce(database);
    this.#parts = parts;
  }

  /** The version for requests without version id; may be a delete marker. */
  latest(bucket: string, key: string): Version | undefined {
    return this.#one('bucket = ? AND key = ? AND latest = 1', bucket, key);
  }

  find(bucket: string, key: string, versionId: string): Version | undefined {
    return this.#one('bucket = ? AND key = ? AND version_id = ?', bucket, key, versionId);
  }

  byId(id: number): Version | undefined {
    return this.#one('id = ?', id);
  }

  any(bucket: string): boolean {
    return this.#sql('SELECT 1 FROM versions WHERE bucket = ? LIMIT 1').get(bucket) !== undefined;
  }

  /** Whether it is the only version of its key. */
  isAlone(version: Version): boolean {
    const other = this.#sql('SELECT 1 FROM versions WHERE bucket = ? AND key = ? AND id <> ? LIMIT 1').get(
      version.bucket,
      version.key,
      version.id,
    );
    return other === undefined;
  }

  /** Creates a new latest version. Its content must be stored under `String(version.id)` in the same transaction. */
  create(version: NewVersion): Version {
    return this.#insert(version, false);
  }

  /**
   * Deletes a key as a request without version id does: removes the object in a bucket that was never versioned,
   * otherwise adds a delete marker.
   */
  deleteLatest(bucket: Bucket, key: string, now: number, attributes: ObjectAttributes): Deletion {
    if (bucket.versioning === null) {
      const removed = this.find(bucket.name, key, NULL_VERSION);
      if (removed) this.remove(removed);
      return { removed };
    }
    const empty = { size: 0, etag: '', partCount: null, attributes, tags: {} };
    return { marker: this.#insert({ bucket, key, modified: now, ...empty }, true) };
  }

  /** Removes one version; the next older one, if any, becomes the latest. */
  remove(version: Version): void {
    this.#erase(version);
    if (!version.latest) return;
    this.#sql(
      `UPDATE versions SET latest = 1, superseded = NULL
         WHERE id = (SELECT id FROM versions WHERE bucket = ? AND key = ? ORDER BY id DESC LIMIT 1)`,
    ).run(version.bucket, version.key);
  }

  setTags(version: Version, tags: Tags): void {
    this.#sql('UPDATE versions SET tags = ? WHERE id = ?').run(JSON.stringify(tags), version.id);
  }

  /** Latest versions without delete markers, in key order, from the first key after `after` (or at `from`). */
  *objects(bucket: string, start: { after: string } | { from: string }): Generator<Version> {
    const [comparison, key] = 'after' in start ? ['>', start.after] : ['>=', start.from];
    const rows = this.#database
      .prepare(
        `SELECT ${columns} FROM versions
         WHERE bucket = ? AND latest = 1 AND key ${comparison} ? AND delete_marker = 0 ORDER BY key`,
      )
      .iterate(bucket, key);
    for (const row of rows) yield toVersion(row);
  }

  /** All versions in key order, newest first within a key, from `start` on. */
  *history(
    bucket: string,
    start: { after: string } | { from: string } | { key: string; below: number },
  ): Generator<Version> {
    if ('below' in start) {
      const rest = this.#database
        .prepare(`SELECT ${columns} FROM versions WHERE bucket = ? AND key = ? AND id < ? ORDER BY id DESC`)
        .iterate(bucket, start.key, start.below);
      for (const row of rest) yield toVersion(row);
      yield* this.history(bucket, { after: start.key });
      return;
    }
    const [comparison, key] = 'after' in start ? ['>', start.after] : ['>=', start.from];
    const rows = this.#database
      .prepare(`SELECT ${columns} FROM versions WHERE bucket = ? AND key ${comparison} ? ORDER BY key, id DESC`)
      .iterate(bucket, key);
    for (const row of rows) yield toVersion(row);
  }

  #insert(version: NewVersion, deleteMarker: boolean): Version {
    const { bucket, key } = version;
    const versionId = bucket.versioning === 'Enabled' ? newVersionId() : NULL_VERSION;
    if (versionId === NULL_VERSION) {
      const replaced = this.find(bucket.name, key, NULL_VERSION);
      if (replaced) this.#erase(replaced);
    }
    this.#sql('UPDATE versions SET latest = 0, superseded = ? WHERE bucket = ? AND key = ? AND latest = 1').run(
      version.modified,
      bucket.name,
      key,
    );
    const { lastInsertRowid } = this.#sql(
      `INSERT INTO versions (bucket, key, version_id, latest, delete_marker, modified, size, etag, part_count, attributes, tags)
         VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      bucket.name,
      key,
      versionId,
      deleteMarker ? 1 : 0,
      version.modified,
      version.size,
      version.etag,
      version.partCount,
      JSON.stringify(version.attributes),
      JSON.stringify(version.tags),
    );
    const id = Number(lastInsertRowid);
    return { ...version, bucket: bucket.name, id, versionId, latest: true, deleteMarker, superseded: null };
  }

  #erase(version: Version): void {
    this.#sql('DELETE FROM versions WHERE id = ?').run(version.id);
    this.#parts.removeAll(String(version.id));
  }

  #one(condition: string, ...values: (string | number)[]): Version | undefined {
    const row = this.#sql(`SELECT ${columns} FROM versions WHERE ${condition}`).get(...values);
    return row && toVersion(row);
  }
}

function toVersion(row: Record<string, SQLOutputValue>): Version {
  return {
    id: row.id as number,
    bucket: row.bucket as string,
    key: row.key as string,
    versionId: row.version_id as string,
    latest: row.latest === 1,
    deleteMarker: row.delete_marker === 1,
    modified: row.modified as number,
    superseded: row.superseded as number | null,
    size: row.size as number,
    etag: row.etag as string,
    partCount: row.part_count as number | null,
    attributes: JSON.parse(row.attributes as string) as ObjectAttributes,
    tags: JSON.parse(row.tags as string) as Tags,
  };
}

/** 32 URL-safe characters, the shape of S3's own. */
function newVersionId(): string {
  return randomBytes(24).toString('base64').replaceAll('+', '.').replaceAll('/', '_');
}
