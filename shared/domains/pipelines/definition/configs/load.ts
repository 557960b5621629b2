import type { Static, TSchema } from 'typebox';
import * as Type from 'typebox';
import { LEDGER } from '../../../../data/connectors/postgres/load-ledger.ts';
import { folded } from '../../../../data/duckdb/column-names.ts';
import { TARGET_FORMATS } from '../../../../data/files/formats.ts';
import type { RecipeColumn } from '../../../../data/recipe/table.ts';
import { MERGE_STRATEGIES } from '../../../../data/tables/merge-rows.ts';
import { HISTORY_COLUMNS } from '../../../../data/tables/merge-strategies.ts';
import type { Issue } from '../../../../platform/errors/app-error.ts';
import { Id, Name, StrictObject, StringEnum } from '../../../../platform/http/schemas.ts';
import { didYouMean } from '../../../../platform/text/nearest.ts';
import { hasShape, shapeIssues } from '../../../../platform/validation/shape-issues.ts';
import { QUARANTINE_SUFFIX } from '../../../warehouse/datasets/index.ts';
import { gateIssues, outputGateIssues } from './gates.ts';
import { gates, Identifier, input, onSchemaChange, timeoutSeconds } from './members.ts';

const loadMembers = {
  input,
  target: StrictObject(
    {
      kind: StringEnum(['dataset']),
      name: Type.Optional(Type.Unsafe<string>({ ...Name, description: 'A dataset, created when it does not exist.' })),
      datasetId: Type.Optional(Id),
    },
    { $id: 'DatasetTarget', description: 'A dataset, by `name` or by `datasetId`.' },
  ),
  onSchemaChange,
  timeoutSeconds,
  gates,
};
const scope = Type.Optional(
  StringEnum(['table', 'partition'], {
    description: 'Whether to replace all rows (the default) or only those of partitions that have new rows.',
  }),
);
const LoadAppend = StrictObject(
  { ...loadMembers, mode: StringEnum(['append']) },
  { $id: 'AppendToDatasetConfig', description: 'Adds the rows to a dataset.' },
);
const LoadOverwrite = StrictObject(
  { ...loadMembers, mode: StringEnum(['overwrite']), scope },
  { $id: 'OverwriteDatasetConfig', description: 'Replaces the rows of a dataset.' },
);
const STRATEGY = 'What to do with rows whose key exists. Omit it for `upsert`, which replaces them.';
const LoadMerge = StrictObject(
  {
    ...loadMembers,
    mode: StringEnum(['merge']),
    mergeKey: Type.Array(Identifier, {
      minItems: 1,
      maxItems: 16,
      uniqueItems: true,
      description: 'Columns that identify a row. They are never null.',
    }),
    strategy: Type.Optional(StringEnum(MERGE_STRATEGIES, { description: STRATEGY })),
    deleteColumn: Type.Optional(
      Type.Unsafe<string>({ ...Identifier, description: 'A boolean column. Rows for which it is true are removed.' }),
    ),
    dedupeOrderBy: Type.Optional(
      Type.Array(StrictObject({ column: Identifier, direction: Type.Optional(StringEnum(['asc', 'desc'])) }), {
        minItems: 1,
        maxItems: 16,
        description: 'Of several rows with one key, the first in this order is loaded.',
      }),
    ),
  },
  { $id: 'MergeIntoDatasetConfig', description: 'Merges the rows into a dataset by their key.' },
);
const LoadMode = Type.Object({ mode: StringEnum(['append', 'overwrite', 'merge']) });
const PartitionKeys = Type.Optional(
  Type.Array(Identifier, {
    minItems: 1,
    maxItems: 8,
    uniqueItems: true,
    description: 'Columns whose values, together, identify a partition.',
  }),
);

