import {
  type AiQuota,
  assertPublished,
  type ContentDeps,
  DEFAULT_AI_RATE,
  type EventType,
  type LinkRowsDeps,
  newLinkToken,
  previewIssue,
  previewOf,
  protectedCards,
  publishedParts,
  type ShareRecord,
  type ShareRepository,
  type ShareUsage,
} from '../../../../shared/domains/sharing/shares/index.ts';
import { attributeIssues } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Passwords } from '../../../../shared/platform/auth/password.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { CreateShare, Share, ShareAi, ShareListQuery } from '../schemas.ts';

export interface ManageDeps extends LinkRowsDeps, ContentDeps {
  shares: ShareRepository;
  quota: Pick<AiQuota, 'used'>;
  passwords: Pick<Passwords, 'hash'>;
  now(): Date;
}

interface Named {
  principal: Principal;
  id: string;
}

export async function listShares(
  deps: ManageDeps,
  { workspaceId }: Principal,
  { status, contentType, contentId, shareType, ...request }: ShareListQuery,
): Promise<PageOf<Share>> {
  const now = deps.now();
  const page = await deps.shares.list(workspaceId, {
    ...request,
    having: { contentType, contentId, shareType },
    matches: status && ((share) => statusOf(share, now) === status),
  });
  return { ...page, items: await showShares(deps, workspaceId, page.items) };
}

/**
 * Throws `VALIDATION_FAILED`, what `assertPublished` throws, and `RLS_SHARE_REQUIRED`, which names the cards whose rows
 * depend on the reader.
 */
export async function createShare(
  deps: ManageDeps,
  { principal, id, share, baseUrl }: Named & { share: CreateShare; baseUrl: string },
): Promise<Share> {
  const { workspaceId, companyId, userId } = principal;
  const issues = shareIssues(share, deps.now());
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  await assertShareable(deps, workspaceId, share);
  const { token, digest, prefix } = newLinkToken('share');
  const at = deps.now().toISOString();
  const next: ShareRecord = {
    id,
    workspaceId,
    companyId,
    contentType: share.contentType,
    contentId: share.contentId,
    shareType: share.shareType,
    rlsContext: share.rlsContext ?? null,
    tokenPrefix: prefix,
    tokenDigest: digest,
    passwordHash: share.password === undefined ? null : await deps.passwords.hash(share.password),
    allowExport: share.allowExport,
    preview: previewOf(share),
    allowAi: false,
    aiRatePerHour: DEFAULT_AI_RATE,
    validUntil: share.expiresAt ? new Date(share.expiresAt).toISOString() : null,
    createdBy: userId,
    updatedBy: userId,
    createdAt: at,
    updatedAt: at,
    revision: 1,
  };
  let created = await deps.shares.create(next);
  if (created.tokenDigest !== digest) {
    // An earlier try of this request crashed before its reply was stored. Its token is lost, so a new link replaces it.
    await deps.shares.remove(created);
    created = await deps.shares.create(next);
  }
  return { ...showShare(created, { now: deps.now() }), token, url: `${baseUrl}/s/${token}` };
}

function shareIssues({ shareType, password, rlsContext, expiresAt, preview }: CreateShare, now: Date): Issue[] {
  const issues = [
    ...memberIssues('password', { isGiven: password !== undefined, isWanted: shareType === 'password' }),
    ...memberIssues('rlsContext', { isGiven: rlsContext !== undefined, isWanted: shareType === 'rls' }),
    ...attributeIssues(rlsContext?.attributes ?? {}, '/rlsContext/attributes'),
  ];
  if (expiresAt && Date.parse(expiresAt) <= now.getTime())
    issues.push({ pointer: '/expiresAt', code: 'PAST', message: 'must be in the future' });
  const message = preview && previewIssue(shareType, preview);
  if (message) issues.push({ pointer: '/preview', code: 'CONFLICT', message });
  return issues;
}

function memberIssues(
  member: 'password' | 'rlsContext',
  { isGiven, isWanted }: { isGiven: boolean; isWanted: boolean },
): Issue[] {
  if (isGiven === isWanted) return [];
  const type = member === 'password' ? 'password' : 'rls';
  const [code, message] = isWanted
    ? ['REQUIRED', `is required for links of the type ${type}`]
    : ['CONFLICT', `is allowed only for links of the type ${type}`];
  return [{ pointer: `/${member}`, code: code!, message: message! }];
}

async function assertShareable(
  deps: ManageDeps,
  workspaceId: string,
  { contentType, contentId, shareType }: Pick<CreateShare, 'contentType' | 'contentId' | 'shareType'>,
): Promise<void> {
  const place = { workspaceId, content: { type: contentType, id: contentId } };
  await assertPublished(deps, place);
  if (shareType === 'rls') return;
  const { cards } = await publishedParts(deps, place);
  const errors = await protectedCards(deps, place, cards);
  if (errors.length > 0) throw new AppError('RLS_SHARE_REQUIRED', { errors });
}

/** Throws `SHARE_NOT_FOUND`. */
export async function deleteShare(deps: ManageDeps, named: Named): Promise<void> {
  await onNewest('STALE_WRITE', async () => deps.shares.remove(await findShare(deps, named)));
}

/** Throws `SHARE_NOT_FOUND`. */
export async function setShareAi(deps: ManageDeps, named: Named & { change: ShareAi }): Promise<Share> {
  const share = await onNewest('STALE_WRITE', async () => {
    const before = await findShare(deps, named);
    const updatedAt = later(before.updatedAt, deps.now());
    const next = { ...before, ...named.change, updatedBy: named.principal.userId, updatedAt };
    return deps.shares.replace(before, next, 'STALE_WRITE');
  });
  const [reply] = await showShares(deps, share.workspaceId, [share]);
  return reply!;
}

async function findShare(
  { shares }: Pick<ManageDeps, 'shares'>,
  { principal: { workspaceId }, id }: Named,
): Promise<ShareRecord> {
  const share = await shares.get(workspaceId, id);
  if (!share) throw new AppError('SHARE_NOT_FOUND');
  return share;
}

async function showShares(deps: ManageDeps, workspaceId: string, shares: readonly ShareRecord[]): Promise<Share[]> {
  const ids = shares.map(({ id }) => id);
  const [usages, used] = await Promise.all([deps.shares.usages(workspaceId, ids), deps.quota.used(workspaceId, ids)]);
  const now = deps.now();
  return shares.map((share) =>
    showShare(share, { now, usage: usages.get(share.id), aiUsedThisHour: used.get(share.id) ?? 0 }),
  );
}

const statusOf = ({ validUntil }: ShareRecord, now: Date): Share['status'] =>
  validUntil !== null && Date.parse(validUntil) <= now.getTime() ? 'expired' : 'active';

const NO_EVENTS = { view: 0, filter: 0, select: 0, export: 0, error: 0 } as const satisfies Record<EventType, 0>;

function showShare(
  record: ShareRecord,
  { now, usage, aiUsedThisHour = 0 }: { now: Date; usage?: ShareUsage | undefined; aiUsedThisHour?: number },
): Share {
  const { companyId: _companyId, tokenDigest: _tokenDigest, passwordHash, validUntil: expiresAt, ...share } = record;
  return {
    ...share,
    expiresAt,
    hasPassword: passwordHash !== null,
    preview: previewOf(record),
    status: statusOf(record, now),
    viewCount: usage?.viewCount ?? 0,
    lastAccessedAt: usage?.lastAccessedAt ?? null,
    events: { ...NO_EVENTS, ...usage?.events },
    aiUsedThisHour,
  };
}
