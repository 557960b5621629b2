import type { Static } from 'typebox';
import * as Type from 'typebox';
import { BlockId, RichTextContent } from '../../../shared/data/rich-text/index.ts';
import { PartId } from '../../../shared/domains/boards/dashboards/index.ts';
import { ShownInlineValue } from '../../../shared/domains/stories/live-blocks/index.ts';
import {
  DECISIONS,
  MAX_SECTIONS,
  SectionVisibility,
  sectionProperties,
  storyProperties,
  workProperties,
} from '../../../shared/domains/stories/stories/index.ts';
import { OBJECT_KINDS } from '../../../shared/domains/tenancy/grants/index.ts';
import { FormerName } from '../../../shared/platform/http/former-names.ts';
import {
  Id,
  idParams,
  ListQuery,
  Name,
  Nullable,
  Page,
  Revision,
  StrictObject,
  StringEnum,
  TaggedUnion,
  Timestamp,
} from '../../../shared/platform/http/schemas.ts';

export const StoryParams = idParams('story');

export const StoryPermission = StringEnum(OBJECT_KINDS.story.levels, {
  description:
    'What the caller or grantee may do: read, comment, edit the text of sections, or publish and share. Each permission includes the previous ones.',
});

const EditSeq = Type.Integer({
  minimum: 1,
  description: 'The number of edits so far; send it as `baseEditSeq` with the next edit.',
});

export const SectionLock = Type.Object(
  {
    sectionId: Id,
    holder: Type.Object({ id: Id, name: Type.String() }),
    acquiredAt: Timestamp,
    expiresAt: Timestamp,
  },
  {
    $id: 'StorySectionLock',
    description: 'The person who is editing a section, and the time at which the lock ends unless it is renewed.',
  },
);

const sectionStamps = { createdBy: Id, updatedBy: Id, createdAt: Timestamp, updatedAt: Timestamp, revision: Revision };

export const StorySection = Type.Object(
  {
    id: Id,
    storyId: Id,
    ordinal: Type.Integer({ minimum: 0, description: 'The place of the section in the story.' }),
    ...sectionProperties,
    content: Type.Union([RichTextContent, Type.Null()], {
      description: 'The text of the section; null if it is hidden from the caller.',
    }),
    ...workProperties,
    editSeq: EditSeq,
    editedBy: Id,
    editedAt: Timestamp,
    lock: Nullable(SectionLock),
    readOnly: Type.Boolean({ description: 'Whether the text cannot be edited.' }),
    editorIds: Type.Array(Id, {
      description: 'The only members who may edit the text; if empty, all contributors and editors of the story may.',
    }),
    visibility: SectionVisibility,
    hidden: Type.Optional(
      Type.Object(
        { reason: StringEnum(['DATA_ACCESS']) },
        { description: 'Present if the caller may not read the section; the title and text are null then.' },
      ),
    ),
    values: Type.Optional(
      Type.Array(ShownInlineValue, {
        description: 'With `GET /api/stories/{id}`: the numbers within the text, as they stand for the caller now.',
      }),
    ),
    ...sectionStamps,
  },
  { $id: 'StorySection', description: 'A part of a story, with a title and a text.' },
);
export type StorySection = Static<typeof StorySection>;

export const ReviewRound = Type.Object(
  {
    round: Type.Integer({ minimum: 1 }),
    requestedBy: Id,
    requestedAt: Timestamp,
    note: Nullable(Type.String()),
    reviewers: Type.Array(
      Type.Object({
        userId: Id,
        decision: Nullable(StringEnum(DECISIONS)),
        note: Nullable(Type.String()),
        at: Nullable(Timestamp),
        outdated: Type.Boolean({ description: 'Whether the story has changed since the decision.' }),
      }),
    ),
  },
  { $id: 'StoryReview', description: 'A round of review of a story.' },
);
export type ReviewRound = Static<typeof ReviewRound>;

const summary = {
  id: Id,
  workspaceId: Id,
  ...storyProperties,
  status: StringEnum(['draft', 'published'], { description: 'Whether there is a published version.' }),
  ownerId: Id,
  permission: StoryPermission,
  publishedVersion: Nullable(Type.Integer({ minimum: 1, description: 'The number of the newest version.' })),
  publishedAt: Nullable(Timestamp),
  publishedBy: Nullable(Id),
  sectionCount: Type.Integer({ minimum: 0 }),
  archivedAt: Nullable(Timestamp),
  deletedAt: Nullable(Timestamp),
  deletedBy: Nullable(Id),
  createdBy: Id,
  updatedBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
};

export const StorySummary = Type.Object(summary, {
  $id: 'StorySummary',
  description: 'A story in a list, without its sections.',
});
export type StorySummary = Static<typeof StorySummary>;
export const StorySummaryPage = Page(StorySummary);

