import { type MessageQueue, messageQueue } from '../../../platform/messaging/message-queue.ts';
import type { Key } from '../../../platform/storage/keys.ts';

/** A mail to send. Messages name its subject only: what the mail says is read when it is sent. */
export type MailMessage = { workspaceId: string } & (
  | {
      kind: 'passwordReset';
      requestId: string;
      requestedAt: string;
      /** As typed; whether an account has it is looked up by the worker, so that requests take the same time. */
      email: string;
      /** Whether the account has signed in before from the address of the request. */
      isKnown: boolean;
    }
  | { kind: 'addressChange'; userId: string; noticeId: string }
  | { kind: 'invitation'; invitationId: string; serial: number }
  /** The mail of a run to one recipient; `delivery` is the name of a `DeliveryKind`. */
  | { kind: 'delivery'; delivery: string; deliveryId: string; runId: string; userId: string }
  /** The mail about a batch of notifications, by its key in the table, if it is due. */
  | { kind: 'notifications'; batch: Key }
  /** Tells an admin, the user, that a delivery has stopped because its owner is deactivated. */
  | { kind: 'ownerInactive'; delivery: string; deliveryId: string; userId: string }
);

/** Undefined in a deployment that sends no mail. */
export type MailQueue = { send(message: MailMessage): Promise<void> } | undefined;

export function mailQueue(url: string, sender: string | undefined): MailQueue {
  const queue = delayedMails(url, sender);
  return queue && { send: (message) => queue.send([{ message, delaySeconds: 0 }]) };
}

/** The same for mails that are due later. */
export const delayedMails = (url: string, sender: string | undefined): MessageQueue<MailMessage> | undefined =>
  sender ? messageQueue<MailMessage>(url) : undefined;
