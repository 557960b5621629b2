import type { Static } from 'typebox';
import * as Type from 'typebox';
import { RichTextContent } from '../../../../shared/data/rich-text/index.ts';
import {
  REVISION_REASONS,
  SectionVisibility,
  sectionProperties,
  workProperties,
} from '../../../../shared/domains/stories/stories/index.ts';
import { Id, NextCursor, Nullable, StringEnum, Timestamp } from '../../../../shared/platform/http/schemas.ts';
import { BaseEditSeqQuery, Overwrote, SectionLock, StoryParams, StorySection } from '../schemas.ts';

const sectionId = Type.String({ format: 'uuid', description: 'The id of the section.' });

export const SectionParams = Type.Object({ ...StoryParams.properties, sectionId });
export const RevisionParams = Type.Object({
  ...SectionParams.properties,
  revisionId: Type.String({ format: 'uuid', description: 'The id of the kept text.' }),
});

export const AddSection = Type.Object(
  {
    title: Type.Optional(sectionProperties.title),
    content: Type.Optional(RichTextContent),
    source: Type.Optional(sectionProperties.source),
    ai: Type.Optional(sectionProperties.ai),
    afterSectionId: Type.Optional(
      Nullable(
        Type.Unsafe<string>({
          ...Id,
          description: 'The section after which the new section is placed; the last section by default.',
        }),
      ),
    ),
    atStart: Type.Optional(Type.Boolean({ description: 'Whether the new section becomes the first one.' })),
  },
  { $id: 'AddStorySection', description: 'A new section; empty if `content` is omitted.' },
);
export type AddSection = Static<typeof AddSection>;

export const SectionEditQuery = BaseEditSeqQuery;

export const UpdateSection = Type.Object(
  {
    title: Type.Optional(sectionProperties.title),
    content: Type.Optional(RichTextContent),
    source: Type.Optional(sectionProperties.source),
    ai: Type.Optional(sectionProperties.ai),
    status: Type.Optional(workProperties.status),
  },
  {
    $id: 'UpdateStorySection',
    description: 'Fields to change; omitted fields keep their values. The content is replaced as a whole.',
  },
);
export type UpdateSection = Static<typeof UpdateSection>;

export const EditedSection = Type.Object(
  {
    ...StorySection.properties,
    merged: Type.Optional(
      Type.Boolean({
        description: 'Present if the edit was merged with edits that other people made in the meantime.',
      }),
    ),
    mergedFrom: Type.Optional(Type.Integer({ description: 'The `baseEditSeq` that the merge started from.' })),
    overwrote: Type.Optional(
      Type.Object(Overwrote.properties, {
        description:
          'Present if the edit replaced a title or text that another person wrote within the last hour. A person and their API keys count as different people.',
      }),
    ),
  },
  { $id: 'EditedStorySection', description: 'A section after a change.' },
);
export type EditedSection = Static<typeof EditedSection>;

export const ReorderSections = Type.Object(
  {
    order: Type.Array(Id, { maxItems: 100, description: 'The ids of all sections of the story, in their new order.' }),
  },
  { $id: 'ReorderStorySections', description: 'The new order of the sections.' },
);

export const SetEditors = Type.Object(
  {
    userIds: Type.Array(Id, {
      maxItems: 100,
      uniqueItems: true,
      description: 'The ids of the members; an empty list lifts the restriction.',
    }),
  },
  { $id: 'SetStorySectionEditors', description: 'The only members who may edit the section.' },
);

export const SetReadOnly = Type.Object(
  { locked: Type.Boolean({ description: 'Whether the section is to be read-only.' }) },
  { $id: 'SetStorySectionReadOnly', description: 'Whether the section can be edited.' },
);

export const SetVisibility = Type.Object(
  {
    visibility: SectionVisibility,
    confirm: Type.Optional(
      Type.Boolean({
        description: 'Must be true to show everyone a text that was written next to protected rows.',
      }),
    ),
  },
  { $id: 'SetStorySectionVisibility', description: 'Who sees the section.' },
);

export const UpdateWork = Type.Object(
  {
    status: Type.Optional(workProperties.status),
    assigneeId: Type.Optional(workProperties.assigneeId),
    dueAt: Type.Optional(workProperties.dueAt),
  },
  { $id: 'UpdateStorySectionWork', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdateWork = Static<typeof UpdateWork>;

const LockId = Type.Unsafe<string>({
  ...Id,
  description: 'The id of the lock that the tab has taken.',
});

export const TakeLock = Type.Object(
  { lockId: Type.Optional(LockId) },
  { $id: 'TakeStorySectionLock', description: 'Takes the lock, or renews it if `lockId` is sent.' },
);

export const OwnLock = Type.Object(
  {
    ...SectionLock.properties,
    lockId: Nullable(
      Type.Unsafe<string>({
        ...LockId,
        description: 'The id to renew the lock with; null if another tab has taken the lock over.',
      }),
    ),
    editSeq: Type.Integer({ description: 'The `editSeq` of the section.' }),
    takenOver: Type.Optional(Type.Boolean({ description: 'Present if another tab of the caller has the lock now.' })),
  },
  { $id: 'OwnStorySectionLock', description: 'The lock of the caller.' },
);
export type OwnLock = Static<typeof OwnLock>;

export const EndLockQuery = Type.Object({
  lockId: Type.Optional(
    Type.Unsafe<string>({
      ...LockId,
      description:
        'The id of the lock of this tab. If another tab of the caller has taken the lock over, it keeps the lock.',
    }),
  ),
  force: Type.Boolean({
    default: false,
    description: 'Whether to end the lock of another person; only the owner of the story and admins can.',
  }),
});

const revision = {
  id: Id,
  sectionId: Id,
  reason: StringEnum(REVISION_REASONS, { description: 'Why the text is kept as a revision.' }),
  title: Nullable(Type.String({ description: 'Null also if the text is hidden from the caller.' })),
  by: Type.Unsafe<string>({ ...Id, description: 'The author of the text.' }),
  at: Timestamp,
  editSeq: Nullable(Type.Integer({ description: 'The `editSeq` that the text had, or was based on.' })),
};

export const SectionRevisions = Type.Object(
  {
    items: Type.Array(
      Type.Object(revision, {
        $id: 'StorySectionRevisionSummary',
        description: 'A kept text in a list, without its content.',
      }),
    ),
    nextCursor: NextCursor,
  },
  {
    $id: 'StorySectionRevisions',
    description: 'A page of the texts of the last 30 days that are not in the story, most recent first.',
  },
);

export const TitleRevisions = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          id: Id,
          reason: StringEnum(['refused', 'overwritten'], { description: 'Why the title is kept as a revision.' }),
          title: Type.String(),
          summary: Nullable(Type.String()),
          by: Type.Unsafe<string>({ ...Id, description: 'The author of the title and summary.' }),
          at: Timestamp,
          editSeq: Type.Integer({ description: 'The `editSeq` of the story that they had, or were based on.' }),
        },
        { $id: 'StoryTitleRevision', description: 'A title and summary that were rejected or replaced.' },
      ),
    ),
    nextCursor: NextCursor,
  },
  {
    $id: 'StoryTitleRevisions',
    description:
      'A page of the titles and summaries of the last 30 days that the story does not have, most recent first.',
  },
);

export const SectionRevision = Type.Object(
  { ...revision, content: RichTextContent },
  { $id: 'StorySectionRevision', description: 'A text that was rejected, replaced or removed.' },
);
