import { setImmediate as nextTurn } from 'node:timers/promises';
import { endFrames, type Frame, type OpenExecution, type Outcome, rootOf, stateOf, stopTimers } from '../frame.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Scope } from '../language/expression.ts';
import type { ChoiceState, State } from '../language/program.ts';
import type { Template } from '../language/template.ts';
import { failure, StateError } from '../state-error.ts';
import { type Ending, HistoryFull } from '../storage/journal.ts';
import type { Engine, Surroundings } from './engine.ts';
import { FanOut } from './fan-out.ts';
import { backoffMs, catcherFor, retrierFor } from './retry-and-catch.ts';
import { checkSize, evaluate, scopeOf } from './scope.ts';
import { chosenRule, statedError, wakeTime } from './state-rules.ts';
import { TaskCalls } from './task-calls.ts';

/** Steps after which a running frame yields to other work of the process. */
const STEPS_PER_TURN = 16;

/** The transition out of a state. */
interface Exit {
  readonly next: string | undefined;
  readonly output: Json;
  readonly assigned: JsonObject;
}

/**
 * Runs executions. Every step of a frame is an evaluation, then one transaction that stores the history events and the
 * new position. After a crash each frame continues from its stored position, so finished steps are not repeated.
 */
export class Interpreter implements Engine {
  readonly region;
  readonly clock;
  readonly runtime;
  readonly faults;
  readonly journal;
  readonly ports;
  readonly tasks: TaskCalls;
  readonly #fanOut: FanOut;
  readonly #ended: (execution: OpenExecution, ending: Ending, stoppedAt: number) => void;
  readonly #log: (message: string) => void;

  /** `ended` is called inside the transaction that closes an execution. */
  constructor(
    surroundings: Surroundings,
    ended: (execution: OpenExecution, ending: Ending, stoppedAt: number) => void,
    log: (message: string) => void,
  ) {
    this.region = surroundings.region;
    this.clock = surroundings.clock;
    this.runtime = surroundings.runtime;
    this.faults = surroundings.faults;
    this.journal = surroundings.journal;
    this.ports = surroundings.ports;
    this.tasks = new TaskCalls(this);
    this.#fanOut = new FanOut(this);
    this.#ended = ended;
    this.#log = log;
  }

  /** Continues a new or resumed execution from the positions of its frames. */
  run(execution: OpenExecution): void {
    const { timeoutSeconds } = execution.machine;
    if (timeoutSeconds !== undefined) {
      const deadline = execution.startedAt + timeoutSeconds * 1000;
      execution.timers.add(this.clock.schedule(deadline, () => this.end(execution, { status: 'TIMED_OUT' })));
    }
    for (const frame of [...execution.frames.values()]) this.drive(frame);
  }

  /** Closes an execution at once, whatever its frames are doing. */
  end(execution: OpenExecution, ending: Ending, step: () => void = () => undefined): void {
    const root = rootOf(execution);
    if (!root.live) return;
    const stoppedAt = this.clock.now();
    this.journal.commit(execution, () => {
      step();
      this.journal.event(root, ...endingEvent(ending));
      this.journal.close(execution, ending, stoppedAt);
      this.#ended(execution, ending, stoppedAt);
    });
    for (const frame of execution.frames.values()) this.abandon(frame);
    this.release(execution);
  }

  abandon(frame: Frame): void {
    this.tasks.abandon(frame);
  }

  /** Drops an execution from memory; its stored state remains. */
  release(execution: OpenExecution): void {
    endFrames(execution.frames.values());
    stopTimers(execution.timers);
  }

