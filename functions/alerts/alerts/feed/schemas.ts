import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ALERT_STATES, EDGES, FieldCondition } from '../../../../shared/domains/alerts/conditions/index.ts';
import { SEVERITIES } from '../../../../shared/domains/alerts/rules/index.ts';
import { Cursor, Id, Nullable, StrictObject, StringEnum, Timestamp } from '../../../../shared/platform/http/schemas.ts';

export const FeedQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'The maximum number of items to return.' }),
  cursor: Type.Optional(Cursor),
  kinds: StringEnum(['alert', 'all'], {
    default: 'alert',
    description: 'Whether to list only notifications of alerts, or also those of comments and stories.',
  }),
});
export type FeedQuery = Static<typeof FeedQuery>;

const FiredAlert = Type.Object(
  {
    alertId: Id,
    name: Type.String(),
    severity: StringEnum(SEVERITIES),
    edge: StringEnum(EDGES, {
      description:
        '`fire` and `recover`; `repeat` while the condition is still met; `woke` with a summary after a snooze; the others are for the owner.',
    }),
    state: StringEnum(ALERT_STATES),
    value: Nullable(Type.Number({ description: 'Null if there is no value, or if it is hidden.' })),
    group: Nullable(Type.String()),
    operator: FieldCondition.properties.operator,
    threshold: FieldCondition.properties.threshold,
    episodeId: Nullable(Type.String({ description: 'The same for all notifications from firing to recovery.' })),
    isHidden: Type.Boolean({
      description: 'Whether the value is hidden, because the reader no longer sees the rows that it was computed from.',
    }),
  },
  { $id: 'FiredAlert', description: 'The alert of a notification, with the values that its reader may see now.' },
);

const Actor = Type.Object(
  { id: Id, name: Nullable(Type.String()) },
  {
    $id: 'NotificationActor',
    description: 'Who caused the notification.',
  },
);

export const FeedItem = Type.Object(
  {
    id: Type.Unsafe<string>({ ...Id, description: 'Sorts by time.' }),
    kind: Type.String({ description: '`alert`, or the kind of another notification.' }),
    isUnread: Type.Boolean(),
    at: Timestamp,
    title: Type.String(),
    text: Nullable(Type.String()),
    url: Nullable(
      Type.String({ description: 'The page of the object for people, relative to the address of the API.' }),
    ),
    subject: Type.Object(
      { type: Type.String(), id: Type.String(), name: Type.String() },
      { $id: 'NotificationSubject', description: 'The object of the notification.' },
    ),
    actor: Nullable(Actor),
    alert: Nullable(FiredAlert),
  },
  { $id: 'FeedItem', description: 'A notification.' },
);
export type FeedItem = Static<typeof FeedItem>;

export const Feed = Type.Object(
  {
    items: Type.Array(FeedItem, { description: 'Notifications of the last 90 days, newest first.' }),
    unread: Type.Integer({ description: 'The number of unread notifications of these kinds, counted up to 100.' }),
    nextCursor: Nullable(Cursor),
  },
  { $id: 'AlertFeed', description: 'Notifications of the caller.' },
);
export type Feed = Static<typeof Feed>;

export const MarkRead = StrictObject(
  {
    upTo: Type.Optional(
      Type.Unsafe<string>({
        ...Id,
        description: 'Marks the items that the feed has shown, up to this one.',
      }),
    ),
    ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 100, description: 'Marks only these items.' })),
  },
  {
    $id: 'MarkRead',
    description:
      'Which notifications to mark as read; by default, all that the feed has shown to the caller, so newer ones stay unread. If the caller has never read the feed, all are marked.',
  },
);
export type MarkRead = Static<typeof MarkRead>;

export const Unread = Type.Object(
  { unread: Type.Integer({ description: 'The number of notifications that are still unread, counted up to 100.' }) },
  { $id: 'UnreadCount', description: 'The unread notifications of the caller.' },
);
export type Unread = Static<typeof Unread>;
