import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { sessionOf } from '../../../core/access/principal.ts';
import { AwsError } from '../../../core/aws-error.ts';
import type { CloudContext } from '../../../core/service.ts';
import type { Concurrency } from '../execution/concurrency.ts';
import type { Execution } from '../execution/executor.ts';
import type { Invoker } from '../execution/invoker.ts';
import type { EventInvokeConfig, Target } from '../model.ts';
import type { FunctionStore } from '../store.ts';
import type { Destinations } from './destinations.ts';
import type { AsyncEvent, EventStore } from './event-store.ts';
import { type Condition, outcomeRecord } from './outcome-record.ts';

/** Lambda's delays before the first and the second retry of a failed event. */
const RETRY_DELAYS_MS = [60_000, 120_000];
const DEFAULT_MAXIMUM_AGE_SECONDS = 21_600;
/**
 * Concurrent events of one function. AWS scales further; here each additional one is a process to start, and a few warm
 * processes finish a burst sooner.
 */
const RUNNING_PER_FUNCTION = Math.max(4, 2 * availableParallelism());
/** Pause after a throttle or an error of the service, which do not count as attempts. */
const SERVICE_FAULT_DELAY_MS = 1_000;

interface Deps {
  context: CloudContext;
  functions: FunctionStore;
  events: EventStore;
  invoker: Invoker;
  concurrency: Concurrency;
  destinations: Destinations;
}

/**
 * Asynchronous invocation: an event is on disk before it is accepted, and is removed after its outcome has been
 * delivered. A crash repeats work but loses none.
 */
