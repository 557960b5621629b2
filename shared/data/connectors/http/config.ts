import type { Static } from 'typebox';
import * as Type from 'typebox';
import { StrictObject, TaggedUnion } from '../../../platform/http/schemas.ts';
import { FileOptions } from '../../files/file-options.ts';

const Pointer = Type.String({
  maxLength: 256,
  pattern: '^(/([^~/]|~[01])*)+$',
  description: 'A JSON pointer (RFC 6901) into the response, such as `/data/items`.',
});
const QueryName = Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\w.\\[\\]-]+$' });

/** How a response leads to the next one. */
export const HttpPagination = TaggedUnion(
  'kind',
  [
    StrictObject(
      { kind: Type.Literal('link') },
      { $id: 'LinkPagination', description: 'Follows the `Link: <…>; rel="next"` header of each response.' },
    ),
    StrictObject(
      {
        kind: Type.Literal('page'),
        parameter: QueryName,
        first: Type.Integer({ minimum: 0, maximum: 1, default: 1 }),
      },
      {
        $id: 'PageNumberPagination',
        description: 'Counts a query parameter up until a response has no records.',
      },
    ),
    StrictObject(
      { kind: Type.Literal('cursor'), parameter: QueryName, cursor: Pointer },
      {
        $id: 'CursorPagination',
        description: 'Sends a value of each response with the next request, until it is absent, null or empty.',
      },
    ),
  ],
  { $id: 'HttpPagination', description: 'How to read all pages of an endpoint.' },
);
export type HttpPagination = Static<typeof HttpPagination>;

export const HttpEndpoint = StrictObject(
  {
    name: Type.String({ minLength: 1, maxLength: 63, description: 'Name of the endpoint as a table.' }),
    path: Type.String({
      maxLength: 2048,
      pattern: '^/[^\\s#\\\\]*$',
      description: 'What follows `baseUrl`, including the query.',
    }),
    format: Type.Unsafe<'json' | 'ndjson' | 'csv' | 'parquet'>({
      type: 'string',
      enum: ['json', 'ndjson', 'csv', 'parquet'],
      default: 'json',
    }),
    records: Type.Optional(Pointer),
    pagination: Type.Optional(HttpPagination),
    options: Type.Optional(FileOptions),
  },
  { $id: 'HttpEndpoint', description: 'An address of the service whose records are read as a table.' },
);
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
  { $id: 'HttpConfig', description: 'How to call an HTTP service, and which of its endpoints are tables.' },
);
export type HttpConfig = Static<typeof HttpConfig>;

export const HttpSecrets = StrictObject(
  {
    credential: Type.Optional(Type.String({ minLength: 1, maxLength: 4096, pattern: '^[\\x21-\\x7e]+$' })),
    headers: Type.Optional(
      Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 4096 }), {
        maxProperties: 20,
        description: 'Further headers with values to keep secret.',
      }),
    ),
  },
  { $id: 'HttpSecrets', description: 'What authenticates requests to the service.' },
);
export type HttpSecrets = Static<typeof HttpSecrets>;
