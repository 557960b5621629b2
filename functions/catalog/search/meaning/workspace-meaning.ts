import {
  type EmbeddedTexts,
  findNearest,
  matchVectors,
  type Vector,
  type VectorState,
  type VectorStore,
  type Vectors,
} from '../../../../shared/domains/catalog/meaning/index.ts';
import type { SearchIndex, Visible } from '../../../../shared/domains/catalog/search/index.ts';
import { readWorkspace } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { type JobContext, startJob } from '../../../../shared/platform/jobs/jobs.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { LatestEntries } from '../../../../shared/platform/storage/latest-entries.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';

/** Vectors of all workspaces that are kept. */
const MAX_VECTORS = 60_000;

/** Why the objects of a workspace cannot be found by meaning. */
export type NoMeaning = 'off' | 'building' | 'unsuitable' | 'error';

/** Finds documents of the index by their meaning. */
export interface Meaning {
  /** The model that a query must be embedded with. */
  model: string;
  nearest(query: Vector, visible: Visible): string[];
}

export interface MeaningDeps {
  table: Table;
  now(): Date;
  vectors: VectorStore;
  jobs: JobContext;
  /** The embedding model of the deployment; undefined without one. */
  embeddingModel: string | undefined;
  report(error: Error, workspaceId: string): void;
}

/** What is stored about the meaning of a workspace's objects, read a moment ago. */
export interface StoredMeaning {
  meaningIn(index: SearchIndex): Meaning | NoMeaning;
  /** Has a job make the vectors that documents of the index lack, or remove those that are not wanted. */
  complete(index: SearchIndex): Promise<void>;
}

/** Never fails: a search by words needs none of this. */
export type WorkspaceMeaning = (workspaceId: string) => Promise<StoredMeaning>;

/** Reads the vectors of a workspace if they have changed. */
export function workspaceMeaning(deps: MeaningDeps): WorkspaceMeaning {
  const { table, vectors: store, embeddingModel, report } = deps;
  const known = new LatestEntries<{ object: string; vectors: Vectors }>(MAX_VECTORS, ({ vectors }) => vectors.size + 1);

  async function vectorsOf({ workspaceId, object }: VectorState): Promise<Vectors> {
    const kept = known.get(workspaceId);
    if (kept && kept.object === object) return kept.vectors;
    const vectors = await store.readVectors({ object });
    if (object !== null) known.set(workspaceId, { object, vectors });
    return vectors;
  }

  async function read(workspaceId: string, model: string): Promise<StoredMeaning> {
    const [workspace, state] = await Promise.all([readWorkspace(table, workspaceId), store.readState(workspaceId)]);
    if (!workspace?.searchByMeaning) return none('off', state && (() => start(deps, workspaceId, undefined)));
    if (state?.model !== model) return none('building', () => start(deps, workspaceId, undefined));
    if (state.threshold !== null) return someOf(deps, state, state.threshold, await vectorsOf(state));
    return none(state.status === 'unsuitable' ? 'unsuitable' : 'building', () => start(deps, workspaceId, state));
  }

  return async (workspaceId) => {
    if (embeddingModel === undefined) return none('off');
    try {
      return await read(workspaceId, embeddingModel);
    } catch (error) {
      report(error as Error, workspaceId);
      return none('error');
    }
  };
}

const none = (reason: NoMeaning, complete: StoredMeaning['complete'] = async () => undefined): StoredMeaning => ({
  meaningIn: () => reason,
  complete,
});

function someOf(deps: MeaningDeps, state: VectorState, threshold: number, vectors: Vectors): StoredMeaning {
  const { workspaceId, model, status } = state;
  return {
    meaningIn(index) {
      if (status !== 'ready') return 'building';
      const texts = textsIn(index, vectors);
      return { model, nearest: (query, visible) => findNearest(texts, { query, threshold, visible }) };
    },
    async complete(index) {
      const { missing, kept } = textsIn(index, vectors);
      if (missing.size > 0 || kept.size < vectors.size || status !== 'ready') await start(deps, workspaceId, state);
    },
  };
}

const known = new WeakMap<SearchIndex, { changes: number; vectors: Vectors; texts: EmbeddedTexts }>();

/** Nothing is compared again while neither the documents nor the vectors change. */
function textsIn(index: SearchIndex, vectors: Vectors): EmbeddedTexts {
  const { changes } = index;
  const before = known.get(index);
  if (before?.changes === changes && before.vectors === vectors) return before.texts;
  const texts = matchVectors(index.documents(), vectors);
  known.set(index, { changes, vectors, texts });
  return texts;
}

/** A job that failed, or has just begun, is not started again yet. */
async function start(deps: MeaningDeps, workspaceId: string, state: VectorState | undefined): Promise<void> {
  if (state?.retryAt && state.retryAt > deps.now().toISOString()) return;
  const trigger = { kind: 'manual', scheduledAt: null, actor: null } as const;
  const job = { id: newId(), workspaceId, kind: 'search_vectors', subjectId: workspaceId, trigger, input: {} } as const;
  try {
    await startJob(deps.jobs, job, 'JOB_ACTIVE');
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'JOB_ACTIVE')) deps.report(error as Error, workspaceId);
  }
}
