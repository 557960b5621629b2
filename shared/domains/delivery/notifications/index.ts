/**
 * Notifications: one item per person and cause, read by the feed and by mails.
 *
 * A domain that notifies people declares a `NotificationKind`, and
 *  - puts `announcementItem(table, announcement)` into the transaction of the act, then calls `announceNow`: nothing is
 *    lost if the process crashes in between, because the tick announces what is left. An audience is a list of users,
 *    or all who follow the subject;
 *  - or calls `notify` from work that is repeated until it succeeds.
 * Both may be repeated: a person has one notification of a cause, written on the condition that there is none.
 * `cause.id` and `cause.at` must therefore be the same each time.
 *
 * The subject is an object of a kind in `shared/domains/upkeep/subject-kinds`. Access to it is checked whenever a
 * notification is shown or sent, so it need not be checked before. Texts that may change, or that not every reader of
 * the subject may see, are not stored: their domain registers `NotificationTexts` in
 * `shared/domains/upkeep/notification-texts`.
 *
 * Mails wait: two minutes for kinds with `mail: 'soon'`, and for `'gathered'` until five minutes after the last, at
 * most thirty after the first, in one mail for each person and subject. `'urgent'` ones wait a minute, and are limited
 * to twenty an hour. Call `mailBatches(table).seen` when a person opens a subject: what they see needs no mail.
 */
export {
  ANNOUNCEMENT_PARTITION,
  type Announcement,
  announceItemAt,
  announcementItem,
  announceNow,
} from './announcements.ts';
export { type ClaimedBatch, MAIL_BATCH_PARTITIONS, type MailBatches, mailBatches } from './batches.ts';
export { endFollows, notificationCleanUps } from './end-notifications.ts';
export { type Follows, follows } from './follows.ts';
export { type ListedNotifications, listedNotifications } from './listed.ts';
export { MAX_MAILS_AN_HOUR } from './mail-limit.ts';
export { KEPT_DAYS, notificationId, notify, notifyAddresses, SILENCES, type Silence, silenceOf } from './notify.ts';
export { MAX_UNREAD, type NotificationReader, notificationReader, type PersonalNotification } from './reader.ts';
export {
  EVERY_SUBJECT,
  FOLLOW_STATES,
  type Follow,
  type FollowState,
  type MailBatch,
  type NewNotification,
  type NotificationKind,
  type NotifiedPerson,
  type OutsideAddress,
  type StoredNotification,
  type SubjectRef,
} from './records.ts';
export {
  countUnread,
  listShown,
  type NotificationTexts,
  type OutsideReader,
  type SeeSubject,
  type ShowDeps,
  type ShownNotification,
  sentenceOf,
  showNotifications,
  showOutside,
} from './show-notifications.ts';
export { type MailTokens, mailTokens, subscribedPerson, unsubscribeByLink } from './unsubscribe.ts';
