import { BatchGetCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { secretDigest } from '../../../platform/auth/credentials.ts';
import { isPermitted, type Role } from '../../../platform/auth/permissions.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { instantOf } from '../../../platform/storage/ids.ts';
import { type Key, linkDigestKey, userKey, workspaceKey } from '../../../platform/storage/keys.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { previewOf } from './preview-of.ts';
import type { EmbedTokenRecord, LinkReader, ShareRecord } from './records.ts';
import { DEFAULT_AI_RATE } from './schemas.ts';

export type ResolveLink = (token: string) => Promise<LinkReader>;

type Item = Record<string, unknown>;
type Found<Name extends string> = Partial<Record<Name, Item>>;
type Credential = 'apiKey' | 'serviceAccount' | 'member' | 'user';

/**
 * Finds the reader that a token stands for. Links that are unknown, expired, revoked or deleted throw the same
 * `SHARE_NOT_FOUND` after the same number of reads. Nothing is cached, so revocations take effect immediately.
 */
export function linkResolver(table: Table): ResolveLink {
  const get = async (key: Key) =>
    (await table.db.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }))).Item;
  /** The items by the names of their keys. */
  const getAll = async <Name extends string>(keys: Partial<Record<Name, Key>>): Promise<Found<Name>> => {
    const named = Object.entries(keys) as [Name, Key][];
    const wanted = { RequestItems: { [table.name]: { Keys: named.map(([, key]) => key), ConsistentRead: true } } };
    const reply = await table.db.send(new BatchGetCommand(wanted));
    if (reply.UnprocessedKeys?.[table.name]) throw new AppError('SERVICE_BUSY');
    const items = reply.Responses?.[table.name] ?? [];
    const find = ({ pk, sk }: Key) => items.find((item) => item.pk === pk && item.sk === sk);
    return Object.fromEntries(named.map(([name, key]) => [name, find(key)])) as Found<Name>;
  };

  async function shareReader(tokenDigest: string, workspaceId: string, id: string): Promise<LinkReader | undefined> {
    const { item, workspace } = await getAll({
      item: workspaceKey(workspaceId, 'SHARE', id),
      workspace: workspaceKey(workspaceId, 'META', 'META'),
    });
    if (!item || !workspace || workspace.deletesAt) return undefined;
    const share = toRecord<ShareRecord>(item);
    if (share.tokenDigest !== tokenDigest || isPast(share.validUntil)) return undefined;
    return inWorkspace(readerOfShare(share), workspace);
  }

  async function embedReader(tokenDigest: string, token: EmbedTokenRecord): Promise<LinkReader | undefined> {
    const { workspace, ...credentials } = await getAll({
      workspace: workspaceKey(token.workspaceId, 'META', 'META'),
      ...credentialKeys(token),
    });
    if (!workspace || workspace.deletesAt || !mayStillCreate(token, credentials)) return undefined;
    return inWorkspace(readerOfEmbedToken(token, tokenDigest), workspace);
  }

  /** The records on which the right of the creator depends: either a member and its user or a service account. */
  function credentialKeys({ workspaceId, creator }: EmbedTokenRecord): Partial<Record<Credential, Key>> {
    const { userId, apiKeyId, serviceAccountId } = creator;
    return {
      ...(apiKeyId !== undefined && { apiKey: workspaceKey(workspaceId, 'API-KEY', apiKeyId) }),
      ...(serviceAccountId === undefined
        ? { member: workspaceKey(workspaceId, 'MEMBER', userId), user: userKey(userId, 'META') }
        : { serviceAccount: workspaceKey(workspaceId, 'SERVICE-ACCOUNT', serviceAccountId) }),
    };
  }

  /** Whether the creator of the token could create it again now. */
  function mayStillCreate(token: EmbedTokenRecord, found: Found<Credential>): boolean {
    const { apiKeyId, serviceAccountId, membershipId } = token.creator;
    if (apiKeyId !== undefined && !(found.apiKey && isUsable(found.apiKey))) return false;
    if (serviceAccountId !== undefined) return found.serviceAccount !== undefined && mayShare(found.serviceAccount);
    const { member, user } = found;
    if (!member || !user || !mayShare(member)) return false;
    return member.membershipId === membershipId && !isInactive(user, token);
  }

  /** Whether the API key could still create the token: one that is limited to objects reaches no links. */
  const isUsable = ({ validUntil, resources }: Item): boolean =>
    !isPast((validUntil as string | null | undefined) ?? null) && !resources;

  const isPast = (at: string | null): boolean => at !== null && Date.parse(at) <= table.now().getTime();

  return async (token) => {
    const digest = secretDigest(token);
    const known = await get(linkDigestKey(digest));
    // The table erases a token some time after its end; until then it is read like one that does not exist.
    const found = known?.entity === 'embed-token' && isPast(known.validUntil as string) ? undefined : known;
    const reader =
      found?.entity === 'embed-token'
        ? await embedReader(digest, toRecord<EmbedTokenRecord>(found))
        : await shareReader(
            digest,
            (found?.workspaceId as string | undefined) ?? 'NONE',
            (found?.id as string) ?? 'NONE',
          );
    if (!reader) throw new AppError('SHARE_NOT_FOUND');
    return reader;
  };
}

