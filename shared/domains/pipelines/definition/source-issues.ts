import type { Issue } from '../../../platform/errors/app-error.ts';
import { didYouMean } from '../../../platform/text/nearest.ts';
import type { StoredDataSource } from '../../warehouse/sources/index.ts';
import { qualified, type StoredStream } from '../cdc/index.ts';
import type { Dag, Step } from './dag.ts';
import { fileTriggerOf, MAX_WATCHERS } from './file-watches.ts';
import { asObject } from './readable-part.ts';
import { referencesIn } from './references.ts';
import { MAX_REFERENCES, sourcesOf, unknownSource } from './source-references.ts';

export type Source = StoredDataSource;
type SourceType = Source['type'];

export interface SourceChecks {
  sources: { get(workspaceId: string, id: string): Promise<StoredDataSource | undefined> };
  streams: { byName(workspaceId: string, sourceId: string, streamId: string): Promise<StoredStream | undefined> };
  /** Ids of the pipelines that wait for files of this source. */
  watching(workspaceId: string, sourceId: string): Promise<string[]>;
}

/** The members of an extract's `object` that a source of each type supports. */
const OBJECTS: Record<SourceType, readonly string[]> = {
  file: ['path'],
  s3: ['path'],
  http: ['table'],
  postgres: ['table', 'query', 'stream'],
  mysql: ['table', 'query'],
};

/** The type of data source that each kind of load target needs. */
const TARGETS: Record<string, SourceType> = { table: 'postgres', files: 's3' };

/** The data sources that a definition names, by their ids; undefined when it names too many. */
export async function findSources(
  { sources }: Pick<SourceChecks, 'sources'>,
  workspaceId: string,
  dag: Dag,
): Promise<Sources | undefined> {
  const ids = [...new Set(sourcesOf(dag).map(({ sourceId }) => sourceId))];
  if (ids.length > MAX_REFERENCES) return undefined;
  const found = await Promise.all(ids.map((id) => sources.get(workspaceId, id)));
  return new Map(found.flatMap((source) => (source ? [[source.id, source]] : [])));
}

/** Issues with the data sources of a definition: unknown ones, and objects that a source of that type does not have. */
export async function findSourceIssues(
  checks: SourceChecks,
  pipeline: { workspaceId: string; id: string },
  dag: Dag,
  sources: Sources | undefined,
): Promise<Issue[]> {
  if (!sources) {
    const message = `A pipeline can use at most ${MAX_REFERENCES} data sources; split it into several pipelines.`;
    return [{ pointer: '/dag/steps', code: 'TOO_MANY_SOURCES', message }];
  }
  const references = sourcesOf(dag);
  return [
    ...references.filter(({ sourceId }) => !sources.has(sourceId)).map(unknownSource),
    ...dag.steps.flatMap((step, index) => kindIssues(step, `/dag/steps/${index}/config`, sources)),
    ...(await streamIssues(checks, pipeline.workspaceId, dag.steps, sources)),
    ...(await watchIssues(checks, pipeline, dag, sources)),
  ];
}

export type Sources = ReadonlyMap<string, StoredDataSource>;

/** Reports an object or target that a source of this type does not have. */
function kindIssues({ type, config }: Step, at: string, sources: Sources): Issue[] {
  if (type === 'extract') return objectIssues(config, at, sources);
  return type === 'load' ? targetIssues(config, at, sources) : [];
}

function objectIssues({ sourceId, object }: Step['config'], at: string, sources: Sources): Issue[] {
  const source = sources.get(sourceId as string);
  const named = objectKindOf(object);
  if (!source || named === undefined) return [];
  if (OBJECTS[source.type].includes(named)) return endpointIssues(object as { table?: unknown }, at, source);
  const supported = OBJECTS[source.type].join(', ');
  const message = `A data source of type ${source.type} has no ${named}; use one of: ${supported}.`;
  return [{ pointer: `${at}/object/${named}`, code: 'SOURCE_TYPE', message }];
}