export const Story = Type.Object(
  {
    ...summary,
    view: StringEnum(['draft', 'published'], {
      description: 'Whether the sections are those of the draft or of the published version.',
    }),
    editSeq: EditSeq,
    hasUnpublishedChanges: Type.Boolean({
      description:
        'Whether the draft differs from the published version, or no version is published. Always false if the caller does not see the draft.',
    }),
    review: Nullable(ReviewRound),
    following: Type.Boolean({ description: 'Whether the caller follows the story.' }),
    followerCount: Type.Integer({
      minimum: 0,
      maximum: 1000,
      description: 'The number of followers; at most 1,000 are counted.',
    }),
    sections: Type.Array(StorySection, { description: 'The sections, in order.' }),
  },
  { $id: 'Story', description: 'A story with its sections.' },
);
export type Story = Static<typeof Story>;

export const Overwrote = Type.Object({ editSeq: Type.Integer(), by: Id, at: Timestamp, revisionId: Id });

export const UpdatedStory = Type.Object(
  {
    ...Story.properties,
    overwrote: Type.Optional(
      Type.Object(Overwrote.properties, {
        description:
          'Present if the change replaced a title or summary of another person, which is kept. A person and their API keys count as different people.',
      }),
    ),
  },
  { $id: 'UpdatedStory', description: 'A story after a change.' },
);
export type UpdatedStory = Static<typeof UpdatedStory>;

const searched = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Returns only stories with this text in the title or summary; case does not matter.',
  }),
);

export const STORY_TABS = ['all', 'mine', 'shared', 'assigned', 'archived'] as const;

export const StoryListQuery = Type.Object({
  ...ListQuery.properties,
  tab: StringEnum(STORY_TABS, {
    default: 'all',
    description:
      '`mine`: stories that the caller owns; `shared`: stories granted to the caller; `assigned`: stories with a section or an open review assigned to the caller; `archived`: archived stories, which no other tab lists.',
  }),
  search: searched,
  q: FormerName('search', searched),
});
export type StoryListQuery = Static<typeof StoryListQuery>;

export const GetStoryQuery = Type.Object({
  view: Type.Optional(
    StringEnum(['draft', 'published'], {
      description:
        'The state to read; defaults to the draft for callers who can see it. Other callers always get the published version.',
    }),
  ),
});

/** A built-in template has a word as its id, such as `board-update`. */
export const TemplateId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[a-z0-9-]+$',
  description: 'The id of the template; a built-in template has a word such as `board-update`.',
});

const NewSection = Type.Object(
  {
    title: Type.Optional(sectionProperties.title),
    content: Type.Optional(RichTextContent),
    source: Type.Optional(sectionProperties.source),
    ai: Type.Optional(sectionProperties.ai),
  },
  { $id: 'NewStorySection', description: 'A section of a new story.' },
);
export type NewSection = Static<typeof NewSection>;

const SlotSource = TaggedUnion(
  'kind',
  [
    StrictObject(
      { kind: Type.Literal('card'), dashboardId: Id, cardId: PartId },
      { $id: 'StorySlotCard', description: 'A card of a dashboard.' },
    ),
    StrictObject(
      { kind: Type.Literal('chart'), chartSpec: Type.Object({}, { additionalProperties: true, maxProperties: 50 }) },
      { $id: 'StorySlotChart', description: 'A chart of the story, such as one of a metric.' },
    ),
  ],
  { $id: 'StorySlotSource', description: 'What the live block shows.' },
);

const Slot = StrictObject(
  {
    blockId: Type.Unsafe<string>({ ...BlockId, description: 'The id of the live block in the template.' }),
    source: SlotSource,
  },
  { $id: 'StorySlot', description: 'What a slot of the template shows in the story.' },
);

export const CreateStory = Type.Object(
  {
    title: Type.Optional(
      Type.Unsafe<string>({
        ...Name,
        description: 'Defaults to the name of the template, or to `Untitled story` without one.',
      }),
    ),
    summary: Type.Unsafe<string | null>({ ...storyProperties.summary, default: null }),
    mode: Type.Unsafe<'live' | 'snapshot'>({ ...storyProperties.mode, default: 'live' }),
    sections: Type.Array(NewSection, { maxItems: MAX_SECTIONS, default: [], description: 'The sections, in order.' }),
    templateId: Type.Optional(
      Type.Unsafe<string>({
        ...TemplateId,
        description: 'The template whose texts and structure the story gets; omit `sections` then.',
      }),
    ),
    slots: Type.Array(Slot, {
      maxItems: 100,
      default: [],
      description: 'With `templateId`: what slots of the template show. The others stay slots.',
    }),
  },
  { $id: 'CreateStory', description: 'A new story, with its first sections.' },
);
export type CreateStory = Static<typeof CreateStory>;

const BaseEditSeq = Type.Optional(
  Type.Integer({
    minimum: 1,
    description:
      'The `editSeq` that the change is based on. If omitted, the edit replaces what other people have written since; the replaced text is kept.',
  }),
);
export const BaseEditSeqQuery = Type.Object({ baseEditSeq: BaseEditSeq });

export const UpdateStory = Type.Object(
  {
    title: Type.Optional(storyProperties.title),
    summary: Type.Optional(storyProperties.summary),
    mode: Type.Optional(storyProperties.mode),
  },
  { $id: 'UpdateStory', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdateStory = Static<typeof UpdateStory>;

export const ArchiveStory = Type.Object(
  { archived: Type.Boolean({ description: 'Whether the story is archived; false takes it out of the archive.' }) },
  { $id: 'ArchiveStory', description: 'The new archive state of a story.' },
);
