import type { Static } from 'typebox';
import * as Type from 'typebox';
import { SOURCE_TYPES, type SourceType } from '../../../shared/data/connectors/source-types.ts';
import { FileOptions } from '../../../shared/data/files/file-options.ts';
import { FILE_FORMATS } from '../../../shared/data/files/formats.ts';
import { dataSourceProperties } from '../../../shared/domains/warehouse/sources/index.ts';
import { shownDefinition } from '../../../shared/platform/http/managed-by.ts';
import {
  idParams,
  Name,
  NamedListQuery,
  Nullable,
  Page,
  StringEnum,
  TaggedUnion,
  Timestamp,
} from '../../../shared/platform/http/schemas.ts';
import { Job } from '../../../shared/platform/jobs/record.ts';
import { Schedule } from '../../../shared/platform/schedule/schedule.ts';

export const DataSourceParams = idParams('data source');

export const DataSourcesQuery = Type.Object({
  ...NamedListQuery.properties,
  type: Type.Optional(
    StringEnum(Object.keys(SOURCE_TYPES) as SourceType[], { description: 'Only data sources of this type.' }),
  ),
});

const showAs = <T extends SourceType>(type: T, $id: string, description: string) =>
  Type.Object(
    { ...dataSourceProperties, type: Type.Literal(type), config: SOURCE_TYPES[type].config, ...shownDefinition },
    { $id, description },
  );

export const DataSource = TaggedUnion(
  'type',
  [
    showAs('file', 'FileDataSource', 'Files that are uploaded to the platform.'),
    showAs('postgres', 'PostgresDataSource', 'A Postgres database.'),
    showAs('mysql', 'MysqlDataSource', 'A MySQL or MariaDB database.'),
    showAs('s3', 'S3DataSource', 'Files in a bucket of Amazon S3, or of a service that speaks its protocol.'),
    showAs('http', 'HttpDataSource', 'Endpoints of an HTTP service; each is a table.'),
  ],
  { $id: 'DataSource', description: 'A connection to data. Secrets are accepted and never returned.' },
);
export type DataSource = Static<typeof DataSource>;

export const DataSourcePage = Page(DataSource);

/** Of the sync of the catalogue. */
const schedule = Type.Optional(Nullable(Schedule));

const newOf = <T extends 'postgres' | 'mysql' | 's3'>(type: T, $id: string, description: string) =>
  Type.Object(
    {
      ...{ name: Name, type: Type.Literal(type), config: SOURCE_TYPES[type].config },
      ...{ secrets: SOURCE_TYPES[type].secrets, schedule },
    },
    { $id, description },
  );

export const CreateDataSource = TaggedUnion(
  'type',
  [
    Type.Object(
      { name: Name, type: Type.Literal('file'), config: Type.Optional(SOURCE_TYPES.file.config), schedule },
      { $id: 'CreateFileDataSource', description: 'A new data source of type `file`; files are uploaded to it.' },
    ),
    newOf('postgres', 'CreatePostgresDataSource', 'A new data source of type `postgres`.'),
    newOf('mysql', 'CreateMysqlDataSource', 'A new data source of type `mysql`.'),
    newOf('s3', 'CreateS3DataSource', 'A new data source of type `s3`.'),
    Type.Object(
      {
        name: Name,
        type: Type.Literal('http'),
        config: SOURCE_TYPES.http.config,
        secrets: Type.Object({ ...SOURCE_TYPES.http.secrets.properties }, { additionalProperties: false, default: {} }),
        schedule,
      },
      { $id: 'CreateHttpDataSource', description: 'A new data source of type `http`.' },
    ),
  ],
  { $id: 'CreateDataSource', description: 'A new data source, its settings by `type`.' },
);
export type CreateDataSource = Static<typeof CreateDataSource>;

const Members = ($id: string) => Type.Record(Type.String(), Type.Unknown(), { $id, maxProperties: 50 });

