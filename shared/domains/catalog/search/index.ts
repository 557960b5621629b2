/** The public API of this domain; everything else is internal. */
export { didYouMean } from './did-you-mean.ts';
export {
  MATCHED_PLACES,
  type MatchedPlace,
  SEARCHED_TYPES,
  type SearchDocument,
  type SearchedType,
} from './document.ts';
export { type Hit, MATCHINGS, type Matching, SearchIndex } from './search-index.ts';
export { type Snippet, snippetOf } from './snippet.ts';
