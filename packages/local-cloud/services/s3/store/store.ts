import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction, openDatabase } from '../../../core/database.ts';
import { Buckets } from './buckets.ts';
import { ContentFiles } from './content-files.ts';
import { EventJournal } from './event-journal.ts';
import { Parts } from './parts.ts';
import { schema } from './schema.ts';
import { Uploads } from './uploads.ts';
import { Versions } from './versions.ts';

/** The storage of the local S3: metadata in one SQLite file, bodies in content files. */
export class Store {
  readonly buckets: Buckets;
  readonly versions: Versions;
  readonly uploads: Uploads;
  readonly parts: Parts;
  readonly content: ContentFiles;
  readonly journal: EventJournal;
  readonly #database: DatabaseSync;

  constructor(dataDir: string) {
    this.#database = openDatabase(join(dataDir, 's3.sqlite'), schema);
    this.parts = new Parts(this.#database);
    this.buckets = new Buckets(this.#database);
    this.versions = new Versions(this.#database, this.parts);
    this.uploads = new Uploads(this.#database, this.parts);
    this.journal = new EventJournal(this.#database);
    this.content = new ContentFiles(dataDir, (content) => this.parts.isReferenced(content));
  }

  /** Runs `work` in one transaction, then deletes content files without parts. */
  transaction<T>(work: () => T): T {
    try {
      return inTransaction(this.#database, work);
    } finally {
      this.content.removeUnused(this.parts.takeReleased());
    }
  }

  close(): void {
    this.#database.close();
  }
}
