import type { Static } from 'typebox';
import * as Type from 'typebox';
import { acceptNullColumns, decimalsAs } from '../../../../data/connectors/rows/value-options.ts';
import { folded } from '../../../../data/duckdb/column-names.ts';
import { FileOptions, fileOptionIssues } from '../../../../data/files/file-options.ts';
import { formatOf } from '../../../../data/files/format-of.ts';
import { FILE_FORMATS } from '../../../../data/files/formats.ts';
import type { Issue } from '../../../../platform/errors/app-error.ts';
import { Id, StrictObject, StringEnum } from '../../../../platform/http/schemas.ts';
import { hasShape, shapeIssues } from '../../../../platform/validation/shape-issues.ts';
import { Condition, gates, Identifier, onSchemaChange, Sql, timeoutSeconds } from './members.ts';

const FileObject = StrictObject(
  {
    path: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'The path of a file, or `{{ trigger.files }}` for the files that have started the run.',
    }),
    format: Type.Optional(
      StringEnum(FILE_FORMATS, { description: 'Omit it to derive it from the content and the file extension.' }),
    ),
    options: Type.Optional(FileOptions),
  },
  { $id: 'FileObject', description: 'Files of a source of type `file` or `s3`.' },
);
const TableObject = StrictObject(
  { schema: Type.Optional(Identifier), table: Identifier, decimalsAs },
  { $id: 'TableObject', description: 'A table of a database, or an endpoint of an HTTP service.' },
);
const QueryObject = StrictObject(
  { query: Sql, decimalsAs },
  { $id: 'QueryObject', description: 'The rows of a query, in the SQL of the database.' },
);
const StreamObject = StrictObject(
  {
    stream: Type.String({ pattern: '^[a-z0-9_]{1,40}$', description: 'The `streamId` of a CDC stream of the source.' }),
    table: Type.Optional(
      Type.String({ minLength: 1, maxLength: 127, description: 'One of its tables; required when it has several.' }),
    ),
  },
  { $id: 'StreamObject', description: 'A table that a CDC stream follows.' },
);

const DatasetObject = StrictObject(
  {
    dataset: Type.String({ minLength: 1, maxLength: 200, description: 'The name of a dataset of the workspace.' }),
  },
  { $id: 'DatasetObject', description: 'The current rows of a dataset.' },
);

const Incremental = StrictObject(
  {
    cursorColumn: Type.Unsafe<string>({
      ...Identifier,
      description: 'A column that only grows; rows beyond its last value are new.',
    }),
    primaryKey: Type.Optional(
      Type.Array(Identifier, {
        minItems: 1,
        maxItems: 16,
        description:
          'Columns that identify a row. Without them, identical rows are counted, and each additional one is new.',
      }),
    ),
    initialValue: Type.Optional(
      Type.Union([Type.String({ maxLength: 1024 }), Type.Number()], { description: 'Where the first run starts.' }),
    ),
    lagSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 31_536_000,
        description: 'How far to look back for rows that were committed late.',
      }),
    ),
  },
  { $id: 'IncrementalExtract', description: 'How an incremental extract finds the new rows.' },
);

export type Incremental = Static<typeof Incremental>;

const readMembers = {
  columns: Type.Optional(
    Type.Array(Identifier, {
      minItems: 1,
      maxItems: 1000,
      uniqueItems: true,
      description: 'The columns to read. Omit it for all.',
    }),
  ),
  filter: Type.Optional(
    Type.Unsafe<string>({ ...Condition, description: 'Only rows that meet this condition are read.' }),
  ),
  mode: Type.Optional(
    StringEnum(['full', 'incremental'], { description: 'Whether to read all rows (the default) or only new ones.' }),
  ),
  incremental: Type.Optional(Incremental),
  onSchemaChange,
  acceptNullColumns,
  gates,
  timeoutSeconds,
};
const extractMembers = { sourceId: Id, ...readMembers };
const ExtractFile = StrictObject(
  { ...extractMembers, object: FileObject },
  { $id: 'ExtractFileConfig', description: 'Reads files.' },
);
const ExtractTable = StrictObject(
  { ...extractMembers, object: TableObject },
  { $id: 'ExtractTableConfig', description: 'Reads a table.' },
);
const ExtractQuery = StrictObject(
  { ...extractMembers, object: QueryObject },
  { $id: 'ExtractQueryConfig', description: 'Reads the rows of a query.' },
);
const ExtractStream = StrictObject(
  {
    sourceId: extractMembers.sourceId,
    object: StreamObject,
    columns: extractMembers.columns,
    mode: extractMembers.mode,
    timeoutSeconds,
  },
  {
    $id: 'ExtractStreamConfig',
    description: 'Reads the rows of a CDC stream or, in mode `incremental`, their changes.',
  },
);
const ExtractDataset = StrictObject(
  { ...readMembers, object: DatasetObject },
  { $id: 'ExtractDatasetConfig', description: 'Reads a dataset of the workspace, without a data source.' },
);
/** The settings of an extract: one shape for each kind of object. */
export const EXTRACT_CONFIGS = [ExtractFile, ExtractTable, ExtractQuery, ExtractStream, ExtractDataset] as const;
export type StreamConfig = Static<typeof ExtractStream>;
export type DatasetConfig = Static<typeof ExtractDataset>;
const ExtractObject = Type.Object({ object: Type.Object({}) });
export type ExtractConfig = Static<typeof ExtractFile> | Static<typeof ExtractTable> | Static<typeof ExtractQuery>;

