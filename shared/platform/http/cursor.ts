import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type MasterSecret, UnknownSecretVersion } from '../crypto/master-secret.ts';
import { AppError } from '../errors/app-error.ts';

const VALID_FOR_MS = 24 * 60 * 60 * 1000;

/** The position in a list: the sort key of the last item, and when the first page was read. */
export interface Place {
  after: string;
  /** For lists in another order than newest first: records created later are excluded. */
  asOf: string;
}

/** The scope of a cursor, which is invalid elsewhere. */
export interface CursorScope {
  workspaceId: string;
  /**
   * Identifies the list: its operation, its filters, and the caller if the list depends on it. Excludes the limit,
   * which may change.
   */
  list: readonly unknown[];
}

/**
 * Encodes positions in lists as opaque texts, signed (HMAC-SHA-256) with a key from the master secret. A client cannot
 * forge one, use it in another workspace, or continue with other filters.
 */
export interface Cursors {
  seal(place: Place, scope: CursorScope, now: Date): Promise<string>;
  /**
   * Throws `CURSOR_INVALID`, `CURSOR_MISMATCH` (another list or other filters) or `CURSOR_EXPIRED` (after 24 hours).
   */
  open(cursor: string, scope: CursorScope, now: Date): Promise<Place>;
}

interface Content extends Place {
  /** The version of the master secret. */
  v: number;
  /** The digest of the list and its filters. */
  list: string;
  sealedAt: number;
}

export function cursors(master: MasterSecret): Cursors {
  const sign = (key: Buffer, { workspaceId }: CursorScope, content: string) =>
    createHmac('sha256', key).update(`${workspaceId}.${content}`).digest();

  return {
    async seal(place, scope, now) {
      const { version, key } = await master.derive('cursors');
      const content: Content = { ...place, v: version, list: digestOf(scope), sealedAt: now.getTime() };
      const text = Buffer.from(JSON.stringify(content)).toString('base64url');
      return `${text}.${sign(key, scope, text).toString('base64url')}`;
    },

    async open(cursor, scope, now) {
      const [text = '', signature = ''] = cursor.split('.');
      const content = readContent(text);
      const { key } = await master.derive('cursors', content.v).catch((cause: unknown) => {
        throw cause instanceof UnknownSecretVersion ? new AppError('CURSOR_INVALID', { cause }) : cause;
      });
      const expected = sign(key, scope, text);
      const given = Buffer.from(signature, 'base64url');
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new AppError('CURSOR_INVALID');
      if (content.list !== digestOf(scope)) throw new AppError('CURSOR_MISMATCH');
      if (content.sealedAt + VALID_FOR_MS <= now.getTime()) throw new AppError('CURSOR_EXPIRED');
      return { after: content.after, asOf: content.asOf };
    },
  };
}

/** Until the signature is verified, nothing of the content is trusted except which key to verify it with. */
function readContent(text: string): Content {
  try {
    const content = JSON.parse(Buffer.from(text, 'base64url').toString()) as Content;
    if (Number.isInteger(content.v) && content.v > 0 && content.v < 1_000_000) return content;
  } catch {
    // Not a cursor of ours; handled below.
  }
  throw new AppError('CURSOR_INVALID');
}

function digestOf({ list }: CursorScope): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url');
}
