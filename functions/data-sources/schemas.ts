import Type, { type Static } from 'typebox';
import { SOURCE_TYPES, type SourceType } from '../../shared/data/connectors/source-types.ts';
import { FILE_FORMATS } from '../../shared/data/files/formats.ts';
import { dataSourceProperties } from '../../shared/domains/sources/index.ts';
import { Id, Name, Nullable, Page, StringEnum, TaggedUnion, Timestamp } from '../../shared/platform/http/schemas.ts';
import { Job } from '../../shared/platform/jobs/record.ts';

const shownAs = <T extends SourceType>(type: T) =>
  Type.Object({ ...dataSourceProperties, type: Type.Literal(type), config: SOURCE_TYPES[type].config });

export const DataSource = TaggedUnion(
  'type',
  [shownAs('file'), shownAs('postgres'), shownAs('mysql'), shownAs('s3'), shownAs('http')],
  { $id: 'DataSource', description: 'A connection to data. Secrets are accepted and never returned.' },
);
export type DataSource = Static<typeof DataSource>;

export const DataSourcePage = Page(DataSource);

const newOf = <T extends Exclude<SourceType, 'file'>>(type: T) =>
  Type.Object({
    name: Name,
    type: Type.Literal(type),
    config: SOURCE_TYPES[type].config,
    secrets: SOURCE_TYPES[type].secrets,
  });

const HttpSource = newOf('http');

export const NewDataSource = TaggedUnion(
  'type',
  [
    Type.Object({ name: Name, type: Type.Literal('file'), config: Type.Optional(SOURCE_TYPES.file.config) }),
    newOf('postgres'),
    newOf('mysql'),
    newOf('s3'),
    Type.Object({
      ...HttpSource.properties,
      secrets: Type.Object({ ...SOURCE_TYPES.http.secrets.properties }, { additionalProperties: false, default: {} }),
    }),
  ],
  { $id: 'NewDataSource' },
);
export type NewDataSource = Static<typeof NewDataSource>;

const Members = Type.Record(Type.String(), Type.Unknown());

export const DataSourceChange = Type.Object(
  {
    name: Type.Optional(Name),
    config: Type.Optional(Members),
    secrets: Type.Optional(Members),
  },
  {
    $id: 'DataSourceChange',
    description:
      'Members of `config` and `secrets` replace those of the same name; null removes one. A change of the address needs the secrets again.',
  },
);
export type DataSourceChange = Static<typeof DataSourceChange>;

export const TestResult = Type.Object(
  {
    ok: Type.Boolean(),
    latencyMs: Type.Optional(Type.Integer()),
    serverVersion: Type.Optional(Type.String()),
    code: Type.Optional(Type.String({ description: 'Why it failed, such as `AUTH_FAILED` or `CONNECTION_FAILED`.' })),
    message: Type.Optional(Type.String()),
  },
  { $id: 'TestResult' },
);
export type TestResult = Static<typeof TestResult>;

const FILE_PATH = '^(?!/)(?!.*(^|/)\\.{1,2}(/|$))(?!.*//)[^\\u0000-\\u001f\\ud800-\\udfff\\ufffe\\uffff\\\\]+$';

/** Whether a file can have this path; the names of objects have at most 1,024 bytes, ours included. */
export function isFilePath(path: string): boolean {
  return new RegExp(FILE_PATH, 'u').test(path) && Buffer.byteLength(path) <= MAX_PATH_BYTES;
}

export const MAX_PATH_BYTES = 900;

/** A path within the source, such as `sales/2026-01.csv`. */
export const FilePath = Type.String({ minLength: 1, maxLength: 512, pattern: FILE_PATH });

export const NewUpload = Type.Object({
  path: FilePath,
  contentType: Type.Optional(Type.String({ maxLength: 200, pattern: '^[\\w.+-]+/[\\w.+-]+$' })),
  size: Type.Integer({ minimum: 0, maximum: 100 * 1024 ** 3, description: 'Bytes; at most 100 GiB.' }),
});