export class AsyncEvents {
  readonly #deps: Deps;
  /** Due events by function, oldest first. */
  readonly #ready = new Map<string, string[]>();
  readonly #timers = new Set<() => void>();
  readonly #running = new Map<string, Set<Promise<void>>>();
  readonly #stopListening: () => void;
  #closed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#stopListening = deps.concurrency.onFree(() => this.#runReady());
  }

  /** Resumes unfinished events of an earlier process. */
  resume(): void {
    for (const { requestId, functionName, dueAt } of this.#deps.events.pending())
      this.#schedule(functionName, requestId, dueAt);
  }

  /** Stores an event and returns its request id; it runs as soon as capacity allows. */
  accept(target: Target, payload: Buffer, clientContext?: unknown): string {
    const now = this.#deps.context.clock.now();
    const requestId = randomUUID();
    const functionName = target.record.name;
    this.#deps.events.add({
      requestId,
      functionName,
      ...(target.qualifier !== undefined && { qualifier: target.qualifier }),
      payload,
      clientContext,
      acceptedAt: now,
      dueAt: now,
      attempts: 0,
    });
    this.#schedule(functionName, requestId, now);
    return requestId;
  }

  /** Starts no more events and waits for running ones, which end when their environments are killed. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopListening();
    for (const cancel of this.#timers) cancel();
    await Promise.all([...this.#running.values()].flatMap((runs) => [...runs]));
  }

  #schedule(functionName: string, requestId: string, dueAt: number): void {
    const { clock } = this.#deps.context;
    if (dueAt <= clock.now()) {
      const queue = this.#ready.get(functionName);
      if (queue) queue.push(requestId);
      else this.#ready.set(functionName, [requestId]);
      this.#runReady();
      return;
    }
    const cancel = clock.schedule(dueAt, () => {
      this.#timers.delete(cancel);
      this.#schedule(functionName, requestId, dueAt);
    });
    this.#timers.add(cancel);
  }

  #runReady(): void {
    for (const [functionName, queue] of this.#ready) {
      while (queue.length > 0 && this.#hasCapacity(functionName)) {
        const event = this.#deps.events.get(queue.shift() as string);
        if (event) this.#start(event);
      }
      if (queue.length === 0) this.#ready.delete(functionName);
    }
  }

  #hasCapacity(functionName: string): boolean {
    if (this.#closed || (this.#running.get(functionName)?.size ?? 0) >= RUNNING_PER_FUNCTION) return false;
    return this.#deps.concurrency.obstacle(functionName) === undefined;
  }

  #start(event: AsyncEvent): void {
    const runs = this.#running.get(event.functionName) ?? new Set();
    this.#running.set(event.functionName, runs);
    const run = this.#run(event).finally(() => {
      runs.delete(run);
      this.#runReady();
    });
    runs.add(run);
  }

  async #run(event: AsyncEvent): Promise<void> {
    const { context, functions, invoker, events } = this.#deps;
    let target: Target;
    try {
      target = functions.resolve(event.functionName, event.qualifier);
    } catch {
      context.log(`lambda: dropped an event for ${event.functionName}, which no longer exists`);
      events.remove(event.requestId);
      return;
    }
    const config = target.record.eventInvokeConfigs[event.qualifier ?? '$LATEST'];
    if (this.#tooOld(event, config, context.clock.now())) {
      await this.#finish(event, target, config, 'EventAgeExceeded');
      return;
    }
    const call = { payload: event.payload, requestId: event.requestId, clientContext: event.clientContext };
    try {
      if (this.#strikesTwice(event)) await invoker.invoke(target, call);
      const execution = await invoker.invoke(target, call);
      if (!this.#closed) await this.#settle(event, target, config, execution);
    } catch (error) {
      // Throttled, or an error of the service: not an attempt of the function.
      if (!(error instanceof AwsError)) context.log(`lambda: ${event.functionName}: ${String(error)}`);
      this.#schedule(event.functionName, event.requestId, context.clock.now() + SERVICE_FAULT_DELAY_MS);
    }
  }

  async #settle(event: AsyncEvent, target: Target, config: EventInvokeConfig | undefined, execution: Execution) {
    if (!execution.error) return this.#finish(event, target, config, 'Success', execution);
    const failed = { ...event, attempts: event.attempts + 1 };
    const delayMs = RETRY_DELAYS_MS[event.attempts];
    if (delayMs === undefined || failed.attempts > (config?.MaximumRetryAttempts ?? RETRY_DELAYS_MS.length)) {
      return this.#finish(failed, target, config, 'RetriesExhausted', execution);
    }
    const dueAt = this.#deps.context.clock.now() + delayMs;
    if (this.#tooOld(failed, config, dueAt)) return this.#finish(failed, target, config, 'EventAgeExceeded', execution);
    this.#deps.events.retryLater(event.requestId, failed.attempts, dueAt);
    this.#schedule(event.functionName, event.requestId, dueAt);
  }

  #tooOld(event: AsyncEvent, config: EventInvokeConfig | undefined, at: number): boolean {
    const maximumMs = (config?.MaximumEventAgeInSeconds ?? DEFAULT_MAXIMUM_AGE_SECONDS) * 1000;
    return at - event.acceptedAt > maximumMs;
  }

  #strikesTwice(event: AsyncEvent): boolean {
    const place = { service: 'lambda', operation: 'Event', resource: event.functionName };
    return this.#deps.context.faults.strike({ ...place, effects: ['duplicate'] }) !== undefined;
  }

  /** Deliver to the destination first: a crash in between delivers twice rather than never. */
  async #finish(
    event: AsyncEvent,
    target: Target,
    config: EventInvokeConfig | undefined,
    condition: Condition,
    execution?: Execution,
  ): Promise<void> {
    const { OnSuccess, OnFailure } = config?.DestinationConfig ?? {};
    const destination = (condition === 'Success' ? OnSuccess : OnFailure)?.Destination;
    if (destination) {
      const functionArn = event.qualifier === undefined ? `${target.invokedArn}:$LATEST` : target.invokedArn;
      const at = this.#deps.context.clock.now();
      const record = outcomeRecord({ event, functionArn, condition, at, ...(execution && { execution }) });
      await this.#deps.destinations.send(destination, record, sessionOf(target.version.role, event.functionName));
    }
    this.#deps.events.remove(event.requestId);
  }
}
