import { STEP_CONTINUES } from '../../../functions/pipelines/workers/run-step/answer.ts';
import type { AtRest, Play, PlayedExecution, PlayedMachine } from '../../../packages/local-cloud/testing/index.ts';
import type { RunSetup } from './run-setup.ts';

/**
 * One execution of a real definition on the clock of a setup, which ends with the first error that no machine expects.
 */
export class Playing {
  readonly #setup: RunSetup;
  readonly #calls: Pick<Play, 'invoke' | 'runTask'>;
  readonly #failure = Promise.withResolvers<never>();
  #execution: PlayedExecution | undefined;
  readonly #loss = Promise.withResolvers<void>();
  #isLost = false;
  /** Calls that report through a token and have not returned yet. */
  readonly #open = new Set<Promise<unknown>>();

  constructor(setup: RunSetup, calls: Pick<Play, 'invoke' | 'runTask'>) {
    this.#setup = setup;
    this.#calls = calls;
  }

  /** Until it has ended or is lost. Throws if the machine fails: a definition may not let it. */
  async play(machine: PlayedMachine, name: string, input: object): Promise<void> {
    const setup = this.#setup;
    const { invoke, runTask } = this.#calls;
    const execution = machine.start(name, input, {
      now: () => Date.now() + setup.aheadMs,
      pass: (ms) => {
        setup.aheadMs += ms;
      },
      random: () => setup.context.random(),
      invoke: (...call) => {
        const answer = this.#expected(invoke(...call));
        if ((call[1] as { taskToken?: string }).taskToken) this.#watch(answer);
        return answer;
      },
      runTask: (task) => {
        const exit = runTask!(task);
        return exit instanceof Promise ? this.#expected(exit) : exit;
      },
    });
    this.#execution = execution;
    const end: AtRest = await Promise.race([execution.atRest, this.#failure.promise]);
    // A function that has reported the end through a token still does the rest of its work, or dies in it unnoticed.
    await Promise.race([Promise.allSettled(this.#open), this.#loss.promise]);
    if (!this.#isLost && end.status !== 'SUCCEEDED') {
      throw new Error(`The execution ${name} has failed: ${JSON.stringify(end)}`);
    }
  }

  #watch(call: Promise<unknown>): void {
    const returned: Promise<unknown> = call.finally(() => this.#open.delete(returned)).catch(() => undefined);
    this.#open.add(returned);
  }

  /** The answer of a worker that the execution has called. */
  end(token: string, answer: { kind: string }): void {
    if (answer.kind === 'done') this.#execution!.succeed(token, {});
    else this.#execution!.fail(token, STEP_CONTINUES, JSON.stringify(answer));
  }

  /** The execution is lost with its worker. Never returns. */
  lose(): Promise<never> {
    this.#isLost = true;
    this.#loss.resolve();
    this.#execution!.stop();
    return new Promise(() => undefined);
  }

  /** What is neither a death nor an answer, such as a failed assertion, ends the play. */
  async #expected<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      this.#failure.reject(error);
      this.#execution!.stop();
      throw error;
    }
  }
}
