import { type DataSourceRepository, dataSourceRepository } from '../data-sources/repository.ts';
import { AppError, type Fault } from '../errors/app-error.ts';
import { type FlowletRepository, flowletRepository } from '../flowlets/repository.ts';
import { type SecretRepository, secretRepository } from '../secrets/repository.ts';
import type { Collection } from '../storage/collection.ts';
import type { Table } from '../storage/table.ts';
import type { ExtraEngine } from './compute.ts';
import { Dag } from './dag.ts';
import { findDagFaults } from './dag-faults.ts';
import type { DagStore } from './dag-store.ts';
import { downstreamOf, MOST_DOWNSTREAM } from './downstream.ts';
import { expandFlowlets } from './expand-flowlets.ts';
import { fileTriggerOf, MOST_WATCHING, watchesOf } from './file-watches.ts';
import { pipelineRepository } from './pipeline-store.ts';
import type { StoredPipeline } from './records.ts';
import { secretsOf, unknownSecret } from './secret-references.ts';
import { hasShape } from './shape-faults.ts';
import { MOST_REFERENCES, sourcesOf, unknownSource } from './source-references.ts';
import { type DefinitionChecks, findTextFaults } from './text-check.ts';

export interface CheckDeps {
  pipelines: Pick<Collection<StoredPipeline>, 'get'>;
  dags: DagStore;
  engine: DefinitionChecks;
  /** What the deployment has for steps beside functions. */
  extra: ReadonlySet<ExtraEngine>;
  sources: Pick<DataSourceRepository, 'get'>;
  flowlets: Pick<FlowletRepository, 'get'>;
  secrets: Pick<SecretRepository, 'get'>;
  /** Ids of the pipelines that wait for files of this source. */
  watching(workspaceId: string, sourceId: string): Promise<string[]>;
  /** Ids of the pipelines that wait for this one. */
  downstreamOf(workspaceId: string, pipelineId: string): Promise<string[]>;
}

