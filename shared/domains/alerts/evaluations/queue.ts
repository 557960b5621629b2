import { type MessageQueue, messageQueue } from '../../../platform/messaging/message-queue.ts';

/** Why rules are evaluated, and the instant that orders their evaluations. */
export interface Trigger {
  kind: 'schedule' | 'version' | 'manual';
  at: string;
}

export type AlertMessage =
  /** An instant of schedules: of every rule of the workspace that has it. */
  | { op: 'due'; workspaceId: string; at: string }
  /** A new version of a dataset, for every rule that reads it. */
  | { op: 'version'; workspaceId: string; datasetId: string; at: string }
  | { op: 'evaluate'; workspaceId: string; alertIds: string[]; trigger: Trigger }
  /** The snooze of a person is over. */
  | { op: 'woke'; workspaceId: string; alertId: string; userId: string }
  /** Notices that an interrupted worker has left. */
  | { op: 'notices'; workspaceId: string; alertId: string; classKey: string };

export type AlertQueue = MessageQueue<AlertMessage>;

export const alertQueue = (url: string): AlertQueue => messageQueue<AlertMessage>(url);
