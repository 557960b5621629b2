import Type, { type Static } from 'typebox';
import { folded } from '../../../../data/duckdb/column-names.ts';
import { FileOptions } from '../../../../data/files/file-options.ts';
import { formatOf } from '../../../../data/files/format-of.ts';
import { FILE_FORMATS } from '../../../../data/files/formats.ts';
import type { Issue } from '../../../../platform/errors/app-error.ts';
import { Id, StrictObject, StringEnum } from '../../../../platform/http/schemas.ts';
import { hasShape, shapeIssues } from '../../../../platform/validation/shape-issues.ts';
import { Condition, gates, Identifier, onSchemaChange, Sql, timeoutSeconds } from './members.ts';

const FileObject = StrictObject({
  path: Type.String({ minLength: 1, maxLength: 1024 }),
  format: Type.Optional(StringEnum(FILE_FORMATS)),
  options: Type.Optional(FileOptions),
});
const TableObject = StrictObject({ schema: Type.Optional(Identifier), table: Identifier });
const QueryObject = StrictObject({ query: Sql });
const StreamObject = StrictObject({
  stream: Type.String({ pattern: '^[a-z0-9_]{1,40}$', description: 'The `streamId` of a CDC stream of the source.' }),
  table: Type.Optional(
    Type.String({ minLength: 1, maxLength: 127, description: 'One of its tables; needed when it has several.' }),
  ),
});

const Incremental = StrictObject({
  cursorColumn: Identifier,
  primaryKey: Type.Optional(
    Type.Array(Identifier, {
      minItems: 1,
      maxItems: 16,
      description:
        'Columns that tell rows apart: a row that is read again as it was is the same one. Without, rows that are all alike are counted, and a further one is new.',
    }),
  ),
  initialValue: Type.Optional(Type.Union([Type.String({ maxLength: 1024 }), Type.Number()])),
  lagSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 31_536_000 })),
});

export type Incremental = Static<typeof Incremental>;

const extractMembers = {
  sourceId: Id,
  columns: Type.Optional(Type.Array(Identifier, { minItems: 1, maxItems: 1000, uniqueItems: true })),
  filter: Type.Optional(Condition),
  mode: Type.Optional(StringEnum(['full', 'incremental'])),
  incremental: Type.Optional(Incremental),
  onSchemaChange,
  gates,
  timeoutSeconds,
};
const ExtractFile = StrictObject({ ...extractMembers, object: FileObject });
const ExtractTable = StrictObject({ ...extractMembers, object: TableObject });
const ExtractQuery = StrictObject({ ...extractMembers, object: QueryObject });
const ExtractStream = StrictObject({
  sourceId: extractMembers.sourceId,
  object: StreamObject,
  columns: extractMembers.columns,
  mode: extractMembers.mode,
  timeoutSeconds,
});
export type StreamConfig = Static<typeof ExtractStream>;
const ExtractObject = Type.Object({ object: Type.Object({}) });
export type ExtractConfig = Static<typeof ExtractFile> | Static<typeof ExtractTable> | Static<typeof ExtractQuery>;

/** Whether a CDC stream is read: its rows or, in mode incremental, its changes since the last load. */
export const readsStream = (config: ExtractConfig | StreamConfig): config is StreamConfig => 'stream' in config.object;

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
      message: 'is only for mode incremental',
    });
  }
  const unread = unreadColumns(config);
  if (unread.length > 0) {
    const message = `must list ${unread.join(', ')}, as the cursor or the primary key does`;
    issues.push({ pointer: `${at}/columns`, code: 'REQUIRED', message });
  }
  const { object } = config;
  issues.push(...dialectIssues(object, `${at}/object/options`));
  if (mentionsArrivedFiles(object) && (mode === 'incremental' || !namesArrivedFiles(object))) {
    const message = 'must stand alone, and is not for mode incremental';
    issues.push({ pointer: `${at}/object/path`, code: 'NOT_ALLOWED', message: `{{ trigger.files }} ${message}` });
  }
  return issues;
}

/** The column of the cursor and those of the key that are not among those that are read. */
function unreadColumns({ columns, incremental }: Record<string, unknown>): string[] {
  if (!Array.isArray(columns) || !hasShape(Incremental, incremental)) return [];
  const { cursorColumn, primaryKey = [] } = incremental;
  const read = new Set(columns.map((name) => folded(String(name))));
  return [...new Set([cursorColumn, ...primaryKey])].filter((name) => !read.has(folded(name)));
}

/** Signs of a CSV file that no reader could tell apart. */
function dialectIssues(object: unknown, at: string): Issue[] {
  if (!hasShape(FileObject, object) || (object.format ?? formatOf(object.path)?.format) !== 'csv') return [];
  const { delimiter, quote = '"', nullStrings = [] } = object.options ?? {};
  const signs = [delimiter ?? '', quote, '\0'].filter((sign) => sign !== '');
  const issue = (member: string, code: string, message: string): Issue => ({
    pointer: `${at}/${member}`,
    code,
    message,
  });
  return [
    ...(delimiter === '\n' || delimiter === '\0' ? [issue('delimiter', 'PATTERN', 'cannot part values')] : []),
    ...(quote > '\x7f' || quote === '\0' ? [issue('quote', 'PATTERN', 'must be an ASCII character')] : []),
    ...(delimiter === quote ? [issue('delimiter', 'NOT_ALLOWED', 'is the quote, too')] : []),
    ...nullStrings.flatMap((text, index) =>
      signs.some((sign) => text.includes(sign))
        ? [issue(`nullStrings/${index}`, 'NOT_ALLOWED', 'holds the delimiter or the quote')]
        : [],
    ),
  ];
}

const ARRIVED = /\{\{\s*trigger\.files\s*\}\}/;

/** Whether the files are to be read that have started the run: all of them, as one table. */
export function namesArrivedFiles(object: unknown): boolean {
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
  return [{ pointer: `${at}/object`, code: 'SHAPE', message: 'must name a path, a table, a query or a stream' }];
}
