import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Spreadsheet } from '../../../data/duckdb/result-formats.ts';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import type { ErrorCode } from '../../../platform/errors/catalogue.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { workspaceKey } from '../../../platform/storage/keys.ts';
import { fromTable } from '../../../platform/storage/reads-ahead.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { RowRights } from './command.ts';
import type { CacheOutcome } from './schemas.ts';

/** A leader that has not extended its lease by then has died. On a busy machine an extension may come late. */
const LEASE_MS = 10_000;
const EXTEND_EVERY_MS = 2_500;
const RETENTION_SECONDS = 60 * 60;

/** Storing a text of this size in the table costs as much as an object, and reading it costs less. */
const MAX_INLINE_BYTES = 8 * 1024;
/** The rows of an answer compress to a fifth or so. A longer text is not compressed in vain. */
const MAX_COMPRESSED_LENGTH = 64 * 1024;

/** Everything that an answer depends on. Two requests with equal keys have equal answers. */
export interface CacheKey {
  sql: string;
  params: unknown;
  timezone: string;
  limit: number;
  format: string;
  rights: RowRights;
  /** The versions of the datasets that may be read, or the revision of the source. */
  reads: readonly unknown[];
  spreadsheet?: Spreadsheet;
}

export interface CacheAnswer {
  text: string;
  outcome: CacheOutcome;
  /** When the computation began. */
  asOf: string;
}

export interface ResultCache {
  /**
   * Returns the cached text for the key if it is fresh enough; else computes and caches it. Of concurrent callers one
   * leads and computes; the others wait and share its answer or its failure, unless it began too long before them.
   * Failures are not cached. A leader that has died is replaced when its lease ends. Throws QUERY_TIMEOUT to a caller
   * that has waited longer than `waitMs`.
   */
  through(
    workspaceId: string,
    key: CacheKey,
    wanted: { maxAgeSeconds: number; waitMs: number },
    compute: () => Promise<string>,
  ): Promise<CacheAnswer>;
}

interface Entry {
  owner: string;
  state: 'running' | 'ready' | 'failed';
  leaseUntil: number;
  asOf: string;
  /** The text, compressed; a larger one is in the bucket. */
  inline?: Uint8Array;
  object?: string;
  failure?: { code: ErrorCode; detail: string; errors: Issue[]; members?: Record<string, unknown> };
}

interface Request {
  startedAt: number;
  maxAgeSeconds: number;
  waitMs: number;
  /** The leaders that this request has waited for. */
  waitedFor: Set<string>;
}

interface Deps {
  table: Table;
  objects: Pick<ObjectStore, 'read' | 'write'>;
  now: () => Date;
  newId: () => string;
  pause: (ms: number) => Promise<unknown>;
  /** Does the work again and again until the returned function is called. */
  every: (ms: number, work: () => void) => () => void;
}

