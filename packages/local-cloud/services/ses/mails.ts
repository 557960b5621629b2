import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../../core/database.ts';

export const MAILS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS mails (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, bytes INTEGER NOT NULL, document TEXT NOT NULL
  ) STRICT;
`;

/** Older mails are deleted. */
const MAX_MAILS = 1000;
const MAX_BYTES = 64 * 1024 * 1024;

export interface Mail {
  /** The `MessageId` of the answer. */
  id: string;
  sentAt: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  replyTo: string[];
  subject: string;
  /** Further headers, where it has any. */
  headers?: Record<string, string>;
  text: string | null;
  html: string | null;
  /** Where it has any. */
  attachments?: MailAttachment[];
}

export interface MailAttachment {
  /** Names a picture that the mail shows. */
  contentId?: string;
  fileName: string;
  contentType: string;
  bytes: number;
  /** Base64. */
  content: string;
}

/** Mails that were sent, on disk: the newest ones. */
export class Mails {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  add(mail: Omit<Mail, 'id'>): string {
    const id = randomUUID();
    const document = JSON.stringify({ id, ...mail });
    inTransaction(this.#database, () => {
      this.#database
        .prepare('INSERT INTO mails (id, bytes, document) VALUES (?, ?, ?)')
        .run(id, Buffer.byteLength(document), document);
      this.#database
        .prepare(
          `DELETE FROM mails WHERE number IN (
            SELECT number FROM (
              SELECT number, row_number() OVER newest AS place, sum(bytes) OVER newest AS total FROM mails
              WINDOW newest AS (ORDER BY number DESC)
            ) WHERE place > ? OR (total > ? AND place > 1)
          )`,
        )
        .run(MAX_MAILS, MAX_BYTES);
    });
    return id;
  }

  /** Newest first; those to one address if one is given. */
  list(to?: string): Mail[] {
    const mails = this.#database
      .prepare('SELECT document FROM mails ORDER BY number DESC')
      .all()
      .map((row) => JSON.parse(row.document as string) as Mail);
    return to === undefined ? mails : mails.filter((mail) => recipientsOf(mail).includes(to.toLowerCase()));
  }

  find(id: string): Mail | undefined {
    const row = this.#database.prepare('SELECT document FROM mails WHERE id = ?').get(id);
    return row && (JSON.parse(row.document as string) as Mail);
  }
}

/** Bare addresses in lower case. */
const recipientsOf = ({ to, cc, bcc }: Mail): string[] =>
  [...to, ...cc, ...bcc].map((address) => (/<([^<>]*)>\s*$/.exec(address)?.[1] ?? address).trim().toLowerCase());
