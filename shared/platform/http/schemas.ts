import type { TObject, TProperties, TSchema, TUnsafe } from 'typebox';
import * as Type from 'typebox';
import { SORTS } from '../storage/list-request.ts';

/** Building blocks of the API's schemas. */

export const Id = Type.String({ format: 'uuid' });

/** The path parameter `id` of a record, such as a data source. */
export const idParams = (record: string) =>
  Type.Object({ id: Type.String({ format: 'uuid', description: `The id of the ${record}.` }) });

/** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:15:30.000Z`. */
export const Timestamp = Type.String({ format: 'date-time' });

/** The revision of a versioned record; also the reply's `ETag`. */
export const Revision = Type.Integer({
  minimum: 1,
  description: 'The number of changes of the record, starting at 1; also its `ETag`, for `If-Match`.',
});

/** A name that people read: one line with something to see, without control characters and halves of characters. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]+$',
});

export const NewPassword = Type.String({ minLength: 12, maxLength: 1024, description: 'At least 12 characters.' });

export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** An object that rejects unknown members. */
export const StrictObject = <P extends TProperties>(properties: P, options: Record<string, unknown> = {}): TObject<P> =>
  Type.Object(properties, { ...options, additionalProperties: false });

/** One of a fixed set of strings. */
export const StringEnum = <const W extends readonly string[]>(words: W, options: Record<string, unknown> = {}) =>
  Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...options });

/** A union whose variants differ by one literal member, so that issues refer to the chosen variant only. */
export function TaggedUnion<const S extends TObject[]>(
  tag: string,
  variants: S,
  options: Record<string, unknown> = {},
): TUnsafe<S[number] extends TObject<infer _P> ? import('typebox').Static<S[number]> : never> {
  return Type.Unsafe({
    ...options,
    type: 'object',
    required: [tag],
    discriminator: { propertyName: tag },
    oneOf: variants,
  });
}

const Limit = Type.Integer({
  minimum: 1,
  maximum: 200,
  default: 50,
  description: 'The maximum number of items to return.',
});

export const ListQuery = Type.Object({
  limit: Limit,
  offset: Type.Integer({ minimum: 0, default: 0, description: 'How many items to skip.' }),
});

/** The filter by which a list finds one record. */
export const NameFilter = Type.Optional(
  Type.String({ minLength: 1, maxLength: 200, description: 'Only records with exactly this name.' }),
);

/** The same for people. */
export const EmailFilter = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 254,
    description: 'Only the person with exactly this email; case does not matter.',
  }),
);

/** The members by which a list can be sorted, and its order without that. */
export const sortedBy = <const M extends string>(members: readonly M[], otherwise: string) =>
  Type.Optional(
    StringEnum(
      members.flatMap((member) => [member, `-${member}` as const]),
      { description: `The member to sort by, descending with a minus; ${otherwise} when absent.` },
    ),
  );

/** For a list of named records: the page, an exact name, and the order. */
export const NamedListQuery = Type.Object({
  ...ListQuery.properties,
  name: NameFilter,
  sort: Type.Optional(
    StringEnum(SORTS, { description: 'The member to sort by, descending with a minus; `-createdAt` when absent.' }),
  ),
});

/** For a list of records without names: the page and the order. */
export const SortedListQuery = Type.Object({
  ...ListQuery.properties,
  sort: sortedBy(['createdAt', 'updatedAt'], '`-createdAt`'),
});

/** `search`: a text in the name or, by default, in the description. */
export const searchFilter = (records: string, { texts = 'name or description' } = {}) =>
  Type.Optional(
    Type.String({
      maxLength: 200,
      description: `Only ${records} with this text in the ${texts}; case does not matter.`,
    }),
  );

/** For a list of named records that is also searched. Its short word `recent`, and those of `more`, come first. */
export const searchedListQuery = <const M extends readonly string[] = []>(
  records: string,
  options: { texts?: string; more?: M; default?: (typeof SORTS)[number] | 'recent'; also?: string } = {},
) =>
  Type.Object({
    ...ListQuery.properties,
    name: NameFilter,
    search: searchFilter(records, options),
    sort: StringEnum(['recent', ...(options.more ?? ([] as unknown as M)), ...SORTS], {
      default: options.default ?? 'recent',
      description: `The member to sort by, descending with a minus. \`recent\` is \`-updatedAt\`${options.also ?? ''}.`,
    }),
  });

export const Cursor = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'The `nextCursor` of the previous page. Valid for 24 hours and with the same filters.',
});

export const LimitQuery = Type.Object({ limit: Limit });

export const CursorQuery = Type.Object({ limit: Limit, cursor: Type.Optional(Cursor) });

export const NextCursor = Nullable(Type.String({ description: 'Leads to the next page; null on the last one.' }));

/**
 * `{items,total,nextCursor}`: the list as of the time when its first page was read. Records added later are excluded,
 * deleted ones are omitted, and none is repeated. `total` is the current number.
 */
export const CursorPage = <S extends TSchema>(item: S, options: Record<string, unknown> = {}) =>
  Type.Object({ items: Type.Array(item), total: Type.Integer(), nextCursor: NextCursor }, options);
/** `{items,total,limit,offset}`; `total` counts the records that the caller can see. */
export const Page = <S extends TSchema>(item: S) =>
  Type.Object(
    {
      items: Type.Array(item),
      total: Type.Integer(),
      limit: Type.Integer({
        description:
          'How many items the page can hold: the `limit` of the request, or fewer when they would exceed 4 MB together. The next page starts at `offset` + `limit`.',
      }),
      offset: Type.Integer(),
    },
    {
      $id: `${(item as { $id?: string }).$id}Page`,
      description: 'A page of the list; `total` counts all items that the caller can see.',
    },
  );
/**
 * A link to content that is too large for a reply (`ContentElsewhere`). Anyone with the URL can read the content for a
 * while.
 */
export const DownloadLink = Type.Object(
  {
    downloadUrl: Type.String({ format: 'uri' }),
    expiresAt: Timestamp,
    bytes: Type.Integer(),
    contentType: Type.String(),
  },
  {
    $id: 'DownloadLink',
    description:
      'A link to a result that is too large for one reply. Anyone who has the URL can read the file until `expiresAt`.',
  },
);

/** The query of operations that remove what other objects use. */
export const ForceQuery = StrictObject({
  force: Type.Boolean({
    default: false,
    description: 'Whether to remove it although other objects would break, which the reply otherwise lists.',
  }),
});
