import type { RichText } from '../../../data/rich-text/index.ts';
import type { TextReads } from './quoted-tables.ts';
import type { DECISIONS, MODES, SECTION_STATUSES, SectionAi, SOURCES, VISIBILITIES } from './schemas.ts';

/** What lists and readers need to know of the published version. */
export interface Published {
  version: number;
  at: string;
  by: string;
  title: string;
  summary: string | null;
  mode: StoryMode;
  /** The `editSeq` of the story at that time. */
  editSeq: number;
  sectionCount: number;
  /** What it keeps of the data that it shows, with the mode `snapshot`. */
  pinsId?: string | undefined;
  /** What the draft was then, to recognise later edits; see `stateOf`. */
  state: string;
  /** Tells versions apart that have other texts, not those with other titles. */
  meaning: string;
}

export type StoryMode = (typeof MODES)[number];

export interface Reviewer {
  userId: string;
  decision: (typeof DECISIONS)[number] | null;
  note: string | null;
  at: string | null;
  /** The state of the draft that the reviewer has decided on. */
  state: string | null;
}

export interface ReviewRound {
  round: number;
  requestedBy: string;
  requestedAt: string;
  note: string | null;
  reviewers: Reviewer[];
}

/** A story as stored, without its sections. */
export interface StoryRecord {
  id: string;
  workspaceId: string;
  title: string;
  summary: string | null;
  mode: StoryMode;
  ownerId: string;
  /** The number of changes of title, summary and mode. */
  editSeq: number;
  /** Who has last changed the title or the summary; its creator if absent. */
  titleBy?: string;
  /** Whether an API key of this person has. */
  titleByKey?: boolean;
  titleAt?: string;
  /** In their order. */
  sectionIds: string[];
  published: Published | null;
  /** The request that published the newest version, so that its repetition makes no other one. */
  publishRequest?: string | undefined;
  review: ReviewRound | null;
  /** The request that opened the round, so that its repetition opens no other one. */
  reviewRequest?: string | undefined;
  /** The number of rounds so far. */
  reviewRounds: number;
  archivedAt: string | null;
  deletedAt: string | null;
  deletedBy: string | null;
  createdBy: string;
  updatedBy: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

/** A section as stored, without its content. */
export interface SectionRecord {
  id: string;
  title: string | null;
  source: (typeof SOURCES)[number];
  ai: SectionAi | null;
  status: (typeof SECTION_STATUSES)[number];
  assigneeId: string | null;
  /** Shown as `dueAt`, which is the name of an index of the table. */
  workDueAt: string | null;
  readOnly: boolean;
  /** Only these may edit it; everyone with the right if it is empty. */
  editorIds: string[];
  visibility: (typeof VISIBILITIES)[number];
  /** The tables that its texts have read since it was last opened to everyone. */
  reads: TextReads;
  /** What these tables let the last author see. */
  rightsClass: string | null;
  /** Whether a language model has taken part in its texts since it was last opened to everyone. */
  aiText: boolean;
  /** The number of changes of title, content, source and AI. */
  editSeq: number;
  /** The `editSeq` at which the content was written. */
  textSeq: number;
  /** The `editSeq` of the contents that are kept, oldest first. */
  kept: number[];
  blockIds: string[];
  bytes: number;
  editedBy: string;
  /** Whether an API key of this person has written the text. */
  editedByKey?: boolean;
  editedAt: string;
  createdBy: string;
  updatedBy: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

/** What decides who sees a text. */
export type TextRights = Pick<SectionRecord, 'visibility' | 'editedBy' | 'rightsClass' | 'reads'>;

export interface Section extends SectionRecord {
  content: RichText;
}

export interface SectionLock {
  sectionId: string;
  lockId: string;
  holderId: string;
  holderName: string;
  /** Without this membership the lock does not count. */
  membershipId: string | null;
  acquiredAt: string;
  renewedAt: string;
  /** The past if the lock was taken away. */
  expiresAt: string;
  /** Present if the owner or an admin has ended the lock before the holder did. */
  takenAwayBy?: string | undefined;
}

/** A story without the contents of its sections. */
export interface StoryState {
  record: StoryRecord;
  /** In order. */
  sections: readonly SectionRecord[];
  locks: ReadonlyMap<string, SectionLock>;
  /** The removed sections that were not shown to everyone. */
  removed: ReadonlyMap<string, TextRights>;
  /** For each bucket of block ids, how often blocks were added. */
  blockAdditions: ReadonlyMap<number, number>;
}

export const REVISION_REASONS = ['refused', 'overwritten', 'removed', 'restored'] as const;

/** A text that is kept although it is not, or no longer, part of the story. */
export interface Revision {
  id: string;
  sectionId: string;
  reason: (typeof REVISION_REASONS)[number];
  title: string | null;
  /** Who has written it. */
  by: string;
  /** When it was refused, overwritten or removed. */
  at: string;
  /** The `editSeq` of the section that it is, or is based on. */
  editSeq: number | null;
  /** Those of the section, so that a text that is hidden stays hidden. */
  visibility: SectionRecord['visibility'];
  reads: TextReads;
  rightsClass: string | null;
}

/** A title and a summary of the story that are kept although they were refused or overwritten. */
export interface TitleRevision {
  id: string;
  reason: 'refused' | 'overwritten';
  title: string;
  summary: string | null;
  by: string;
  at: string;
  editSeq: number;
}

export const ACTIVITIES = [
  'created',
  'updated',
  'section_added',
  'section_edited',
  'section_removed',
  'sections_reordered',
  'section_work_changed',
  'section_editors_changed',
  'section_made_read_only',
  'section_opened',
  'section_visibility_changed',
  'lock_taken_away',
  'suggestion_accepted',
  'suggestion_rejected',
  'published',
  'version_restored',
  'review_requested',
  'review_closed',
  'review_decided',
  'archived',
  'unarchived',
  'shared_to_chat',
] as const;

/** What has happened, without texts. */
export interface Activity {
  /** Newer ones have higher ids. */
  id: number;
  action: (typeof ACTIVITIES)[number];
  by: string;
  at: string;
  sectionId: string | null;
  version: number | null;
}

export interface StoryVersion {
  version: number;
  title: string;
  summary: string | null;
  mode: StoryMode;
  publishedBy: string;
  publishedAt: string;
  sectionCount: number;
  /** The version whose texts were restored; null for a published draft. */
  restoredFrom: number | null;
  /** Why it was published without the required review. */
  overrideReason: string | null;
}

/** What a version preserves. */
export interface StorySnapshot {
  title: string;
  summary: string | null;
  mode: StoryMode;
  sections: Section[];
}
