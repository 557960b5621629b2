import type { Options } from 'minisearch';

/** A section of a guide or of the introduction, or an operation of the API. */
export interface SearchEntry {
  id: number;
  href: string;
  title: string;
  /** `Guide`, `API` for the introduction, or the method of an operation. */
  kind: string;
  /** Title of the page, or path of the operation. */
  place: string;
  text: string;
}

/** The build creates the index and the page reads it, with the same options. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
  fields: ['title', 'place', 'text'],
  storeFields: ['href', 'title', 'kind', 'place', 'text'],
  searchOptions: {
    boost: { title: 5, place: 2 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
};
