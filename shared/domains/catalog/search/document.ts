/** The kinds of things that a search finds. */
export const SEARCHED_TYPES = [
  'metric',
  'dashboard',
  'card',
  'report',
  'story',
  'model',
  'field',
  'blend',
  'saved_query',
  'dataset',
  'data_source',
  'pipeline',
  'alert',
  'quality_test',
  'term',
] as const;
export type SearchedType = (typeof SEARCHED_TYPES)[number];

/** What the index knows of an object, as one sort of its readers sees it: names and descriptions, never rows. */
export interface SearchDocument {
  /** Unique in the workspace; the draft and the published version of an object have one each. */
  key: string;
  type: SearchedType;
  id: string;
  name: string;
  description: string;
  /** Other names by which people know it, such as `orders.amount` for a field. */
  aliases: readonly string[];
  /** Words of its surroundings: its folder, or the names of its parents. */
  context: string;
  /** The names of the columns of a dataset. */
  columns: readonly string[];
  /** What people have tagged it with. */
  tags: readonly string[];
  parent: { type: SearchedType; id: string; name: string } | null;
  isCertified: boolean;
  isDeprecated: boolean;
  updatedAt: string;
}

/** The places of a document in which words match. */
export const MATCHED_PLACES = ['name', 'aliases', 'description', 'context', 'columns', 'tags'] as const;
export type MatchedPlace = (typeof MATCHED_PLACES)[number];
