import { type Signal, signal } from '@preact/signals';
import { api, type Types } from '../../data/client.ts';

export type Run = Types.RunWithSteps;
export type StepRun = Types.StepRun;
type RunEvent = { event: string; data: unknown };
type StepEvent = Types.RunEventStream['step.status'];

/** Up to so many steps, the numbers of steps that have ended are read while the run goes on; of others, at its end. */
const MAX_READ_STEPS = 500;
const READ_EVERY_MS = 3_000;
/** A run is also read this often while it goes on: its events may not arrive. */
const SURELY_READ_EVERY_MS = 15_000;
/** Events that arrive within this time are shown together. */
const BATCH_MS = 100;
const STEPS_PAGE = 200;

const OVER = new Set(['succeeded', 'failed', 'cancelled']);
export const isOver = ({ status }: Pick<Run, 'status'>): boolean => OVER.has(status);

/**
 * A run as it goes on. It is read once, then its events change it; a run that is over is not read again. `progress` has
 * the percentage of steps that report one.
 */
export class LiveRun {
  readonly run: Signal<Run | undefined> = signal(undefined);
  readonly error: Signal<unknown> = signal(undefined);
  readonly progress: Signal<ReadonlyMap<string, number>> = signal(new Map());
  readonly #id: string;
  #stopping = new AbortController();
  #waiting: RunEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #readAt = 0;

  constructor(id: string) {
    this.#id = id;
  }

  /** Reads the run and follows it; again after a retry. */
  async start(): Promise<void> {
    this.stop();
    const { signal: stopped } = this.#stopping;
    try {
      await this.#read(stopped);
      if (isOver(this.run.peek()!)) return;
      await this.#follow(stopped);
      this.#show();
      await this.#read(stopped);
    } catch (error) {
      if (!stopped.aborted) this.error.value = error;
    }
  }

  async #follow(stopped: AbortSignal): Promise<void> {
    const timer = setInterval(() => void this.#catchUp(stopped).catch(() => {}), SURELY_READ_EVERY_MS);
    try {
      for await (const event of api.runs.events(this.#id, { signal: stopped })) {
        this.#take(event);
        if (event.event === 'end') break;
      }
    } finally {
      clearInterval(timer);
    }
  }

  async #catchUp(stopped: AbortSignal): Promise<void> {
    if (performance.now() - this.#readAt < SURELY_READ_EVERY_MS) return;
    await this.#read(stopped);
    if (!stopped.aborted && isOver(this.run.peek()!)) this.stop();
  }

  stop(): void {
    this.#stopping.abort();
    this.#stopping = new AbortController();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  async #read(stopped: AbortSignal): Promise<void> {
    this.#readAt = performance.now();
    const run = await api.runs.get(this.#id, { signal: stopped });
    const steps = [...run.steps];
    for (let cursor = run.stepsNextCursor; cursor !== null; ) {
      const page = await api.runs.listSteps(this.#id, { cursor, limit: STEPS_PAGE }, { signal: stopped });
      steps.push(...page.items);
      cursor = page.nextCursor;
    }
    if (stopped.aborted) return;
    this.error.value = undefined;
    this.run.value = { ...run, steps };
  }

  #take(event: RunEvent): void {
    // What the snapshot says was just read.
    if (event.event === 'snapshot') return;
    this.#waiting.push(event);
    this.#timer ??= setTimeout(() => this.#show(), BATCH_MS);
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = this.#waiting.splice(0);
    const run = this.run.peek();
    if (!run || events.length === 0) return;
    this.run.value = withEvents(run, events, new Date().toISOString());
    this.progress.value = withProgress(this.progress.peek(), events);
    const isDue = performance.now() - this.#readAt > READ_EVERY_MS;
    if (run.stepsTotal <= MAX_READ_STEPS && isDue) void this.#read(this.#stopping.signal).catch(() => {});
  }
}

export const keyOf = ({ stepId, item }: Pick<StepEvent, 'stepId' | 'item'>): string => JSON.stringify([stepId, item]);

/** The run after events that have arrived by `now`. */
export function withEvents(run: Run, events: readonly RunEvent[], now: string): Run {
  const places = new Map(run.steps.map((step, place) => [keyOf(step), place]));
  const steps = [...run.steps];
  let { status, attempt } = run;
  for (const { event, data } of events) {
    if (event === 'run.status') ({ status, attempt } = data as Types.RunEventStream['run.status']);
    if (event !== 'step.status') continue;
    const change = data as StepEvent;
    const place = places.get(keyOf(change));
    if (place !== undefined) steps[place] = withStatus(steps[place]!, change, now);
  }
  return { ...run, status, attempt, steps };
}

function withStatus(step: StepRun, change: StepEvent, now: string): StepRun {
  const { status, attempt, error, skipReason, nextRetryAt } = change;
  const begins = status === 'running' && (step.status !== 'running' || step.attempt !== attempt);
  const ends = OVER.has(status);
  return {
    ...step,
    status,
    attempt,
    error,
    skipReason,
    nextRetryAt,
    startedAt: begins ? now : step.startedAt,
    finishedAt: ends ? (step.finishedAt ?? now) : null,
  };
}

function withProgress(known: ReadonlyMap<string, number>, events: readonly RunEvent[]): ReadonlyMap<string, number> {
  const next = new Map(known);
  for (const { event, data } of events) {
    if (event === 'step.progress') {
      const { percent, ...step } = data as Types.RunEventStream['step.progress'];
      next.set(keyOf(step), percent);
    }
    if (event === 'step.status') next.delete(keyOf(data as StepEvent));
  }
  return next;
}