  drive(frame: Frame): void {
    this.background(frame, async () => {
      for (let step = 1; frame.live && (await this.#step(frame)); step++) {
        if (step % STEPS_PER_TURN === 0) await nextTurn();
      }
    });
  }

  background(frame: Frame, work: () => Promise<void>): void {
    work().catch((error: unknown) => {
      if (!rootOf(frame.execution).live) return;
      const full = error instanceof HistoryFull;
      const cause = full ? 'The execution reached the maximum number of history events (25000).' : String(error);
      if (!full) this.#log(`${frame.execution.arn}: ${error instanceof Error ? error.stack : cause}`);
      this.end(frame.execution, { status: 'FAILED', error: 'States.Runtime', cause });
    });
  }

  commit(frame: Frame, step: () => void): boolean {
    if (!frame.live) return false;
    this.journal.commit(frame.execution, step);
    return true;
  }

  at(frame: Frame, instant: number, callback: () => void): void {
    const cancel = this.clock.schedule(instant, () => {
      frame.timers.delete(cancel);
      this.background(frame, async () => callback());
    });
    frame.timers.add(cancel);
  }

  settle(frame: Frame, outcome: Outcome, step: () => void): void {
    const committed = this.commit(frame, () => {
      step();
      frame.position.phase = { kind: 'settled', outcome };
      this.journal.save(frame);
    });
    if (!committed) return;
    stopTimers(frame.timers);
    this.drive(frame);
  }

  /** One step of a frame. Returns true if it has moved on and can be stepped again, false if it waits or has ended. */
  async #step(frame: Frame): Promise<boolean> {
    const { phase } = frame.position;
    try {
      switch (phase.kind) {
        case 'entered':
          return await this.#begin(frame, stateOf(frame));
        case 'settled':
          if ('error' in phase.outcome) throw new StateError(phase.outcome.error, phase.outcome.cause);
          return await this.#finish(frame, phase.outcome.result);
        case 'waiting':
          return this.#sleep(frame, phase.until, { kind: 'settled', outcome: { result: frame.position.input } });
        case 'backoff':
          return this.#sleep(frame, phase.until, { kind: 'entered' });
        case 'task':
          this.tasks.run(frame, phase);
          return false;
        case 'fanOut':
          await this.#fanOut.advance(frame, phase);
          return false;
        case 'done':
          return false;
      }
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      return frame.live && (await this.#recover(frame, stateOf(frame), error));
    }
  }

  /** The deadline is stored and the next step follows from the position, so waking up needs no write. */
  #sleep(frame: Frame, until: number, then: Frame['position']['phase']): false {
    this.at(frame, until, () => {
      frame.position.phase = then;
      this.drive(frame);
    });
    return false;
  }

