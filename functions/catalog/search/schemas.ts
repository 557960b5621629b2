import type { Static } from 'typebox';
import * as Type from 'typebox';
import { MATCHED_PLACES, MATCHINGS, SEARCHED_TYPES } from '../../../shared/domains/catalog/search/index.ts';
import { Cursor, Id, NextCursor, Nullable, StringEnum, Timestamp } from '../../../shared/platform/http/schemas.ts';

const SearchedTypeEnum = (description: string) => StringEnum(SEARCHED_TYPES, { description });

const SearchText = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description:
    'The words to find, at most twelve; the rest are ignored. The last one may be incomplete. Words in double quotes must follow each other, and a word after a minus must not occur. `type:dashboard` leaves only results of a type, `tag:finance` only those with a tag.',
});

const ObjectId = Type.String({
  maxLength: 64,
  description: 'The id of the object; that of a card is unique in its dashboard.',
});

export const SearchQuery = Type.Object({
  q: SearchText,
  type: Type.Optional(SearchedTypeEnum('Only results of this type; `facets` still counts all types.')),
  certified: Type.Optional(
    Type.Boolean({ description: 'Only certified results (`true`), or only the others (`false`).' }),
  ),
  deprecated: Type.Optional(
    Type.Boolean({ description: 'Only deprecated results (`true`), or only the others (`false`).' }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'The maximum number of results.' }),
  offset: Type.Integer({ minimum: 0, default: 0, description: 'How many results to skip; not with a cursor.' }),
  cursor: Type.Optional(Cursor),
});
export type SearchQuery = Static<typeof SearchQuery>;

const SearchParent = Type.Object(
  { type: SearchedTypeEnum('The type of the parent.'), id: Id, name: Type.String() },
  { $id: 'SearchParent', description: 'What the result is a part of, such as the model of a field.' },
);

const SearchResult = Type.Object(
  {
    type: SearchedTypeEnum('The type of the object.'),
    id: ObjectId,
    name: Type.String({
      description: 'The name in the draft if the caller sees it, otherwise in the published version.',
    }),
    parent: Nullable(SearchParent),
    snippet: Nullable(
      Type.Object(
        {
          text: Type.String({ description: 'At most 200 characters of the description.' }),
          marks: Type.Array(
            Type.Unsafe<[number, number]>({
              ...Type.Array(Type.Integer({ minimum: 0 }), { minItems: 2, maxItems: 2 }),
              description: 'The start and end of a matching word in the text, in UTF-16 code units.',
            }),
          ),
        },
        { $id: 'SearchSnippet', description: 'The description around the first matching word.' },
      ),
    ),
    matchedOn: Type.Array(StringEnum(MATCHED_PLACES), {
      description:
        'Where words match: in the name, in an alternative name such as `orders.amount`, in the description, in the names of folders and parents, or in the names of the columns of a dataset. Empty for a result whose meaning alone matches.',
    }),
    isCertified: Type.Boolean(),
    isDeprecated: Type.Boolean({ description: 'Whether it should no longer be used.' }),
    updatedAt: Timestamp,
    url: Type.String({ description: 'The path of the object, or of its parent, in the API.' }),
  },
  { $id: 'SearchResult', description: 'An object that the caller may read.' },
);
export type SearchResult = Static<typeof SearchResult>;

export const SearchResults = Type.Object(
  {
    items: Type.Array(SearchResult),
    total: Type.Integer({ minimum: 0, description: 'How many results the caller can see.' }),
    nextCursor: NextCursor,
    facets: Type.Object(
      {
        type: Type.Record(Type.String({ maxLength: 40 }), Type.Integer({ minimum: 1 }), {
          description: 'The number of results by type.',
        }),
      },
      { $id: 'SearchFacets', description: 'Counts of the results that the caller can see, regardless of `type`.' },
    ),
    matching: StringEnum(MATCHINGS, {
      description:
        'How the best result matches: `all` words, all words with typos (`fuzzy`), `any` of them, or none but its `meaning`. Weaker matches follow only if there are fewer than five better ones and no exact name.',
    }),
    mode: StringEnum(['lexical', 'hybrid'], {
      description: 'Whether the results were found by their words alone, or also by their meaning (`hybrid`).',
    }),
    fallback: Nullable(
      StringEnum(['off', 'building', 'unsuitable', 'timeout', 'error'], {
        description:
          'Why they were found by their words alone: the search by meaning is `off`; its vectors are being made (`building`); the embedding model is `unsuitable`; or it did not answer in time (`timeout`) or at all (`error`). Null if both were used, and for exact names and operators, for which words suffice.',
      }),
    ),
    suggestion: Nullable(
      Type.String({
        description:
          'The query with unknown words replaced by similar ones from names that the caller can see; null if there are none.',
      }),
    ),
    omitted: Type.Array(SearchedTypeEnum('A type.'), {
      description: 'Types that were not searched because the workspace has more than 5,000 objects of them.',
    }),
  },
  { $id: 'SearchResults', description: 'The matching objects, best first.' },
);
export type SearchResults = Static<typeof SearchResults>;

export const SuggestQuery = Type.Object({ q: SearchText });

export const Suggestions = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          type: SearchedTypeEnum('The type of the object.'),
          ...{ id: ObjectId, name: Type.String(), parent: Nullable(SearchParent), url: Type.String() },
        },
        { $id: 'SearchSuggestion', description: 'An object whose name matches the words typed so far.' },
      ),
    ),
  },
  { $id: 'SearchSuggestions', description: 'At most eight objects, best first.' },
);
export type Suggestions = Static<typeof Suggestions>;
