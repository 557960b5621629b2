import {
  type DeliveryPerson,
  deliveryTimeIssues,
  type EndedDelivery,
  isStillMember,
  type Memberships,
  stillUnsubscribed,
  unsubscribedIssues,
} from '../../../../shared/domains/delivery/deliveries/index.ts';
import { DIGESTS, type DigestRecord } from '../../../../shared/domains/semantics/metric-reports/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { DigestDeps, Named } from '../use-cases/context.ts';
import { findDigest, showDigest } from './find-digest.ts';
import type { CreateDigest, Digest, UpdateDigest } from './schemas.ts';

/** Throws `METRIC_DIGEST_NAME_TAKEN`, `MAIL_NOT_CONFIGURED`, or `VALIDATION_FAILED` with what is unknown. */
export async function createDigest(
  deps: DigestDeps,
  command: { id: string; principal: Principal; digest: CreateDigest; apiUrl: string },
): Promise<Digest> {
  if (!deps.sendsMail) throw new AppError('MAIL_NOT_CONFIGURED');
  const { id, principal, digest, apiUrl } = command;
  const { workspaceId, userId } = principal;
  const { recipientIds, ownerId = userId, ...given } = digest;
  const members = await deps.members(workspaceId, [ownerId, ...recipientIds]);
  const at = deps.now().toISOString();
  const record: DigestRecord = {
    id,
    workspaceId,
    ...given,
    owner: memberOf(members, ownerId),
    recipients: recipientIds.map((each) => memberOf(members, each)),
    apiUrl,
    createdBy: userId,
    updatedBy: userId,
    createdAt: at,
    updatedAt: at,
    revision: 1,
  };
  const stored = await onNewest('STALE_WRITE', async () => {
    await assertValid(deps, record, { members, recipientIds });
    return deps.digests.create(record);
  });
  return showDigest(deps, stored);
}

/** Throws the same codes, and `METRIC_DIGEST_NOT_FOUND`. */
export function updateDigest(
  deps: DigestDeps,
  command: { id: string; principal: Principal; change: UpdateDigest; apiUrl: string },
): Promise<Digest> {
  const { id, principal, change, apiUrl } = command;
  const { workspaceId, userId } = principal;
  return onNewest('STALE_WRITE', async () => {
    const before = await findDigest(deps, { workspaceId, id });
    const { recipientIds, ownerId, ...given } = change;
    const people = [before.owner, ...before.recipients].map((each) => each.userId);
    const members = await deps.members(workspaceId, [
      ...people,
      ...(recipientIds ?? []),
      ...(ownerId ? [ownerId] : []),
    ]);
    // People who have left since need not be removed by hand.
    const recipients = recipientIds
      ? recipientIds.map((each) => memberOf(members, each))
      : before.recipients.filter((each) => isStillMember(members, each));
    const next: DigestRecord = {
      ...before,
      ...given,
      owner: ownerId === undefined ? before.owner : memberOf(members, ownerId),
      recipients,
      unsubscribed: stillUnsubscribed(before, recipients),
      apiUrl,
      updatedBy: userId,
      updatedAt: later(before.updatedAt, deps.now()),
    };
    const known = new Set(before.metricIds);
    const isNew = (metricId: string) => !known.has(metricId);
    const left = unsubscribedIssues(before, recipientIds ?? [], { userId, member: 'recipientIds' });
    await assertValid(deps, next, { members, recipientIds: recipientIds ?? [], ownerId, isNew, left });
    return showDigest(deps, await deps.digests.replace(before, next));
  });
}

/** Its runs are removed as well. */
export async function deleteDigest(deps: DigestDeps, named: Named): Promise<void> {
  const { workspaceId, id: deliveryId } = named;
  await onNewest('STALE_WRITE', async () =>
    deps.digests.remove(await findDigest(deps, named), [
      deps.cleanUpItem({ kind: 'delivery', workspaceId, area: DIGESTS.area, deliveryId } satisfies EndedDelivery),
    ]),
  );
}

/** Without a membership for someone who is not a member, whom `assertValid` rejects. */
const memberOf = (members: Memberships, userId: string): DeliveryPerson => ({
  userId,
  membershipId: members.get(userId)?.membershipId ?? '',
});

interface Given {
  members: Memberships;
  recipientIds: readonly string[];
  ownerId?: string | undefined;
  /** Metrics that the digest had before may have been deleted since. */
  isNew?: (metricId: string) => boolean;
  /** Issues of recipients who have unsubscribed. */
  left?: readonly Issue[];
}

async function assertValid(deps: DigestDeps, digest: DigestRecord, given: Given): Promise<void> {
  const { members, recipientIds, ownerId = digest.owner.userId, isNew = () => true, left = [] } = given;
  const { workspaceId, metricIds } = digest;
  const metrics = await deps.metrics.getMany(workspaceId, metricIds.filter(isNew));
  const found = new Set(metrics.map(({ id }) => id));
  const errors: Issue[] = [
    ...deliveryTimeIssues(digest, deps.now()),
    ...metricIds.flatMap((id, index) =>
      !isNew(id) || found.has(id)
        ? []
        : [{ pointer: `/metricIds/${index}`, code: 'UNKNOWN_METRIC', message: 'is not a metric of the workspace' }],
    ),
    ...left,
    ...recipientIds.flatMap((id, index) => notMember(members, id, `/recipientIds/${index}`)),
    ...(given.ownerId !== undefined || digest.revision === 1 ? notMember(members, ownerId, '/ownerId') : []),
  ];
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

const notMember = (members: Memberships, userId: string, pointer: string): Issue[] =>
  members.has(userId) ? [] : [{ pointer, code: 'NOT_A_MEMBER', message: 'is not a member of the workspace' }];
