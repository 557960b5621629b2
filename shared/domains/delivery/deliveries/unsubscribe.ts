import * as Type from 'typebox';
import type { AuditActor } from '../../../platform/audit/act.ts';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { later } from '../../../platform/storage/ids.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import type { Delivery } from './records.ts';
import type { Subscription, UnsubscribeTokens } from './unsubscribe-token.ts';

export const UnsubscribeQuery = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 300, description: 'The token in the link of the email.' }),
});

export const Unsubscribe = Type.Object(
  { 'List-Unsubscribe': Type.Optional(Type.String({ maxLength: 100, description: '`One-Click` (RFC 8058).' })) },
  { $id: 'Unsubscribe', description: 'The form that mail programs and the unsubscribe page send.' },
);

/** More than ever receive one delivery at a time. */
const MAX_UNSUBSCRIBED = 500;

export type StoredDelivery = Delivery & { name: string; updatedBy: string; updatedAt: string };

export interface UnsubscribeDeps<D extends StoredDelivery> {
  deliveries: {
    get(workspaceId: string, id: string): Promise<D | undefined>;
    /** Throws `STALE_WRITE`. */
    unsubscribe(previous: D, next: D, by: { actor: AuditActor; companyId: string }): Promise<unknown>;
  };
  unsubscribe: UnsubscribeTokens;
  workspace(id: string): Promise<{ companyId: string } | undefined>;
  members(
    workspaceId: string,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, { name: string; email: string }>>;
  now(): Date;
}

type Found<D> = { subscription: Subscription; delivery: D | undefined };

/** The delivery of the link; undefined if it has been deleted. Throws `UNSUBSCRIBE_LINK_INVALID`. */
export async function linkedDelivery<D extends StoredDelivery>(
  deps: UnsubscribeDeps<D>,
  token: string,
): Promise<Found<D>> {
  const subscription = await deps.unsubscribe.read(token);
  if (!subscription) throw new AppError('UNSUBSCRIBE_LINK_INVALID');
  return { subscription, delivery: await deps.deliveries.get(subscription.workspaceId, subscription.deliveryId) };
}

/** Whether the person of the link still gets the delivery. */
export const isSubscribed = ({ delivery, subscription }: Found<Delivery>): boolean =>
  delivery?.recipients.some(({ userId }) => userId === subscription.userId) ?? false;

/** Removes only the person of the token. Repeating it changes nothing. */
export function unsubscribe<D extends StoredDelivery>(deps: UnsubscribeDeps<D>, token: string): Promise<void> {
  return onNewest('STALE_WRITE', async () => {
    const { subscription, delivery } = await linkedDelivery(deps, token);
    const { userId, workspaceId } = subscription;
    const left = delivery?.recipients.find((each) => each.userId === userId);
    if (!delivery || !left) return;
    const [workspace, members] = await Promise.all([deps.workspace(workspaceId), deps.members(workspaceId, [userId])]);
    if (!workspace) return;
    const { name = null, email = left.address ?? null } = members.get(userId) ?? {};
    const next = {
      ...delivery,
      recipients: delivery.recipients.filter((each) => each.userId !== userId),
      unsubscribed: [...new Set([...(delivery.unsubscribed ?? []), userId])].slice(-MAX_UNSUBSCRIBED),
      updatedBy: left.address === undefined ? userId : delivery.updatedBy,
      updatedAt: later(delivery.updatedAt, deps.now()),
    } as D;
    const actor = { type: 'user', id: userId, name, email } as const;
    await deps.deliveries.unsubscribe(delivery, next, { actor, companyId: workspace.companyId });
  });
}

/**
 * What is wrong with recipients who have unsubscribed: only they themselves can subscribe again. Ids are in the order
 * of the request.
 */
export const unsubscribedIssues = (
  { unsubscribed = [] }: Pick<Delivery, 'unsubscribed'>,
  given: readonly (string | undefined)[],
  { userId, member }: { userId: string; member: string },
): Issue[] =>
  given.flatMap((each, index) => {
    if (each === undefined || each === userId || !unsubscribed.includes(each)) return [];
    const message = 'has unsubscribed. Only this person can subscribe again, by adding themselves as a member';
    return [{ pointer: `/${member}/${index}`, code: 'UNSUBSCRIBED', message }];
  });

/** Those who have unsubscribed and are not among the recipients again. */
export const stillUnsubscribed = (
  { unsubscribed = [] }: Pick<Delivery, 'unsubscribed'>,
  recipients: Delivery['recipients'],
): string[] => unsubscribed.filter((each) => !recipients.some(({ userId }) => userId === each));
