import { BatchGetCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import {
  copyPlaceOf,
  type Dag,
  fileWatchItems,
  secretsOf,
  sourcesOf,
} from '../../../shared/domains/pipelines/definition/index.ts';
import {
  type Admission,
  changeAdmission,
  type EndedPipeline,
  latestRunsOf,
  NEW_ADMISSION,
  toPipeline,
} from '../../../shared/domains/pipelines/runs/index.ts';
import {
  admissionKey,
  type DagStore,
  downstreamItems,
  type Pipeline,
  pipelineRepository,
  queuedKey,
  runRepository,
  type StoredPipeline,
} from '../../../shared/domains/pipelines/store/index.ts';
import { removeCopyItem } from '../../../shared/domains/semantics/row-rights/index.ts';
import type { ShownPermission } from '../../../shared/domains/tenancy/grants/index.ts';
import { secretReferences } from '../../../shared/domains/warehouse/secrets/index.ts';
import { sourceReferenceItems } from '../../../shared/domains/warehouse/sources/index.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { cleanUpItem } from '../../../shared/platform/storage/clean-ups.ts';
import { type Key, workspaceKey } from '../../../shared/platform/storage/keys.ts';
import type { ListRequest } from '../../../shared/platform/storage/list-request.ts';
import type { PageOf } from '../../../shared/platform/storage/page.ts';
import { queryItems } from '../../../shared/platform/storage/query-items.ts';
import { withReferences } from '../../../shared/platform/storage/references.ts';
import { toRecord } from '../../../shared/platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../shared/platform/storage/table.ts';

/** A change of the definition, with what is stored if it reads or loads other rows. */
export interface ChangedDag {
  from: Dag;
  to: Dag;
  copied: readonly TransactItem[];
}

export interface PipelineRepository {
  get(workspaceId: string, id: string): Promise<StoredPipeline | undefined>;
  list(workspaceId: string, request: ListRequest): Promise<PageOf<StoredPipeline>>;
  /** `copied` records who answers for the rows that the definition reads. */
  create(pipeline: StoredPipeline, dag: Dag, copied: readonly TransactItem[]): Promise<StoredPipeline>;
  /** `dags` when the definition changes too. */
  replace(previous: StoredPipeline, next: StoredPipeline, dags?: ChangedDag): Promise<StoredPipeline>;
  /** Removes the pipeline from every list and frees its name. Throws `PIPELINE_HAS_ACTIVE_RUN`. */
  remove(pipeline: StoredPipeline, dag: Dag, at: Date): Promise<void>;
  /** Pipelines as the API shows them. */
  views(pipelines: readonly StoredPipeline[], seen: { permission: ShownPermission; now: Date }): Promise<Pipeline[]>;
  /** Names by id, including deleted pipelines. */
  names(workspaceId: string, ids: readonly string[]): Promise<Map<string, string>>;
  /** `oldestSince` ignores days of a backfill. */
  queuedRuns(workspaceId: string): Promise<{ count: number; oldestSince: string | null }>;
}

/** The items by which triggers find the pipeline; part of the transaction that saves or removes it. */
const triggerItems = (...saved: Parameters<typeof downstreamItems>): TransactItem[] => [
  ...downstreamItems(...saved),
  ...fileWatchItems(...saved),
];

/** Only those who were notified of failed runs may have left something behind. */
const endedBy = ({ workspaceId, id: pipelineId }: StoredPipeline): EndedPipeline => ({
  kind: 'pipeline',
  workspaceId,
  pipelineId,
});

/** The items that record which sources and secrets the pipeline uses. */
function referenceItems(table: Table, { workspaceId, id }: StoredPipeline, from: Dag | undefined, to: Dag | undefined) {
  const referrer = { workspaceId, type: 'pipeline' as const, id };
  const sourcesIn = (dag: Dag | undefined) => sourcesOf(dag).map(({ sourceId }) => sourceId);
  const secretsIn = (dag: Dag | undefined) => secretsOf(dag).map(({ name }) => name);
  return {
    sources: sourceReferenceItems(table, referrer, sourcesIn(from), sourcesIn(to)),
    secrets: secretReferences(table).items(referrer, secretsIn(from), secretsIn(to)),
  };
}

/**
 * Saves a definition with its references. Throws `PIPELINE_DAG_INVALID` if a source or a secret was deleted in between.
 */
function saveReferring<T>(
  table: Table,
  pipeline: StoredPipeline,
  from: Dag | undefined,
  to: Dag | undefined,
  write: (items: TransactItem[]) => Promise<T>,
): Promise<T> {
  const { sources, secrets } = referenceItems(table, pipeline, from, to);
  return withReferences([...sources, ...secrets], write, (cause, failed) => {
    const isSource = failed.some((position) => position < sources.length);
    const [code, what] = isSource ? ['SOURCE_UNKNOWN', 'data source'] : ['SECRET_UNKNOWN', 'secret'];
    const errors = [{ pointer: '/dag', code, message: `A ${what} of the definition was deleted in the meantime.` }];
    return new AppError('PIPELINE_DAG_INVALID', { cause, errors });
  });
}

export function pipelinesOf(table: Table, dags: DagStore): PipelineRepository {
  const pipelines = pipelineRepository(table);
  const runs = runRepository(table);

  async function admissionsOf(stored: readonly StoredPipeline[]): Promise<Map<string, Admission>> {
    const found = new Map<string, Admission>();
    for (let start = 0; start < stored.length; start += 100) {
      let keys: Key[] = stored.slice(start, start + 100).map(({ workspaceId, id }) => admissionKey(workspaceId, id));
      while (keys.length > 0) {
        const reply = await table.db.send(
          new BatchGetCommand({ RequestItems: { [table.name]: { Keys: keys, ConsistentRead: true } } }),
        );
        for (const item of reply.Responses?.[table.name] ?? []) {
          found.set((item.pk as string).split('#')[3]!, toRecord<Admission>(item));
        }
        keys = (reply.UnprocessedKeys?.[table.name]?.Keys ?? []) as Key[];
      }
    }
    return found;
  }

  return {
    get: pipelines.get,
    list: pipelines.list,
    create: (pipeline, dag, copied) =>
      saveReferring(table, pipeline, undefined, dag, (references) =>
        pipelines.create(pipeline, [...triggerItems(table, pipeline, undefined, dag), ...references, ...copied]),
      ),
    replace: (previous, next, changed) =>
      changed
        ? saveReferring(table, next, changed.from, changed.to, (references) =>
            pipelines.replace(previous, next, 'PIPELINE_CHANGED', [
              ...triggerItems(table, next, changed.from, changed.to),
              ...references,
              ...changed.copied,
            ]),
          )
        : pipelines.replace(previous, next, 'PIPELINE_CHANGED'),

    remove: (pipeline, dag, at) =>
      changeAdmission(table, { workspaceId: pipeline.workspaceId, pipelineId: pipeline.id }, async (state) => {
        const active = [...state.running, ...state.waiting, ...(state.backfill?.waiting ?? [])];
        if (active.length > 0) {
          throw new AppError('PIPELINE_HAS_ACTIVE_RUN', { members: { activeRunIds: active } });
        }
        const references = referenceItems(table, pipeline, dag, undefined);
        const tombstone = {
          Put: {
            TableName: table.name,
            Item: {
              ...workspaceKey(pipeline.workspaceId, 'DELETED-PIPELINE', pipeline.id),
              entity: 'deleted-pipeline',
              ...pipeline,
              deletedAt: at.toISOString(),
            },
          },
        };
        return {
          next: { ...state, closed: true },
          // The record, its name and the total of its list come first.
          position: 3,
          write: (admission) =>
            pipelines.remove(pipeline, 'PIPELINE_CHANGED', [
              admission,
              tombstone,
              ...triggerItems(table, pipeline, dag, undefined),
              ...(pipeline.failureMail ? [cleanUpItem(table, endedBy(pipeline), at)] : []),
              ...references.sources,
              ...references.secrets,
              removeCopyItem(table, copyPlaceOf(pipeline, dag)),
            ]),
          result: undefined,
        };
      }),

    async views(stored, seen) {
      const [first] = stored;
      if (!first) return [];
      const { workspaceId } = first;
      const [found, admissions] = await Promise.all([
        dags.getMany(
          workspaceId,
          stored.map((pipeline) => pipeline.dagHash),
        ),
        admissionsOf(stored),
      ]);
      const latest = [...admissions.values()].flatMap(latestRunsOf);
      const latestRuns = new Map((await runs.getMany(workspaceId, latest)).map((run) => [run.id, run]));
      return stored.map((pipeline) => {
        const admission = admissions.get(pipeline.id) ?? NEW_ADMISSION;
        const newest = latestRunsOf(admission).flatMap((id) => latestRuns.get(id) ?? []);
        return toPipeline(pipeline, { dag: found.get(pipeline.dagHash)!, admission, latestRuns: newest, ...seen });
      });
    },

    async names(workspaceId, ids) {
      const names = new Map((await pipelines.getMany(workspaceId, ids)).map(({ id, name }) => [id, name]));
      for (const id of ids) {
        if (names.has(id)) continue;
        const deleted = await table.db.send(
          new GetCommand({ TableName: table.name, Key: workspaceKey(workspaceId, 'DELETED-PIPELINE', id) }),
        );
        if (deleted.Item) names.set(id, deleted.Item.name as string);
      }
      return names;
    },

    async queuedRuns(workspaceId) {
      const { pk } = queuedKey({ workspaceId, id: '', createdAt: '' });
      const queued = await Array.fromAsync(
        queryItems(table, {
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': pk },
          ProjectionExpression: 'sk, backfillId',
        }),
        ({ sk, backfillId }) => ({ since: (sk as string).split('#')[0]!, backfillId }),
      );
      const oldest = queued.find(({ backfillId }) => backfillId === undefined);
      return { count: queued.length, oldestSince: oldest?.since ?? null };
    },
  };
}
