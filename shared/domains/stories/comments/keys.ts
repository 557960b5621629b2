import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import type { SubjectRef } from '../../delivery/notifications/index.ts';

/** What a comment is on, in a workspace. */
export interface CommentPlace extends SubjectRef {
  workspaceId: string;
}

const areaKey = ({ workspaceId, type, id }: CommentPlace, sk: string): Key =>
  workspaceKey(workspaceId, `COMMENTS#${type}#${id}`, sk);

/** The number of comments of a subject. */
export const totalKey = (place: CommentPlace): Key => areaKey(place, '#TOTAL');

/** The state of a thread without its texts, so that all threads of a subject are read at little cost. */
export const threadKey = (place: CommentPlace, threadId: string): Key => areaKey(place, `THREAD#${threadId}`);
export const allThreads = (place: CommentPlace): Key => areaKey(place, 'THREAD#');

/** Up to which text of a section the words of threads were followed. */
export const followedKey = (place: CommentPlace, sectionId: string): Key => areaKey(place, `FOLLOWED#${sectionId}`);

/** The comments of a thread: the root and its replies, in the order of writing. */
export const commentKey = (place: CommentPlace, threadId: string, id: string): Key =>
  areaKey(place, `COMMENT#${threadId}#${id}`);
export const commentsOf = (place: CommentPlace, threadId: string): Key => areaKey(place, `COMMENT#${threadId}#`);

export const allOf = (place: CommentPlace): Key => areaKey(place, '');

/** Where a comment is, for requests that name nothing but its id. */
export const locatorKey = (workspaceId: string, id: string): Key => workspaceKey(workspaceId, 'COMMENT', id);

/** How many comments a person has written in a minute. */
export const rateKey = (workspaceId: string, userId: string, minute: string): Key =>
  workspaceKey(workspaceId, 'COMMENT-RATE', `${userId}#${minute}`);