/** Leases and small texts are stored in the table, large texts in the bucket; both expire. */
export function resultCache({ table, objects, now, newId, pause, every }: Deps): ResultCache {
  return {
    async through(workspaceId, key, { maxAgeSeconds, waitMs }, compute) {
      const digest = createHash('sha256').update(JSON.stringify(key)).digest('hex');
      const place = workspaceKey(workspaceId, 'QUERY-RESULT', digest);
      const request: Request = { startedAt: now().getTime(), maxAgeSeconds, waitMs, waitedFor: new Set() };
      let isContended = false;

      for (let turn = 0; ; turn += 1) {
        // Once it has waited, it must see what others have stored meanwhile.
        const seen = turn === 0 ? await read(place, false) : await fromTable(() => read(place, isContended));
        const answer = seen && (await answerFrom(seen, request));
        if (answer) return answer;
        if (seen?.state === 'running' && seen.leaseUntil > now().getTime() && isYoung(seen, request)) {
          await waitFor(seen, request, turn);
          continue;
        }
        const mine = newLead();
        if (await put(place, mine, seen)) return lead(workspaceId, place, mine, digest, compute);
        isContended = true;
      }
    },
  };

  /** The answer of a finished entry; undefined if there is none to use. Throws the failure of a leader waited for. */
  async function answerFrom(seen: Entry, request: Request): Promise<CacheAnswer | undefined> {
    const text = isFresh(seen, request) ? await load(seen) : undefined;
    if (text !== undefined) return { text, outcome: request.waitedFor.size > 0 ? 'shared' : 'hit', asOf: seen.asOf };
    if (seen.failure && request.waitedFor.has(seen.owner)) throw new AppError(seen.failure.code, seen.failure);
    return undefined;
  }

  async function waitFor(leader: Entry, { startedAt, waitMs, waitedFor }: Request, turn: number): Promise<void> {
    if (now().getTime() - startedAt > waitMs) throw new AppError('QUERY_TIMEOUT');
    waitedFor.add(leader.owner);
    await pause(Math.min(25 * 1.4 ** turn, 400));
  }

  function newLead(): Entry {
    return { owner: newId(), state: 'running', leaseUntil: newLease(), asOf: now().toISOString() };
  }

  function newLease(): number {
    return now().getTime() + LEASE_MS;
  }

  async function lead(
    workspaceId: string,
    place: { pk: string; sk: string },
    mine: Entry,
    digest: string,
    compute: () => Promise<string>,
  ): Promise<CacheAnswer> {
    // Without it, another caller computes the answer too: a failed extension does not matter.
    const extend = () => void put(place, { ...mine, leaseUntil: newLease() }, mine).catch(() => undefined);
    const stop = every(EXTEND_EVERY_MS, extend);
    try {
      const text = await compute();
      const stored = await store(text, `results/${workspaceId}/${digest}/${mine.owner}`);
      await put(place, { ...mine, state: 'ready', ...stored }, mine);
      return { text, outcome: 'miss', asOf: mine.asOf };
    } catch (error) {
      const failure =
        error instanceof AppError
          ? {
              code: error.code,
              detail: error.message,
              errors: [...error.errors].slice(0, 20),
              ...(Object.keys(error.members).length > 0 && { members: error.members }),
            }
          : { code: 'INTERNAL' as const, detail: 'The query failed.', errors: [] };
      await put(place, { ...mine, state: 'failed', leaseUntil: 0, failure }, mine);
      throw error;
    } finally {
      stop();
    }
  }

  /**
   * Eventually consistent reads cost half and are safe: a ready entry stays ready, and the write that takes the lead is
   * conditional.
   */
  async function read(place: { pk: string; sk: string }, isConsistent: boolean): Promise<Entry | undefined> {
    const { Item } = await table.db.send(
      new GetCommand({ TableName: table.name, Key: place, ConsistentRead: isConsistent }),
    );
    return Item as Entry | undefined;
  }

  async function store(text: string, object: string): Promise<Pick<Entry, 'inline' | 'object'>> {
    const inline = text.length <= MAX_COMPRESSED_LENGTH ? deflateRawSync(text, { level: 1 }) : undefined;
    if (inline && inline.byteLength <= MAX_INLINE_BYTES) return { inline };
    await objects.write(object, Buffer.from(text), 'text/plain');
    return { object };
  }

  /** The text of an entry; undefined if the bucket has expired it. */
  async function load({ inline, object }: Entry): Promise<string | undefined> {
    if (inline) return inflateRawSync(inline).toString('utf8');
    try {
      return object && (await objects.read(object)).toString('utf8');
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return undefined;
      throw error;
    }
  }

  /** Returns false if the entry has changed since it was read. */
  async function put(place: { pk: string; sk: string }, entry: Entry, seen: Entry | undefined): Promise<boolean> {
    const expiresAt = Math.floor(now().getTime() / 1000) + RETENTION_SECONDS;
    try {
      await table.db.send(
        new PutCommand({
          TableName: table.name,
          Item: { ...place, entity: 'query-result', ...entry, expiresAt },
          ...(seen
            ? {
                ConditionExpression: '#owner = :owner AND #state = :state',
                ExpressionAttributeNames: { '#owner': 'owner', '#state': 'state' },
                ExpressionAttributeValues: { ':owner': seen.owner, ':state': seen.state },
              }
            : { ConditionExpression: 'attribute_not_exists(pk)' }),
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }
}

const isFresh = (entry: Entry, request: Request): boolean => entry.state === 'ready' && isYoung(entry, request);

/** Whether the computation began late enough for the request, which may have waited for it since. */
const isYoung = ({ asOf }: Pick<Entry, 'asOf'>, { startedAt, maxAgeSeconds }: Request): boolean =>
  startedAt - Date.parse(asOf) < maxAgeSeconds * 1000;
