import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { SectionParams } from '../sections/schemas.ts';
import {
  AcceptedSuggestion,
  AcceptedSuggestions,
  AcceptSuggestions,
  DecidedSuggestion,
  SuggestionParams,
} from './schemas.ts';

const contribute = { permission: 'stories:write', grant: grantOn('story', 'contributor') } as const;

const FOUND = [
  'STORY_NOT_FOUND',
  'STORY_SECTION_NOT_FOUND',
  'STORY_ARCHIVED',
  'SECTION_HIDDEN',
  'COMMENT_NOT_FOUND',
] as const;

const ACCEPT_ERRORS = [
  ...FOUND,
  'SECTION_EDITORS',
  'SECTION_READ_ONLY',
  'SECTION_LOCKED',
  'LOCK_LOST',
  'STORY_TOO_LARGE',
  'QUOTE_GONE',
  'SUGGESTION_STALE',
] as const;

export const acceptStorySuggestion = defineRoute({
  operationId: 'acceptStorySuggestion',
  method: 'POST',
  path: '/api/stories/{id}/sections/{sectionId}/suggestions/{commentId}/accept',
  summary: 'Accept a suggestion',
  description:
    'Replaces the quoted text by the suggested one, resolves the comment and notifies its author. Text that was changed since the suggestion was written is not replaced. Accepting a suggestion again changes nothing.',
  ...contribute,
  params: SuggestionParams,
  success: { status: 200, body: AcceptedSuggestion },
  errors: ACCEPT_ERRORS,
});

export const acceptStorySuggestions = defineRoute({
  operationId: 'acceptStorySuggestions',
  method: 'POST',
  path: '/api/stories/{id}/sections/{sectionId}/suggestions/accept',
  summary: 'Accept several suggestions',
  description: 'Accepts suggestions for one section, all or none. The error names the `commentId` that it is about.',
  ...contribute,
  params: SectionParams,
  body: AcceptSuggestions,
  success: { status: 200, body: AcceptedSuggestions },
  errors: ACCEPT_ERRORS,
});

export const rejectStorySuggestion = defineRoute({
  operationId: 'rejectStorySuggestion',
  method: 'POST',
  path: '/api/stories/{id}/sections/{sectionId}/suggestions/{commentId}/reject',
  summary: 'Reject a suggestion',
  description: 'Resolves the comment; the text stays as it is. Locks do not block this.',
  ...contribute,
  params: SuggestionParams,
  success: { status: 200, body: DecidedSuggestion },
  errors: [...FOUND, 'SUGGESTION_ACCEPTED'],
});
