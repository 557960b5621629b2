import Type, { type Static, type TSchema } from 'typebox';
import { LEDGER } from '../../../../data/connectors/postgres/load-ledger.ts';
import { folded } from '../../../../data/duckdb/column-names.ts';
import { TARGET_FORMATS } from '../../../../data/files/folder-manifest.ts';
import type { RecipeColumn } from '../../../../data/recipe/table.ts';
import { MERGE_STRATEGIES } from '../../../../data/tables/merge-rows.ts';
import { HISTORY_COLUMNS } from '../../../../data/tables/merge-strategies.ts';
import type { Issue } from '../../../../platform/errors/app-error.ts';
import { Id, Name, StrictObject, StringEnum } from '../../../../platform/http/schemas.ts';
import { hasShape, shapeIssues } from '../../../../platform/validation/shape-issues.ts';
import { gateIssues, outputGateIssues, QUARANTINE } from './gates.ts';
import { gates, Identifier, input, onSchemaChange, timeoutSeconds } from './members.ts';

const loadMembers = {
  input,
  target: StrictObject({
    kind: StringEnum(['dataset']),
    name: Type.Optional(Name),
    datasetId: Type.Optional(Id),
  }),
  onSchemaChange,
  timeoutSeconds,
  gates,
};
const scope = Type.Optional(StringEnum(['table', 'partition']));
const LoadAppend = StrictObject({ ...loadMembers, mode: StringEnum(['append']) });
const LoadOverwrite = StrictObject({ ...loadMembers, mode: StringEnum(['overwrite']), scope });
const LoadMerge = StrictObject({
  ...loadMembers,
  mode: StringEnum(['merge']),
  mergeKey: Type.Array(Identifier, { minItems: 1, maxItems: 16, uniqueItems: true }),
  strategy: Type.Optional(StringEnum(MERGE_STRATEGIES)),
  deleteColumn: Type.Optional(Identifier),
  dedupeOrderBy: Type.Optional(
    Type.Array(StrictObject({ column: Identifier, direction: Type.Optional(StringEnum(['asc', 'desc'])) }), {
      minItems: 1,
      maxItems: 16,
    }),
  ),
});
const LoadMode = Type.Object({ mode: StringEnum(['append', 'overwrite', 'merge']) });
/** Columns whose values, together, name a partition. */
const PartitionKeys = Type.Optional(Type.Array(Identifier, { minItems: 1, maxItems: 8, uniqueItems: true }));

const tableMembers = {
  input,
  gates,
  target: StrictObject({
    kind: StringEnum(['table']),
    sourceId: Id,
    schema: Type.Optional(Identifier),
    table: Identifier,
    partitionBy: PartitionKeys,
  }),
  onSchemaChange,
  timeoutSeconds,
};
const TableAppend = StrictObject({ ...tableMembers, mode: StringEnum(['append']) });
const TableOverwrite = StrictObject({ ...tableMembers, mode: StringEnum(['overwrite']), scope });
const TableMerge = StrictObject({
  ...tableMembers,
  mode: StringEnum(['merge']),
  mergeKey: LoadMerge.properties.mergeKey,
  strategy: Type.Optional(StringEnum(['upsert', 'delete_insert', 'insert_only'])),
  deleteColumn: LoadMerge.properties.deleteColumn,
  dedupeOrderBy: LoadMerge.properties.dedupeOrderBy,
});
export type LoadTableConfig = Static<typeof TableAppend> | Static<typeof TableOverwrite> | Static<typeof TableMerge>;
export type AnyLoadConfig = LoadConfig | LoadTableConfig | LoadFilesConfig;
export type LoadConfig = Static<typeof LoadAppend> | Static<typeof LoadOverwrite> | Static<typeof LoadMerge>;

const filesMembers = {
  input,
  gates,
  target: StrictObject({
    kind: StringEnum(['files']),
    sourceId: Id,
    path: Type.String({ minLength: 1, maxLength: 512, description: 'A folder below the prefix of an S3 source.' }),
    format: StringEnum(TARGET_FORMATS),
    partitionBy: PartitionKeys,
  }),
  onSchemaChange,
  timeoutSeconds,
};
const FilesAppend = StrictObject({ ...filesMembers, mode: StringEnum(['append']) });
const FilesOverwrite = StrictObject({ ...filesMembers, mode: StringEnum(['overwrite']), scope });
export type LoadFilesConfig = Static<typeof FilesAppend> | Static<typeof FilesOverwrite>;

