import type { Json } from './json.ts';
import type { Machine, Program, State } from './language/program.ts';

/** The outcome of a state: its result, or an error before Retry and Catch. */
export type Outcome = { readonly result: Json } | Failure;

export interface Failure {
  /** Empty for a Fail state without an error name. */
  readonly error: string;
  readonly cause?: string;
}

/** A scheduled task; stored until it settles. Instants are epoch milliseconds. */
export interface TaskPhase {
  readonly kind: 'task';
  /** Evaluated once: a task that runs again after a crash gets the same arguments. */
  readonly arguments: Json;
  readonly token?: string;
  /** The callee has accepted the request: only the token, or the end of the started work, is awaited. */
  submitted: boolean;
  /** Identifies the call, so that a callee recognises its repetition after a crash. */
  readonly callId: string;
  /** ARN of the started work, if the state waits for its end. */
  started?: string;
  readonly timeoutAt?: number;
  readonly heartbeatSeconds?: number;
  heartbeatAt?: number;
}

/** The children of a Parallel or Map state. */
export interface FanOutPhase {
  readonly kind: 'fanOut';
  readonly count: number;
  readonly concurrency: number;
  /** The items of a Map. */
  readonly items?: readonly Json[];
  /** The input of every branch of a Parallel. */
  readonly branchInput?: Json;
}

/** Progress of a frame inside its current state. */
export type Phase =
  | { readonly kind: 'entered' }
  | { readonly kind: 'backoff'; readonly until: number }
  | { readonly kind: 'waiting'; readonly until: number }
  | TaskPhase
  | FanOutPhase
  | { readonly kind: 'settled'; readonly outcome: Outcome }
  | { readonly kind: 'done'; readonly output: Json };

/** The part of a frame that is stored with each step; after a crash the frame continues from it. */
export interface Position {
  state: string;
  input: Json;
  /** Variables of this scope; those of enclosing frames are visible too. */
  variables: Record<string, Json>;
  phase: Phase;
  enteredAt: number;
  enteredEvent: number;
  lastEvent: number;
  /** Retries used in the current state, by index of the retrier. */
  retries: number[];
}

/** One thread of control in an execution: the machine itself, a Parallel branch or a Map iteration. */
export interface Frame {
  readonly execution: OpenExecution;
  /** Empty for the machine; otherwise the parent's path, `/` and the index among its children. */
  readonly path: string;
  readonly parent?: Frame;
  readonly program: Program;
  readonly index: number;
  readonly position: Position;
  /** False once the frame has ended or was aborted: late results are dropped. */
  live: boolean;
  readonly timers: Set<() => void>;
}

export interface OpenExecution {
  readonly id: number;
  readonly arn: string;
  readonly name: string;
  readonly machineArn: string;
  readonly roleArn: string;
  readonly inputText: string;
  readonly input: Json;
  readonly startedAt: number;
  readonly machine: Machine;
  eventCount: number;
  /** By path; children of a fan-out stay until it settles. */
  readonly frames: Map<string, Frame>;
  readonly timers: Set<() => void>;
}

export function stateOf(frame: Frame): State {
  const state = frame.program.states.get(frame.position.state);
  if (!state) throw new Error(`The definition has no state ${frame.position.state}`);
  return state;
}

export function rootOf(execution: OpenExecution): Frame {
  return execution.frames.get('')!;
}

/** Ends the frames: stops their timers and drops late results. */
export function endFrames(frames: Iterable<Frame>): void {
  for (const frame of frames) {
    frame.live = false;
    stopTimers(frame.timers);
  }
}

export function stopTimers(timers: Set<() => void>): void {
  for (const cancel of timers) cancel();
  timers.clear();
}

/** Frames below `frame`, at any depth. */
export function descendants(frame: Frame): Frame[] {
  return [...frame.execution.frames.values()].filter((other) => other.path.startsWith(`${frame.path}/`));
}

export function children(frame: Frame): Frame[] {
  return [...frame.execution.frames.values()].filter((other) => other.parent === frame);
}
