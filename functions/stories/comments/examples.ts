import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CREATED_AT, IDS } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const content = `@[Grace Hopper](user:${IDS.colleague}) why do sales drop in March?`;

const comment = {
  id: '019b2d40-1a6c-7f10-8b2e-5d4c3b2a1f60',
  workspaceId: IDS.workspace,
  resourceType: 'dashboard',
  resourceId: IDS.dashboard,
  parentId: null,
  context: { kind: 'card', cardId: 'revenue' },
  author: { id: IDS.user, name: 'Ada Lovelace' },
  content,
  mentions: [{ id: IDS.colleague, name: 'Grace Hopper' }],
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  editedAt: null,
  deletedAt: null,
  deletedBy: null,
  resolvedAt: null,
  resolvedBy: null,
  resolution: null,
  anchor: { state: 'anchored', score: null, text: null },
  replyCount: 0,
};
const written = { ...comment, mentioned: [{ id: IDS.colleague, notified: true }], warning: null };
const reply = {
  ...{ id: '019b2d41-2b7d-7a21-9c3f-6e5d4c3b2a71', workspaceId: IDS.workspace },
  ...{ resourceType: 'dashboard', resourceId: IDS.dashboard, parentId: comment.id, context: comment.context },
  author: { id: IDS.colleague, name: 'Grace Hopper' },
  ...{ content: 'A large customer paid in April.', mentions: [], createdAt: CREATED_AT, updatedAt: CREATED_AT },
  ...{ editedAt: null, deletedAt: null, deletedBy: null },
};

export const examples: ExamplesOf<typeof routes> = {
  createComment: {
    request: {
      resourceType: 'dashboard',
      resourceId: IDS.dashboard,
      context: { kind: 'card', cardId: 'revenue' },
      content,
      mentions: [IDS.colleague],
    },
    reply: written,
  },
  updateComment: {
    request: { isResolved: true },
    reply: {
      ...written,
      mentioned: [],
      ...{ resolvedAt: CREATED_AT, resolvedBy: IDS.colleague, resolution: 'resolved', replyCount: 1 },
    },
  },
  deleteComment: {},
  listComments: {
    reply: {
      items: [{ ...comment, replyCount: 1, replies: [reply] }],
      ...{ total: 1, limit: 50, offset: 0, counts: { open: 1, resolved: 0, orphaned: 0 } },
      parts: [{ type: 'card', id: 'revenue', open: 1 }],
      ...{ mayComment: true, comments: 'everyone', following: 'following', warning: null },
    },
  },
  listCommentCandidates: {
    reply: {
      items: [
        { id: IDS.colleague, type: 'user', name: 'Grace Hopper', email: 'grace@example.com', hasAccess: true },
        { id: `group:${IDS.group}`, type: 'group', name: 'Finance', email: null, hasAccess: null },
      ],
    },
  },
  followObject: { request: { state: 'following' }, reply: { state: 'following' } },
  getNotificationsUnsubscribePage: {},
  unsubscribeFromNotifications: { request: { 'List-Unsubscribe': 'One-Click' } },
};