const DATASET_SHAPES = { append: LoadAppend, overwrite: LoadOverwrite, merge: LoadMerge };
const FILES_SHAPES = { append: FilesAppend, overwrite: FilesOverwrite };
const TABLE_SHAPES = { append: TableAppend, overwrite: TableOverwrite, merge: TableMerge };

/** Of a load of no known mode: issues that it has in each of them. */
function issuesInAnyMode(shapes: Record<string, TSchema>, config: object, at: string): Issue[] {
  const [first = [], ...others] = Object.values(shapes).map((shape) => shapeIssues(shape, config, at));
  const isIn = (issues: readonly Issue[], { pointer, code }: Issue) =>
    issues.some((other) => other.pointer === pointer && other.code === code);
  return first.filter((issue) => issue.pointer !== `${at}/mode` && others.every((issues) => isIn(issues, issue)));
}

/** Every issue of a load's settings. */
export function loadIssues(config: Record<string, unknown>, at: string): Issue[] {
  const { target, mode } = config;
  const kind = (target as { kind?: unknown } | null | undefined)?.kind;
  if (kind === 'files' && mode === 'merge') return [mergeOfFiles(at)];
  const shapes: Record<string, TSchema> =
    kind === 'table' ? TABLE_SHAPES : kind === 'files' ? FILES_SHAPES : DATASET_SHAPES;
  const issues =
    typeof mode === 'string' && Object.hasOwn(shapes, mode)
      ? shapeIssues(shapes[mode]!, config, at)
      : [...shapeIssues(LoadMode, config, at), ...issuesInAnyMode(shapes, config, at)];
  if (kind === 'table' || kind === 'files') issues.push(...partitionIssues(config, at));
  if (kind === 'files') issues.push(...pathIssues(target, at));
  if (kind === 'table') issues.push(...reservedIssues(target, at));
  if (config.gates !== undefined) {
    const issuesOf = kind === 'table' || kind === 'files' ? outputGateIssues : gateIssues;
    issues.push(...issuesOf(config.gates, `${at}/gates`));
  }
  if (config.strategy === 'insert_only' && config.deleteColumn !== undefined) {
    issues.push({ pointer: `${at}/deleteColumn`, code: 'NOT_ALLOWED', message: 'insert_only takes nothing away' });
  }
  const keys = config.mergeKey;
  issues.push(...repeatedNames(keys, `${at}/mergeKey`));
  const spelled = Array.isArray(keys) ? keys.map((key) => folded(String(key))) : [];
  if (config.deleteColumn !== undefined && spelled.includes(folded(String(config.deleteColumn)))) {
    issues.push({ pointer: `${at}/deleteColumn`, code: 'NOT_ALLOWED', message: 'is a part of the merge key' });
  }
  if (config.strategy === 'scd2') issues.push(...historyIssues(spelled, at));
  const { name, datasetId } = (target ?? {}) as { name?: unknown; datasetId?: unknown };
  if (kind === 'dataset' && (name === undefined) === (datasetId === undefined)) {
    issues.push({ pointer: `${at}/target`, code: 'SHAPE', message: 'must have either name or datasetId' });
  }
  const quarantines = Array.isArray(config.gates) && config.gates.some((gate) => gate?.action === 'quarantine');
  if (quarantines && typeof name === 'string' && !hasShape(Name, name + QUARANTINE)) {
    const message = `leaves no room for the name of its quarantine, which ends in ${QUARANTINE}`;
    issues.push({ pointer: `${at}/target/name`, code: 'MAX_LENGTH', message });
  }
  return issues;
}

/** A history keeps its own columns beside those of the rows. */
function historyIssues(keys: readonly string[], at: string): Issue[] {
  return keys.flatMap((key, index) =>
    HISTORY_COLUMNS.some(({ name }) => name === key)
      ? [
          {
            pointer: `${at}/mergeKey/${index}`,
            code: 'NOT_ALLOWED',
            message: `${key} is a column of the history itself`,
          },
        ]
      : [],
  );
}

/** One that is written the same is told by the shape. */
function repeatedNames(names: unknown, at: string): Issue[] {
  if (!Array.isArray(names)) return [];
  const spelled = names.map((name) => folded(String(name)));
  return spelled.flatMap((name, index) => {
    const first = spelled.indexOf(name);
    if (first === index || names[first] === names[index]) return [];
    const message = `names the column ${names[first]} again`;
    return [{ pointer: `${at}/${index}`, code: 'DUPLICATE', message }];
  });
}

