/**
 * The public API of this domain; everything else is internal.
 *
 * What can be commented on is registered in `shared/domains/upkeep/subject-kinds`. A kind with a text of its own has
 * `anchorText`, which finds quoted words when a thread about them is written. When the text changes, its domain reads
 * the `threads` of the object and stores with `moveWords` where the words of each are now; with `decideItem` it accepts
 * or rejects a suggestion.
 */
export { type EndedSubject, endSubject, subjectCleanUps } from './clean-ups.ts';
export { commentTexts } from './comment-texts.ts';
export {
  ANCHOR_STATES,
  Anchor,
  CommentContext,
  contextOf,
  isTextContext,
  partOf,
  ShownContext,
  type TextContext,
} from './contexts.ts';
export type { CommentPlace } from './keys.ts';
export { COMMENT, MENTION, REPLY } from './kinds.ts';
export { groupOf, type MentionId, mentionsIn, plainText } from './mentions.ts';
export {
  COMMENT_SETTINGS,
  type CommentSetting,
  type LocatedComment,
  MAX_CONTENT,
  MAX_GROUP_FOR_ALL,
  MAX_MENTIONED_PEOPLE,
  MAX_MENTIONS,
  type Mentioned,
  type MentionReason,
  RESOLUTIONS,
  type StoredComment,
  type StoredThread,
} from './records.ts';
export { type CommentStore, commentStore, type MovedWords } from './store.ts';
export { isVisible, type Parts, partName, partsOf, quoteFor, seesOwnComments } from './visible.ts';
