import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { QualitySuggestion, QualitySuggestionPage, SuggestionListQuery, SuggestionParams } from './schemas.ts';

export const listQualitySuggestions = defineRoute({
  operationId: 'listQualitySuggestions',
  method: 'GET',
  path: '/api/data-quality/suggestions',
  summary: 'List suggested data-quality tests',
  description:
    'Newest first. Suggestions reveal values, so the list contains only suggestions for tables of which the caller may see every row and column.',
  permission: 'quality:read',
  query: SuggestionListQuery,
  success: { status: 200, body: QualitySuggestionPage },
});

export const applyQualitySuggestion = defineRoute({
  operationId: 'applyQualitySuggestion',
  method: 'POST',
  path: '/api/data-quality/suggestions/{id}/apply',
  summary: 'Apply a suggested data-quality test',
  description: 'Creates the suggested test and returns its id as `testId`.',
  permission: 'quality:write',
  params: SuggestionParams,
  success: { status: 200, body: QualitySuggestion },
  errors: ['QUALITY_SUGGESTION_NOT_FOUND', 'QUALITY_SUGGESTION_CLOSED', 'TOO_MANY_QUALITY_TESTS'],
  audit: 'quality_suggestion.updated',
});

export const dismissQualitySuggestion = defineRoute({
  operationId: 'dismissQualitySuggestion',
  method: 'POST',
  path: '/api/data-quality/suggestions/{id}/dismiss',
  summary: 'Dismiss a suggested data-quality test',
  description: 'Dismisses the suggestion permanently: the same rule is never suggested again for the column.',
  permission: 'quality:write',
  params: SuggestionParams,
  success: { status: 200, body: QualitySuggestion },
  errors: ['QUALITY_SUGGESTION_NOT_FOUND', 'QUALITY_SUGGESTION_CLOSED'],
  audit: 'quality_suggestion.updated',
});