/** Columns that a load names and its rows have not, or have with a type that does not serve. */
export function loadColumnIssues(
  config: Record<string, unknown>,
  columns: readonly RecipeColumn[],
  at: string,
): Issue[] {
  const known = new Map(columns.map((column) => [folded(column.name), column]));
  const partitions = partitionColumns(config);
  const { kind } = (config.target ?? {}) as { kind?: unknown };
  if (
    kind === 'files' &&
    partitions.length === columns.length &&
    partitions.every(({ name }) => known.has(folded(name)))
  ) {
    const message = 'leaves no column for the files';
    return [{ pointer: `${at}/target/partitionBy`, code: 'NO_COLUMNS', message }];
  }
  return [...mergeColumns(config), ...partitions].flatMap(({ name, pointer: below, must }) => {
    const pointer = `${at}/${below}`;
    const column = known.get(folded(name));
    if (!column) return [{ pointer, code: 'COLUMN_UNKNOWN', message: `there is no column ${name}` }];
    if (must === undefined || column.type === undefined || column.type === must) return [];
    return [{ pointer, code: 'COLUMN_TYPE', message: `${name} is ${column.type}, and must be ${must}` }];
  });
}

interface NamedColumn {
  name: string;
  /** Below the settings. */
  pointer: string;
  /** The only type that serves, where there is one. */
  must?: string;
}

function mergeColumns(config: Record<string, unknown>): NamedColumn[] {
  const shapes: TSchema[] = [LoadMerge, TableMerge];
  if (!shapes.some((shape) => hasShape(shape, config))) return [];
  const { mergeKey, deleteColumn, dedupeOrderBy = [] } = config as unknown as Static<typeof LoadMerge>;
  return [
    ...mergeKey.map((name, index) => ({ name, pointer: `mergeKey/${index}` })),
    ...(deleteColumn === undefined ? [] : [{ name: deleteColumn, pointer: 'deleteColumn', must: 'boolean' }]),
    ...dedupeOrderBy.map(({ column }, index) => ({ name: column, pointer: `dedupeOrderBy/${index}/column` })),
  ];
}

function partitionColumns({ target }: Record<string, unknown>): NamedColumn[] {
  const { partitionBy } = (target ?? {}) as { partitionBy?: unknown };
  if (!hasShape(PartitionKeys, partitionBy)) return [];
  return (partitionBy ?? []).map((name, index) => ({ name, pointer: `target/partitionBy/${index}` }));
}

/** A dataset knows by what it is partitioned; the load into a table says it. */
function partitionIssues({ target, scope: wanted }: Record<string, unknown>, at: string): Issue[] {
  const { kind, partitionBy } = target as { kind: string; partitionBy?: unknown };
  if (wanted === 'partition' && partitionBy === undefined) {
    return [{ pointer: `${at}/target/partitionBy`, code: 'REQUIRED', message: 'is required when scope is partition' }];
  }
  // Files lie by partition however they are loaded.
  if (kind === 'table' && wanted !== 'partition' && partitionBy !== undefined) {
    return [{ pointer: `${at}/target/partitionBy`, code: 'NOT_ALLOWED', message: 'is only for scope partition' }];
  }
  return repeatedNames(partitionBy, `${at}/target/partitionBy`);
}

/** Files are never changed, so the rows of a key cannot be found in them. */
const mergeOfFiles = (at: string): Issue => ({
  pointer: `${at}/mode`,
  code: 'SETTING_NOT_AVAILABLE',
  message: 'files are appended or overwritten; merge into a dataset or a table',
});

/** Postgres keeps such names to itself; what lies in `pg_temp` is gone with the connection. */
function reservedIssues(target: unknown, at: string): Issue[] {
  const { schema, table } = target as { schema?: unknown; table?: unknown };
  const reserved = (member: string, message: string): Issue => ({
    pointer: `${at}/target/${member}`,
    code: 'NOT_ALLOWED',
    message,
  });
  return [
    ...(typeof schema === 'string' && /^(pg_|information_schema$)/.test(schema)
      ? [reserved('schema', "is a schema of the server's own")]
      : []),
    ...(table === LEDGER ? [reserved('table', 'is the table by which a repeated load is known')] : []),
  ];
}

/** Whether a text can be a folder: parts between single slashes, none of which means another folder. */
export function isFolderPath(path: string): boolean {
  return (
    path.length <= 512 &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
    !/[\u0000-\u001f\u007f\\]/.test(path)
  );
}

function pathIssues(target: unknown, at: string): Issue[] {
  const { path } = target as { path?: unknown };
  if (typeof path !== 'string' || path === '' || isFolderPath(path)) return [];
  const message = 'must be parts between single slashes, such as exports/orders';
  return [{ pointer: `${at}/target/path`, code: 'PATTERN', message }];
}

/** A source takes its rows in a commit of its own, which nothing that is kept here can be a part of. */
