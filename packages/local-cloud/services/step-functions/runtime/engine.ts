import type { Clock } from '../../../core/clock.ts';
import type { Faults } from '../../../core/faults.ts';
import type { Frame, Outcome } from '../frame.ts';
import type { ExpressionRuntime } from '../language/functions.ts';
import type { Journal } from '../storage/journal.ts';
import type { TaskPorts } from '../tasks/perform-task.ts';

/** Dependencies of running states. */
export interface Surroundings {
  readonly region: string;
  readonly clock: Clock;
  readonly runtime: ExpressionRuntime;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly ports: TaskPorts;
}

/** The interpreter's interface for task calls and fan-outs. */
export interface Engine extends Surroundings {
  /** Continues a frame from its position. */
  drive(frame: Frame): void;
  /** Commits a step of a frame; does nothing and returns false if the frame has ended. */
  commit(frame: Frame, step: () => void): boolean;
  /** Calls back at the instant, unless the frame ends or moves on before. */
  at(frame: Frame, instant: number, callback: () => void): void;
  /** Stores the outcome of the frame's state with the events of `step`, and continues. */
  settle(frame: Frame, outcome: Outcome, step: () => void): void;
  /** Stops the work that the frame's task has started and awaits; called when the frame ends. */
  abandon(frame: Frame): void;
  /** Runs work of an execution in the background; an error ends the execution. */
  background(frame: Frame, work: () => Promise<void>): void;
}
