import {
  type Announcement,
  announcementItem,
  announceNow,
  type NotificationKind,
} from '../../../../shared/domains/delivery/notifications/index.ts';
import type {
  Reviewer,
  ReviewRound,
  StoryRecord,
  StoryVersion,
} from '../../../../shared/domains/stories/stories/index.ts';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import type { Table, TransactItem } from '../../../../shared/platform/storage/table.ts';

const PUBLISHED: NotificationKind = { name: 'story-published', phrase: 'published', mail: 'gathered' };
const REVIEW_REQUESTED: NotificationKind = {
  name: 'story-review-requested',
  phrase: 'asked you to review',
  mail: 'soon',
};
const REVIEW_DECIDED: NotificationKind = { name: 'story-review-decided', phrase: 'reviewed', mail: 'gathered' };
const ASSIGNED: NotificationKind = {
  name: 'story-section-assigned',
  phrase: 'assigned a section to you in',
  mail: 'soon',
};

const SUGGESTION_ACCEPTED: NotificationKind = {
  name: 'story-suggestion-accepted',
  phrase: 'accepted your suggestion for',
  mail: 'gathered',
};

/** Suggestions for one section that were accepted at once. */
interface AcceptedNotice {
  sectionId: string;
  commentIds: readonly string[];
  seq: number;
  by: string;
  at: string;
  authorIds: readonly string[];
}

/** Notifies people of what happens to stories. */
export interface Announcer {
  published(record: StoryRecord, version: StoryVersion): Announcement;
  requested(record: StoryRecord, review: ReviewRound): Announcement;
  decided(record: StoryRecord, review: ReviewRound, by: Reviewer): Announcement;
  assigned(record: StoryRecord, section: { id: string; assigneeId: string; by: string; at: string }): Announcement;
  suggestionsAccepted(record: StoryRecord, accepted: AcceptedNotice): Announcement;
  /** Must be part of the transaction of the act. */
  item(announcement: Announcement): TransactItem;
  /** After the transaction. */
  now(announcement: Announcement): Promise<void>;
}

export function announcer(
  table: Table,
  { apiUrl, onError }: { apiUrl: string; onError(error: Error): void },
): Announcer {
  const about = ({ workspaceId, id }: StoryRecord) => ({ workspaceId, subject: { type: 'story', id }, apiUrl });
  return {
    published: (record, { version, publishedAt, publishedBy }) => ({
      ...about(record),
      cause: { id: idFrom('story-published', record.id, version), at: publishedAt },
      actorId: publishedBy,
      audiences: [{ kind: PUBLISHED, followers: true }],
    }),
    requested: (record, { round, requestedAt, requestedBy, reviewers, note }) => ({
      ...about(record),
      cause: { id: idFrom('story-review', record.id, round), at: requestedAt },
      actorId: requestedBy,
      ...(note === null ? {} : { text: note }),
      audiences: [{ kind: REVIEW_REQUESTED, userIds: reviewers.map(({ userId }) => userId) }],
    }),
    decided: (record, { round, requestedBy }, { userId, at, decision }) => ({
      ...about(record),
      cause: { id: idFrom('story-decision', record.id, round, userId, at!), at: at! },
      actorId: userId,
      text: decision === 'approved' ? 'Approved' : 'Changes requested',
      audiences: [{ kind: REVIEW_DECIDED, userIds: [...new Set([requestedBy, record.ownerId])] }],
    }),
    assigned: (record, { id: partId, assigneeId, by, at }) => ({
      ...about(record),
      cause: { id: idFrom('story-assignment', record.id, partId, assigneeId, at), at },
      partId,
      actorId: by,
      audiences: [{ kind: ASSIGNED, userIds: [assigneeId] }],
    }),
    suggestionsAccepted: (record, { sectionId: partId, commentIds, seq, by, at, authorIds }) => ({
      ...about(record),
      cause: { id: idFrom('story-suggestions', record.id, partId, seq, ...commentIds), at },
      partId,
      actorId: by,
      audiences: [{ kind: SUGGESTION_ACCEPTED, userIds: authorIds }],
    }),
    item: (announcement) => announcementItem(table, announcement),
    now: (announcement) => announceNow(table, announcement, onError),
  };
}
