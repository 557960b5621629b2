/**
 * When the mail about notifications of a kind is sent: `soon` two minutes later unless they were seen, `gathered` with
 * the others about the same subject, `urgent` after a minute with the others of that minute, or not at all. After 20
 * `urgent` mails within an hour, one mail an hour later has the rest.
 */
export type MailTiming = 'soon' | 'gathered' | 'urgent' | 'none';

/** A kind of notifications, as the domain that causes them declares it. */
export interface NotificationKind {
  name: string;
  /** What the actor did, such as `mentioned you`; stands behind their name. */
  phrase: string;
  mail: MailTiming;
  /** Whether one mail gathers those about every subject of the type, instead of those about one. */
  mailsTogether?: true;
  /** Whether its mails are sent, and not counted, where a person has had enough `urgent` ones. */
  mailsAlways?: true;
}

/** The object that notifications are about, of a type in `shared/domains/tenancy/subjects`. */
export interface SubjectRef {
  type: string;
  id: string;
}

/** Stands for every subject of a type: what mails gather, or what a person unsubscribes from. */
export const EVERY_SUBJECT = 'every';

/** A person, and the membership on which their notifications depend. */
export interface NotifiedPerson {
  workspaceId: string;
  userId: string;
  membershipId?: string | undefined;
  /** Outside the workspace: where mails go, and what the `userId` is made from. */
  address?: string | undefined;
}

/** An address outside the workspace, and the id that is made from it. */
export interface OutsideAddress {
  userId: string;
  address: string;
}

/** Something that people are notified of. */
export interface NewNotification {
  workspaceId: string;
  /** What happened: the same id and instant with each repetition, which then notifies no person again. */
  cause: { id: string; at: Date };
  kind: NotificationKind;
  subject: SubjectRef;
  /** The part of the subject that it is about, such as a comment. */
  partId?: string | undefined;
  /** The user who did it, who is not notified; null if no user did. */
  actorId: string | null;
  /** What happened, if no user did it. Readers may know the subject by different names, so it must not name it. */
  title?: string | undefined;
  /** Kept as it is. A kind whose texts may change or be protected registers a `NotificationTexts` instead. */
  text?: string | undefined;
  /** The address of the API, for the links in mails. */
  apiUrl: string;
}

/** A notification as stored. */
export interface StoredNotification extends NotifiedPerson {
  id: string;
  kind: string;
  phrase: string;
  subject: SubjectRef;
  partId: string | null;
  actorId: string | null;
  title: string | null;
  text: string | null;
  causedAt: string;
  /** Where its mark as unread is. */
  mark: string;
}

/** How a person follows a subject. */
export interface Follow {
  userId: string;
  membershipId?: string | undefined;
  state: FollowState;
  /** Whether the person has unsubscribed from mails about the subject. */
  noMail?: true;
  changedAt: string;
}

/**
 * `following`: notified of everything. `unfollowed`: only of what is addressed to the person, such as a mention.
 * `muted`: of nothing.
 */
export const FOLLOW_STATES = ['following', 'unfollowed', 'muted'] as const;
export type FollowState = (typeof FOLLOW_STATES)[number];

/** Notifications of a person about one subject that one mail will list. */
export interface MailBatch extends NotifiedPerson {
  /** Another one once a mail has begun to list its notifications. */
  id: string;
  subject: SubjectRef;
  timing: Exclude<MailTiming, 'none'>;
  apiUrl: string;
  /** When its first and its last notification were written; absent while it has none. */
  firstAt?: string;
  lastAt?: string;
  lastId: string;
  /** Whether it has a notification whose mail is sent however many there were. */
  isAlways?: true;
  /** Whether it waits because the person has had enough mails. */
  isHeld?: true;
  /** The batch that a mail lists now, and until when no other worker does. */
  sendingId?: string;
  claimedUntil?: string;
}