const tableMembers = {
  input,
  gates,
  target: StrictObject(
    {
      kind: StringEnum(['table']),
      sourceId: Id,
      schema: Type.Optional(Identifier),
      table: Identifier,
      partitionBy: PartitionKeys,
    },
    { $id: 'TableTarget', description: 'A table of a Postgres source.' },
  ),
  onSchemaChange,
  timeoutSeconds,
};
const TableAppend = StrictObject(
  { ...tableMembers, mode: StringEnum(['append']) },
  { $id: 'AppendToTableConfig', description: 'Adds the rows to a table of a database.' },
);
const TableOverwrite = StrictObject(
  { ...tableMembers, mode: StringEnum(['overwrite']), scope },
  { $id: 'OverwriteTableConfig', description: 'Replaces the rows of a table of a database.' },
);
const TableMerge = StrictObject(
  {
    ...tableMembers,
    mode: StringEnum(['merge']),
    mergeKey: LoadMerge.properties.mergeKey,
    strategy: Type.Optional(StringEnum(['upsert', 'delete_insert', 'insert_only'], { description: STRATEGY })),
    deleteColumn: LoadMerge.properties.deleteColumn,
    dedupeOrderBy: LoadMerge.properties.dedupeOrderBy,
  },
  { $id: 'MergeIntoTableConfig', description: 'Merges the rows into a table of a database by their key.' },
);
export type LoadTableConfig = Static<typeof TableAppend> | Static<typeof TableOverwrite> | Static<typeof TableMerge>;
export type AnyLoadConfig = LoadConfig | LoadTableConfig | LoadFilesConfig;
export type LoadConfig = Static<typeof LoadAppend> | Static<typeof LoadOverwrite> | Static<typeof LoadMerge>;

const filesMembers = {
  input,
  gates,
  target: StrictObject(
    {
      kind: StringEnum(['files']),
      sourceId: Id,
      path: Type.String({ minLength: 1, maxLength: 512, description: 'A folder below the prefix of an S3 source.' }),
      format: StringEnum(TARGET_FORMATS),
      partitionBy: PartitionKeys,
    },
    { $id: 'FilesTarget', description: 'Files in a bucket.' },
  ),
  onSchemaChange,
  timeoutSeconds,
};
const FilesAppend = StrictObject(
  { ...filesMembers, mode: StringEnum(['append']) },
  { $id: 'AppendFilesConfig', description: 'Adds files with the rows to a folder.' },
);
const FilesOverwrite = StrictObject(
  { ...filesMembers, mode: StringEnum(['overwrite']), scope },
  { $id: 'OverwriteFilesConfig', description: 'Replaces the files of a folder.' },
);
export type LoadFilesConfig = Static<typeof FilesAppend> | Static<typeof FilesOverwrite>;

const DATASET_SHAPES = { append: LoadAppend, overwrite: LoadOverwrite, merge: LoadMerge };
const FILES_SHAPES = { append: FilesAppend, overwrite: FilesOverwrite };
const TABLE_SHAPES = { append: TableAppend, overwrite: TableOverwrite, merge: TableMerge };
/** The settings of a load: one shape for each kind of target and each mode. */
export const LOAD_CONFIGS = [DATASET_SHAPES, TABLE_SHAPES, FILES_SHAPES].flatMap((shapes) => Object.values(shapes));

/** Without a valid mode, only the issues that a load has in every mode are reported. */
function issuesInAnyMode(shapes: Record<string, TSchema>, config: object, at: string): Issue[] {
  const [first = [], ...others] = Object.values(shapes).map((shape) => shapeIssues(shape, config, at));
  const isIn = (issues: readonly Issue[], { pointer, code }: Issue) =>
    issues.some((other) => other.pointer === pointer && other.code === code);
  return first.filter((issue) => issue.pointer !== `${at}/mode` && others.every((issues) => isIn(issues, issue)));
}

