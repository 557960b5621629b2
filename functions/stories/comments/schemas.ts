import type { Static } from 'typebox';
import * as Type from 'typebox';
import { FOLLOW_STATES } from '../../../shared/domains/delivery/notifications/index.ts';
import {
  Anchor,
  COMMENT_SETTINGS,
  CommentContext,
  MAX_CONTENT,
  MAX_MENTIONS,
  RESOLUTIONS,
  ShownContext,
} from '../../../shared/domains/stories/comments/index.ts';
import {
  Id,
  idParams,
  ListQuery,
  Nullable,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../../shared/platform/http/schemas.ts';

const ResourceType = Type.String({
  pattern: '^[a-z][a-z-]{0,31}$',
  description:
    'The type of the object: `dashboard`, `report`, `model`, `metric`, `saved-query` or `dataset`, or the type of a part: `card`, `block` or `field`.',
});
const ResourceId = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[A-Za-z0-9:_-]+$',
  description:
    'The id of the object. For a part: the id of its object, a colon, and the id of the part, such as `{dashboardId}:{cardId}`.',
});

const Content = Type.String({
  minLength: 1,
  maxLength: MAX_CONTENT,
  pattern: '\\S',
  description:
    'Plain text. `@[name](user:id)` mentions a member, and `@[name](group:id)` a group. Readers see the current names.',
});

const MentionId = Type.String({
  pattern: '^(group:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  description: 'The id of a user, or `group:` and the id of a group.',
});

export const CreateComment = StrictObject(
  {
    resourceType: ResourceType,
    resourceId: ResourceId,
    content: Content,
    parentId: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'The comment to reply to.' })),
    context: Type.Optional(CommentContext),
    mentions: Type.Optional(
      Type.Array(MentionId, {
        maxItems: MAX_MENTIONS,
        description:
          'The people and groups that the comment mentions. Optional: `content` is enough, and must mention each of them.',
      }),
    ),
  },
  { $id: 'CreateComment', description: 'A new comment.' },
);
export type CreateComment = Static<typeof CreateComment>;

export const UpdateComment = StrictObject(
  {
    content: Type.Optional(Content),
    isResolved: Type.Optional(
      Type.Boolean({ description: 'Whether the thread is resolved; only for the first comment of a thread.' }),
    ),
    context: Type.Optional(CommentContext),
  },
  { $id: 'UpdateComment', description: 'Fields to change; omitted fields keep their values.', minProperties: 1 },
);
export type UpdateComment = Static<typeof UpdateComment>;

export const CommentParams = idParams('comment');

export const ResourceParams = Type.Object({ resourceType: ResourceType, resourceId: ResourceId });

export const COMMENT_STATES = ['open', 'resolved', 'orphaned', 'all'] as const;

export const CommentsQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 50,
    description: 'The maximum number of threads to return.',
  }),
  offset: ListQuery.properties.offset,
  state: StringEnum(COMMENT_STATES, {
    default: 'all',
    description:
      'Returns only open threads, only resolved threads, or only orphaned threads, whose part no longer exists.',
  }),
});
export type CommentsQuery = Static<typeof CommentsQuery>;

const Person = Type.Object(
  {
    id: Id,
    name: Type.String({ description: 'The current name; the name at the time of the comment if the person has left.' }),
  },
  { $id: 'CommentPerson', description: 'A person who has written or changed a comment.' },
);

const Mention = Type.Object(
  {
    id: MentionId,
    name: Nullable(Type.String({ description: 'The current name; null if the person or group no longer exists.' })),
  },
  { $id: 'CommentMention', description: 'A person or a group that a comment mentions.' },
);

const commentProperties = {
  id: Id,
  workspaceId: Id,
  resourceType: ResourceType,
  resourceId: ResourceId,
  parentId: Nullable(
    Type.Unsafe<string>({ ...Id, description: 'The first comment of the thread; null for the first comment itself.' }),
  ),
  context: ShownContext,
  author: Person,
  content: Nullable(Type.String({ description: 'The text; null if the comment was deleted.' })),
  mentions: Type.Array(Mention),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  editedAt: Nullable(Timestamp),
  deletedAt: Nullable(Timestamp),
  deletedBy: Nullable(Id),
};

