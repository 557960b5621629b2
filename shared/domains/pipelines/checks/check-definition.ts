import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import type { Collection } from '../../../platform/storage/collection.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { hasShape } from '../../../platform/validation/shape-issues.ts';
import { type Dataset, listAllDatasets } from '../../warehouse/datasets/index.ts';
import { type SecretRepository, secretRepository } from '../../warehouse/secrets/index.ts';
import { dataSourceRepository, syncedCatalogues } from '../../warehouse/sources/index.ts';
import { streamRepository } from '../cdc/index.ts';
import type { ExtraEngine } from '../definition/index.ts';
import {
  Dag,
  type DefinitionChecks,
  type ExtractColumns,
  expandFlowlets,
  findDagIssues,
  findDatasetIssues,
  findExtractColumns,
  findSourceIssues,
  findSources,
  findTextIssues,
  MAX_REFERENCES,
  readablePart,
  type SourceChecks,
  type SourceColumnReaders,
  type Step,
  secretsOf,
  shapeIssuesOf,
  sourcesOf,
  unknownSecret,
  watchesOf,
  withoutConsequences,
} from '../definition/index.ts';
import { type FlowletRepository, flowletRepository } from '../flowlets/index.ts';
import type { DagStore, StoredPipeline } from '../store/index.ts';
import { downstreamOf, MAX_DOWNSTREAM, pipelineRepository } from '../store/index.ts';

export interface CheckDeps extends SourceChecks {
  pipelines: Pick<Collection<StoredPipeline>, 'get'>;
  dags: DagStore;
  engine: DefinitionChecks;
  /** Engines that the deployment has for steps besides functions. */
  extra: ReadonlySet<ExtraEngine>;
  flowlets: Pick<FlowletRepository, 'get'>;
  secrets: Pick<SecretRepository, 'get'>;
  /** All datasets of a workspace. */
  datasetsOf(workspaceId: string): Promise<Dataset[]>;
  catalogueOf: SourceColumnReaders['catalogue'];
  /** Ids of the pipelines that wait for this one. */
  downstreamOf(workspaceId: string, pipelineId: string): Promise<string[]>;
}

/** The dependencies of the checks, over the table of a function. */
export function definitionChecks(
  table: Table,
  { dags, objects }: { dags: DagStore; objects: Pick<ObjectStore, 'read'> },
  engine: DefinitionChecks,
  extra: ReadonlySet<ExtraEngine>,
): CheckDeps {
  return {
    pipelines: pipelineRepository(table),
    dags,
    engine,
    extra,
    sources: dataSourceRepository(table),
    streams: streamRepository(table),
    flowlets: flowletRepository(table),
    secrets: secretRepository(table),
    datasetsOf: (workspaceId) => listAllDatasets(table, workspaceId),
    catalogueOf: syncedCatalogues(table, objects),
    watching: async (workspaceId, sourceId) =>
      (await watchesOf(table, workspaceId, sourceId)).map(({ pipelineId }) => pipelineId),
    downstreamOf: (workspaceId, pipelineId) => downstreamOf(table, { workspaceId, pipelineId }, 'succeeded'),
  };
}

interface Place {
  workspaceId: string;
  id: string;
}

/**
 * Every issue of a definition, and the definition with its flowlets expanded. `saved` is the definition that it
 * replaces. SQL and code with other issues are not checked further. If the definition has the wrong shape, its readable
 * part is checked.
 */
export async function checkDefinition(
  deps: CheckDeps,
  place: Place,
  given: unknown,
  saved?: Dag,
): Promise<{ dag: unknown; issues: Issue[] }> {
  if (hasShape(Dag, given)) return checkContent(deps, place, given, { saved });
  const broken = shapeIssuesOf(given);
  const part = readablePart(given);
  if (!part) return { dag: given, issues: broken };
  const { issues } = await checkContent(deps, place, part, { saved, broken });
  return { dag: given, issues: [...broken, ...withoutConsequences(issues, broken)] };
}

interface ContentOptions {
  saved?: Dag | undefined;
  /** Issues of the shape of the definition that this is the readable part of. */
  broken?: readonly Issue[];
  ignoresColumns?: boolean;
}

async function checkContent(
  deps: CheckDeps,
  place: Place,
  given: Dag,
  { saved, broken = [], ignoresColumns = false }: ContentOptions,
): Promise<{ dag: unknown; issues: Issue[] }> {
  const find = (id: string) => deps.flowlets.get(place.workspaceId, id);
  const { dag, issues: flowletIssues } = await expandFlowlets(find, given, saved);
  // The output columns of a flowlet with issues are unknown.
  const dagIssues = findDagIssues(dag, deps.extra).filter(
    ({ code }) => flowletIssues.length === 0 || !code.startsWith('COLUMN_'),
  );
  const issues = [...flowletIssues, ...dagIssues];
  const isValid = (place: string) =>
    !issues.some(({ pointer }) => isWithin(pointer, place) || isWithin(place, pointer));
  const sources = await findSources(deps, place.workspaceId, dag);
  const datasets = once(() => deps.datasetsOf(place.workspaceId));
  const more = await Promise.all([
    upstreamIssues(deps, place, dag),
    findSourceIssues(deps, place, dag, sources),
    findDatasetIssues(dag, datasets),
    secretIssues(deps, place, dag),
    findTextIssues(dag, deps.engine, isValid, sources),
  ]);
  const found = [...issues, ...more.flat()];
  if (ignoresColumns) return { dag, issues: found };
  const extracts = await findExtractColumns(dag, sources ?? new Map(), { datasets, catalogue: deps.catalogueOf });
  const columns = await furtherColumnIssues(deps, { dag, extracts }, found, broken);
  return { dag, issues: [...found, ...columns] };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined;
  return () => {
    begun ??= work();
    return begun;
  };
}

