import {
  type Delivery,
  type People,
  type StoredMail,
  stopReason,
} from '../../../../shared/domains/delivery/deliveries/index.ts';
import type { MailMessage } from '../../../../shared/domains/delivery/mails/index.ts';
import {
  trustedAddress,
  type UserRecord,
  type WorkspaceRecord,
} from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Mail } from '../../../../shared/platform/mail/compose.ts';
import type { Mailer } from '../../../../shared/platform/mail/mailer.ts';
import type { DeliveryMails } from './send-delivery.ts';

export interface OwnerInactiveDeps {
  members(workspaceId: string, userIds: readonly string[]): Promise<People>;
  user(id: string): Promise<UserRecord | undefined>;
  workspace(id: string): Promise<WorkspaceRecord | undefined>;
  mailer: Mailer;
}

/**
 * Sends nothing if the owner is active again or was replaced, or the admin has left in the meantime. A repeated message
 * repeats the mail.
 */
export async function sendOwnerInactive(
  deps: OwnerInactiveDeps,
  { kind: { title }, deliveries }: Pick<DeliveryMails<StoredMail>, 'kind' | 'deliveries'>,
  { workspaceId, deliveryId, userId }: Extract<MailMessage, { kind: 'ownerInactive' }>,
): Promise<void> {
  const [delivery, workspace] = await Promise.all([
    deliveries.get(workspaceId, deliveryId),
    deps.workspace(workspaceId),
  ]);
  if (!delivery || !workspace) return;
  const { owner } = delivery;
  const [people, admin, former] = await Promise.all([
    deps.members(workspaceId, [owner.userId, userId]),
    deps.user(userId),
    deps.user(owner.userId),
  ]);
  if (stopReason(delivery, people) !== 'OWNER_INACTIVE' || !people.get(userId)?.isActive || !admin) return;
  await deps.mailer.send(trustedAddress(admin), ownerInactiveMail({ title, delivery, workspace, owner: former?.name }));
}

function ownerInactiveMail(words: {
  title: string;
  delivery: Delivery;
  workspace: WorkspaceRecord;
  owner: string | undefined;
}): Mail {
  const { title, delivery, workspace, owner } = words;
  return {
    subject: `A ${title} has stopped`,
    paragraphs: [
      'Hello,',
      `The ${title} “${delivery.name}” in the workspace “${workspace.name}” has stopped, because the account of its owner${owner ? `, ${owner},` : ''} is deactivated.`,
      'To resume it, give it another owner, or have the account activated again.',
    ],
  };
}
