import { defineRoute } from '../../../shared/platform/http/route.ts';
import { SearchQuery, SearchResults, Suggestions, SuggestQuery } from './schemas.ts';

export const search = defineRoute({
  operationId: 'search',
  method: 'GET',
  path: '/api/search',
  summary: 'Search the workspace',
  description:
    'Finds objects that the caller may read, by name and description. Exact names come first, then all words in the name, then all words anywhere. Changes are found within five seconds.',
  permission: 'search:read',
  query: SearchQuery,
  success: { status: 200, body: SearchResults },
  errors: ['RATE_LIMITED', 'CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
});

export const suggestSearch = defineRoute({
  operationId: 'suggestSearch',
  method: 'GET',
  path: '/api/search/suggest',
  summary: 'Complete a search',
  description: 'At most eight objects that the caller may read and whose names match the words typed so far.',
  permission: 'search:read',
  query: SuggestQuery,
  success: { status: 200, body: Suggestions },
  errors: ['RATE_LIMITED'],
});
