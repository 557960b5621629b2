import type { DeliveryPerson, DeliveryRecipient } from './people.ts';
import type { DeliveryTimes } from './times.ts';

/** Something that is sent to its recipients on a schedule. */
export interface Delivery extends DeliveryTimes {
  id: string;
  workspaceId: string;
  /** The delivery stops when this person leaves the workspace. */
  owner: DeliveryPerson;
  recipients: readonly DeliveryRecipient[];
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
export const MAIL_STATUSES = ['queued', 'sent', 'skipped'] as const;

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
  recipients: readonly DeliveryRecipient[];
  recipientCount: number;
  createdAt: string;
  finishedAt: string | null;
}

/** A mail as stored, with details of its kind; what it says is removed once it is sent. */
export interface StoredMail<Content = unknown> extends DeliveryRecipient {
  status: (typeof MAIL_STATUSES)[number];
  /** Why the person gets no email. */
  reason: string | null;
  sentAt: string | null;
  content?: Content;
}

export type NewRun = { id: string; trigger: DeliveryTrigger; at: Date };

export const newRun = ({ workspaceId, recipients }: Delivery, { id, trigger, at }: NewRun): StoredRun => ({
  id,
  workspaceId,
  status: 'queued',
  reason: null,
  trigger,
  recipients,
  recipientCount: recipients.length,
  createdAt: at.toISOString(),
  finishedAt: null,
});