/** Issues of columns that only the parsed texts of the valid steps and the content of sources reveal. */
async function furtherColumnIssues(
  { engine }: Pick<CheckDeps, 'engine'>,
  { dag, extracts }: { dag: Dag; extracts: ExtractColumns },
  issues: readonly Issue[],
  shape: readonly Issue[],
): Promise<Issue[]> {
  if (!dag.steps.some(hasText) && extracts.length === 0) return [];
  const places = new Set(
    [...issues, ...shape]
      .filter(({ pointer }) => !WITHOUT_EFFECT_ON_INPUTS.test(pointer))
      .map(({ pointer }) => /^\/dag\/steps\/(\d+)/.exec(pointer)?.[1]),
  );
  const broken = dag.steps.filter((_, index) => places.has(String(index))).map(({ id }) => id);
  const found = await engine.columnIssues({ dag, broken: [...new Set(broken)], extracts });
  const known = new Set(issues.map(({ pointer }) => pointer));
  return found.filter(({ pointer }) => !known.has(pointer));
}

/** Texts are checked one by one: an issue of one leaves the others as they are. */
const WITHOUT_EFFECT_ON_INPUTS =
  /^\/dag\/steps\/\d+\/(retry|when|config\/(sql$|ops\/|gates\/|routes\/\d+\/condition$))/;

/** Whether the columns of a step, or those that it names, are in SQL. */
const hasText = ({ type, config }: Step) => type === 'transform_sql' || type === 'route' || config.gates !== undefined;

const isWithin = (pointer: string, other: string) => pointer === other || pointer.startsWith(`${other}/`);

/**
 * The definition to save, with its flowlets expanded. Throws `PIPELINE_DAG_INVALID` with its issues and those of the
 * settings `beside` it. With `ignoresColumns`, columns that statements name are not checked: running them will.
 */
export async function validDefinition(
  deps: CheckDeps,
  place: Place,
  given: Dag,
  {
    saved,
    beside = [],
    ignoresColumns = false,
  }: { saved?: Dag; beside?: readonly Issue[]; ignoresColumns?: boolean } = {},
): Promise<Dag> {
  const { dag, issues } = ignoresColumns
    ? await checkContent(deps, place, given, { saved, ignoresColumns })
    : await checkDefinition(deps, place, given, saved);
  if (issues.length > 0) throw new AppError('PIPELINE_DAG_INVALID', { errors: [...issues, ...beside] });
  return dag as Dag;
}

async function upstreamIssues(deps: CheckDeps, place: Place, dag: Dag): Promise<Issue[]> {
  if (dag.trigger?.kind !== 'pipeline') return [];
  const pointer = '/dag/trigger/pipelineId';
  const { pipelineId } = dag.trigger;
  const others = await deps.downstreamOf(place.workspaceId, pipelineId);
  if (others.filter((id) => id !== place.id).length >= MAX_DOWNSTREAM) {
    const message = `The pipeline ${pipelineId} already starts ${MAX_DOWNSTREAM} pipelines, which is the limit.`;
    return [{ pointer, code: 'TOO_MANY_DOWNSTREAM', message }];
  }
  const chain = await upstreamChain(deps, place.workspaceId, dag);
  if (chain.length === 0) {
    const message = `No pipeline of the workspace has the id ${pipelineId}.`;
    return [{ pointer, code: 'PIPELINE_UNKNOWN', message }];
  }
  if (chain.includes(place.id) || new Set(chain).size < chain.length) {
    return [{ pointer, code: 'PIPELINE_CYCLE', message: 'The pipelines would start each other in a cycle.' }];
  }
  return [];
}

async function secretIssues(deps: CheckDeps, { workspaceId }: Place, dag: Dag): Promise<Issue[]> {
  const references = secretsOf(dag);
  const names = [...new Set(references.map(({ name }) => name))];
  if (names.length === 0) return [];
  const sources = new Set(sourcesOf(dag).map(({ sourceId }) => sourceId));
  if (names.length + sources.size > MAX_REFERENCES) {
    const message = `A pipeline can use at most ${MAX_REFERENCES} data sources and secrets together; split it into several pipelines.`;
    return [{ pointer: '/dag/steps', code: 'TOO_MANY_SECRETS', message }];
  }
  const found = await Promise.all(names.map((name) => deps.secrets.get(workspaceId, name)));
  const unknown = new Set(names.filter((_name, index) => !found[index]));
  return references.filter(({ name }) => unknown.has(name)).map(unknownSecret);
}

/** The pipelines upstream of this one, the nearest first; a cycle ends with the id that closes it. */
async function upstreamChain(deps: CheckDeps, workspaceId: string, dag: Dag): Promise<string[]> {
  const chain: string[] = [];
  for (let { trigger } = dag; trigger?.kind === 'pipeline'; ) {
    const upstream = await deps.pipelines.get(workspaceId, trigger.pipelineId);
    if (!upstream) break;
    const closes = chain.includes(upstream.id);
    chain.push(upstream.id);
    if (closes) break;
    ({ trigger } = await deps.dags.get(workspaceId, upstream.dagHash));
  }
  return chain;
}
