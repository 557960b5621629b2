import { createHash } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { AppError, type Issue } from '../../platform/errors/app-error.ts';
import type { ErrorCode } from '../../platform/errors/catalogue.ts';
import type { ObjectStore } from '../../platform/objects/object-store.ts';
import { workspaceKey } from '../../platform/storage/keys.ts';
import type { Table } from '../../platform/storage/table.ts';
import type { RowRights } from './command.ts';
import type { CacheOutcome } from './schemas.ts';

/** A leader that has not finished after this long is believed dead; no statement may run that long. */
const LEASE_MS = 30_000;
const KEPT_SECONDS = 60 * 60;

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
}

export interface CacheAnswer {
  text: string;
  outcome: CacheOutcome;
  /** When the computation began. */
  asOf: string;
}

export interface ResultCache {
  /**
   * The cached text for the key if it is young enough, else what `compute` gives, which is then cached. Of
   * concurrent callers one computes and the others wait for it and share its answer or its failure. Failures are not
   * cached. A leader that died is replaced when its lease ends. Throws QUERY_TIMEOUT to who waited too long.
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
  object?: string;
  failure?: { code: ErrorCode; detail: string; errors: Issue[] };
}

interface Deps {
  table: Table;
  objects: Pick<ObjectStore, 'read' | 'write'>;
  now: () => Date;
  newId: () => string;
  pause: (ms: number) => Promise<unknown>;
}

/** Pointers and leases in the table, texts in the bucket; both go away by themselves. */
export function resultCache({ table, objects, now, newId, pause }: Deps): ResultCache {
  return {
    async through(workspaceId, key, { maxAgeSeconds, waitMs }, compute) {
      const digest = createHash('sha256').update(JSON.stringify(key)).digest('hex');
      const place = workspaceKey(workspaceId, 'QUERY-RESULT', digest);
      const startedAt = now();
      const waitedFor = new Set<string>();
      let isContended = false;

      for (let turn = 0; ; turn += 1) {
        const seen = await read(place, isContended);
        const text = seen && isYoung(seen) ? await load(seen) : undefined;
        if (seen && text !== undefined)
          return { text, outcome: waitedFor.size > 0 ? 'shared' : 'hit', asOf: seen.asOf };
        if (seen?.failure && waitedFor.has(seen.owner)) throw new AppError(seen.failure.code, seen.failure);
        if (seen?.state === 'running' && seen.leaseUntil > now().getTime()) {
          if (now().getTime() - startedAt.getTime() > waitMs) throw new AppError('QUERY_TIMEOUT');
          waitedFor.add(seen.owner);
          await pause(Math.min(25 * 1.4 ** turn, 400));
          continue;
        }
        const mine: Entry = {
          owner: newId(),
          state: 'running',
          leaseUntil: now().getTime() + LEASE_MS,
          asOf: now().toISOString(),
        };
        if (await put(place, mine, seen)) return lead(workspaceId, place, mine, digest, compute);
        isContended = true;
      }

      function isYoung({ state, asOf, owner }: Entry): boolean {
        if (state !== 'ready') return false;
        return waitedFor.has(owner) || startedAt.getTime() - Date.parse(asOf) < maxAgeSeconds * 1000;
      }
    },
  };

  async function lead(
    workspaceId: string,
    place: { pk: string; sk: string },
    mine: Entry,
    digest: string,
    compute: () => Promise<string>,
  ): Promise<CacheAnswer> {
    try {
      const text = await compute();
      const object = `results/${workspaceId}/${digest}/${mine.owner}`;
      await objects.write(object, Buffer.from(text), 'text/plain');
      await put(place, { ...mine, state: 'ready', object }, mine);
      return { text, outcome: 'miss', asOf: mine.asOf };
    } catch (error) {
      const failure =
        error instanceof AppError
          ? { code: error.code, detail: error.message, errors: [...error.errors].slice(0, 20) }
          : { code: 'INTERNAL' as const, detail: 'The query failed.', errors: [] };
      await put(place, { ...mine, state: 'failed', leaseUntil: 0, failure }, mine);
      throw error;
    }
  }

  /** What is ready stays so, and a lead is taken on a condition: a reading that lags costs half and misleads nobody. */
  async function read(place: { pk: string; sk: string }, isConsistent: boolean): Promise<Entry | undefined> {
    const { Item } = await table.db.send(
      new GetCommand({ TableName: table.name, Key: place, ConsistentRead: isConsistent }),
    );
    return Item as Entry | undefined;
  }

  /** What the bucket has let go counts as never cached. */
  async function load({ object }: Entry): Promise<string | undefined> {
    try {
      return object && (await objects.read(object)).toString('utf8');
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return undefined;
      throw error;
    }
  }

  /** Answers whether the entry was still as it was seen. */
  async function put(place: { pk: string; sk: string }, entry: Entry, seen: Entry | undefined): Promise<boolean> {
    const expiresAt = Math.floor(now().getTime() / 1000) + KEPT_SECONDS;
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