  async #begin(frame: Frame, state: State): Promise<boolean> {
    switch (state.type) {
      case 'Pass':
      case 'Succeed':
        return this.#finish(frame, frame.position.input);
      case 'Fail':
        return this.#fail(frame, await statedError(frame, state, scopeOf(frame, this.runtime)));
      case 'Choice':
        return this.#choose(frame, state);
      case 'Wait': {
        const until = await wakeTime(frame, state, scopeOf(frame, this.runtime), this.clock.now());
        return this.commit(frame, () => {
          frame.position.phase = { kind: 'waiting', until };
          this.journal.save(frame);
        });
      }
      case 'Task':
        return this.tasks.schedule(frame, state);
      case 'Parallel':
      case 'Map':
        return this.#fanOut.begin(frame, state);
    }
  }

  /** Leaves a successful state: `Assign` and `Output` both see the variables before the assignment. */
  async #finish(frame: Frame, result: Json): Promise<boolean> {
    const state = stateOf(frame);
    const hasResult = state.type === 'Task' || state.type === 'Parallel' || state.type === 'Map';
    const scope = scopeOf(frame, this.runtime, hasResult ? { result } : {});
    return this.#leave(frame, await this.#exit(frame, state, state.next, scope, result));
  }

  async #choose(frame: Frame, state: ChoiceState): Promise<boolean> {
    const scope = scopeOf(frame, this.runtime);
    const rule = await chosenRule(frame, state, scope);
    return this.#leave(frame, await this.#exit(frame, rule, rule.next, scope, frame.position.input));
  }

  async #exit(
    frame: Frame,
    fields: { assign?: Template; output?: Template },
    next: string | undefined,
    scope: Scope,
    unchanged: Json,
  ): Promise<Exit> {
    const assigned = fields.assign ? ((await evaluate(frame, fields.assign, scope)) as JsonObject) : {};
    const output = fields.output ? await evaluate(frame, fields.output, scope) : unchanged;
    checkSize(frame, assigned);
    checkSize(frame, output);
    return { next, output, assigned };
  }

  /** `caught` is the caught error, if any. */
  #leave(frame: Frame, { next, output, assigned }: Exit, caught?: StateError): boolean {
    const ends = next === undefined;
    const step = () => {
      if (caught) this.#recordEvaluationFailure(frame, caught);
      this.#exited(frame, output, assigned);
      if (!ends) this.journal.enter(frame, next, output);
      else if (frame.parent) this.#fanOut.recordFinished(frame, output);
    };
    if (ends && !frame.parent) {
      if (frame.live) this.end(frame.execution, { status: 'SUCCEEDED', output: JSON.stringify(output) }, step);
      return false;
    }
    if (!this.commit(frame, step)) return false;
    if (ends) this.#fanOut.childFinished(frame);
    return !ends;
  }

  #exited(frame: Frame, output: Json, assigned: JsonObject): void {
    const state = stateOf(frame);
    const names = Object.keys(assigned);
    Object.assign(frame.position.variables, assigned);
    this.journal.event(frame, `${state.type}StateExited`, {
      stateExitedEventDetails: {
        name: state.name,
        output: JSON.stringify(output),
        outputDetails: { truncated: false },
        ...(names.length > 0 && {
          assignedVariables: Object.fromEntries(names.map((name) => [name, JSON.stringify(assigned[name])])),
          assignedVariablesDetails: { truncated: false },
        }),
      },
    });
  }

  /** Handles a failed state: retries it, catches the error, or fails its parent. */
  async #recover(frame: Frame, state: State, failed: StateError): Promise<boolean> {
    let error = failed;
    if ('retriers' in state) {
      const spent = frame.position.retries;
      const index = retrierFor(state.retriers, error.error, spent);
      if (index !== undefined) {
        const wait = backoffMs(state.retriers[index]!, spent[index] ?? 0, this.runtime.random);
        return this.commit(frame, () => {
          this.#recordEvaluationFailure(frame, error);
          frame.position.retries = state.retriers.map((_, at) => (spent[at] ?? 0) + (at === index ? 1 : 0));
          frame.position.phase = { kind: 'backoff', until: this.clock.now() + wait };
          this.journal.save(frame);
        });
      }
      const catcher = catcherFor(state.catchers, error.error);
      if (catcher) {
        const errorOutput = { Error: error.error, ...(error.errorCause !== undefined && { Cause: error.errorCause }) };
        const scope = scopeOf(frame, this.runtime, { errorOutput });
        try {
          const exit = await this.#exit(frame, catcher, catcher.next, scope, errorOutput);
          return this.#leave(frame, exit, failed);
        } catch (inCatch) {
          if (!(inCatch instanceof StateError)) throw inCatch;
          error = inCatch;
        }
      }
    }
    return this.#fail(frame, error);
  }

  #fail(frame: Frame, error: StateError): false {
    const step = () => this.#recordEvaluationFailure(frame, error);
    if (!frame.live) return false;
    if (frame.parent) {
      this.#fanOut.childFailed(frame, error, step);
    } else {
      this.end(frame.execution, { status: 'FAILED', ...failure(error) }, step);
    }
    return false;
  }

  #recordEvaluationFailure(frame: Frame, error: StateError): void {
    if (error.location === undefined) return;
    this.journal.event(frame, 'EvaluationFailed', {
      evaluationFailedEventDetails: {
        error: error.error,
        cause: error.errorCause,
        location: error.location,
        state: frame.position.state,
      },
    });
  }
}

function endingEvent({ status, output, error, cause }: Ending): [string, Record<string, unknown>] {
  const details = { ...(error !== undefined && { error }), ...(cause !== undefined && { cause }) };
  switch (status) {
    case 'SUCCEEDED':
      return [
        'ExecutionSucceeded',
        { executionSucceededEventDetails: { output, outputDetails: { truncated: false } } },
      ];
    case 'FAILED':
      return ['ExecutionFailed', { executionFailedEventDetails: details }];
    case 'TIMED_OUT':
      return ['ExecutionTimedOut', { executionTimedOutEventDetails: details }];
    case 'ABORTED':
      return ['ExecutionAborted', { executionAbortedEventDetails: details }];
  }
}
