import {
  CALIBRATION_TEXTS,
  calibrateThreshold,
  matchVectors,
  textOf,
  type Vector,
  type VectorState,
  type VectorStore,
  vectorOf,
} from '../../../../../shared/domains/catalog/meaning/index.ts';
import type { SearchDocument } from '../../../../../shared/domains/catalog/search/index.ts';
import { readWorkspace } from '../../../../../shared/domains/tenancy/workspaces/index.ts';
import type { EmbeddingFunction } from '../../../../../shared/platform/ai/function/client.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import type { Table } from '../../../../../shared/platform/storage/table.ts';
import { readSearchedDocuments } from '../../../../catalog/common/searched/read-searched-documents.ts';
import type { JobControl, JobWork } from '../job-kind.ts';

/** Vectors of so many texts fit into a reply of the provider. */
const TEXTS_A_CALL = 32;
/** A crash loses the vectors of so many calls. */
const CALLS_A_SAVE = 16;
const CALL_MS = 20_000;
/** Calls in a row that fail, after which the rest waits for another job. */
const MAX_FAILURES = 2;
const RETRY_AFTER_MS = 5 * 60_000;
/** An unsuitable model is not tried again on each search. */
const UNSUITABLE_FOR_MS = 24 * 60 * 60_000;

export interface SearchVectorsWorker {
  table: Table;
  now(): Date;
  ai: EmbeddingFunction;
  vectors: VectorStore;
  /** The embedding model of the deployment; undefined without one. */
  embeddingModel: string | undefined;
}

/**
 * Embeds the texts of a workspace that have no vector yet, and forgets the vectors of texts that no object has any
 * more. A vector belongs to its text, so no text is sent twice; only a crash repeats the calls since the last save.
 */
export function searchVectors(worker: SearchVectorsWorker): JobWork {
  return {
    async run({ workspaceId }, control) {
      const [workspace, state] = await Promise.all([
        readWorkspace(worker.table, workspaceId),
        worker.vectors.readState(workspaceId),
      ]);
      const model = workspace?.searchByMeaning && !workspace.deletesAt ? worker.embeddingModel : undefined;
      if (model !== undefined) return new Update(worker, control, workspaceId, model).run(state);
      // It was switched off.
      if (state) await worker.vectors.removeState(state, [control.fence()]);
      await worker.vectors.removeOthers(workspaceId, null);
      return { texts: 0 };
    },
  };
}

class Update {
  readonly #worker: SearchVectorsWorker;
  readonly #control: JobControl;
  readonly #workspaceId: string;
  readonly #model: string;
  #state: VectorState | undefined;

  constructor(worker: SearchVectorsWorker, control: JobControl, workspaceId: string, model: string) {
    this.#worker = worker;
    this.#control = control;
    this.#workspaceId = workspaceId;
    this.#model = model;
  }

  async run(before: VectorState | undefined): Promise<{ texts: number }> {
    const { vectors, table } = this.#worker;
    this.#state = before;
    const isSame = before?.model === this.#model && before.status !== 'unsuitable';
    // Not started again at once, should it crash each time.
    const soon = { retryAt: this.#in(RETRY_AFTER_MS) };
    await this.#change(isSame ? soon : { status: 'building', threshold: null, object: null, ...soon });
    if (!(await this.#isSuitable())) return { texts: 0 };
    const known = await vectors.readVectors(this.#state);
    const { missing, kept } = matchVectors(await readSearchedDocuments(table, this.#workspaceId), known);
    if (kept.size < known.size) await this.#save(kept);
    const isComplete = await this.#embedAll([...missing], new Map(kept));
    if (!isComplete) throw new AppError('AI_UNAVAILABLE');
    await this.#change({ status: 'ready', retryAt: null });
    return { texts: missing.size };
  }

  /** Checks a new model. */
  async #isSuitable(): Promise<boolean> {
    if (this.#state!.threshold !== null) return true;
    const threshold = calibrateThreshold(await this.#embed(CALIBRATION_TEXTS));
    if (threshold === undefined) {
      await this.#change({ status: 'unsuitable', retryAt: this.#in(UNSUITABLE_FOR_MS) });
      await this.#worker.vectors.removeOthers(this.#workspaceId, null);
      return false;
    }
    await this.#change({ threshold });
    return true;
  }

  /** Adds vectors to `kept`, and saves them. Returns false if some are missing because the provider failed. */
  async #embedAll(missing: readonly [string, SearchDocument][], kept: Map<string, Vector>): Promise<boolean> {
    let failures = 0;
    let calls = 0;
    let isComplete = true;
    for (let start = 0; start < missing.length && failures < MAX_FAILURES; start += TEXTS_A_CALL) {
      this.#control.signal.throwIfAborted();
      const batch = missing.slice(start, start + TEXTS_A_CALL);
      try {
        const made = await this.#embed(batch.map(([, document]) => textOf(document)));
        for (const [index, [hash]] of batch.entries()) kept.set(hash, made[index]!);
        failures = 0;
        calls += 1;
        if (calls % CALLS_A_SAVE === 0) await this.#save(kept);
      } catch (error) {
        // One text may be what the provider rejects; the others need not wait for it.
        if (!(error instanceof AppError)) throw error;
        failures += 1;
        isComplete = false;
      }
    }
    if (calls % CALLS_A_SAVE > 0) await this.#save(kept);
    return isComplete && failures === 0;
  }

  async #embed(texts: readonly string[]): Promise<Vector[]> {
    const { ai } = this.#worker;
    const about = { workspaceId: this.#workspaceId, purpose: 'search-objects' };
    const { model, vectors } = await ai.embed({ ...about, texts, timeoutMs: CALL_MS, maxRetries: 1 });
    // The deployment has just got another model; a later job starts anew.
    if (model !== this.#model) throw new AppError('AI_UNAVAILABLE');
    return vectors.map(vectorOf);
  }

  /** Of two jobs after a crash only the one that holds the job can make its set the current one. */
  async #save(kept: ReadonlyMap<string, Vector>): Promise<void> {
    const { vectors } = this.#worker;
    await this.#change({ object: await vectors.writeVectors(this.#workspaceId, kept) });
    await vectors.removeOthers(this.#workspaceId, this.#state!.object);
  }

  async #change(change: Partial<VectorState>): Promise<void> {
    const first = { status: 'building', threshold: null, object: null, retryAt: null } as const;
    const next = { ...first, ...this.#state, ...change, workspaceId: this.#workspaceId, model: this.#model };
    this.#state = await this.#worker.vectors.replaceState(this.#state, next, [this.#control.fence()]);
  }

  #in = (ms: number): string => new Date(this.#worker.now().getTime() + ms).toISOString();
}
