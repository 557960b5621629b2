import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ACTIVITIES, SECTION_STATUSES } from '../../../../shared/domains/stories/stories/index.ts';
import { Id, Nullable, StringEnum, Timestamp } from '../../../../shared/platform/http/schemas.ts';
import { SectionLock } from '../schemas.ts';
import { OwnLock } from '../sections/schemas.ts';

export const ActivityQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'The maximum number of items to return.' }),
  before: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The `id` of the last item of the previous page.',
    }),
  ),
});

export const StoryActivities = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          id: Type.Integer({ description: 'Newer items have higher ids.' }),
          action: StringEnum(ACTIVITIES),
          by: Id,
          at: Timestamp,
          sectionId: Nullable(Id),
          version: Nullable(Type.Integer()),
        },
        { $id: 'StoryActivity', description: 'Something that a person did with a story.' },
      ),
    ),
  },
  { $id: 'StoryActivities', description: 'Activity of a story, newest first.' },
);

export const StoryFollow = Type.Object(
  { following: Type.Boolean({ description: 'Whether the caller is notified of new versions and comments.' }) },
  { $id: 'StoryFollow', description: 'Whether the caller follows the story.' },
);

export const Heartbeat = Type.Object(
  {
    sectionId: Type.Optional(
      Nullable(Type.Unsafe<string>({ ...Id, description: 'The section that the caller is viewing.' })),
    ),
    lockId: Type.Optional(
      Type.Unsafe<string>({ ...Id, description: 'The lock of this tab on the section, which is renewed.' }),
    ),
    isIdle: Type.Optional(
      Type.Boolean({ description: 'Whether the caller is idle; idle time does not count as reading time.' }),
    ),
    readSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30,
        description: 'The seconds that the caller has spent reading since the last heartbeat.',
      }),
    ),
  },
  { $id: 'StoryHeartbeat', description: 'Reports that the caller has the story open; send it every 15 seconds.' },
);
export type Heartbeat = Static<typeof Heartbeat>;

export const StoryPresence = Type.Object(
  {
    viewers: Type.Array(
      Type.Object({ userId: Id, name: Type.String(), sectionId: Nullable(Id), lastSeenAt: Timestamp }),
      { description: 'Other people who have the draft open; at most 50.' },
    ),
    more: Type.Integer({ minimum: 0, description: 'The number of people beyond the listed ones.' }),
    sections: Type.Array(
      Type.Object({
        id: Id,
        editSeq: Type.Integer(),
        status: StringEnum(SECTION_STATUSES),
        lock: Nullable(SectionLock),
      }),
      { description: 'The sections of the draft; empty for readers of the published version.' },
    ),
    lock: Type.Optional(
      Type.Union([OwnLock, Type.Null()], {
        description: 'The lock of the caller, if `lockId` was sent; null if the lock has ended.',
      }),
    ),
  },
  { $id: 'StoryPresence', description: 'The people who have a story open, and the state of its sections.' },
);
export type StoryPresence = Static<typeof StoryPresence>;

export const StoryReaders = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          userId: Id,
          name: Type.String(),
          firstReadAt: Timestamp,
          lastReadAt: Timestamp,
          secondsRead: Type.Integer({ minimum: 0 }),
          version: Nullable(
            Type.Integer({
              description: 'The newest version that the person has read; null if only the draft was read.',
            }),
          ),
        },
        { $id: 'StoryReader', description: 'A person who has read a story.' },
      ),
    ),
    total: Type.Integer({ minimum: 0 }),
  },
  { $id: 'StoryReaders', description: 'The people who have read the story, most recent reader first; at most 1,000.' },
);
export type StoryReaders = Static<typeof StoryReaders>;
