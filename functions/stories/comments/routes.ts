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
    'Everyone who sees the object may comment on it, unless the workspace restricts that (`comments`). A reply to a reply joins the same thread. People who are mentioned are notified if they see the object; `mentioned` reports who is.',
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
    'Authors edit their comments, which `editedAt` shows. Everyone who may comment resolves and reopens threads; authors and editors of the object set what a thread is about. People who are mentioned for the first time are notified.',
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
    'For its author, editors of the object, and admins. The first comment of a thread with replies stays as an empty one until the last reply is deleted.',
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
    'Returns the threads of the object and of all its parts, or those of one part. For people, the request also counts as having seen the object: no email reports what was written before.',
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
    'People follow what they own or comment on by themselves, once; what they choose here stays. Following also brings back emails that the link in one has ended.',
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