const threadProperties = {
  resolvedAt: Nullable(Timestamp),
  resolvedBy: Nullable(Id),
  resolution: Nullable(StringEnum(RESOLUTIONS)),
  anchor: Anchor,
  replyCount: Type.Integer({ minimum: 0 }),
};

const Reply = Type.Object(commentProperties, { $id: 'CommentReply', description: 'A reply in a thread.' });
export type Reply = Static<typeof Reply>;

export const Thread = Type.Object(
  { ...commentProperties, ...threadProperties, replies: Type.Array(Reply) },
  { $id: 'CommentThread', description: 'A comment with its replies, oldest first.' },
);
export type Thread = Static<typeof Thread>;

export const COMMENT_WARNINGS = ['PROTECTED_SOURCE'] as const;
const Warning = Nullable(
  StringEnum(COMMENT_WARNINGS, {
    description:
      '`PROTECTED_SOURCE`: not every reader may see the rows that the object or part shows, so do not quote rows.',
  }),
);

const Mentioned = Type.Object(
  {
    id: MentionId,
    notified: Type.Boolean({ description: 'Whether the person, or any member of the group, is notified.' }),
    reason: Type.Optional(
      StringEnum(['NO_ACCESS', 'SELF', 'MUTED', 'UNSUBSCRIBED'], {
        description:
          'Why the person is not notified. With `UNSUBSCRIBED`, the person gets a notification but no email.',
      }),
    ),
  },
  {
    $id: 'CommentMentioned',
    description:
      'Whether a mention reaches the person. An edit does not notify people again whom the comment mentioned before.',
  },
);

export const WrittenComment = Type.Object(
  { ...commentProperties, ...threadProperties, mentioned: Type.Array(Mentioned), warning: Warning },
  {
    $id: 'Comment',
    description: 'A comment, with the state of its thread.',
  },
);
export type WrittenComment = Static<typeof WrittenComment>;

export const CommentThreads = Type.Object(
  {
    items: Type.Array(Thread),
    total: Type.Integer({ description: 'The number of threads in the requested state.' }),
    limit: Type.Integer({
      description: 'The maximum number of threads in the page. The next page starts at `offset` + `limit`.',
    }),
    offset: Type.Integer(),
    counts: Type.Object(
      { open: Type.Integer(), resolved: Type.Integer(), orphaned: Type.Integer() },
      {
        $id: 'CommentCounts',
        description: 'The number of threads by state. An orphaned thread also counts as open or resolved.',
      },
    ),
    parts: Type.Array(
      Type.Object(
        { type: Type.String(), id: Type.String(), open: Type.Integer({ description: 'The number of open threads.' }) },
        { $id: 'CommentedPart', description: 'A part of the object with open threads.' },
      ),
    ),
    mayComment: Type.Boolean({ description: 'Whether the caller may write comments here.' }),
    comments: StringEnum(COMMENT_SETTINGS, { description: 'The people who may write comments in the workspace.' }),
    following: StringEnum(FOLLOW_STATES, {
      description:
        'How the caller follows the object. `unfollowed` is also the state of people who have never chosen one.',
    }),
    warning: Warning,
  },
  { $id: 'CommentThreads', description: 'A page of the threads of an object and its parts, oldest first.' },
);
export type CommentThreads = Static<typeof CommentThreads>;

export const Follow = StrictObject(
  {
    state: StringEnum(FOLLOW_STATES, {
      description:
        '`following`: notified of all comments; `unfollowed`: notified of mentions only; `muted`: never notified.',
    }),
  },
  { $id: 'CommentFollow', description: 'How a person follows an object.' },
);
export type Follow = Static<typeof Follow>;

export const CandidatesQuery = Type.Object({
  q: Type.String({ maxLength: 200, default: '', description: 'A part of the name or email address.' }),
});

const Candidate = Type.Object(
  {
    id: MentionId,
    type: StringEnum(['user', 'group']),
    name: Type.String(),
    email: Nullable(Type.String({ description: 'The email address of a person; null for a group.' })),
    hasAccess: Nullable(
      Type.Boolean({ description: 'Whether the person sees the object, and so can be notified; null for a group.' }),
    ),
  },
  { $id: 'CommentCandidate', description: 'A person or a group that a comment can mention.' },
);
export const Candidates = Type.Object(
  { items: Type.Array(Candidate) },
  { $id: 'CommentCandidates', description: 'At most 20 people and 5 groups, sorted by name.' },
);
export type Candidates = Static<typeof Candidates>;
