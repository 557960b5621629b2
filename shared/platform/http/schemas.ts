import Type, { type TObject, type TProperties, type TSchema, type TUnsafe } from 'typebox';

/** Building blocks of the API's shapes, each the one way to say its thing. */

export const Id = Type.String({ format: 'uuid', description: 'A UUID.' });

export const IdParams = Type.Object({ id: Id });

/** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:15:30.000Z`. */
export const Timestamp = Type.String({ format: 'date-time' });

/** Of a versioned record; its reply carries it as `ETag` too. */
export const Revision = Type.Integer({
  minimum: 1,
  description: 'Counts the changes of the record from 1; also its `ETag`, for `If-Match`.',
});

export const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });

export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** An object that refuses members it does not know. */
export const StrictObject = <P extends TProperties>(properties: P, options: Record<string, unknown> = {}): TObject<P> =>
  Type.Object(properties, { ...options, additionalProperties: false });

/** One of a fixed set of words. */
export const StringEnum = <const W extends readonly string[]>(words: W, options: Record<string, unknown> = {}) =>
  Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...options });

/** A union told apart by one literal member, so that an issue names its place in the chosen variant only. */
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

export const ListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  offset: Type.Integer({ minimum: 0, default: 0 }),
});

export const Cursor = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'The `nextCursor` of the page before. Good for 24 hours, with the same filters only.',
});

export const CursorQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Cursor),
});

export const NextCursor = Nullable(Type.String({ description: 'Leads to the next page; null at the end.' }));

/**
 * `{items,total,nextCursor}`: the list as it was when its first page was read. What is added later is not in it, what is
 * removed is left out, and nothing comes twice. `total` is the number of now.
 */
export const CursorPage = <S extends TSchema>(item: S, options: Record<string, unknown> = {}) =>
  Type.Object({ items: Type.Array(item), total: Type.Integer(), nextCursor: NextCursor }, options);
/** `{items,total,limit,offset}`; `total` counts what the caller can see. */
export const Page = <S extends TSchema>(item: S, options: Record<string, unknown> = {}) =>
  Type.Object(
    { items: Type.Array(item), total: Type.Integer(), limit: Type.Integer(), offset: Type.Integer() },
    options,
  );
/** Where content lies that is too large for a reply (`ContentElsewhere`). The address is a right to read it for a while. */
export const DownloadLink = Type.Object(
  {
    downloadUrl: Type.String({ format: 'uri' }),
    expiresAt: Timestamp,
    bytes: Type.Integer(),
    contentType: Type.String(),
  },
  { $id: 'DownloadLink' },
);
