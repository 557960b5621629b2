import type { TaskResource } from './task-resource.ts';
import type { Template } from './template.ts';

/** A compiled state graph: a whole machine, a Parallel branch or a Map's processor. */
export interface Program {
  readonly startAt: string;
  readonly states: ReadonlyMap<string, State>;
}

export interface Machine extends Program {
  /** Seconds after which the whole execution times out. */
  readonly timeoutSeconds?: number;
}

interface AnyState {
  readonly name: string;
  /** Absent: the state ends its graph. */
  readonly next?: string;
  readonly assign?: Template;
  readonly output?: Template;
}

export interface Retrier {
  readonly errors: readonly string[];
  readonly intervalSeconds: number;
  readonly maxAttempts: number;
  readonly backoffRate: number;
  readonly maxDelaySeconds?: number;
  readonly jitter: 'FULL' | 'NONE';
}

export interface Catcher {
  readonly errors: readonly string[];
  readonly next: string;
  readonly assign?: Template;
  readonly output?: Template;
}

interface Recovering extends AnyState {
  readonly retriers: readonly Retrier[];
  readonly catchers: readonly Catcher[];
}

export interface ChoiceRule {
  readonly condition: Template;
  readonly next: string;
  readonly assign?: Template;
  readonly output?: Template;
}

export interface PassState extends AnyState {
  readonly type: 'Pass';
}
export interface SucceedState extends AnyState {
  readonly type: 'Succeed';
}
export interface FailState extends AnyState {
  readonly type: 'Fail';
  readonly error?: Template;
  readonly cause?: Template;
}
export interface ChoiceState extends AnyState {
  readonly type: 'Choice';
  readonly rules: readonly ChoiceRule[];
  readonly defaultNext?: string;
}
export interface WaitState extends AnyState {
  readonly type: 'Wait';
  readonly seconds?: Template;
  readonly timestamp?: Template;
}
export interface TaskState extends Recovering {
  readonly type: 'Task';
  readonly resource: TaskResource;
  readonly arguments?: Template;
  readonly timeoutSeconds?: Template;
  readonly heartbeatSeconds?: Template;
}
export interface ParallelState extends Recovering {
  readonly type: 'Parallel';
  readonly branches: readonly Program[];
  readonly arguments?: Template;
}
export interface MapState extends Recovering {
  readonly type: 'Map';
  readonly processor: Program;
  readonly items?: Template;
  readonly itemSelector?: Template;
  readonly maxConcurrency?: Template;
}

export type State =
  | PassState
  | SucceedState
  | FailState
  | ChoiceState
  | WaitState
  | TaskState
  | ParallelState
  | MapState;
