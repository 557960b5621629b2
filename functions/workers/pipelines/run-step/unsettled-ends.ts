import {
  type EndedAttempt,
  isRetriedAfter,
  type Node,
  type RunContext,
  type Step,
  type StoredRun,
  settleAttempts,
} from '../../../../shared/domains/pipelines/index.ts';
import type { AttemptLog } from './attempt.ts';

/** How long a step may take whose end is not stored at once, and how long it then stays unstored. */
const MAX_UNSETTLED_MS = 1_000;
const MAX_UNSETTLED = 20;

/** Types whose attempts write nothing but rows that only the run reads, and whose lease nothing checks. */
const BEGUN_LATE: readonly (Step['type'] | undefined)[] = ['transform_sql', 'route'];

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

/** What is stored when no attempt is running any more: another worker has taken over, or everything up to `index` has ended. */
export type Over = { kind: 'fenced' } | { kind: 'settled'; run: StoredRun; index: number };

/**
 * The ends of light steps that their worker has not stored, because it went on with the next step. They are stored with
 * the end of a later step, or with the beginning of the current one after a second at most: one transaction for several
 * steps. Until then the first of them counts as running. If the worker crashes, only that step loses an attempt, and its
 * next attempt stores every end at once, so that a step that makes workers crash is found.
 */
export class UnsettledEnds {
  readonly #context: RunContext;
  readonly #run: StoredRun;
  #ends: Ended[] = [];
  #logs: AttemptLog[] = [];
  #current: Current | undefined;
  #storing: Promise<Over | undefined> | undefined;
  /** Why the current attempt must end. */
  #over: Over | undefined;

  constructor(context: RunContext, run: StoredRun) {
    this.#context = context;
    this.#run = run;
  }

  /** Whether the end of an attempt may wait while the worker goes on with `next`. */
  mayWait({ step, end, at }: Ended, definition: Step, next: Step): boolean {
    if (end.kind !== 'succeeded' || end.result.moved || end.result.gates?.length || end.result.also?.length)
      return false;
    if (!BEGUN_LATE.includes(next.type) || this.#ends.length === MAX_UNSETTLED) return false;
    const since = this.#ends[0] ? this.#ends[0].at.getTime() : Date.parse(step.startedAt!);
    if (at.getTime() - since > MAX_UNSETTLED_MS) return false;
    // The first is repeated if the worker crashes.
    return this.#ends.length > 0 || isRetriedAfter(definition, 'WORKER_LOST');
  }

  add(ended: Ended, log: AttemptLog, current: Current): void {
    this.#ends.push(ended);
    this.#logs.push(log);
    this.#current = current;
  }

  /** How soon `store` must be called, in milliseconds; undefined if everything is stored. */
  dueInMs(): number | undefined {
    const [first] = this.#ends;
    return first && Math.max(0, first.at.getTime() + MAX_UNSETTLED_MS - this.#context.now().getTime());
  }

  /**
   * Stores the ends and the beginning of the current attempt. Returns why the attempt must end, if it must: another worker has
   * taken over, or a cancel has settled its step. A repeated call changes nothing.
   */
  store(): Promise<Over | undefined> {
    if (this.#over || this.#ends.length === 0) return Promise.resolve(this.#over);
    this.#storing ??= this.#begin(this.#current!).finally(() => {
      this.#storing = undefined;
    });
    return this.#storing;
  }

  async #begin(current: Current): Promise<Over | undefined> {
    const { begunAt, over } = await this.#settle(this.#ends, current);
    if (!begunAt) this.#over = over;
    return this.#over;
  }

  /** Waits for a write that has begun; returns why the current attempt must end, if it must. */
  async idle(): Promise<Over | undefined> {
    await this.#storing?.catch(() => undefined);
    return this.#over;
  }

  /** Stores the end of the current attempt with those before it, and the beginning of `next`. */
  async settleWith(
    ended: EndedAttempt,
    log: AttemptLog,
    next?: Omit<Current, 'at'>,
  ): Promise<{ over: Over; begunAt?: Date }> {
    this.#logs.push(log);
    return this.#settle([...this.#ends, ended], next);
  }

  async #settle(
    ends: readonly EndedAttempt[],
    next?: Omit<Current, 'at'> & { at?: Date },
  ): Promise<{ over: Over; begunAt?: Date }> {
    const { id: runId, workspaceId, attempt: epoch, pipelineId } = this.#run;
    const storeLogs = () => Promise.all(this.#logs.map((log) => log.store()));
    const job = { workspaceId, runId, epoch };
    const settled = await settleAttempts(this.#context, { job, pipelineId, ends, next }).catch(async (error) => {
      await storeLogs();
      throw error;
    });
    if (settled.kind === 'fenced') await storeLogs();
    this.#ends = [];
    this.#logs = [];
    if (settled.kind === 'fenced') return { over: settled };
    const { run, at, count, continued } = settled;
    return {
      over: { kind: 'settled', run, index: ends[count - 1]!.step.index },
      ...(continued ? { begunAt: at } : {}),
    };
  }
}
