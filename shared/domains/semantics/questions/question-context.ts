import type { Principal } from '../../../platform/auth/principal.ts';
import type { DefinitionReader, ModelDefinition, ModelTable, ReadSourceTables, SourceTable } from '../models/index.ts';
import { canonicalTimezone, type QueryDeps } from '../queries/index.ts';
import {
  deniedFields,
  type Rights,
  type RightsDeps,
  readerOnce,
  restrictsAny,
  tableRights,
} from '../row-rights/index.ts';
import { dialectOf } from './compile-question.ts';
import { placeOf } from './model-source.ts';

export interface QuestionDeps extends QueryDeps {
  definitions: DefinitionReader;
  /** The tables of a source, as last discovered. */
  readTables: ReadSourceTables;
}

/** How questions of the caller to the model are compiled. Throws `SOURCE_NOT_QUERYABLE` and, for the time zone, `VALIDATION_FAILED`. */
export async function contextOf(
  { live, rights, readTables, now }: CompileDeps,
  definition: ModelDefinition,
  { principal, timezone: wanted }: { principal: Principal; timezone: string },
) {
  const timezone = canonicalTimezone(wanted);
  const [dialect, access] = await Promise.all([
    dialectOf(definition.model, live.find),
    accessOf(rights, definition, principal),
  ]);
  const opaque =
    dialect === 'postgres' &&
    (await restrictsAny(rights, principal, { sourceIds: [definition.model.sourceId], datasets: [] }))
      ? opaqueTables(definition, access.rights, (await readTables(definition.model)) ?? [])
      : NONE;
  return { dialect, clock: { now: now(), timezone }, timezone, ...access, opaque };
}

/** What compiling needs, which runs nothing. */
export interface CompileDeps extends Pick<QuestionDeps, 'rights' | 'readTables' | 'now'> {
  live: Pick<QuestionDeps['live'], 'find'>;
}

/** Tables that may show rows of others, such as views: those of the model that are neither plain tables nor restricted themselves. */
function opaqueTables(definition: ModelDefinition, rights: Rights, known: readonly SourceTable[]): ReadonlySet<string> {
  const isPlain = ({ sourceSchema, sourceTable }: ModelTable) =>
    known.some(({ schema, name, isPlain }) => isPlain && schema === sourceSchema && name === sourceTable);
  const opaque = [...definition.tables.values()].filter((table) => !rights.of(placeOf(table)) && !isPlain(table));
  return new Set(opaque.map(({ id }) => id));
}

/** What the caller may see of the tables and fields of a model. */
async function accessOf(deps: RightsDeps, definition: ModelDefinition, principal: Principal) {
  const { sourceId, workspaceId } = definition.model;
  const reader = readerOnce(deps.table, principal);
  const tables = [...definition.tables.values()].map(placeOf);
  const rights = await tableRights(deps, { workspaceId, sourceId, tables, reader });
  const isOpen = rights.restricted.length === 0 && !hasLabels(definition);
  return { rights, denied: isOpen ? NONE : deniedFields(definition, rights, await reader()) };
}

const NONE: ReadonlySet<string> = new Set();

const hasLabels = ({ fields }: ModelDefinition): boolean =>
  [...fields.values()].some(({ sensitivityLabel }) => sensitivityLabel !== null);
