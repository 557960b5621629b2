import { randomUUID } from 'node:crypto';
import { MemoryWatch } from '../../../core/memory-watch.ts';
import type { CloudContext } from '../../../core/service.ts';
import type { Target } from '../model.ts';
import { CallGuard } from './call-guard.ts';
import type { Concurrency } from './concurrency.ts';
import type { Call, FunctionError } from './environment.ts';
import type { Fleet, Member } from './fleet.ts';
import { outcomeOf } from './outcome.ts';
import { type ResponseTaker, StreamedResponse } from './response.ts';

export interface Invocation extends ResponseTaker {
  payload: Buffer;
  requestId?: string;
  clientContext?: unknown;
  /** Returns the end of the log with the answer. */
  keepTail?: boolean;
  /** Whether the caller is a client of `Invoke` that waits for the answer. */
  isAwaited?: boolean;
}

export interface Execution {
  requestId: string;
  executedVersion: string;
  error?: FunctionError;
  /** The response or the error object, as JSON; empty after a streamed response. */
  payload: Buffer;
  logTail?: Buffer;
}

/**
 * Runs invocations in environments, with Lambda's limits of concurrency, time, memory and size, and its own log lines.
 */
export class Executor {
  readonly #context: CloudContext;
  readonly #fleet: Fleet;
  readonly #concurrency: Concurrency;
  readonly #memory = new MemoryWatch();

  constructor(context: CloudContext, fleet: Fleet, concurrency: Concurrency) {
    this.#context = context;
    this.#fleet = fleet;
    this.#concurrency = concurrency;
  }

  /** Settles when the function has answered or failed; only rejects with `TooManyRequestsException`. */
  async execute(target: Target, invocation: Invocation): Promise<Execution> {
    const leave = await this.#concurrency.enter(target.record.name, target.version);
    try {
      const member = await this.#fleet.take(target.record.name, target.version, invocation);
      try {
        return await this.#run(member, target, invocation);
      } finally {
        this.#fleet.release(member);
      }
    } finally {
      leave();
    }
  }

  /** Starts an environment before the first call and waits until its handler is loaded. */
  async warm(target: Target): Promise<void> {
    this.#fleet.release(await this.#fleet.take(target.record.name, target.version));
  }

  async #run(member: Member, target: Target, invocation: Invocation): Promise<Execution> {
    const { environment, log } = member;
    const { version } = target;
    const requestId = invocation.requestId ?? randomUUID();
    const guard = new CallGuard(this.#context, this.#memory, environment, target);
    const loaded = await environment.loaded;
    const initDurationMs = environment.takeInitDuration();
    guard.running();
    log.start(requestId, version.version, invocation.keepTail ?? false);

    const startedAt = performance.now();
    const response = new StreamedResponse(invocation);
    const ending = await (environment.alive
      ? environment.run(this.#call(target, requestId, invocation, response))
      : loaded);
    const durationMs = performance.now() - startedAt;
    guard.release();

    const { timeoutSeconds } = version;
    const outcome = response.complete(outcomeOf(ending, member.killed ?? guard.killed, { requestId, timeoutSeconds }));
    if (outcome.status === 'timeout') log.timedOut(requestId, timeoutSeconds);
    log.report({
      requestId,
      status: outcome.status,
      ...(outcome.error && { errorType: outcome.error.errorType }),
      durationMs,
      memorySizeMb: version.memorySizeMb,
      peakRssBytes: environment.peakRssBytes,
      ...(initDurationMs !== undefined && { initDurationMs }),
    });
    return {
      requestId,
      executedVersion: version.version,
      ...(outcome.error && { error: outcome.error }),
      payload: outcome.error ? Buffer.from(JSON.stringify(outcome.error)) : outcome.body,
      ...(invocation.keepTail && { logTail: log.takeTail() }),
    };
  }

  #call(target: Target, requestId: string, invocation: Invocation, response: StreamedResponse): Call {
    return {
      requestId,
      functionArn: target.invokedArn,
      remainingMs: target.version.timeoutSeconds * 1000,
      ...(invocation.clientContext !== undefined && { clientContext: invocation.clientContext }),
      payload: invocation.payload,
      onHead: (contentType) => response.begin(contentType),
      onChunk: (chunk) => response.write(chunk),
    };
  }
}
