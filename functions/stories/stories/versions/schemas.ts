import type { Static } from 'typebox';
import * as Type from 'typebox';
import { BlockId } from '../../../../shared/data/rich-text/index.ts';
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
  overrideReason: Nullable(Type.String({ description: 'Why the story was published without the required review.' })),
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
      Type.Object({
        code: StringEnum(['TEXT_MAY_QUOTE_ROWS', 'REVIEW_ADVISED', 'ROWS_NOT_KEPT', 'DEPRECATED_SOURCE'], {
          description:
            '`TEXT_MAY_QUOTE_ROWS`: the text may reveal rows that some readers may not see. `REVIEW_ADVISED`: the draft has no review that all of its reviewers have approved. `ROWS_NOT_KEPT`: with the mode `snapshot`, the rows of a live block are not stored. `DEPRECATED_SOURCE`: the section shows values of something that should no longer be used.',
        }),
        sectionId: Nullable(Type.Unsafe<string>({ ...Id, description: 'Null if the warning is about the story.' })),
        blockId: Type.Optional(BlockId),
        message: Type.String(),
      }),
      { description: 'What to check, now that all members can read the story.' },
    ),
  },
  { $id: 'PublishedStory', description: 'The version that was published.' },
);
export type PublishedStory = Static<typeof PublishedStory>;

export const PublishStory = Type.Object(
  {
    override: Type.Boolean({
      default: false,
      description: 'Whether to publish without the required review. For admins only.',
    }),
    overrideReason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'The reason for the override; required with `override`, and kept in the version.',
      }),
    ),
  },
  { $id: 'PublishStory', description: 'How to publish.' },
);
export type PublishStory = Static<typeof PublishStory>;

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
