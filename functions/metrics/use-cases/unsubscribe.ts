import type { DigestRecord, Subscription } from '../../../shared/domains/metric-reports/index.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { later } from '../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../shared/platform/storage/on-newest.ts';
import type { DigestDeps } from './context.ts';

type Found = { subscription: Subscription; digest: DigestRecord | undefined };

/** The digest of the link; undefined if it was deleted since. Throws `UNSUBSCRIBE_LINK_INVALID`. */
export async function linkedDigest(deps: DigestDeps, token: string): Promise<Found> {
  const subscription = await deps.unsubscribe.read(token);
  if (!subscription) throw new AppError('UNSUBSCRIBE_LINK_INVALID');
  return { subscription, digest: await deps.digests.get(subscription.workspaceId, subscription.digestId) };
}

/** Removes only the person of the token. Repeating it changes nothing. */
export function unsubscribe(deps: DigestDeps, token: string): Promise<void> {
  return onNewest('STALE_WRITE', async () => {
    const { subscription, digest } = await linkedDigest(deps, token);
    const { userId, workspaceId } = subscription;
    if (!digest?.recipients.some((each) => each.userId === userId)) return;
    const [workspace, members] = await Promise.all([deps.workspace(workspaceId), deps.members(workspaceId, [userId])]);
    if (!workspace) return;
    const { name = null, email = null } = members.get(userId) ?? {};
    const next = {
      ...digest,
      recipients: digest.recipients.filter((each) => each.userId !== userId),
      updatedBy: userId,
      updatedAt: later(digest.updatedAt, deps.now()),
    };
    const actor = { type: 'user', id: userId, name, email } as const;
    await deps.digests.unsubscribe(digest, next, { actor, companyId: workspace.companyId });
  });
}
