import type { Silence } from '../../delivery/notifications/index.ts';
import type { FollowedWords } from '../../tenancy/subjects/index.ts';
import type { Anchor, CommentContext } from './contexts.ts';
import type { CommentPlace } from './keys.ts';

export const MAX_CONTENT = 10_000;
export const MAX_MENTIONS = 50;
/** Of a subject, with its parts. */
export const MAX_COMMENTS = 5_000;
export const MAX_REPLIES = 100;
export const MAX_A_MINUTE = 20;
/** The people of all mentions of a comment together. */
export const MAX_MENTIONED_PEOPLE = 1_000;
/** Only those who may change the object mention a larger group. */
export const MAX_GROUP_FOR_ALL = 200;

export const COMMENT_SETTINGS = ['everyone', 'editors', 'off'] as const;
export type CommentSetting = (typeof COMMENT_SETTINGS)[number];

export const RESOLUTIONS = ['resolved', 'accepted', 'rejected'] as const;

/** Why a person who is mentioned is not notified, or gets no email. */
export type MentionReason = 'NO_ACCESS' | Silence;

export interface Mentioned {
  id: string;
  notified: boolean;
  reason?: MentionReason;
}

/** A thread without its texts. */
export interface StoredThread {
  id: string;
  authorId: string;
  context: CommentContext;
  /** Of a point: the digest of what its chart reads. */
  rowsOf?: string;
  /** Of words of a text: where they are, for readers and for the next change of the text. */
  anchor?: Anchor;
  words?: FollowedWords;
  replyCount: number;
  /** Whether the root is a tombstone. */
  isRootDeleted?: true;
  resolvedAt: string | null;
  resolvedBy: string | null;
  resolution: (typeof RESOLUTIONS)[number] | null;
  createdAt: string;
  updatedAt: string;
}

export interface StoredComment {
  id: string;
  threadId: string;
  parentId: string | null;
  authorId: string;
  /** As it was when the comment was written, for readers after the author has left. */
  authorName: string;
  /** Null in a tombstone. */
  content: string | null;
  editedAt: string | null;
  deletedAt: string | null;
  deletedBy: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface LocatedComment {
  place: CommentPlace;
  thread: StoredThread;
  comment: StoredComment;
}
