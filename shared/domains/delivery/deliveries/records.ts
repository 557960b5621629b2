import { type DeliveryPerson, type DeliveryRecipient, receiversOf } from './people.ts';
import type { DeliveryTimes } from './times.ts';

/** Something that is sent to its recipients on a schedule. */
export interface Delivery extends DeliveryTimes {
  id: string;
  workspaceId: string;
  name: string;
  /** The delivery stops when this person leaves the workspace or is deactivated. */
  owner: DeliveryPerson;
  recipients: readonly DeliveryRecipient[];
  /** Addresses that get requests instead of emails. */
  targets?: readonly { id: string }[];
  /** The ids of people who have unsubscribed, whom only they themselves can add again. */
  unsubscribed?: readonly string[];
  /** The address of the API, for the links in emails. */
  apiUrl: string;
}

export interface DeliveryPlace {
  workspaceId: string;
  deliveryId: string;
}

export type RunPlace = DeliveryPlace & { runId: string };
export type MailPlace = RunPlace & { userId: string };

export const RUN_STATUSES = ['queued', 'sent', 'skipped', 'failed'] as const;
export const MAIL_STATUSES = ['queued', 'sent', 'skipped', 'failed'] as const;
/** Why the receiver did not accept what was sent. */
export const MAIL_FAILURES = ['REFUSED'] as const;

export interface DeliveryTrigger {
  kind: 'manual' | 'schedule';
  scheduledAt: string | null;
  /** The user who sent it. */
  actor: string | null;
}

/** A run as stored. */
export interface StoredRun {
  id: string;
  workspaceId: string;
  status: (typeof RUN_STATUSES)[number];
  /** Why it was skipped. */
  reason: string | null;
  trigger: DeliveryTrigger;
  /** The people and the targets. */
  recipients: readonly DeliveryRecipient[];
  /** The people. */
  recipientCount: number;
  createdAt: string;
  finishedAt: string | null;
}

/** A mail as stored, with details of its kind; what it says is removed once it is sent. */
export interface StoredMail<Content = unknown> extends DeliveryRecipient {
  status: (typeof MAIL_STATUSES)[number];
  /** Why the recipient gets nothing. */
  reason: string | null;
  sentAt: string | null;
  /** How often it was sent; claiming it counts. */
  attempts?: number;
  /** No other attempt is made before this instant. */
  claimedUntil?: string;
  /** Why the last attempt failed, without anything of the response. */
  lastError?: string | null;
  /** What the receiver of a request answered last. */
  responseStatus?: number | null;
  content?: Content;
}

export type MailEnding = Pick<StoredMail, 'status' | 'reason' | 'sentAt'> &
  Partial<Pick<StoredMail, 'attempts' | 'lastError' | 'responseStatus'>>;

export type NewRun = { id: string; trigger: DeliveryTrigger; at: Date };

export const newRun = (delivery: Delivery, { id, trigger, at }: NewRun): StoredRun => ({
  id,
  workspaceId: delivery.workspaceId,
  status: 'queued',
  reason: null,
  trigger,
  recipients: receiversOf(delivery),
  recipientCount: delivery.recipients.length,
  createdAt: at.toISOString(),
  finishedAt: null,
});
