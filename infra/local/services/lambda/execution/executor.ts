import { randomUUID } from 'node:crypto';
import type { CloudContext } from '../../../core/service.ts';
import type { Target } from '../model.ts';
import type { Concurrency } from './concurrency.ts';
import type { FunctionError } from './environment.ts';
import type { Fleet, Member } from './fleet.ts';
import { MemoryWatch } from './memory-watch.ts';
import { type KillReason, type Outcome, outcomeOf } from './outcome.ts';

/** Largest buffered response: 6 MB and the allowance that Lambda documents by its error message. */
export const RESPONSE_LIMIT_BYTES = 6_291_556;
export const STREAMED_RESPONSE_LIMIT_BYTES = 200 * 1024 * 1024;

/** Time that loading the handler may take beyond the function's own timeout. */
const INIT_LIMIT_MS = 10_000;

export interface Invocation {
  payload: Buffer;
  requestId?: string;
  clientContext?: unknown;
  /** Keep the end of the log for the answer. */
  keepTail?: boolean;
  onHead?: (contentType: string) => void;
  onChunk?: (chunk: Buffer) => void;
}

export interface Execution {
  requestId: string;
  executedVersion: string;
  error?: FunctionError;
  /** The response, or the error object, as JSON; empty after a streamed response. */
  payload: Buffer;
  logTail?: Buffer;
}

/** Runs invocations in environments: limits of concurrency, time, memory and size, and Lambda's own log lines. */
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

  /** Settles when the function has answered or failed; rejects only with `TooManyRequestsException`. */
  async execute(target: Target, invocation: Invocation): Promise<Execution> {
    const leave = this.#concurrency.enter(target.record.name);
    try {
      const member = this.#fleet.take(target.record.name, target.version);
      try {
        return await this.#run(member, target, invocation);
      } finally {
        this.#fleet.release(member);
      }
    } finally {
      leave();
    }
  }

  /** Starts an environment ahead of the first call and waits until its handler is loaded. */
  async warm(target: Target): Promise<void> {
    const member = this.#fleet.take(target.record.name, target.version);
    const ending = await member.environment.loaded;
    if (ending.kind === 'answered' && !ending.error) this.#fleet.release(member);
    else member.environment.kill();
  }

  async #run(member: Member, target: Target, invocation: Invocation): Promise<Execution> {
    const { environment, log } = member;
    const { version } = target;
    const requestId = invocation.requestId ?? randomUUID();
    let killed: KillReason | undefined;
    const kill = (reason: KillReason) => {
      killed ??= reason;
      environment.kill();
    };
    const { clock, faults } = this.#context;
    const timeoutMs = version.timeoutSeconds * 1000;
    const initDurationMs = await this.#load(member, INIT_LIMIT_MS + timeoutMs, () => kill('timeout'));
    log.start(requestId, version.version, invocation.keepTail ?? false);
    const cancelTimeout = clock.schedule(clock.now() + timeoutMs, () => kill('timeout'));
    const unwatch = this.#memory.watch(environment, version.memorySizeMb, () => kill('memory'));
    const fault = faults.strike({
      service: 'lambda',
      operation: 'Invoke',
      resource: target.record.name,
      effects: ['kill'],
    });
    const cancelFault = fault && clock.schedule(clock.now() + (fault.delayMs ?? 0), () => environment.kill());

    const startedAt = performance.now();
    const streamed = new StreamedResponse(invocation);
    const ending = await (environment.alive
      ? environment.run({
          requestId,
          functionArn: target.invokedArn,
          remainingMs: timeoutMs,
          ...(invocation.clientContext !== undefined && { clientContext: invocation.clientContext }),
          payload: invocation.payload,
          onHead: (contentType) => streamed.begin(contentType),
          onChunk: (chunk) => streamed.write(chunk),
        })
      : environment.loaded);
    const durationMs = performance.now() - startedAt;
    cancelTimeout();
    unwatch();
    cancelFault?.();

    const outcome = streamed.complete(outcomeOf(ending, killed, { requestId, timeoutSeconds: version.timeoutSeconds }));
    if (outcome.status === 'timeout') {
      const at = new Date(clock.now()).toISOString();
      log.write(`${at} ${requestId} Task timed out after ${version.timeoutSeconds.toFixed(2)} seconds`);
    }
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

  /** Waits for the handler of a new environment; answers how long that took, once. An environment that fails is ended. */
  async #load({ environment }: Member, limitMs: number, onTimeout: () => void): Promise<number | undefined> {
    const { clock } = this.#context;
    const cancel = clock.schedule(clock.now() + limitMs, onTimeout);
    const ending = await environment.loaded;
    cancel();
    if (ending.kind === 'answered' && ending.error) environment.kill();
    const initDurationMs = environment.initDurationMs;
    environment.initDurationMs = undefined;
    return initDurationMs;
  }
}

/** Hands a streamed response on, or collects it for a caller that wants it whole, until it is larger than Lambda allows. */
class StreamedResponse {
  begun = false;
  readonly #invocation: Invocation;
  readonly #collected: Buffer[] = [];
  readonly #limitBytes: number;
  #bytes = 0;

  constructor(invocation: Invocation) {
    this.#invocation = invocation;
    this.#limitBytes = invocation.onChunk ? STREAMED_RESPONSE_LIMIT_BYTES : RESPONSE_LIMIT_BYTES;
  }

  begin(contentType: string): void {
    this.begun = true;
    this.#invocation.onHead?.(contentType);
  }

  write(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limitBytes) return;
    if (this.#invocation.onChunk) this.#invocation.onChunk(chunk);
    else this.#collected.push(chunk);
  }

  /** The outcome of the call with the collected response, or the error that it is too large. */
  complete(outcome: Outcome): Outcome {
    if (outcome.error) return outcome;
    const limitBytes = this.begun ? this.#limitBytes : RESPONSE_LIMIT_BYTES;
    const body = this.begun ? Buffer.concat(this.#collected) : outcome.body;
    if (this.#bytes <= limitBytes && body.length <= limitBytes) return { ...outcome, body };
    return {
      status: 'error',
      error: {
        errorType: 'Function.ResponseSizeTooLarge',
        errorMessage: `Response payload size exceeded maximum allowed payload size (${limitBytes} bytes).`,
      },
      body: Buffer.alloc(0),
    };
  }
}