/** Whether the extract reads a CDC stream: its rows or, in mode incremental, the changes since the last load. */
export const readsStream = (config: ExtractConfig | StreamConfig | DatasetConfig): config is StreamConfig =>
  'stream' in config.object;

/** Whether the extract reads a dataset of the workspace. */
export const readsDataset = (config: ExtractConfig | StreamConfig | DatasetConfig): config is DatasetConfig =>
  'dataset' in config.object;

/** The name of the dataset that a step reads, with its references; undefined if it reads something else. */
export function datasetReadBy({ type, config }: { type: string; config: Record<string, unknown> }): string | undefined {
  const { dataset } = (type === 'extract' && (config.object as { dataset?: unknown } | null | undefined)) || {};
  return typeof dataset === 'string' ? dataset : undefined;
}

/** Every issue of an extract's settings. */
export function extractIssues(config: Record<string, unknown>, at: string): Issue[] {
  const issues = extractShapeIssues(config, at);
  const { mode = 'full', incremental } = config;
  const isStream = typeof config.object === 'object' && config.object !== null && 'stream' in config.object;
  if (mode === 'incremental' && incremental === undefined && !isStream) {
    issues.push({ pointer: `${at}/incremental`, code: 'REQUIRED', message: 'is required when mode is incremental' });
  }
  if (mode === 'full' && incremental !== undefined) {
    issues.push({
      pointer: `${at}/incremental`,
      code: 'NOT_ALLOWED',
      message: 'is only allowed in mode incremental',
    });
  }
  const unread = unreadColumns(config);
  if (unread.length > 0) {
    const message = `must include ${unread.join(', ')}, which the cursor or the primary key uses`;
    issues.push({ pointer: `${at}/columns`, code: 'REQUIRED', message });
  }
  const { object } = config;
  issues.push(...optionIssues(object, `${at}/object/options`));
  if (mentionsArrivedFiles(object) && (mode === 'incremental' || !readsArrivedFiles(object))) {
    const message = '{{ trigger.files }} must be the whole path, and mode must be full.';
    issues.push({ pointer: `${at}/object/path`, code: 'NOT_ALLOWED', message });
  }
  return issues;
}

/** The cursor and key columns that the extract does not read. */
function unreadColumns({ columns, incremental }: Record<string, unknown>): string[] {
  if (!Array.isArray(columns) || !hasShape(Incremental, incremental)) return [];
  const { cursorColumn, primaryKey = [] } = incremental;
  const read = new Set(columns.map((name) => folded(String(name))));
  return [...new Set([cursorColumn, ...primaryKey])].filter((name) => !read.has(folded(name)));
}

/** Issues of the options of a file, as far as its format is known. */
function optionIssues(object: unknown, at: string): Issue[] {
  if (!hasShape(FileObject, object)) return [];
  return fileOptionIssues(object.options ?? {}, object.format ?? formatOf(object.path)?.format, at);
}

const ARRIVED = /\{\{\s*trigger\.files\s*\}\}/;

/** Whether the extract reads the files that started the run, all of them as one table. */
export function readsArrivedFiles(object: unknown): boolean {
  return pathOf(object).replace(ARRIVED, '').trim() === '' && mentionsArrivedFiles(object);
}

const mentionsArrivedFiles = (object: unknown) => ARRIVED.test(pathOf(object));

function pathOf(object: unknown): string {
  const path = (object as { path?: unknown } | null | undefined)?.path;
  return typeof path === 'string' ? path : '';
}

function extractShapeIssues(config: Record<string, unknown>, at: string): Issue[] {
  const { object } = config;
  if (typeof object !== 'object' || object === null) return shapeIssues(ExtractObject, config, at);
  if ('stream' in object) return shapeIssues(ExtractStream, config, at);
  if ('path' in object) return shapeIssues(ExtractFile, config, at);
  if ('query' in object) return shapeIssues(ExtractQuery, config, at);
  if ('table' in object) return shapeIssues(ExtractTable, config, at);
  if ('dataset' in object) return shapeIssues(ExtractDataset, config, at);
  const message = 'must have a path, a table, a query, a stream or a dataset';
  return [{ pointer: `${at}/object`, code: 'SHAPE', message }];
}
