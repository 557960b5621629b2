import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import * as Type from 'typebox';
import type { StoredBoundary } from '../../../data/connectors/extract/stored-boundary.ts';
import { acceptNullColumns, decimalsAs } from '../../../data/connectors/rows/value-options.ts';
import { FileOptions } from '../../../data/files/file-options.ts';
import { FILE_FORMATS } from '../../../data/files/formats.ts';
import { Id, StrictObject, StringEnum, TaggedUnion } from '../../../platform/http/schemas.ts';

const Identifier = Type.String({ minLength: 1, maxLength: 63 });
const Sql = Type.String({ minLength: 1, maxLength: 100_000 });

export const DatasetSource = TaggedUnion(
  'kind',
  [
    StrictObject(
      {
        kind: Type.Literal('file'),
        sourceId: Id,
        path: Type.String({ minLength: 1, maxLength: 1024, description: 'A file of a source of type `file` or `s3`.' }),
        format: Type.Optional(StringEnum(FILE_FORMATS)),
        options: Type.Optional(FileOptions),
        acceptNullColumns,
      },
      { $id: 'FileDatasetSource', description: 'A file of a data source.' },
    ),
    StrictObject(
      {
        kind: Type.Literal('table'),
        sourceId: Id,
        schema: Type.Optional(Identifier),
        table: Identifier,
        decimalsAs,
        acceptNullColumns,
      },
      { $id: 'TableDatasetSource', description: 'A table of a database, or an endpoint of an HTTP service.' },
    ),
    StrictObject(
      { kind: Type.Literal('query'), sourceId: Id, query: Sql, decimalsAs, acceptNullColumns },
      { $id: 'QueryDatasetSource', description: 'The rows of a query, in the SQL of the database.' },
    ),
    StrictObject(
      {
        kind: Type.Literal('datasets'),
        sql: Type.String({
          minLength: 1,
          maxLength: 100_000,
          description: 'One SELECT or WITH statement over other datasets of the workspace, by their names.',
        }),
      },
      { $id: 'DerivedDatasetSource', description: 'The rows of a query over other datasets.' },
    ),
  ],
  { $id: 'DatasetSource', description: 'Where the rows of a dataset come from.' },
);
export type DatasetSource = Static<typeof DatasetSource>;

export const REFRESH_MODES = ['full', 'incremental'] as const;
export type RefreshMode = (typeof REFRESH_MODES)[number];

export const DatasetIncremental = StrictObject(
  {
    cursorColumn: Type.Unsafe<string>({
      ...Identifier,
      description: 'A column that only grows; rows beyond its last value are new.',
    }),
    mergeKey: Type.Optional(
      Type.Array(Identifier, {
        minItems: 1,
        maxItems: 16,
        uniqueItems: true,
        description: 'New rows replace those with the same key. Omit it to append new rows.',
      }),
    ),
    initialValue: Type.Optional(Type.Union([Type.String({ maxLength: 1024 }), Type.Number()])),
    lagSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 31_536_000,
        description: 'How far to look back for rows that were committed late.',
      }),
    ),
  },
  { $id: 'DatasetIncremental', description: 'How an incremental refresh finds the new rows.' },
);
export type DatasetIncremental = Static<typeof DatasetIncremental>;

/** The position up to which an incremental refresh has read the source; stored with the version. */
export interface DatasetWatermark extends StoredBoundary {
  /** Identifies source and cursor; the watermark of others does not apply. */
  of: string;
  column: string;
  to: string;
}

/** Identifies the rows of a source together with how the new ones are found. */
export function watermarkSubject(source: DatasetSource, incremental: DatasetIncremental): string {
  const { acceptNullColumns: _, ...rows } = source as Exclude<DatasetSource, { kind: 'datasets' }>;
  return createHash('sha256')
    .update(JSON.stringify([rows, incremental]))
    .digest('hex')
    .slice(0, 32);
}