function targetIssues({ target }: Step['config'], at: string, sources: Sources): Issue[] {
  const { kind, sourceId } = asObject(target);
  const source = sources.get(sourceId as string);
  if (!source || typeof kind !== 'string' || !Object.hasOwn(TARGETS, kind)) return [];
  const wanted = TARGETS[kind];
  if (source.type === wanted) return [];
  const message = `A target of kind ${kind} needs a data source of type ${wanted}; this one is of type ${source.type}.`;
  return [{ pointer: `${at}/target/sourceId`, code: 'SOURCE_TYPE', message }];
}

/** Reports an endpoint that the settings of a web service do not define. */
function endpointIssues({ table }: { table?: unknown }, at: string, source: Source): Issue[] {
  if (source.type !== 'http' || typeof table !== 'string' || referencesIn(table).length > 0) return [];
  const names = source.config.endpoints.map(({ name }) => name);
  if (names.includes(table)) return [];
  const message = `Unknown endpoint "${table}"${didYouMean(table, names)} The data source has: ${names.join(', ')}.`;
  return [{ pointer: `${at}/object/table`, code: 'ENDPOINT_UNKNOWN', message }];
}

function objectKindOf(object: unknown): string | undefined {
  if (typeof object !== 'object' || object === null) return undefined;
  return ['stream', 'path', 'query', 'table'].find((member) => member in object);
}

/** Reports unknown CDC streams, and tables that a stream does not follow. */
async function streamIssues(
  { streams }: SourceChecks,
  workspaceId: string,
  steps: readonly Step[],
  sources: Sources,
): Promise<Issue[]> {
  const issues = steps.map(async ({ type, config }, index): Promise<Issue[]> => {
    const source = sources.get(config.sourceId as string);
    if (type !== 'extract' || source?.type !== 'postgres' || objectKindOf(config.object) !== 'stream') return [];
    const { stream: streamId, table } = config.object as { stream: unknown; table?: unknown };
    // A value of the wrong shape is an issue already.
    if (typeof streamId !== 'string' || (table !== undefined && typeof table !== 'string')) return [];
    const at = `/dag/steps/${index}/config/object`;
    const stream = await streams.byName(workspaceId, source.id, streamId);
    if (!stream || stream.deletedAt) {
      const message = `The data source has no CDC stream "${streamId}".`;
      return [{ pointer: `${at}/stream`, code: 'CDC_STREAM_UNKNOWN', message }];
    }
    const names = stream.tables.map(({ name }) => name);
    if (table === undefined ? names.length === 1 : names.includes(qualified(table))) return [];
    const unknown = table === undefined ? '' : `Unknown table "${table}"${didYouMean(qualified(table), names)} `;
    const message = `${unknown}Name one of the stream's tables: ${names.join(', ')}.`;
    return [{ pointer: `${at}/table`, code: table === undefined ? 'REQUIRED' : 'CDC_TABLE_UNKNOWN', message }];
  });
  return (await Promise.all(issues)).flat();
}

async function watchIssues(
  checks: SourceChecks,
  pipeline: { workspaceId: string; id: string },
  dag: Dag,
  sources: Sources,
): Promise<Issue[]> {
  const trigger = fileTriggerOf(dag);
  const source = trigger && sources.get(trigger.sourceId);
  // An unknown source is an issue already.
  if (!source) return [];
  const pointer = '/dag/trigger/sourceId';
  if (source.type !== 'file') {
    const message = `A file_arrival trigger needs a data source of type file; this one is of type ${source.type}.`;
    return [{ pointer, code: 'SOURCE_WITHOUT_FILES', message }];
  }
  const others = await checks.watching(pipeline.workspaceId, source.id);
  if (others.filter((id) => id !== pipeline.id).length < MAX_WATCHERS) return [];
  const message = `At most ${MAX_WATCHERS} pipelines can wait for files of one data source.`;
  return [{ pointer, code: 'TOO_MANY_WATCHING', message }];
}
