import Type, { type Static } from 'typebox';
import { DownloadLink, Id, Nullable, StringEnum, Timestamp } from '../../platform/http/schemas.ts';

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
  description: 'Values of `$1`, `$2`, … as an array, or of `$name`s as an object. They are bound, never spliced.',
});
export type ParameterValue = Static<typeof Parameter>;

/** How a statement is run, whoever wrote it. */
export const queryOptions = {
  limit: Type.Integer({ minimum: 1, maximum: 50_000, default: 1000 }),
  timeoutMs: Type.Integer({ minimum: 100, maximum: 25_000, default: 20_000 }),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    default: 'UTC',
    description: 'IANA name of the zone in which instants are shown, cut and taken apart.',
  }),
  maxAgeSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3600,
      description:
        'How old a cached answer may be. Datasets: an hour when absent, and never older than the data. Sources: not at all when absent.',
    }),
  ),
};

export const CACHE_OUTCOMES = ['hit', 'miss', 'shared'] as const;
export type CacheOutcome = (typeof CACHE_OUTCOMES)[number];

export const QueryStats = Type.Object(
  {
    ms: Type.Integer({ description: 'Time that the answer took to compute.' }),
    bytes: Type.Integer({ description: 'Size of the files that were needed; 0 for a source.' }),
    cache: StringEnum(CACHE_OUTCOMES, {
      description:
        '`hit`: cached; `shared`: computed for another request at the same time; `miss`: computed for this one.',
    }),
  },
  { $id: 'QueryStats' },
);

export const ResultColumn = Type.Object({ name: Type.String(), type: Type.String() }, { $id: 'ResultColumn' });

/**
 * Values travel as JSON: integers beyond 2^53 and decimals as strings, dates as `YYYY-MM-DD`, instants in the request's
 * zone, NaN and infinity as null with a warning.
 */
export const QueryResult = Type.Object(
  {
    queryId: Id,
    columns: Type.Array(ResultColumn),
    rows: Type.Array(Type.Array(Type.Unknown())),
    rowCount: Type.Integer(),
    truncated: Type.Boolean({ description: 'There are more rows than `limit`.' }),
    warnings: Type.Array(Type.String()),
    asOf: Type.Unsafe<string>({ ...Timestamp, description: 'When the answer was computed.' }),
    stats: QueryStats,
  },
  { $id: 'QueryResult' },
);
export type QueryResult = Static<typeof QueryResult>;

export type ResultColumns = Static<typeof ResultColumn>[];

/** A file that is too large for a reply is answered by a link to it. */
export const QueryReply = Type.Union([QueryResult, DownloadLink]);
