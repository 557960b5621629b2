import { randomBytes } from 'node:crypto';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { auditItems } from '../../../platform/audit/entry.ts';
import { secretDigest } from '../../../platform/auth/credentials.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { BriefCache } from '../../../platform/storage/cache.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { readWorkspace } from '../../tenancy/workspaces/index.ts';
import { liveTokensKey, tokenDigestKey, tokenKey } from './keys.ts';
import type { Provisioner, ScimToken } from './records.ts';

/** One in use, and one to change over to. */
const MAX_LIVE = 2;
const FORMAT = /^scim_[a-f0-9]{8}_[A-Za-z0-9_-]{43}$/;
/** How long a token is cached: a deleted one stops working within this time. */
const TRUST_MS = 5_000;
const SEEN_EVERY_MS = 60_000;

export function newScimToken(random: (size: number) => Buffer = randomBytes): { value: string; prefix: string } {
  const prefix = `scim_${random(4).toString('hex')}`;
  return { value: `${prefix}_${random(32).toString('base64url')}`, prefix };
}

export interface ScimTokens {
  /** Oldest first. */
  list(companyId: string): Promise<ScimToken[]>;
  get(companyId: string, id: string): Promise<ScimToken | undefined>;
  /** Throws `SCIM_TOKEN_LIMIT`. A repeated call with the same id returns the stored token. */
  create(token: ScimToken): Promise<ScimToken>;
  /** Returns false if another request has removed it. */
  remove(token: ScimToken): Promise<boolean>;
}

export function scimTokens(table: Table): ScimTokens {
  const log = (verb: 'created' | 'deleted', { id, name, workspaceId }: ScimToken) =>
    auditItems(table, {
      action: `scim_token.${verb}`,
      object: { type: 'scim-token', id, name },
      [verb === 'created' ? 'after' : 'before']: { name, workspaceId },
    });

  const tokens: ScimTokens = {
    async list(companyId) {
      const items = await Array.fromAsync(itemsBelow(table, tokenKey(companyId, '')));
      return items.filter(({ entity }) => entity === 'scim-token').map(toToken);
    },

    async get(companyId, id) {
      const Key = tokenKey(companyId, id);
      const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
      return found.Item && toToken(found.Item);
    },

    async create(token) {
      const { id, name, companyId, workspaceId, digest } = token;
      const logged = await log('created', token);
      try {
        await transact(table, [
          {
            Put: {
              TableName: table.name,
              Item: { ...token, ...tokenKey(companyId, id), entity: 'scim-token' },
              ConditionExpression: 'attribute_not_exists(pk)',
            },
          },
          {
            Update: {
              TableName: table.name,
              Key: liveTokensKey(companyId, workspaceId),
              UpdateExpression: 'ADD ids :id',
              ConditionExpression: 'attribute_not_exists(ids) OR size(ids) < :limit',
              ExpressionAttributeValues: { ':id': new Set([id]), ':limit': MAX_LIVE },
            },
          },
          {
            Put: {
              TableName: table.name,
              Item: { ...tokenDigestKey(digest), entity: 'scim-token-digest', id, name, companyId, workspaceId },
            },
          },
          ...logged,
        ]);
        return token;
      } catch (cause) {
        const failed = failedConditions(cause);
        const stored = failed.has(0) ? await tokens.get(companyId, id) : undefined;
        if (stored) return stored;
        if (failed.has(1)) throw new AppError('SCIM_TOKEN_LIMIT', { cause });
        throw cause;
      }
    },

    async remove(token) {
      const { id, companyId, workspaceId, digest } = token;
      const logged = await log('deleted', token);
      try {
        await transact(table, [
          {
            Delete: {
              TableName: table.name,
              Key: tokenKey(companyId, id),
              ConditionExpression: 'digest = :digest',
              ExpressionAttributeValues: { ':digest': digest },
            },
          },
          {
            Update: {
              TableName: table.name,
              Key: liveTokensKey(companyId, workspaceId),
              UpdateExpression: 'DELETE ids :id',
              ExpressionAttributeValues: { ':id': new Set([id]) },
            },
          },
          { Delete: { TableName: table.name, Key: tokenDigestKey(digest) } },
          ...logged,
        ]);
        return true;
      } catch (cause) {
        if (failedConditions(cause).has(0)) return false;
        throw cause;
      }
    },
  };
  return tokens;
}

const toToken = (item: Record<string, unknown>): ScimToken => toRecord<ScimToken>(item);

export type AuthenticateProvisioner = (authorization: string | undefined, now: Date) => Promise<Provisioner>;

/**
 * Resolves the `Authorization` header. Throws `UNAUTHENTICATED` without a reason, for access tokens and API keys too.
 */
export function provisionerOf(table: Table): AuthenticateProvisioner {
  const cache = new BriefCache<Provisioner | undefined>({ ttlMs: TRUST_MS });
  return async (authorization, now) => {
    const value = /^Bearer ([^\s]+)$/i.exec(authorization ?? '')?.[1];
    if (!value || !FORMAT.test(value)) throw new AppError('UNAUTHENTICATED');
    const digest = secretDigest(value);
    const provisioner = await cache.get(digest, now.getTime(), () => read(table, digest, now));
    if (!provisioner) throw new AppError('UNAUTHENTICATED');
    return provisioner;
  };
}

async function read(table: Table, digest: string, now: Date): Promise<Provisioner | undefined> {
  const Key = tokenDigestKey(digest);
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  if (!found.Item) return undefined;
  const provisioner = toRecord<Provisioner>(found.Item);
  const workspace = await readWorkspace(table, provisioner.workspaceId);
  if (!workspace || workspace.deletesAt) return undefined;
  await noteUse(table, provisioner, now);
  return provisioner;
}

/** Once a minute is enough to see which tokens are still in use. */
async function noteUse(table: Table, { companyId, id }: Provisioner, now: Date): Promise<void> {
  const update = updateOf(table, tokenKey(companyId, id), { set: { lastUsedAt: now.toISOString() } });
  const since = new Date(now.getTime() - SEEN_EVERY_MS).toISOString();
  await ifHolds(
    table.db.send(
      new UpdateCommand({
        ...update,
        ConditionExpression: 'attribute_exists(pk) AND (#lastUsedAt = :none OR #lastUsedAt < :since)',
        ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':none': null, ':since': since },
      }),
    ),
  );
}
