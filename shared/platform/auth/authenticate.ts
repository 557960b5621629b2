import { BatchGetCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../errors/app-error.ts';
import { BriefCache } from '../storage/cache.ts';
import { instantOf } from '../storage/ids.ts';
import { ifHolds } from '../storage/if-holds.ts';
import { apiKeyDigestKey, userKey, workspaceKey } from '../storage/keys.ts';
import type { Table } from '../storage/table.ts';
import { updateOf } from '../storage/update.ts';
import type { AccessClaims, AccessTokens } from './access-token.ts';
import { hasApiKeyFormat, secretDigest } from './credentials.ts';
import { memberSwitches } from './member-switches.ts';
import type { CompanyRole, KeyScope, Role } from './permissions.ts';
import type { ObjectReference, Principal } from './principal.ts';

/** How long a session, key or membership is cached. */
const TRUST_MS = 5_000;

/** The use of a key is recorded once in this time. */
const USE_RECORDED_EVERY_MS = 60 * 60 * 1000;

/** With `isFresh`, nothing is taken from the cache. */
export type Authenticate = (
  authorization: string | undefined,
  now: Date,
  options?: { isFresh?: boolean },
) => Promise<Principal>;

/**
 * Resolves the `Authorization` header to a principal. Tokens and keys are both checked against the table, so signing
 * out, revoking a key and removing a member take effect within `TRUST_MS`. Throws `UNAUTHENTICATED` without a reason.
 */
export function authenticator(
  table: Table,
  tokens: AccessTokens,
  /** False for a function that may only read the table. */
  { recordsUse = true }: { recordsUse?: boolean } = {},
): Authenticate {
  const cache = new BriefCache<Principal | undefined>({ ttlMs: TRUST_MS });

  return async (authorization, now, { isFresh = false } = {}) => {
    const token = /^Bearer ([^\s]+)$/i.exec(authorization ?? '')?.[1];
    if (!token) throw new AppError('UNAUTHENTICATED');
    let principal: Principal | undefined | '';
    if (hasApiKeyFormat(token)) {
      const digest = secretDigest(token);
      const cacheKey = `key/${digest}`;
      if (isFresh) cache.delete(cacheKey);
      principal = await cache.get(cacheKey, now.getTime(), () => principalOfKey(table, digest, now, recordsUse));
    } else {
      const claims = await tokens.read(token, now);
      const cacheKey = claims && `session/${claims.sessionId}/${claims.workspaceId}/${claims.membershipId}`;
      if (cacheKey && isFresh) cache.delete(cacheKey);
      principal = cacheKey && (await cache.get(cacheKey, now.getTime(), () => principalOfSession(table, claims, now)));
    }
    if (!principal) throw new AppError('UNAUTHENTICATED');
    return principal;
  };
}

async function principalOfSession(table: Table, claims: AccessClaims, now: Date): Promise<Principal | undefined> {
  const [session, membership, user, workspace] = await read(table, [
    userKey(claims.userId, `SESSION#${claims.sessionId}`),
    workspaceKey(claims.workspaceId, 'MEMBER', claims.userId),
    userKey(claims.userId, 'META'),
    workspaceKey(claims.workspaceId, 'META', 'META'),
  ]);
  if (!session || session.revokedAt || (session.expiresAt as number) * 1000 <= now.getTime()) return undefined;
  if (!membership || membership.membershipId !== claims.membershipId) return undefined;
  if (!user || user.companyId !== claims.companyId || user.active === false) return undefined;
  if (!isOfEpoch(session, user) || !workspace) return undefined;
  return {
    kind: 'user',
    userId: claims.userId,
    companyId: claims.companyId,
    companyRole: user.companyRole as CompanyRole,
    workspaceId: claims.workspaceId,
    role: membership.role as Role,
    scope: null,
    credentialId: claims.sessionId,
    ...(await stateOf(table, workspace, claims)),
    membershipId: claims.membershipId,
    name: user.name as string,
    email: user.email as string,
  };
}

/** What a workspace means for its caller. */
const stateOf = async (
  table: Table,
  workspace: Record<string, unknown>,
  member: Parameters<typeof memberSwitches>[2],
): Promise<Pick<Principal, 'isSuspended' | 'switches' | 'timezone'>> => ({
  ...(workspace.deletesAt ? { isSuspended: true } : {}),
  switches: await memberSwitches(table, workspace, member),
  ...(typeof workspace.timezone === 'string' && { timezone: workspace.timezone }),
});

interface SignIn {
  id?: string;
  signInEpoch?: string;
}

/** Whether a sign-in belongs to the user's present epoch (see `UserRecord`). */
export function isOfEpoch(session: SignIn, user: { signInEpoch?: string; keptSessionId?: string }): boolean {
  return session.signInEpoch === user.signInEpoch || (session.id !== undefined && session.id === user.keptSessionId);
}

/** Whether a key was made before its maker was deactivated: such keys stay ended when the maker comes back. */
function isEnded(keyId: string, { credentialsEndedAt }: { credentialsEndedAt?: string }): boolean {
  return credentialsEndedAt !== undefined && instantOf(keyId) <= new Date(credentialsEndedAt);
}

async function principalOfKey(
  table: Table,
  digest: string,
  now: Date,
  recordsUse: boolean,
): Promise<Principal | undefined> {
  const reply = await table.db.send(new GetCommand({ TableName: table.name, Key: apiKeyDigestKey(digest) }));
  const key = reply.Item;
  const principal = key && (await principalOfRecord(table, key, now));
  if (principal && recordsUse) recordUse(table, digest, key?.lastUsedAt as string | undefined, now);
  return principal;
}

/** The caller that a request with the key would have now, by its id; undefined if the key no longer works. */
export async function principalOfKeyId(
  table: Table,
  { workspaceId, keyId }: { workspaceId: string; keyId: string },
  now: Date,
): Promise<Principal | undefined> {
  const Key = workspaceKey(workspaceId, 'API-KEY', keyId);
  const reply = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return reply.Item && principalOfRecord(table, reply.Item, now);
}

async function principalOfRecord(
  table: Table,
  key: Record<string, unknown>,
  now: Date,
): Promise<Principal | undefined> {
  if (key.validUntil && Date.parse(key.validUntil as string) <= now.getTime()) return undefined;
  const holder = key.serviceAccountId ? await serviceAccount(table, key) : await maker(table, key);
  if (!holder) return undefined;
  return {
    kind: 'apiKey',
    ...holder,
    workspaceId: key.workspaceId as string,
    scope: key.scope as KeyScope,
    credentialId: key.id as string,
    resources: (key.resources as ObjectReference[] | null | undefined) ?? undefined,
    name: key.name as string | undefined,
  };
}

type Holder = Pick<
  Principal,
  | 'userId'
  | 'companyId'
  | 'companyRole'
  | 'role'
  | 'membershipId'
  | 'email'
  | 'serviceAccountId'
  | 'isSuspended'
  | 'switches'
>;

/** Such a key acts for the member who created it, and stops working with that membership, for good. */
async function maker(table: Table, key: Record<string, unknown>): Promise<Holder | undefined> {
  const [membership, user, workspace] = await read(table, [
    workspaceKey(key.workspaceId as string, 'MEMBER', key.createdBy as string),
    userKey(key.createdBy as string, 'META'),
    workspaceKey(key.workspaceId as string, 'META', 'META'),
  ]);
  if (!membership || membership.membershipId !== key.membershipId) return undefined;
  if (!user || user.active === false || isEnded(key.id as string, user)) return undefined;
  if (!workspace) return undefined;
  return {
    userId: key.createdBy as string,
    companyId: user.companyId as string,
    companyRole: user.companyRole as CompanyRole,
    role: membership.role as Role,
    ...(await stateOf(table, workspace, {
      workspaceId: key.workspaceId as string,
      userId: key.createdBy as string,
      membershipId: key.membershipId as string | undefined,
    })),
    membershipId: key.membershipId as string | undefined,
    email: user.email as string,
  };
}

/** The key lives as long as its service account; the admin who created it may leave. */
async function serviceAccount(table: Table, key: Record<string, unknown>): Promise<Holder | undefined> {
  const id = key.serviceAccountId as string;
  const [account, workspace] = await read(table, [
    workspaceKey(key.workspaceId as string, 'SERVICE-ACCOUNT', id),
    workspaceKey(key.workspaceId as string, 'META', 'META'),
  ]);
  if (!account || !workspace) return undefined;
  return {
    userId: id,
    companyId: account.companyId as string,
    companyRole: 'member',
    role: account.role as Role,
    ...(await stateOf(table, workspace, {
      ...{ workspaceId: key.workspaceId as string, userId: id, membershipId: undefined },
    })),
    serviceAccountId: id,
  };
}

/**
 * Nothing waits for it: the request is sent before those of the operation, and a write that gets lost is repeated by
 * the next use. Of several functions, one records the use.
 */
function recordUse(table: Table, digest: string, seen: string | undefined, now: Date): void {
  if (seen !== undefined && now.getTime() - Date.parse(seen) < USE_RECORDED_EVERY_MS) return;
  const change = { set: { lastUsedAt: now.toISOString() } };
  const unchanged = seen === undefined ? { absent: ['lastUsedAt'] } : { equals: { lastUsedAt: seen } };
  const update = updateOf(table, apiKeyDigestKey(digest), change, { ...unchanged, exists: ['pk'] });
  ifHolds(table.db.send(new UpdateCommand(update))).catch(() => undefined);
}

/** Reads the items in the order of the keys; undefined for missing ones. */
async function read(table: Table, keys: { pk: string; sk: string }[]) {
  const reply = await table.db.send(
    new BatchGetCommand({ RequestItems: { [table.name]: { Keys: keys, ConsistentRead: true } } }),
  );
  if (reply.UnprocessedKeys?.[table.name]) throw new AppError('SERVICE_BUSY');
  const items = reply.Responses?.[table.name] ?? [];
  return keys.map((key) => items.find((item) => item.pk === key.pk && item.sk === key.sk));
}
