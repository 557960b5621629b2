import { type Principal, sessionOf } from '../../../core/access/principal.ts';
import { AwsError } from '../../../core/aws-error.ts';
import type { CloudContext } from '../../../core/service.ts';
import type { Concurrency } from '../execution/concurrency.ts';
import type { Execution } from '../execution/executor.ts';
import type { Invoker } from '../execution/invoker.ts';
import type { FunctionStore } from '../store.ts';
import { pause } from './pause.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;

/** A poller's pause after consecutive failures. */
export function backoffMs(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
}

/** The part of an invocation payload for records: 6 MB less the frame around them. */
export const BATCH_LIMIT_BYTES = 6 * 1024 * 1024 - 1024;

/** Calls a function with a batch of records, and retries throttles and errors of the service. */
export class BatchInvoker {
  readonly #context: CloudContext;
  readonly #functions: FunctionStore;
  readonly #invoker: Invoker;
  readonly #concurrency: Concurrency;

  constructor(context: CloudContext, functions: FunctionStore, invoker: Invoker, concurrency: Concurrency) {
    this.#context = context;
    this.#functions = functions;
    this.#invoker = invoker;
    this.#concurrency = concurrency;
  }

  /** A poller reads its source as the function's role. */
  callerOf(functionArn: string): Principal {
    const { record, version } = this.#functions.resolve(functionArn);
    return sessionOf(version.role, record.name);
  }

  /** Resolves when the function can be called, so that a poller does not take records only to be throttled. */
  async untilFree(functionArn: string, signal: AbortSignal): Promise<void> {
    const { name } = this.#functions.resolve(functionArn).record;
    await this.#concurrency.whenFree(name, signal);
  }

  /** Retries until the function was called; undefined if `signal` aborts or `giveUpAt` (epoch ms) passes first. */
  async invoke(
    functionArn: string,
    records: unknown[],
    { signal, giveUpAt = Number.POSITIVE_INFINITY }: { signal: AbortSignal; giveUpAt?: number },
  ): Promise<Execution | undefined> {
    const { clock, log } = this.#context;
    const payload = Buffer.from(JSON.stringify({ Records: records }));
    for (let failures = 0; !signal.aborted && clock.now() < giveUpAt; failures += 1) {
      try {
        const target = this.#functions.resolve(functionArn);
        await this.#strike(target.record.name, clock);
        if (this.#strikesTwice(target.record.name)) await this.#invoker.invoke(target, { payload });
        const execution = await this.#invoker.invoke(target, { payload });
        // An environment killed during shutdown says nothing about the records.
        return signal.aborted && execution.error ? undefined : execution;
      } catch (error) {
        if (!(error instanceof AwsError)) throw error;
        if (failures === 0) log(`lambda: ${functionArn} could not be called with a batch: ${error.code}`);
        await pause(clock, backoffMs(failures), signal);
      }
    }
    return undefined;
  }

  async #strike(resource: string, clock: CloudContext['clock']): Promise<void> {
    const place = { service: 'lambda', operation: 'EventSourceMapping', resource };
    const delay = this.#context.faults.strike({ ...place, effects: ['delay'] });
    if (delay) await pause(clock, delay.delayMs ?? 0);
  }

  #strikesTwice(resource: string): boolean {
    const place = { service: 'lambda', operation: 'EventSourceMapping', resource };
    return this.#context.faults.strike({ ...place, effects: ['duplicate'] }) !== undefined;
  }
}
