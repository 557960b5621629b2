import type { Static } from 'typebox';
import * as Type from 'typebox';
import { DECISIONS } from '../../../../shared/domains/stories/stories/index.ts';
import { Id, Name, Nullable, Page, StringEnum, Timestamp } from '../../../../shared/platform/http/schemas.ts';
import { StoryParams, StorySection } from '../schemas.ts';

const version = {
  version: Type.Integer({ minimum: 1 }),
  title: Name,
  summary: Nullable(Type.String()),
  mode: StringEnum(['live', 'snapshot']),
  publishedBy: Id,
  publishedAt: Timestamp,
  sectionCount: Type.Integer({ minimum: 0 }),
  restoredFrom: Nullable(Type.Integer({ description: 'The version that was restored; null for a published draft.' })),
};

export const StoryVersion = Type.Object(version, {
  $id: 'StoryVersion',
  description: 'A published version of a story.',
});
export const StoryVersionPage = Page(StoryVersion);

export const StoryVersionDetails = Type.Object(
  { ...version, sections: Type.Array(StorySection, { description: 'The sections, in order.' }) },
  { $id: 'StoryVersionDetails', description: 'A version with its sections.' },
);
export type StoryVersionDetails = Static<typeof StoryVersionDetails>;

export const StoryVersionParams = Type.Object({
  ...StoryParams.properties,
  version: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'The number of the version.' }),
});

export const PublishedStory = Type.Object(
  {
    ...version,
    warnings: Type.Array(
      Type.Object({ code: StringEnum(['TEXT_MAY_QUOTE_ROWS']), sectionId: Id, message: Type.String() }),
      { description: 'Sections whose text may reveal rows that some readers may not see.' },
    ),
  },
  { $id: 'PublishedStory', description: 'The version that was published.' },
);
export type PublishedStory = Static<typeof PublishedStory>;

export const RequestReview = Type.Object(
  {
    reviewerIds: Type.Array(Id, {
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      description: 'The ids of the reviewers; the caller cannot be one of them.',
    }),
    note: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
    grant: Type.Optional(
      Type.Boolean({
        description:
          'Whether to grant `commenter` to reviewers who cannot see the story; only editors of the story can.',
      }),
    ),
  },
  { $id: 'RequestStoryReview', description: 'A request for a review.' },
);
export type RequestReview = Static<typeof RequestReview>;

export const DecideReview = Type.Object(
  {
    decision: StringEnum(DECISIONS),
    note: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
  },
  { $id: 'DecideStoryReview', description: 'The decision of the caller.' },
);
export type DecideReview = Static<typeof DecideReview>;