/** The checks of one function, over its table. */
export function definitionChecks(
  table: Table,
  dags: DagStore,
  engine: DefinitionChecks,
  extra: ReadonlySet<ExtraEngine>,
): CheckDeps {
  return {
    pipelines: pipelineRepository(table),
    dags,
    engine,
    extra,
    sources: dataSourceRepository(table),
    flowlets: flowletRepository(table),
    secrets: secretRepository(table),
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
 * Every fault of a definition, and the definition with its flowlets expanded, in the place of `saved` if that is given. Its SQL and
 * code are looked at only when the rest is sound.
 */
export async function checkDefinition(
  deps: CheckDeps,
  place: Place,
  given: unknown,
  saved?: Dag,
): Promise<{ dag: unknown; faults: Fault[] }> {
  if (!hasShape(Dag, given)) return { dag: given, faults: findDagFaults(given, deps.extra) };
  const find = (id: string) => deps.flowlets.get(place.workspaceId, id);
  const { dag, faults: flowletFaults } = await expandFlowlets(find, given, saved);
  // Which columns a flowlet with faults would have made is not known.
  const dagFaults = findDagFaults(dag, deps.extra).filter(
    ({ code }) => flowletFaults.length === 0 || !code.startsWith('COLUMN_'),
  );
  const faults = [...flowletFaults, ...dagFaults];
  if (faults.length > 0) return { dag, faults };
  return {
    dag,
    faults: [
      ...(await upstreamFaults(deps, place, dag)),
      ...(await sourceFaults(deps, place, dag)),
      ...(await secretFaults(deps, place, dag)),
      ...(await watchedSourceFaults(deps, place, dag)),
      ...(await findTextFaults(dag, deps.engine)),
    ],
  };
}

/** The definition to save: with its flowlets expanded. Throws `PIPELINE_DAG_INVALID`. */
export async function soundDefinition(deps: CheckDeps, place: Place, given: Dag, saved?: Dag): Promise<Dag> {
  const { dag, faults } = await checkDefinition(deps, place, given, saved);
  if (faults.length > 0) throw new AppError('PIPELINE_DAG_INVALID', { errors: faults });
  return dag as Dag;
}

async function upstreamFaults(deps: CheckDeps, place: Place, dag: Dag): Promise<Fault[]> {
  if (dag.trigger?.kind !== 'pipeline') return [];
  const pointer = '/dag/trigger/pipelineId';
  const { pipelineId } = dag.trigger;
  const others = await deps.downstreamOf(place.workspaceId, pipelineId);
  if (others.filter((id) => id !== place.id).length >= MOST_DOWNSTREAM) {
    const message = `a pipeline can start at most ${MOST_DOWNSTREAM} others`;
    return [{ pointer, code: 'TOO_MANY_DOWNSTREAM', message }];
  }
  const chain = await upstreamChain(deps, place.workspaceId, dag);
  if (chain.length === 0) {
    return [{ pointer, code: 'PIPELINE_UNKNOWN', message: `there is no pipeline ${pipelineId}` }];
  }
  if (chain.includes(place.id) || new Set(chain).size < chain.length) {
    return [{ pointer, code: 'PIPELINE_CYCLE', message: 'the pipelines would start each other in a circle' }];
  }
  return [];
}

async function sourceFaults(deps: CheckDeps, { workspaceId }: Place, dag: Dag): Promise<Fault[]> {
  const references = sourcesOf(dag);
  const ids = [...new Set(references.map(({ sourceId }) => sourceId))];
  if (ids.length > MOST_REFERENCES) {
    const message = `a pipeline can name at most ${MOST_REFERENCES} data sources`;
    return [{ pointer: '/dag/steps', code: 'TOO_MANY_SOURCES', message }];
  }
  const found = await Promise.all(ids.map((id) => deps.sources.get(workspaceId, id)));
  const unknown = new Set(ids.filter((_id, index) => !found[index]));
  return references.filter(({ sourceId }) => unknown.has(sourceId)).map(unknownSource);
}

async function secretFaults(deps: CheckDeps, { workspaceId }: Place, dag: Dag): Promise<Fault[]> {
  const references = secretsOf(dag);
  const names = [...new Set(references.map(({ name }) => name))];
  if (names.length === 0) return [];
  const sources = new Set(sourcesOf(dag).map(({ sourceId }) => sourceId));
  if (names.length + sources.size > MOST_REFERENCES) {
    const message = `a pipeline can name at most ${MOST_REFERENCES} data sources and secrets together`;
    return [{ pointer: '/dag/steps', code: 'TOO_MANY_SECRETS', message }];
  }
  const found = await Promise.all(names.map((name) => deps.secrets.get(workspaceId, name)));
  const unknown = new Set(names.filter((_name, index) => !found[index]));
  return references.filter(({ name }) => unknown.has(name)).map(unknownSecret);
}

async function watchedSourceFaults(deps: CheckDeps, place: Place, dag: Dag): Promise<Fault[]> {
  const trigger = fileTriggerOf(dag);
  if (!trigger) return [];
  const pointer = '/dag/trigger/sourceId';
  const { sourceId } = trigger;
  const source = await deps.sources.get(place.workspaceId, sourceId);
  // Told by `sourceFaults` already.
  if (!source) return [];
  if (source.type !== 'file') {
    return [{ pointer, code: 'SOURCE_WITHOUT_FILES', message: 'files arrive at sources of type file alone' }];
  }
  const others = await deps.watching(place.workspaceId, sourceId);
  if (others.filter((id) => id !== place.id).length < MOST_WATCHING) return [];
  return [
    {
      pointer,
      code: 'TOO_MANY_WATCHING',
      message: `at most ${MOST_WATCHING} pipelines can wait for files of a source`,
    },
  ];
}

/** Who starts the pipeline, who starts that one, and so on; a circle ends with the id that closes it. */
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
