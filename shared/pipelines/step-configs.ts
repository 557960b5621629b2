import Type, { type Static } from 'typebox';
import type { Fault } from '../errors/app-error.ts';
import { FILE_FORMATS } from '../files/formats.ts';
import { Closed, Id, Name, Words } from '../http/schemas.ts';
import type { Step, StepType } from './dag.ts';
import { shapeFaults } from './shape-faults.ts';

/** A function ends after 15 minutes; what a step may take leaves room for taking over and writing down. */
export const MOST_STEP_SECONDS = 840;

const timeoutSeconds = Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400, default: MOST_STEP_SECONDS }));
const Identifier = Type.String({ minLength: 1, maxLength: 63 });
const Sql = Type.String({ minLength: 1, maxLength: 100_000 });

/** How a text file is written, where that is not to be guessed. */
const FileOptions = Closed({
  delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 1 })),
  quote: Type.Optional(Type.String({ maxLength: 1 })),
  header: Type.Optional(Type.Boolean()),
  nullStrings: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 20 })),
  encoding: Type.Optional(Words(['utf-8', 'utf-16le', 'utf-16be', 'latin-1'])),
});
const FileObject = Closed({
  path: Type.String({ minLength: 1, maxLength: 1024 }),
  format: Type.Optional(Words(FILE_FORMATS)),
  options: Type.Optional(FileOptions),
});
const TableObject = Closed({ schema: Type.Optional(Identifier), table: Identifier });
const QueryObject = Closed({ query: Sql });

const Incremental = Closed({
  cursorColumn: Identifier,
  // Rows at the watermark are known again by their whole content, which the key is a part of.
  primaryKey: Type.Optional(Type.Array(Identifier, { minItems: 1, maxItems: 16 })),
  initialValue: Type.Optional(Type.Union([Type.String({ maxLength: 1024 }), Type.Number()])),
  lagSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 31_536_000 })),
});

export type Incremental = Static<typeof Incremental>;

const extractMembers = {
  sourceId: Id,
  columns: Type.Optional(Type.Array(Identifier, { minItems: 1, maxItems: 1000, uniqueItems: true })),
  filter: Type.Optional(Type.String({ minLength: 1, maxLength: 10_000 })),
  mode: Type.Optional(Words(['full', 'incremental'])),
  incremental: Type.Optional(Incremental),
  timeoutSeconds,
};
const ExtractFile = Closed({ ...extractMembers, object: FileObject });
const ExtractTable = Closed({ ...extractMembers, object: TableObject });
const ExtractQuery = Closed({ ...extractMembers, object: QueryObject });
const ExtractObject = Type.Object({ object: Type.Object({}) });
export type ExtractConfig = Static<typeof ExtractFile> | Static<typeof ExtractTable> | Static<typeof ExtractQuery>;

const Alias = '^[A-Za-z_][A-Za-z0-9_]{0,62}$';

export const TransformSqlConfig = Closed({
  inputs: Type.Optional(Type.Record(Type.String({ pattern: Alias }), Type.String())),
  sql: Sql,
  timeoutSeconds,
});
export type TransformSqlConfig = Static<typeof TransformSqlConfig>;

const loadMembers = {
  input: Type.Optional(Type.String()),
  target: Closed({
    kind: Words(['dataset']),
    name: Type.Optional(Name),
    datasetId: Type.Optional(Id),
  }),
  timeoutSeconds,
};
const LoadReplace = Closed({ ...loadMembers, mode: Words(['append', 'overwrite']) });
const LoadMerge = Closed({
  ...loadMembers,
  mode: Words(['merge']),
  mergeKey: Type.Array(Identifier, { minItems: 1, maxItems: 16, uniqueItems: true }),
  strategy: Type.Optional(Words(['upsert'])),
  dedupeOrderBy: Type.Optional(
    Type.Array(Closed({ column: Identifier, direction: Type.Optional(Words(['asc', 'desc'])) }), {
      minItems: 1,
      maxItems: 16,
    }),
  ),
});
const LoadMode = Type.Object({ mode: Words(['append', 'overwrite', 'merge']) });
export type LoadConfig = Static<typeof LoadReplace> | Static<typeof LoadMerge>;

/** Settings of the design that cannot be carried out yet: refused by name rather than accepted and not done. */
const NOT_OFFERED: Partial<Record<StepType, readonly string[]>> = {
  extract: ['onSchemaChange', 'gates'],
  transform_sql: ['ops', 'gates'],
  load: ['onSchemaChange', 'deleteColumn', 'scope', 'gates'],
};

