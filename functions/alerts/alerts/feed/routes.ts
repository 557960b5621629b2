import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { Feed, FeedQuery, MarkRead, Unread } from './schemas.ts';

export const readAlertFeed = defineRoute({
  operationId: 'readAlertFeed',
  method: 'GET',
  path: '/api/dashboard-alerts/feed',
  summary: 'Read the feed of notifications',
  description:
    'Lists the notifications of the caller, with the values that they may see now. The feed of an API key is empty.',
  permission: 'alerts:read',
  query: FeedQuery,
  success: { status: 200, body: Feed },
  errors: ['CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
});

export const markNotificationsRead = defineRoute({
  operationId: 'markNotificationsRead',
  method: 'POST',
  path: '/api/dashboard-alerts/mark-read',
  summary: 'Mark notifications as read',
  permission: 'alerts:write',
  body: MarkRead,
  optionalBody: true,
  success: { status: 200, body: Unread },
});