/** Where and how to send the file: in one piece or, when it is large, in parts that are then put together. */
export const Upload = TaggedUnion(
  'kind',
  [
    Type.Object({
      kind: Type.Literal('single'),
      method: Type.Literal('PUT'),
      url: Type.String(),
      headers: Type.Record(Type.String(), Type.String(), { description: 'To be sent exactly so.' }),
      expiresAt: Timestamp,
    }),
    Type.Object({
      kind: Type.Literal('parts'),
      uploadId: Type.String(),
      partSize: Type.Integer({ description: 'Bytes of every part but the last, which has the rest.' }),
      parts: Type.Array(Type.Object({ partNumber: Type.Integer(), url: Type.String(), size: Type.Integer() }), {
        description: 'One PUT each, in any order and beside each other; the `ETag` of its reply is for `complete`.',
      }),
      expiresAt: Timestamp,
    }),
  ],
  { $id: 'Upload' },
);
export type Upload = Static<typeof Upload>;

export const UploadParams = Type.Object({ id: Id, uploadId: Type.String({ minLength: 1, maxLength: 1024 }) });

export const MAX_PARTS = 10_000;

export const CompletedUpload = Type.Object({
  path: FilePath,
  parts: Type.Array(
    Type.Object({
      partNumber: Type.Integer({ minimum: 1, maximum: MAX_PARTS }),
      etag: Type.String({ minLength: 1, maxLength: 100 }),
    }),
    { minItems: 1, maxItems: MAX_PARTS, description: 'In the order of their numbers.' },
  ),
});

export const AbortQuery = Type.Object({ path: FilePath });

export const SchemaList = Type.Object(
  { items: Type.Array(Type.Object({ name: Type.String() })) },
  { $id: 'SchemaList' },
);
export type SchemaList = Static<typeof SchemaList>;

const From = Type.Optional(
  StringEnum(['source', 'catalogue'], {
    description: 'Look into the source now (the default), or into its last sync.',
  }),
);

export const TableQuery = Type.Object({
  from: From,
  schema: Type.Optional(Type.String({ maxLength: 64 })),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 1000 }),
  after: Type.Optional(
    Type.String({ maxLength: 1024, description: 'Items that follow this name: `next` of a reply.' }),
  ),
});

export const SourceTable = Type.Object(
  {
    schema: Type.String({ description: 'Empty for files.' }),
    name: Type.String({ description: 'The name of the table, or the path of the file.' }),
    kind: StringEnum(['table', 'view', 'materialized_view', 'foreign_table', 'file', 'endpoint']),
    estimatedRows: Type.Optional(Nullable(Type.Integer())),
    sizeBytes: Type.Optional(Type.Integer()),
    updatedAt: Type.Optional(Timestamp),
  },
  { $id: 'SourceTable' },
);
export type SourceTable = Static<typeof SourceTable>;

export const TableList = Type.Object(
  {
    items: Type.Array(SourceTable),
    next: Nullable(Type.String({ description: 'The value of `after` for what follows; null at the end.' })),
    syncedAt: Nullable(Timestamp),
  },
  { $id: 'TableList' },
);
export type TableList = Static<typeof TableList>;

export const ColumnQuery = Type.Object({
  from: From,
  schema: Type.Optional(Type.String({ maxLength: 64 })),
  table: Type.String({ minLength: 1, maxLength: 1024, description: 'Name of a table, or path of a file.' }),
  format: Type.Optional(StringEnum(FILE_FORMATS, { description: 'Of a file; by the ending of its name when absent.' })),
});

export const ColumnList = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.String({ description: 'In the words of datasets, such as `integer` or `decimal(18,2)`.' }),
        sourceType: Type.Optional(Type.String()),
        nullable: Type.Optional(Type.Boolean()),
        primaryKey: Type.Optional(Type.Boolean()),
      }),
    ),
    sample: Type.Optional(Type.Array(Type.Array(Type.Unknown()), { description: 'The first rows of a file.' })),
  },
  { $id: 'ColumnList' },
);
export type ColumnList = Static<typeof ColumnList>;

export const SyncPage = Page(Job);