/** Every fault of a step's settings; `place` is the step's own pointer. */
export function configFaults(step: Step, place: string): Fault[] {
  const at = `${place}/config`;
  const { config } = step;
  const notOffered = (NOT_OFFERED[step.type] ?? [])
    .filter((name) => Object.hasOwn(config, name))
    .map((name) => ({
      pointer: `${at}/${name}`,
      code: 'SETTING_NOT_AVAILABLE',
      message: `${name} is not available for ${step.type} steps`,
    }));
  const known = Object.fromEntries(Object.entries(config).filter(([name]) => !NOT_OFFERED[step.type]?.includes(name)));
  return [...notOffered, ...typeFaults(step.type, known, place, at), ...timeoutFaults(config, at)];
}

function typeFaults(type: StepType, config: Record<string, unknown>, place: string, at: string): Fault[] {
  switch (type) {
    case 'extract':
      return extractFaults(config, at);
    case 'transform_sql':
      return shapeFaults(TransformSqlConfig, config, at);
    case 'load':
      return loadFaults(config, at);
    default:
      return [
        { pointer: `${place}/type`, code: 'STEP_TYPE_NOT_AVAILABLE', message: `${type} steps cannot be run here yet` },
      ];
  }
}

function extractFaults(config: Record<string, unknown>, at: string): Fault[] {
  const faults = extractShapeFaults(config, at);
  const { mode = 'full', incremental } = config;
  if (mode === 'incremental' && incremental === undefined) {
    faults.push({ pointer: `${at}/incremental`, code: 'REQUIRED', message: 'is required when mode is incremental' });
  }
  if (mode === 'full' && incremental !== undefined) {
    faults.push({
      pointer: `${at}/incremental`,
      code: 'NOT_ALLOWED',
      message: 'is only for mode incremental',
    });
  }
  return faults;
}

function extractShapeFaults(config: Record<string, unknown>, at: string): Fault[] {
  const { object } = config;
  if (typeof object !== 'object' || object === null) return shapeFaults(ExtractObject, config, at);
  if ('stream' in object) {
    return [
      {
        pointer: `${at}/object/stream`,
        code: 'SETTING_NOT_AVAILABLE',
        message: 'streams cannot be extracted here yet',
      },
    ];
  }
  if ('path' in object) return shapeFaults(ExtractFile, config, at);
  if ('query' in object) return shapeFaults(ExtractQuery, config, at);
  if ('table' in object) return shapeFaults(ExtractTable, config, at);
  return [{ pointer: `${at}/object`, code: 'SHAPE', message: 'must name a path, a table or a query' }];
}

function loadFaults(config: Record<string, unknown>, at: string): Fault[] {
  const { target, mode } = config;
  const kind = (target as { kind?: unknown } | null | undefined)?.kind;
  if (kind === 'table' || kind === 'files') {
    return [
      {
        pointer: `${at}/target/kind`,
        code: 'SETTING_NOT_AVAILABLE',
        message: `loads into ${kind} cannot be run here yet`,
      },
    ];
  }
  const faults =
    mode === 'merge'
      ? shapeFaults(LoadMerge, config, at)
      : mode === 'append' || mode === 'overwrite'
        ? shapeFaults(LoadReplace, config, at)
        : shapeFaults(LoadMode, config, at);
  const { name, datasetId } = (target ?? {}) as { name?: unknown; datasetId?: unknown };
  if (kind === 'dataset' && (name === undefined) === (datasetId === undefined)) {
    faults.push({ pointer: `${at}/target`, code: 'SHAPE', message: 'must have either name or datasetId' });
  }
  return faults;
}

function timeoutFaults(config: Record<string, unknown>, at: string): Fault[] {
  const seconds = config.timeoutSeconds;
  if (typeof seconds !== 'number' || seconds <= MOST_STEP_SECONDS || seconds > 86_400) return [];
  return [
    {
      pointer: `${at}/timeoutSeconds`,
      code: 'SETTING_NOT_AVAILABLE',
      message: `steps longer than ${MOST_STEP_SECONDS} seconds need a kind of compute that is not available here`,
    },
  ];
}

/** Where a step's rows come from: alias → id of the step. Without `inputs` every dependency is an input by its own name. */
export function inputsOf(step: Step, loads: ReadonlySet<string>): Record<string, string> {
  if (step.type === 'load') {
    const named = step.config.input as string | undefined;
    const input = named ?? step.dependsOn?.find((id) => !loads.has(id));
    return input === undefined ? {} : { input };
  }
  if (step.type !== 'transform_sql') return {};
  const named = step.config.inputs as Record<string, string> | undefined;
  if (named) return named;
  const data = (step.dependsOn ?? []).filter((id) => !loads.has(id));
  const inputs = Object.fromEntries(data.map((id) => [id.replaceAll('-', '_'), id]));
  return data.length === 1 ? { ...inputs, input: data[0]! } : inputs;
}

export function timeoutMsOf(step: Step): number {
  return ((step.config.timeoutSeconds as number | undefined) ?? MOST_STEP_SECONDS) * 1000;
}
