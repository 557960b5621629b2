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

/**
 * Finds the reader that a token stands for. Links that are unknown, expired, revoked or deleted throw the same
 * `SHARE_NOT_FOUND` after the same number of reads. Nothing is cached, so revocations take effect at once.
 */
export function linkResolver(table: Table): ResolveLink {
  const get = async (key: Key) =>
    (await table.db.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }))).Item;
  const getAll = async (keys: readonly Key[]): Promise<(Record<string, unknown> | undefined)[]> => {
    const wanted = { RequestItems: { [table.name]: { Keys: [...keys], ConsistentRead: true } } };
    const reply = await table.db.send(new BatchGetCommand(wanted));
    if (reply.UnprocessedKeys?.[table.name]) throw new AppError('SERVICE_BUSY');
    const items = reply.Responses?.[table.name] ?? [];
    return keys.map(({ pk, sk }) => items.find((item) => item.pk === pk && item.sk === sk));
  };

  async function shareReader(tokenDigest: string, workspaceId: string, id: string): Promise<LinkReader | undefined> {
    const [item, workspace] = await getAll([
      workspaceKey(workspaceId, 'SHARE', id),
      workspaceKey(workspaceId, 'META', 'META'),
    ]);
    if (!item || !workspace || workspace.deletesAt) return undefined;
    const share = toRecord<ShareRecord>(item);
    if (share.tokenDigest !== tokenDigest || isPast(share.validUntil)) return undefined;
    return inWorkspace(readerOfShare(share), workspace);
  }

  async function embedReader(tokenDigest: string, token: EmbedTokenRecord): Promise<LinkReader | undefined> {
    const { workspaceId, creator } = token;
    const [workspace, credential, ...person] = await getAll([
      workspaceKey(workspaceId, 'META', 'META'),
      creator.apiKeyId === undefined
        ? userKey(creator.userId, 'META')
        : workspaceKey(workspaceId, 'API-KEY', creator.apiKeyId),
      ...(creator.serviceAccountId === undefined
        ? [
            workspaceKey(workspaceId, 'MEMBER', creator.userId),
            ...(creator.apiKeyId === undefined ? [] : [userKey(creator.userId, 'META')]),
          ]
        : [workspaceKey(workspaceId, 'SERVICE-ACCOUNT', creator.serviceAccountId)]),
    ]);
    if (!workspace || workspace.deletesAt || !credential) return undefined;
    const [holder, user = credential] = person;
    if (!holder || !mayShare(holder.role as Role)) return undefined;
    if (creator.apiKeyId !== undefined && !isUsable(credential)) return undefined;
    const isAccount = creator.serviceAccountId !== undefined;
    if (!isAccount && (holder.membershipId !== creator.membershipId || isInactive(user, token))) return undefined;
    return inWorkspace(readerOfEmbedToken(token, tokenDigest), workspace);
  }

  /** Whether the API key could still create the token: one that is limited to objects reaches no links. */
  const isUsable = ({ validUntil, resources }: Record<string, unknown>): boolean =>
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
const inWorkspace = (reader: LinkReader, { timezone }: Record<string, unknown>): LinkReader =>
  typeof timezone === 'string' ? { ...reader, principal: { ...reader.principal, timezone } } : reader;

/** The rule for creating links holds for embed tokens until they end. */
const mayShare = (role: Role): boolean => isPermitted('shares:manage', { role, companyRole: 'member', scope: null });

/** Whether the person is deactivated, or has been since the token was created. */
function isInactive(user: Record<string, unknown>, { id }: EmbedTokenRecord): boolean {
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
  allowExport: share.allowExport ?? false,
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