/** The reader with the time zone of the workspace. */
const inWorkspace = (reader: LinkReader, { timezone }: Item): LinkReader =>
  typeof timezone === 'string' ? { ...reader, principal: { ...reader.principal, timezone } } : reader;

/** The rule for creating links holds for embed tokens until they end. */
const mayShare = ({ role }: Item): boolean =>
  isPermitted('shares:manage', { role: role as Role, companyRole: 'member', scope: null });

/** Whether the person is deactivated, or has been since the token was created. */
function isInactive(user: Item, { id }: EmbedTokenRecord): boolean {
  const { active, credentialsEndedAt } = user as { active?: boolean; credentialsEndedAt?: string };
  return active === false || (credentialsEndedAt !== undefined && instantOf(id) <= new Date(credentialsEndedAt));
}

const readerOfShare = (share: ShareRecord): LinkReader => ({
  kind: 'share',
  id: share.id,
  workspaceId: share.workspaceId,
  content: { type: share.contentType, id: share.contentId },
  hasAttributes: share.shareType === 'rls',
  lockedFilters: [],
  allowExport: share.allowExport,
  preview: previewOf(share),
  allowAi: share.allowAi,
  aiRatePerHour: share.aiRatePerHour,
  subject: null,
  expiresAt: share.validUntil,
  tokenDigest: share.tokenDigest,
  passwordHash: share.passwordHash,
  principal: principalOf(share, { type: 'share', attributes: share.rlsContext?.attributes ?? {} }),
});

const readerOfEmbedToken = (token: EmbedTokenRecord, tokenDigest: string): LinkReader => ({
  kind: 'embed',
  id: token.id,
  workspaceId: token.workspaceId,
  content: { type: token.contentType, id: token.contentId },
  hasAttributes: true,
  lockedFilters: token.lockedFilters,
  allowExport: token.allowExport,
  preview: 'none',
  allowAi: token.allowAi,
  aiRatePerHour: DEFAULT_AI_RATE,
  subject: token.subject ?? null,
  expiresAt: token.validUntil,
  tokenDigest,
  passwordHash: null,
  principal: principalOf(token, { type: 'embed', attributes: token.attributes }),
});

const principalOf = (
  { id, workspaceId, companyId }: { id: string; workspaceId: string; companyId: string },
  link: NonNullable<LinkReader['principal']['link']>,
): LinkReader['principal'] => ({
  kind: 'apiKey',
  userId: id,
  companyId,
  companyRole: 'member',
  workspaceId,
  role: 'viewer',
  scope: 'read',
  credentialId: id,
  link,
});
