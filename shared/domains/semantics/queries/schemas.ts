import type { Static } from 'typebox';
import * as Type from 'typebox';
import { DownloadLink, Id, Nullable, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';

const Parameter = Nullable(Type.Union([Type.String({ maxLength: 65_536 }), Type.Number(), Type.Boolean()]));

export const QueryParameters = Type.Unsafe<ParameterValue[] | Record<string, ParameterValue>>({
  anyOf: [
    Type.Array(Parameter, { maxItems: 100 }),
    Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$' }), Parameter, {
      maxProperties: 100,
      additionalProperties: false,
    }),
  ],
  default: [],
  description:
    'Values of `$1`, `$2`, … as an array, or of each `$name` as an object. They are bound as parameters, never spliced into the SQL.',
});
export type ParameterValue = Static<typeof Parameter>;

/** The options of every kind of query. */
export const queryOptions = {
  limit: Type.Integer({
    minimum: 1,
    maximum: 50_000,
    default: 1000,
    description: 'The maximum number of rows to return.',
  }),
  timeoutMs: Type.Integer({
    minimum: 100,
    maximum: 25_000,
    default: 20_000,
    description: 'The query is stopped after this time.',
  }),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    default: 'UTC',
    description: 'The IANA name of the time zone in which timestamps are shown, truncated and split into parts.',
  }),
  maxAgeSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3600,
      description:
        'The highest age of a cached result. Omit it to accept one of the last hour for datasets, unless their data has changed since, and none for sources.',
    }),
  ),
};

export const CACHE_OUTCOMES = ['hit', 'miss', 'shared'] as const;
export type CacheOutcome = (typeof CACHE_OUTCOMES)[number];

export const QueryStats = Type.Object(
  {
    ms: Type.Integer({ description: 'The time that the query took.' }),
    bytes: Type.Integer({ description: 'The size of the files that were read; 0 for a source.' }),
    cache: StringEnum(CACHE_OUTCOMES, {
      description:
        '`hit`: the result was cached; `shared`: it was computed for another request at the same time; `miss`: it was computed for this one.',
    }),
  },
  { $id: 'QueryStats', description: 'The cost of the query.' },
);

export const ResultColumn = Type.Object(
  { name: Type.String(), type: Type.String() },
  { $id: 'ResultColumn', description: 'A column of a result, with its type.' },
);

export const QueryResult = Type.Object(
  {
    queryId: Id,
    columns: Type.Array(ResultColumn),
    rows: Type.Array(Type.Array(Type.Unknown())),
    rowCount: Type.Integer(),
    truncated: Type.Boolean({ description: 'Whether there are more rows than `limit`.' }),
    warnings: Type.Array(Type.String()),
    asOf: Type.Unsafe<string>({ ...Timestamp, description: 'When the result was computed.' }),
    stats: QueryStats,
  },
  {
    $id: 'QueryResult',
    description:
      'The rows of a query. Integers beyond 2^53 and decimals are strings, dates are `YYYY-MM-DD`, timestamps are in the zone of the request, NaN and infinity are null with a warning.',
  },
);
export type QueryResult = Static<typeof QueryResult>;

export type ResultColumns = Static<typeof ResultColumn>[];

/** A file that is too large for a reply is replaced by a link to it. */
export const QueryReply = Type.Union([QueryResult, DownloadLink]);
