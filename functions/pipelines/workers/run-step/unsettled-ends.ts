import {
  isRetriedAfterCrash,
  type Node,
  type Step,
  timeoutSecondsOf,
} from '../../../../shared/domains/pipelines/definition/index.ts';
import { type EndedAttempt, settleAttempts } from '../../../../shared/domains/pipelines/runs/index.ts';
import type { RunContext, StoredRun } from '../../../../shared/domains/pipelines/store/index.ts';
import type { AttemptLog } from './attempt.ts';

/** A step that took longer is stored at once, and an end waits at most so long. */
const LIGHT_MS = 1_000;
/** How many ends are stored together, and how much they may hold: a transaction takes 100 items and 4 MB. */
const MAX_ENDS = 20;
const MAX_BYTES = 256 * 1024;
/** A crash is noticed late while an end waits; a step with a shorter time limit must not wait. */
const MIN_TIMEOUT_SECONDS = 60;

/** These steps write nothing but rows that only their run reads, so they may begin before that is stored. */
const BEGUN_LATE: readonly Step['type'][] = ['transform_sql', 'route'];

/** An attempt that has ended. */
export interface Ended extends EndedAttempt {
  at: Date;
}

/** The step that the worker goes on with. */
interface Current {
  node: Node;
  holder: string;
  at: Date;
}

/** A node whose end is stored, and the one that began with it. */
export interface StoredEnd {
  index: number;
  begun: number | undefined;
}

/**
 * Why no attempt is running any more: another worker has taken over, all attempts have ended, or the run has ended with
 * them.
 */
export type Over = { kind: 'fenced' } | { kind: 'settled'; run: StoredRun } | { kind: 'ended' };

/**
 * Ends of light steps that the worker keeps in memory while it works on the next step. One transaction stores them with
 * the end of a later step or, after a second, with the beginning of the current one. Until then the first of them
 * counts as running. If the worker crashes, only that step loses an attempt, and its next attempt stores every end at
 * once, so that a step that makes workers crash is found.
 */
export class UnsettledEnds {
  readonly #context: RunContext;
  readonly #run: StoredRun;
  readonly #lightMs: number;
  #ends: Ended[] = [];
  #bytes = 0;
  /** The log of the first end. The other attempts are not in the table yet, so their logs have nowhere to go. */
  #firstLog: AttemptLog | undefined;
  #current: Current | undefined;
  #storing: Promise<Over | undefined> | undefined;
  /** Why the current attempt must end. */
  #over: Over | undefined;
  /** Ends that are stored, until they are taken to release what waits for them. */
  #stored: StoredEnd[] = [];
  /** The error of the last write, which may have succeeded all the same. */
  #failure: unknown;

  constructor(context: RunContext, run: StoredRun, lightMs = LIGHT_MS) {
    this.#context = context;
    this.#run = run;
    this.#lightMs = lightMs;
  }

  /** Whether the current attempt is not stored yet. */
  isOpen(): boolean {
    return this.#ends.length > 0;
  }

  /** Whether the end of an attempt may wait while the worker goes on with `next`. */
  mayWait(ended: Ended, definition: Step, next: Step): boolean {
    const { step, end, at } = ended;
    if (end.kind !== 'succeeded' || end.result.moved || end.result.gates?.length || end.result.also?.length)
      return false;
    if (!BEGUN_LATE.includes(next.type) || at.getTime() - Date.parse(step.startedAt!) > this.#lightMs) return false;
    const [first] = this.#ends;
    // The first is repeated if the worker crashes.
    if (!first)
      return (
        step.attempt === 1 && isRetriedAfterCrash(definition) && timeoutSecondsOf(definition) >= MIN_TIMEOUT_SECONDS
      );
    const isFull = this.#ends.length >= MAX_ENDS - 1 || this.#bytes + bytesOf(ended) > MAX_BYTES;
    return !isFull && at.getTime() - first.at.getTime() <= this.#lightMs;
  }

  add(ended: Ended, log: AttemptLog, current: Current): void {
    if (this.#ends.length === 0) this.#firstLog = log;
    this.#ends.push(ended);
    this.#bytes += bytesOf(ended);
    this.#current = current;
  }

  /** How soon `store` must be called, in milliseconds; undefined if everything is stored. */
  dueInMs(): number | undefined {
    const [first] = this.#ends;
    return first && Math.max(0, first.at.getTime() + this.#lightMs - this.#context.now().getTime());
  }

  /**
   * Stores the ends and the beginning of the current attempt. Returns why the attempt must end, if it must: another
   * worker has taken over, or a cancel has settled its step. A repeated call changes nothing.
   */
  store(): Promise<Over | undefined> {
    if (this.#over || this.#ends.length === 0) return Promise.resolve(this.#over);
    this.#storing ??= this.#begin(this.#current!).finally(() => {
      this.#storing = undefined;
    });
    return this.#storing;
  }

  async #begin(current: Current): Promise<Over | undefined> {
    const { begunAt, over } = await this.#settle(this.#ends, this.#firstLog!, { next: current });
    if (!begunAt) this.#over = over;
    return this.#over;
  }

  /** Waits for a write that has begun; returns why the current attempt must end, if it must. */
  async idle(): Promise<Over | undefined> {
    await this.#storing?.catch(() => undefined);
    return this.#over;
  }

  /** The ends that were stored since the last call. */
  takeStored(): StoredEnd[] {
    const stored = this.#stored;
    this.#stored = [];
    return stored;
  }

  /** Puts back ends whose dependents could not be released. */
  keepStored(stored: readonly StoredEnd[]): void {
    this.#stored.unshift(...stored);
  }

  /** Stores the end of the current attempt with those before it, and the beginning of `next` or the end of the run. */
  settleWith(
    ended: EndedAttempt,
    log: AttemptLog,
    then: { next?: Omit<Current, 'at'> | undefined; endsRun?: boolean } = {},
  ): Promise<{ over: Over; begunAt?: Date }> {
    return this.#settle([...this.#ends, ended], this.#firstLog ?? log, then);
  }

  async #settle(
    ends: readonly EndedAttempt[],
    firstLog: AttemptLog,
    { next, endsRun = false }: { next?: (Omit<Current, 'at'> & { at?: Date }) | undefined; endsRun?: boolean },
  ): Promise<{ over: Over; begunAt?: Date }> {
    const { id: runId, workspaceId, attempt: epoch, pipelineId } = this.#run;
    const job = { workspaceId, runId, epoch };
    const settled = await settleAttempts(this.#context, { job, pipelineId, ends, next, endsRun }).catch(
      async (error) => {
        this.#failure = error;
        await firstLog.store();
        throw error;
      },
    );
    if (settled.kind === 'fenced') {
      await firstLog.store();
      // The write may have succeeded although its reply was lost. Then the worker fenced itself, and its steps must be
      // recovered.
      if (this.#failure) throw this.#failure;
      return { over: settled };
    }
    this.#ends = [];
    this.#bytes = 0;
    this.#firstLog = undefined;
    this.#failure = undefined;
    if (settled.kind === 'ended') return { over: settled };
    const { run, at, count, continued } = settled;
    const indexes = ends.slice(0, count).map(({ step }) => step.index);
    const begun = [...indexes.slice(1), continued ? next?.node.index : undefined];
    this.#stored.push(...indexes.map((index, place) => ({ index, begun: begun[place] })));
    return { over: { kind: 'settled', run }, ...(continued ? { begunAt: at } : {}) };
  }
}

const bytesOf = ({ end, log = '' }: Ended) =>
  log.length + (end.kind === 'succeeded' ? JSON.stringify(end.result.output ?? '').length : 0);
