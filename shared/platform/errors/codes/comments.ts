import type { ErrorTable } from '../error-kind.ts';

export const COMMENT_ERRORS = {
  COMMENT_NOT_FOUND: [
    'notFound',
    'The workspace has no such comment, or the comment was deleted. List comments with GET /api/comments/{resourceType}/{resourceId}.',
  ],
  COMMENT_OBJECT_NOT_FOUND: [
    'notFound',
    'The workspace has no such object to comment on. Check `resourceType` and `resourceId`.',
  ],
  COMMENT_PARENT_DELETED: ['conflict', 'The thread was deleted. Start a new thread.'],
  COMMENT_IS_REPLY: [
    'conflict',
    'Only the first comment of a thread can be resolved or moved to another context. Update the first comment instead.',
  ],
  COMMENTS_OFF: [
    'conflict',
    'Comments are turned off in the workspace. Ask an admin to turn them on with PATCH /api/workspaces/current.',
  ],
  COMMENTS_RESTRICTED: [
    'forbidden',
    'In this workspace, only editors of an object may comment on it. Ask an admin to allow comments by everyone with PATCH /api/workspaces/current.',
  ],
  TOO_MANY_COMMENTS: ['conflict', 'The object has reached its maximum of 5,000 comments. Delete some comments first.'],
} as const satisfies ErrorTable;
