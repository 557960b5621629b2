import { defineRoute } from '../../../shared/platform/http/route.ts';
import { unsubscribeRoutes } from '../../delivery/schedules/unsubscribe-routes.ts';
import {
  Candidates,
  CandidatesQuery,
  CommentParams,
  CommentsQuery,
  CommentThreads,
  CreateComment,
  Follow,
  ResourceParams,
  UpdateComment,
  WrittenComment,
} from './schemas.ts';

export const createComment = defineRoute({
  operationId: 'createComment',
  method: 'POST',
  path: '/api/comments',
  summary: 'Create a comment',
  description:
    'Everyone who sees the object may comment on it, unless the workspace restricts that (`comments`). A reply to a reply joins the same thread. Mentioned people are notified if they see the object; `mentioned` reports whether each of them is.',
  permission: 'comments:write',
  body: CreateComment,
  success: { status: 201, body: WrittenComment },
  errors: [
    'COMMENT_OBJECT_NOT_FOUND',
    'COMMENT_PARENT_DELETED',
    'COMMENTS_OFF',
    'COMMENTS_RESTRICTED',
    'TOO_MANY_COMMENTS',
    'RATE_LIMITED',
  ],
  idempotent: true,
  audit: 'comment.created',
});

export const updateComment = defineRoute({
  operationId: 'updateComment',
  method: 'PUT',
  path: '/api/comments/{id}',
  summary: 'Update a comment',
  description:
    'Only the author can edit the text; `editedAt` has the time of the edit. Everyone who may comment can resolve and reopen threads. The author of a thread and editors of the object can change its context. People who are mentioned for the first time are notified.',
  permission: 'comments:write',
  params: CommentParams,
  body: UpdateComment,
  success: { status: 200, body: WrittenComment },
  errors: ['COMMENT_NOT_FOUND', 'COMMENT_IS_REPLY', 'COMMENTS_OFF', 'COMMENTS_RESTRICTED'],
  audit: 'comment.updated',
});

export const deleteComment = defineRoute({
  operationId: 'deleteComment',
  method: 'DELETE',
  path: '/api/comments/{id}',
  summary: 'Delete a comment',
  description:
    'The author, editors of the object and admins can delete a comment. The first comment of a thread with replies stays, without its text, until the last reply is deleted.',
  permission: 'comments:write',
  params: CommentParams,
  success: { status: 204 },
  errors: ['COMMENT_NOT_FOUND'],
  audit: 'comment.deleted',
});

export const listComments = defineRoute({
  operationId: 'listComments',
  method: 'GET',
  path: '/api/comments/{resourceType}/{resourceId}',
  summary: 'List comments',
  description:
    'Returns the threads of the object and of all its parts, or those of one part. If a person sends the request, it also counts as opening the object: no email reports comments that were written before.',
  permission: 'comments:read',
  params: ResourceParams,
  query: CommentsQuery,
  success: { status: 200, body: CommentThreads },
  errors: ['COMMENT_OBJECT_NOT_FOUND'],
});

export const listCommentCandidates = defineRoute({
  operationId: 'listCommentCandidates',
  method: 'GET',
  path: '/api/comments/{resourceType}/{resourceId}/candidates',
  summary: 'List people to mention',
  permission: 'comments:read',
  params: ResourceParams,
  query: CandidatesQuery,
  success: { status: 200, body: Candidates },
  errors: ['COMMENT_OBJECT_NOT_FOUND'],
});

export const followObject = defineRoute({
  operationId: 'followObject',
  method: 'PUT',
  path: '/api/comments/{resourceType}/{resourceId}/follow',
  summary: 'Follow an object',
  description:
    'People automatically follow objects that they own or comment on, until they choose a state here. Following also turns emails about the object back on after an unsubscribe link has turned them off.',
  permission: 'comments:write',
  params: ResourceParams,
  body: Follow,
  success: { status: 200, body: Follow },
  errors: ['COMMENT_OBJECT_NOT_FOUND'],
});

export const { page: getNotificationsUnsubscribePage, leave: unsubscribeFromNotifications } = unsubscribeRoutes({
  path: '/api/comments/unsubscribe',
  noun: 'comment',
  operationIds: { page: 'getNotificationsUnsubscribePage', leave: 'unsubscribeFromNotifications' },
});