/** Every issue of a load's settings. */
export function loadIssues(config: Record<string, unknown>, at: string): Issue[] {
  const kind = (config.target as { kind?: unknown } | null | undefined)?.kind;
  if (kind === 'files' && config.mode === 'merge') return [mergeIntoFiles(at)];
  return [
    ...modeIssues(kind === 'table' ? TABLE_SHAPES : kind === 'files' ? FILES_SHAPES : DATASET_SHAPES, config, at),
    ...targetIssues(kind, config, at),
    ...loadGateIssues(kind, config.gates, `${at}/gates`),
    ...mergeIssues(config, at),
    ...datasetNameIssues(kind, config, at),
  ];
}

function modeIssues(shapes: Record<string, TSchema>, config: Record<string, unknown>, at: string): Issue[] {
  const { mode } = config;
  return typeof mode === 'string' && Object.hasOwn(shapes, mode)
    ? shapeIssues(shapes[mode]!, config, at)
    : [...shapeIssues(LoadMode, config, at), ...issuesInAnyMode(shapes, config, at)];
}

function targetIssues(kind: unknown, config: Record<string, unknown>, at: string): Issue[] {
  if (kind !== 'table' && kind !== 'files') return [];
  const own = kind === 'table' ? reservedIssues(config.target, at) : pathIssues(config.target, at);
  return [...partitionIssues(config, at), ...own];
}

function loadGateIssues(kind: unknown, gates: unknown, at: string): Issue[] {
  if (gates === undefined) return [];
  return kind === 'table' || kind === 'files' ? outputGateIssues(gates, at) : gateIssues(gates, at);
}

function mergeIssues({ strategy, mergeKey, deleteColumn }: Record<string, unknown>, at: string): Issue[] {
  const issue = (message: string): Issue => ({ pointer: `${at}/deleteColumn`, code: 'NOT_ALLOWED', message });
  const keys = textsIn(mergeKey).map(folded);
  const isKey = typeof deleteColumn === 'string' && keys.includes(folded(deleteColumn));
  const insertsOnly = strategy === 'insert_only' && deleteColumn !== undefined;
  return [
    ...(insertsOnly ? [issue('The strategy insert_only deletes no rows; remove deleteColumn.')] : []),
    ...repeatedNames(mergeKey, `${at}/mergeKey`),
    ...(isKey ? [issue('must not be part of the merge key')] : []),
    ...(strategy === 'scd2' ? historyIssues(keys, at) : []),
  ];
}

/** A history adds its own columns to those of the rows. */
function historyIssues(keys: readonly string[], at: string): Issue[] {
  return keys.flatMap((key, index) => {
    if (!HISTORY_COLUMNS.some(({ name }) => name === key)) return [];
    const message = `The strategy scd2 adds the column "${key}" itself; rename the column in the rows.`;
    return [{ pointer: `${at}/mergeKey/${index}`, code: 'NOT_ALLOWED', message }];
  });
}

function datasetNameIssues(kind: unknown, { target, gates }: Record<string, unknown>, at: string): Issue[] {
  const { name, datasetId } = (target ?? {}) as { name?: unknown; datasetId?: unknown };
  const issues: Issue[] = [];
  if (kind === 'dataset' && (name === undefined) === (datasetId === undefined)) {
    issues.push({ pointer: `${at}/target`, code: 'SHAPE', message: 'must have either name or datasetId' });
  }
  const quarantines = Array.isArray(gates) && gates.some((gate) => gate?.action === 'quarantine');
  if (quarantines && typeof name === 'string' && !hasShape(Name, name + QUARANTINE_SUFFIX)) {
    const message = `is too long for the name of its quarantine, which ends in ${QUARANTINE_SUFFIX}; shorten it`;
    issues.push({ pointer: `${at}/target/name`, code: 'MAX_LENGTH', message });
  }
  return issues;
}

/** The items of a list of names; of one that the shape rejects, none. */
const textsIn = (names: unknown): string[] =>
  Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : [];

