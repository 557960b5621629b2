import type { Principal } from '../../../platform/auth/principal.ts';
import type { DefinitionReader, ModelDefinition, ReadSourceTables } from '../models/index.ts';
import { canonicalTimezone, type QueryDeps } from '../queries/index.ts';
import {
  deniedFields,
  hasLabels,
  type OpaqueDeps,
  opaqueTables,
  type ReaderRights,
  rightsOfCaller,
} from '../row-rights/index.ts';
import { dialectOf } from './compile-question.ts';
import { sourcePlaceOf } from './model-source.ts';

export interface QuestionDeps extends QueryDeps {
  definitions: DefinitionReader;
  /** The tables of a source, as last discovered. */
  readTables: ReadSourceTables;
}

/**
 * How questions of the caller to the model are compiled. `ofCaller` are the rights with which their statements run.
 * Throws `SOURCE_NOT_QUERYABLE` and, for the time zone, `VALIDATION_FAILED`.
 */
export async function contextOf(
  { live, rights, readTables, now }: CompileDeps,
  definition: ModelDefinition,
  {
    principal,
    timezone: wanted,
    ofCaller = rightsOfCaller(rights, principal),
  }: { principal: Principal; timezone: string; ofCaller?: ReaderRights },
) {
  const timezone = canonicalTimezone(wanted);
  const [dialect, access] = await Promise.all([dialectOf(definition.model, live.find), accessOf(ofCaller, definition)]);
  const opaque = dialect === 'postgres' ? await opaqueIn(definition, { readTables }, ofCaller) : NONE;
  return { dialect, clock: { now: now(), timezone }, timezone, ...access, opaque, ofCaller };
}

/** What compiling needs, which runs nothing. */
export interface CompileDeps extends Pick<QuestionDeps, 'rights' | 'readTables' | 'now'> {
  live: Pick<QuestionDeps['live'], 'find'>;
}

/** The ids of the tables that may show what is kept from the caller of others. */
async function opaqueIn(
  { model, tables }: ModelDefinition,
  deps: Pick<OpaqueDeps, 'readTables'>,
  ofCaller: ReaderRights,
): Promise<ReadonlySet<string>> {
  const places = [...tables.values()].map((table) => ({ ...sourcePlaceOf(table), id: table.id }));
  const { workspaceId, sourceId } = model;
  const opaque = await opaqueTables(deps, ofCaller, { workspaceId, sourceId, tables: places });
  return new Set(opaque.map(({ id }) => id));
}

/** What the caller may see of the tables and fields of a model. */
async function accessOf(ofCaller: ReaderRights, definition: ModelDefinition) {
  const tables = [...definition.tables.values()].map(sourcePlaceOf);
  const rights = await ofCaller.to({ sourceId: definition.model.sourceId, tables });
  const isOpen = rights.restricted.length === 0 && !hasLabels(definition);
  return { rights, denied: isOpen ? NONE : deniedFields(definition, rights, await ofCaller.reader()) };
}

const NONE: ReadonlySet<string> = new Set();
