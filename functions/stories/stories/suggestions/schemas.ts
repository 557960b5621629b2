import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, StringEnum, Timestamp } from '../../../../shared/platform/http/schemas.ts';
import { StorySection } from '../schemas.ts';
import { SectionParams } from '../sections/schemas.ts';

const CommentId = Type.String({ format: 'uuid', description: 'The id of the comment that suggests the change.' });

export const SuggestionParams = Type.Object({ ...SectionParams.properties, commentId: CommentId });

const decision = {
  commentId: Id,
  resolution: StringEnum(['accepted', 'rejected']),
  resolvedAt: Timestamp,
  resolvedBy: Id,
};

export const DecidedSuggestion = Type.Object(decision, {
  $id: 'DecidedStorySuggestion',
  description: 'A suggestion that was accepted or rejected.',
});
export type DecidedSuggestion = Static<typeof DecidedSuggestion>;

export const AcceptedSuggestion = Type.Object(
  { ...decision, section: StorySection },
  { $id: 'AcceptedStorySuggestion', description: 'A suggestion that was accepted, and the section with the new text.' },
);
export type AcceptedSuggestion = Static<typeof AcceptedSuggestion>;

export const AcceptSuggestions = Type.Object(
  {
    commentIds: Type.Array(CommentId, {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'The ids of the comments, in the order in which their suggestions are applied.',
    }),
  },
  { $id: 'AcceptStorySuggestions', description: 'The suggestions to accept, all or none.' },
);

export const AcceptedSuggestions = Type.Object(
  { items: Type.Array(DecidedSuggestion), section: StorySection },
  { $id: 'AcceptedStorySuggestions', description: 'The accepted suggestions, and the section with the new text.' },
);
export type AcceptedSuggestions = Static<typeof AcceptedSuggestions>;
