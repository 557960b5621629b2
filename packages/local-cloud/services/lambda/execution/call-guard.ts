import type { MemoryWatch } from '../../../core/memory-watch.ts';
import type { CloudContext } from '../../../core/service.ts';
import type { Target } from '../model.ts';
import type { ExecutionEnvironment } from './environment.ts';
import type { KillReason } from './outcome.ts';

/** Kills an environment that exceeds its time or memory during one call, or that a fault strikes. */
export class CallGuard {
  /** Why this guard killed the environment, if it did. */
  killed: KillReason | undefined;
  readonly #timeoutMs: number;
  readonly #context: CloudContext;
  readonly #memory: MemoryWatch;
  readonly #environment: ExecutionEnvironment;
  readonly #target: Target;
  #releases: (() => void)[] = [];

  constructor(context: CloudContext, memory: MemoryWatch, environment: ExecutionEnvironment, target: Target) {
    this.#context = context;
    this.#memory = memory;
    this.#environment = environment;
    this.#target = target;
    this.#timeoutMs = target.version.timeoutSeconds * 1000;
  }

  /** The handler starts here. */
  running(): void {
    const { record, version } = this.#target;
    this.#killAfter(this.#timeoutMs, 'timeout');
    this.#releases.push(this.#memory.watch(this.#environment, version.memorySizeMb, () => this.#kill('memory')));
    const place = { service: 'lambda', operation: 'Invoke', resource: record.name };
    const fault = this.#context.faults.strike({ ...place, effects: ['kill'] });
    if (fault) this.#killAfter(fault.delayMs ?? 0);
  }

  release(): void {
    for (const release of this.#releases) release();
    this.#releases = [];
  }

  #killAfter(milliseconds: number, reason?: KillReason): void {
    const { clock } = this.#context;
    this.#releases.push(clock.schedule(clock.now() + milliseconds, () => this.#kill(reason)));
  }

  #kill(reason?: KillReason): void {
    this.killed ??= reason;
    this.#environment.kill();
  }
}
