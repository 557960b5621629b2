import type { Role } from '../../../platform/auth/permissions.ts';

/** An invitation that is neither accepted nor withdrawn: both remove it. */
export interface InvitationRecord {
  id: string;
  workspaceId: string;
  companyId: string;
  email: string;
  role: Role;
  /** Groups that the person joins with the workspace. */
  groupIds: string[];
  invitedBy: string;
  /** Counts how often it was sent: only the token of the last time is valid. */
  serial: number;
  /** The version of the master secret that signs the token. */
  secretVersion: number;
  /**
   * Whether the reply to the admin had the token of this serial, because the deployment sends no mail: then it proves
   * nothing about who accepts it.
   */
  isTokenShown: boolean;
  validUntil: string;
  /** When SES took the mail of this serial; null before, and in a deployment without mail. */
  sentAt: string | null;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

export const INVITATION_DAYS = 7;

export const validUntil = (now: Date): string =>
  new Date(now.getTime() + INVITATION_DAYS * 24 * 60 * 60 * 1000).toISOString();

/** Whether the token of the invitation came by mail alone, so that who has it owns the mailbox. */
export const isMailed = ({ isTokenShown }: InvitationRecord): boolean => !isTokenShown;

export const isPending = (invitation: InvitationRecord, now: Date): boolean =>
  invitation.validUntil > now.toISOString();
