import type { Clock } from '../../../core/clock.ts';
import type { Faults } from '../../../core/faults.ts';
import type { ExpressionRuntime } from '../language/functions.ts';
import type { Journal } from '../storage/journal.ts';
import type { TaskPorts } from '../tasks/perform-task.ts';
import type { Frame, Outcome } from './frame.ts';

/** What running states need from around them. */
export interface Surroundings {
  readonly region: string;
  readonly clock: Clock;
  readonly runtime: ExpressionRuntime;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly ports: TaskPorts;
}

/** What task calls and fan-outs use of the interpreter. */
export interface Engine extends Surroundings {
  /** Goes on with a frame from its position. */
  drive(frame: Frame): void;
  /** Commits a step of a frame; false, with nothing done, when the frame has ended meanwhile. */
  commit(frame: Frame, step: () => void): boolean;
  /** Calls back at the instant, unless the frame ends or is moved on before. */
  at(frame: Frame, instant: number, callback: () => void): void;
  /** Stores the outcome of the frame's state with the events of `step`, and goes on. */
  settle(frame: Frame, outcome: Outcome, step: () => void): void;
  /** Stops what the frame's task has started and waits for the end of; the frame is about to end. */
  abandon(frame: Frame): void;
  /** Runs work of an execution in the background; what it throws ends the execution. */
  background(frame: Frame, work: () => Promise<void>): void;
}
