import Type, { type Static } from 'typebox';
import { StrictObject, TaggedUnion } from '../../../platform/http/schemas.ts';

const Pointer = Type.String({
  maxLength: 256,
  pattern: '^(/([^~/]|~[01])*)+$',
  description: 'A JSON pointer (RFC 6901) into the answer, such as `/data/items`.',
});
const QueryName = Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\w.\\[\\]-]+$' });

/** How an answer leads to the next one. */
export const HttpPagination = TaggedUnion(
  'kind',
  [
    StrictObject(
      { kind: Type.Literal('link') },
      { description: 'By the `Link: <…>; rel="next"` header of the answer.' },
    ),
    StrictObject(
      {
        kind: Type.Literal('page'),
        parameter: QueryName,
        first: Type.Integer({ minimum: 0, maximum: 1, default: 1 }),
      },
      { description: 'By counting a parameter of the query up, until an answer has no records.' },
    ),
    StrictObject(
      { kind: Type.Literal('cursor'), parameter: QueryName, cursor: Pointer },
      { description: 'By a value of the answer, until it is absent, null or empty.' },
    ),
  ],
  { $id: 'HttpPagination' },
);
export type HttpPagination = Static<typeof HttpPagination>;

export const HttpEndpoint = StrictObject({
  name: Type.String({ minLength: 1, maxLength: 63, description: 'Its name as a table.' }),
  path: Type.String({
    maxLength: 2048,
    pattern: '^/[^\\s#\\\\]*$',
    description: 'What follows `baseUrl`, with its query.',
  }),
  format: Type.Unsafe<'json' | 'ndjson' | 'csv' | 'parquet'>({
    type: 'string',
    enum: ['json', 'ndjson', 'csv', 'parquet'],
    default: 'json',
  }),
  records: Type.Optional(Pointer),
  pagination: Type.Optional(HttpPagination),
});
export type HttpEndpoint = Static<typeof HttpEndpoint>;

export const HttpConfig = StrictObject(
  {
    baseUrl: Type.String({ minLength: 1, maxLength: 2048 }),
    headers: Type.Optional(
      Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 1024 }), { maxProperties: 20 }),
    ),
    auth: Type.Unsafe<'none' | 'bearer' | 'basic' | 'header'>({
      type: 'string',
      enum: ['none', 'bearer', 'basic', 'header'],
      default: 'none',
      description: '`secrets.credential` is sent as a bearer token, as the password of `user`, or as `authHeader`.',
    }),
    user: Type.Optional(Type.String({ minLength: 1, maxLength: 256, pattern: '^[^:]*$' })),
    authHeader: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    endpoints: Type.Array(HttpEndpoint, { minItems: 1, maxItems: 100 }),
  },
  { $id: 'HttpConfig' },
);
export type HttpConfig = Static<typeof HttpConfig>;

export const HttpSecrets = StrictObject(
  {
    credential: Type.Optional(Type.String({ minLength: 1, maxLength: 4096, pattern: '^[\\x21-\\x7e]+$' })),
    headers: Type.Optional(
      Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 4096 }), {
        maxProperties: 20,
        description: 'Further headers whose values nobody may read.',
      }),
    ),
  },
  { $id: 'HttpSecrets' },
);
export type HttpSecrets = Static<typeof HttpSecrets>;
