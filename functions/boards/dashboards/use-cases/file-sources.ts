import {
  type DashboardFile,
  type FileSource,
  type FileSourceKind,
  type Named,
  namedParts,
  sourceReferences,
  withOtherIds,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import {
  type DefinitionReader,
  fieldName,
  liveMeasures,
  type ModelDefinition,
} from '../../../../shared/domains/semantics/models/index.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import { quoteName, suggestion } from '../../../../shared/platform/validation/names.ts';

interface NamedRecord {
  id: string;
  name: string;
}

/** Records of one kind that dashboards refer to. */
export interface SourceList<T extends NamedRecord = NamedRecord> {
  get(workspaceId: string, id: string): Promise<T | undefined>;
  list(
    workspaceId: string,
    request: { limit: number; offset: number; name: string },
  ): Promise<{ items: NamedRecord[] }>;
}

export interface FileSourceDeps {
  definitions: DefinitionReader;
  lists: Record<Exclude<FileSourceKind, 'metric' | 'blend'>, SourceList> & {
    metric: SourceList<NamedRecord & { modelId: string }>;
    blend: SourceList<NamedRecord & { leftModelId: string; rightModelId: string }>;
  };
}

type Referring = Parameters<typeof sourceReferences>[0];

/** What a dashboard refers to, with names that another workspace can have too. Deleted sources are left out. */
export async function namedSources(
  deps: FileSourceDeps,
  workspaceId: string,
  content: Referring,
): Promise<FileSource[]> {
  const used = new Map(sourceReferences(content).map(({ kind, id }) => [id, kind]));
  const parts = namedParts(content);
  const found: FileSource[] = [];
  for (const [id, kind] of used) {
    const record = await deps.lists[kind].get(workspaceId, id);
    if (!record) continue;
    found.push({ kind, id, name: record.name });
    for (const modelId of modelsBehind(record)) if (!used.has(modelId)) used.set(modelId, 'model');
  }
  const named = found.map(async (source) =>
    source.kind === 'model' ? { ...source, ...(await usedNames(deps, workspaceId, source.id, parts)) } : source,
  );
  return (await Promise.all(named)).sort((a, b) =>
    `${a.kind} ${a.name} ${a.id}` < `${b.kind} ${b.name} ${b.id}` ? -1 : 1,
  );
}

/** Filters name fields of the model that a metric reads, and charts those of the models that a blend joins. */
const modelsBehind = (record: NamedRecord): string[] =>
  (['modelId', 'leftModelId', 'rightModelId'] as const).flatMap(
    (name) => (record as Partial<Record<typeof name, string>>)[name] ?? [],
  );

async function usedNames(deps: FileSourceDeps, workspaceId: string, modelId: string, parts: ReadonlySet<string>) {
  const definition = await deps.definitions.read({ workspaceId, modelId });
  const used = (named: Named[]) => named.filter(({ id }) => parts.has(id)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const [fields, measures] = [used(fieldsOf(definition)), used(measuresOf(definition))];
  return { ...(fields.length > 0 ? { fields } : {}), ...(measures.length > 0 ? { measures } : {}) };
}

const fieldsOf = (definition: ModelDefinition): Named[] =>
  [...definition.fields.keys()].map((id) => ({ id, name: fieldName(definition, id) }));
const measuresOf = (definition: ModelDefinition): Named[] =>
  liveMeasures(definition).map(({ id, name }) => ({ id, name }));

/**
 * The file with the ids of this workspace: sources that it does not have are found by name. `present` is the dashboard
 * as it is, whose sources may be gone without being an issue of the file.
 */
export async function withOwnSources(
  deps: FileSourceDeps,
  { workspaceId, file, present }: { workspaceId: string; file: DashboardFile; present: Referring },
): Promise<{ file: DashboardFile; issues: Issue[] }> {
  const kept = new Set(sourceReferences(present).map(({ id }) => id));
  const { sources = [] } = file;
  const idOf = new Map<string, string>();
  const known = new Set([...kept, ...sources.map(({ id }) => id)]);
  const issues: Issue[] = [];
  for (const [index, source] of sources.entries()) {
    if (kept.has(source.id) || (await deps.lists[source.kind].get(workspaceId, source.id))) continue;
    const found = await sourceNamed(deps, workspaceId, source);
    if (found) idOf.set(source.id, found);
    else issues.push(unknownSource(source, `/sources/${index}/name`));
    if (found && source.kind === 'model') {
      const definition = await deps.definitions.read({ workspaceId, modelId: found });
      issues.push(...mapNames(idOf, source.fields, fieldsOf(definition), `/sources/${index}/fields`, 'FIELD'));
      issues.push(...mapNames(idOf, source.measures, measuresOf(definition), `/sources/${index}/measures`, 'MEASURE'));
    }
  }
  for (const { kind, id, pointer } of sourceReferences(file)) {
    if (known.has(id) || (await deps.lists[kind].get(workspaceId, id))) continue;
    const message = `is not a ${KINDS[kind]} of the workspace, and \`sources\` does not name it`;
    issues.push({ pointer, code: 'UNKNOWN_SOURCE', message });
  }
  return { file: withOtherIds(file, idOf), issues };
}

const KINDS: Readonly<Record<FileSourceKind, string>> = {
  model: 'model',
  dataset: 'dataset',
  savedQuery: 'saved query',
  metric: 'metric',
  blend: 'blend',
  theme: 'theme',
};

/** The only source of that name. */
async function sourceNamed(deps: FileSourceDeps, workspaceId: string, { kind, name }: FileSource) {
  try {
    const { items } = await deps.lists[kind].list(workspaceId, { name, limit: 2, offset: 0 });
    return items.length === 1 ? items[0]!.id : undefined;
  } catch (error) {
    // Too many to find one by name.
    if (error instanceof AppError && error.code === 'LIST_TOO_LARGE') return undefined;
    throw error;
  }
}

const unknownSource = ({ kind, name }: FileSource, pointer: string): Issue => ({
  pointer,
  code: 'UNKNOWN_SOURCE',
  message: `the workspace has no ${KINDS[kind]} with this id, and not exactly one named ${quoteName(name)}; create it, or change the name`,
});

/** Maps the ids of the file to those of the same names. */
function mapNames(
  idOf: Map<string, string>,
  wanted: readonly Named[] = [],
  known: readonly Named[],
  pointer: string,
  what: 'FIELD' | 'MEASURE',
): Issue[] {
  const byName = new Map(known.map(({ id, name }) => [name, id]));
  return wanted.flatMap(({ id, name }, index): Issue[] => {
    const found = byName.get(name);
    if (found !== undefined) {
      idOf.set(id, found);
      return [];
    }
    const message = `the model has no ${what.toLowerCase()} ${quoteName(name)}${suggestion(name, [...byName.keys()])}`;
    return [{ pointer: `${pointer}/${index}/name`, code: `UNKNOWN_${what}`, message }];
  });
}
