import * as Type from 'typebox';
import type { AuditActor } from '../../platform/audit/act.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { later } from '../../platform/storage/ids.ts';
import { onNewest } from '../../platform/storage/on-newest.ts';
import type { Delivery } from './records.ts';
import type { Subscription, UnsubscribeTokens } from './unsubscribe-token.ts';

export const UnsubscribeQuery = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 300, description: 'The token in the link of the email.' }),
});

export const Unsubscribe = Type.Object(
  { 'List-Unsubscribe': Type.Optional(Type.String({ maxLength: 100, description: '`One-Click` (RFC 8058).' })) },
  { $id: 'Unsubscribe', description: 'The form that mail programs and the unsubscribe page send.' },
);

type Stored = Delivery & { updatedBy: string; updatedAt: string };

export interface UnsubscribeDeps<D extends Stored> {
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
export async function linkedDelivery<D extends Stored>(deps: UnsubscribeDeps<D>, token: string): Promise<Found<D>> {
  const subscription = await deps.unsubscribe.read(token);
  if (!subscription) throw new AppError('UNSUBSCRIBE_LINK_INVALID');
  return { subscription, delivery: await deps.deliveries.get(subscription.workspaceId, subscription.deliveryId) };
}

/** Whether the person of the link still gets the delivery. */
export const isSubscribed = ({ delivery, subscription }: Found<Delivery>): boolean =>
  delivery?.recipients.some(({ userId }) => userId === subscription.userId) ?? false;

/** Removes only the person of the token. Repeating it changes nothing. */
export function unsubscribe<D extends Stored>(deps: UnsubscribeDeps<D>, token: string): Promise<void> {
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
      updatedBy: left.address === undefined ? userId : delivery.updatedBy,
      updatedAt: later(delivery.updatedAt, deps.now()),
    } as D;
    const actor = { type: 'user', id: userId, name, email } as const;
    await deps.deliveries.unsubscribe(delivery, next, { actor, companyId: workspace.companyId });
  });
}