export const UpdateDataSource = Type.Object(
  {
    name: Type.Optional(Name),
    config: Type.Optional(Members('UpdateDataSourceConfig')),
    secrets: Type.Optional(Members('UpdateDataSourceSecrets')),
    schedule,
  },
  {
    $id: 'UpdateDataSource',
    description:
      'Members of `config` and `secrets` replace those of the same name; null removes one, and also the schedule of the sync. To change the address, send the secrets again.',
  },
);
export type UpdateDataSource = Static<typeof UpdateDataSource>;

export const TestResult = Type.Object(
  {
    ok: Type.Boolean(),
    latencyMs: Type.Optional(Type.Integer()),
    serverVersion: Type.Optional(Type.String()),
    code: Type.Optional(Type.String({ description: 'Why it failed, such as `AUTH_FAILED` or `CONNECTION_FAILED`.' })),
    message: Type.Optional(Type.String()),
  },
  { $id: 'TestResult', description: 'Whether the connection works, and if not, why.' },
);
export type TestResult = Static<typeof TestResult>;

const FILE_PATH = '^(?!/)(?!.*(^|/)\\.{1,2}(/|$))(?!.*//)[^\\u0000-\\u001f\\ud800-\\udfff\\ufffe\\uffff\\\\]+$';

/** Whether the path is valid for a file. Object keys have at most 1,024 bytes, including our prefix. */
export function isFilePath(path: string): boolean {
  return new RegExp(FILE_PATH, 'u').test(path) && Buffer.byteLength(path) <= MAX_PATH_BYTES;
}

export const MAX_PATH_BYTES = 900;

export const FilePath = Type.String({
  minLength: 1,
  maxLength: 512,
  pattern: FILE_PATH,
  description: 'The path within the source, such as `sales/2026-01.csv`.',
});

export const CreateUpload = Type.Object(
  {
    path: FilePath,
    contentType: Type.Optional(Type.String({ maxLength: 200, pattern: '^[\\w.+-]+/[\\w.+-]+$' })),
    size: Type.Integer({ minimum: 0, maximum: 100 * 1024 ** 3, description: 'Bytes; at most 100 GiB.' }),
  },
  { $id: 'CreateUpload', description: 'The file to upload.' },
);

export const Upload = TaggedUnion(
  'kind',
  [
    Type.Object(
      {
        kind: Type.Literal('single'),
        method: Type.Literal('PUT'),
        url: Type.String(),
        headers: Type.Record(Type.String(), Type.String(), { description: 'Send exactly these headers.' }),
        expiresAt: Timestamp,
      },
      { $id: 'SingleUpload', description: 'One PUT with the whole file.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('parts'),
        uploadId: Type.String(),
        partSize: Type.Integer({ description: 'Bytes of every part except the last, which has the remainder.' }),
        parts: Type.Array(Type.Object({ partNumber: Type.Integer(), url: Type.String(), size: Type.Integer() }), {
          description: 'One PUT each, in any order or at the same time. Pass the `ETag` of each reply to `complete`.',
        }),
        expiresAt: Timestamp,
      },
      { $id: 'PartsUpload', description: 'One PUT for each part of a large file; then complete the upload.' },
    ),
  ],
  { $id: 'Upload', description: 'Where to send the file, and how.' },
);
export type Upload = Static<typeof Upload>;

export const UploadParams = Type.Object({
  ...DataSourceParams.properties,
  uploadId: Type.String({ minLength: 1, maxLength: 1024, description: 'The id of the upload in parts.' }),
});

export const MAX_PARTS = 10_000;

export const CompleteUpload = Type.Object(
  {
    path: FilePath,
    parts: Type.Array(
      Type.Object({
        partNumber: Type.Integer({ minimum: 1, maximum: MAX_PARTS }),
        etag: Type.String({ minLength: 1, maxLength: 100 }),
      }),
      { minItems: 1, maxItems: MAX_PARTS, description: 'In the order of their numbers.' },
    ),
  },
  { $id: 'CompleteUpload', description: 'The parts that were uploaded.' },
);

