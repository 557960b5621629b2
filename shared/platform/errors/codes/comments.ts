import type { ErrorTable } from '../error-kind.ts';

export const COMMENT_ERRORS = {
  COMMENT_NOT_FOUND: [
    'notFound',
    'The workspace has no such comment, or it was deleted. List them with GET /api/comments/{resourceType}/{resourceId}.',
  ],
  COMMENT_OBJECT_NOT_FOUND: [
    'notFound',
    'The workspace has no such object to comment on. Check `resourceType` and `resourceId`.',
  ],
  COMMENT_PARENT_DELETED: ['conflict', 'The thread was deleted. Begin another one.'],
  COMMENT_IS_REPLY: [
    'conflict',
    'Only the first comment of a thread can be resolved, or be about something else. Change that one.',
  ],
  COMMENTS_OFF: [
    'conflict',
    'Comments are turned off in the workspace. An admin turns them on with PATCH /api/workspaces/current.',
  ],
  COMMENTS_RESTRICTED: [
    'forbidden',
    'In this workspace, only editors of the object comment on it. Ask an admin to open comments to everyone with PATCH /api/workspaces/current.',
  ],
  TOO_MANY_COMMENTS: ['conflict', 'The object has 5,000 comments, its maximum. Delete some first.'],
} as const satisfies ErrorTable;