/** Reports column names that differ only in case; the shape reports exact duplicates. */
function repeatedNames(names: unknown, at: string): Issue[] {
  const spelled = new Map<string, string>();
  return textsIn(names).flatMap((name, index) => {
    const first = spelled.get(folded(name)) ?? name;
    spelled.set(folded(name), first);
    if (first === name) return [];
    const message = `The column "${first}" is listed twice.`;
    return [{ pointer: `${at}/${index}`, code: 'DUPLICATE', message }];
  });
}

/** Reports columns that a load uses and its rows lack, or that have an unsuitable type. */
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
    const message = 'must leave at least one column for the files';
    return [{ pointer: `${at}/target/partitionBy`, code: 'NO_COLUMNS', message }];
  }
  return [...mergeColumns(config), ...partitions].flatMap(({ name, pointer: below, must }) => {
    const pointer = `${at}/${below}`;
    const column = known.get(folded(name));
    if (!column) {
      const names = columns.map((each) => each.name);
      return [{ pointer, code: 'COLUMN_UNKNOWN', message: `Unknown column "${name}"${didYouMean(name, names)}` }];
    }
    if (must === undefined || column.type === undefined || column.type === must) return [];
    return [{ pointer, code: 'COLUMN_TYPE', message: `The column "${name}" is ${column.type}, but must be ${must}.` }];
  });
}

interface NamedColumn {
  name: string;
  /** Relative to the settings. */
  pointer: string;
  /** The required type, if any. */
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

/** A dataset stores how it is partitioned; a load into a table declares it. */
function partitionIssues({ target, scope: wanted }: Record<string, unknown>, at: string): Issue[] {
  const { kind, partitionBy } = target as { kind: string; partitionBy?: unknown };
  if (wanted === 'partition' && partitionBy === undefined) {
    return [{ pointer: `${at}/target/partitionBy`, code: 'REQUIRED', message: 'is required when scope is partition' }];
  }
  // Files are stored by partition in every scope.
  if (kind === 'table' && wanted !== 'partition' && partitionBy !== undefined) {
    return [
      { pointer: `${at}/target/partitionBy`, code: 'NOT_ALLOWED', message: 'is only allowed with scope partition' },
    ];
  }
  return repeatedNames(partitionBy, `${at}/target/partitionBy`);
}

/** Files are never changed, so the rows of a key cannot be found in them. */
const mergeIntoFiles = (at: string): Issue => ({
  pointer: `${at}/mode`,
  code: 'SETTING_NOT_AVAILABLE',
  message: 'Files can only be appended or overwritten; merge into a dataset or a table instead.',
});

/** Postgres reserves these names; tables in `pg_temp` disappear with the connection. */
function reservedIssues(target: unknown, at: string): Issue[] {
  const { schema, table } = target as { schema?: unknown; table?: unknown };
  const reserved = (member: string, message: string): Issue => ({
    pointer: `${at}/target/${member}`,
    code: 'NOT_ALLOWED',
    message,
  });
  return [
    ...(typeof schema === 'string' && /^(pg_|information_schema$)/.test(schema)
      ? [reserved('schema', 'must not be a system schema of Postgres')]
      : []),
    ...(table === LEDGER ? [reserved('table', 'must not be the table in which the platform records its loads')] : []),
  ];
}

/** Whether a text can be a folder: parts between single slashes, without `.` and `..`. */
export function isFolderPath(path: string): boolean {
  return (
    path.length <= 512 &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are rejected
    !/[\u0000-\u001f\u007f\\]/.test(path)
  );
}

function pathIssues(target: unknown, at: string): Issue[] {
  const { path } = target as { path?: unknown };
  if (typeof path !== 'string' || path === '' || isFolderPath(path)) return [];
  const message = 'must be a relative folder such as exports/orders, without empty, . or .. parts';
  return [{ pointer: `${at}/target/path`, code: 'PATTERN', message }];
}