export const AbortQuery = Type.Object({ path: FilePath });

export const SchemaList = Type.Object(
  { items: Type.Array(Type.Object({ name: Type.String() })) },
  { $id: 'SchemaList', description: 'The schemas of a database; empty for other sources.' },
);
export type SchemaList = Static<typeof SchemaList>;

const From = Type.Optional(
  StringEnum(['source', 'catalogue'], {
    description:
      'Where to look: in the `source` itself (the default), or in the catalog of its last sync (`catalogue`).',
  }),
);

const Schema = Type.Optional(
  Type.String({ maxLength: 64, description: 'Omit it for `public`, or for the database of the connection.' }),
);

export const TableQuery = Type.Object({
  from: From,
  schema: Schema,
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 1000,
    description: 'The maximum number of items to return.',
  }),
  after: Type.Optional(
    Type.String({ maxLength: 1024, description: 'Return the items after this name: `next` of the previous reply.' }),
  ),
});

export const SourceTable = Type.Object(
  {
    schema: Type.String({ description: 'Empty for files.' }),
    name: Type.String({ description: 'The name of the table, or the path of the file.' }),
    kind: StringEnum(['table', 'view', 'materialized_view', 'foreign_table', 'file', 'endpoint']),
    inherits: Type.Optional(
      Type.Array(Type.Object({ schema: Type.String(), table: Type.String() }), {
        description: 'Postgres: other tables that also return the rows of this one, which inherits from them.',
      }),
    ),
    hasParts: Type.Optional(
      Type.Literal(true, {
        description: 'Postgres: the table also returns the rows of its partitions and of tables that inherit from it.',
      }),
    ),
    estimatedRows: Type.Optional(Nullable(Type.Integer())),
    sizeBytes: Type.Optional(Type.Integer()),
    updatedAt: Type.Optional(Timestamp),
  },
  { $id: 'SourceTable', description: 'A table, a file or an endpoint of a data source.' },
);
export type SourceTable = Static<typeof SourceTable>;

export const TableList = Type.Object(
  {
    items: Type.Array(SourceTable),
    next: Nullable(Type.String({ description: 'The value of `after` for the next page; null on the last one.' })),
    syncedAt: Nullable(
      Type.String({ format: 'date-time', description: 'When the catalog was read; null for the source itself.' }),
    ),
  },
  { $id: 'TableList', description: 'Tables, files or endpoints of a data source, by name.' },
);
export type TableList = Static<typeof TableList>;

export const ColumnQuery = Type.Object({
  from: From,
  schema: Schema,
  table: Type.String({ minLength: 1, maxLength: 1024, description: 'The name of a table, or the path of a file.' }),
  format: Type.Optional(
    StringEnum(FILE_FORMATS, { description: 'The format of a file; derived from the file name if omitted.' }),
  ),
  options: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 8192,
      description:
        'How a file is written: `FileOptions` as JSON, such as `{"decimalSeparator":","}`, the same as in a dataset.',
    }),
  ),
  sheet: FileOptions.properties.sheet,
  headerRow: FileOptions.properties.headerRow,
});

export const ColumnList = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.String({ description: 'The type in datasets, such as `integer` or `decimal(18,2)`.' }),
        sourceType: Type.Optional(Type.String({ description: 'The type in the database.' })),
        nullable: Type.Optional(Type.Boolean()),
        primaryKey: Type.Optional(Type.Boolean()),
      }),
    ),
    sample: Type.Optional(Type.Array(Type.Array(Type.Unknown()), { description: 'The first rows of a file.' })),
    sheets: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), isHidden: Type.Boolean() }), {
        description: 'The sheets of an Excel workbook, in order.',
      }),
    ),
  },
  { $id: 'ColumnList', description: 'The columns of a table or a file, in order.' },
);
export type ColumnList = Static<typeof ColumnList>;

export const SyncPage = Page(Job);
