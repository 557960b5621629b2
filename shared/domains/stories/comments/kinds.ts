import type { NotificationKind } from '../../delivery/notifications/index.ts';

export const MENTION = {
  name: 'comment.mention',
  phrase: 'mentioned you',
  mail: 'soon',
} as const satisfies NotificationKind;

export const REPLY = { name: 'comment.reply', phrase: 'replied', mail: 'gathered' } as const satisfies NotificationKind;

export const COMMENT = {
  name: 'comment.created',
  phrase: 'commented',
  mail: 'gathered',
} as const satisfies NotificationKind;
