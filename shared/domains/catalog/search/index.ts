/** The public API of this domain; everything else is internal. */
export {
  MATCHED_PLACES,
  type MatchedPlace,
  SEARCHED_TYPES,
  type SearchDocument,
  type SearchedType,
} from './document.ts';
export { type Found, type Hit, MATCHINGS, type Matching, SearchIndex, type Visible } from './search-index.ts';
export { type Snippet, snippetOf } from './snippet.ts';
export { type Thesaurus, thesaurusOf } from './thesaurus.ts';
