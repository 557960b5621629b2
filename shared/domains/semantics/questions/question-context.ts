import type { Principal } from '../../../platform/auth/principal.ts';
import type { DefinitionReader, ModelDefinition, ReadSourceTables } from '../models/index.ts';
import { canonicalTimezone, type QueryDeps } from '../queries/index.ts';
import {
  deniedFields,
  hasLabels,
  type OpaqueDeps,
  opaqueTables,
  type RightsDeps,
  readerOnce,
  tableRights,
} from '../row-rights/index.ts';
import { dialectOf } from './compile-question.ts';
import { placeOf } from './model-source.ts';

export interface QuestionDeps extends QueryDeps {
  definitions: DefinitionReader;
  /** The tables of a source, as last discovered. */
  readTables: ReadSourceTables;
}

/**
 * How questions of the caller to the model are compiled. Throws `SOURCE_NOT_QUERYABLE` and, for the time zone,
 * `VALIDATION_FAILED`.
 */
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
  const opaque = dialect === 'postgres' ? await opaqueIn(definition, { rights, readTables }, principal) : NONE;
  return { dialect, clock: { now: now(), timezone }, timezone, ...access, opaque };
}

/** What compiling needs, which runs nothing. */
export interface CompileDeps extends Pick<QuestionDeps, 'rights' | 'readTables' | 'now'> {
  live: Pick<QuestionDeps['live'], 'find'>;
}

/** The ids of the tables that may show what is kept from the caller of others. */
async function opaqueIn(
  { model, tables }: ModelDefinition,
  deps: OpaqueDeps,
  principal: Principal,
): Promise<ReadonlySet<string>> {
  const places = [...tables.values()].map((table) => ({ ...placeOf(table), id: table.id }));
  const opaque = await opaqueTables(deps, principal, { sourceId: model.sourceId, tables: places });
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
