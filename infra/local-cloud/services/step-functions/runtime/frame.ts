import type { Json } from '../json.ts';
import type { Machine, Program, State } from '../language/program.ts';

/** What a state produced: its result, or an error that Retry and Catch are yet to see. */
export type Outcome = { readonly result: Json } | Failure;

export interface Failure {
  /** Empty for a Fail state that names no error. */
  readonly error: string;
  readonly cause?: string;
}

/** A task that was scheduled; kept until it settles. Instants are epoch milliseconds. */
export interface TaskPhase {
  readonly kind: 'task';
  /** Evaluated once: a task that runs again after a crash is called with the same arguments. */
  readonly arguments: Json;
  readonly token?: string;
  /** The callee has accepted the request, so only the token, or the end of what it has started, is awaited. */
  submitted: boolean;
  /** Names the call, so that a callee knows one that is made again after a crash. */
  readonly callId: string;
  /** ARN of what the callee has started, where the state waits for its end. */
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

/** How far a frame has come inside its current state. */
export type Phase =
  | { readonly kind: 'entered' }
  | { readonly kind: 'backoff'; readonly until: number }
  | { readonly kind: 'waiting'; readonly until: number }
  | TaskPhase
  | FanOutPhase
  | { readonly kind: 'settled'; readonly outcome: Outcome }
  | { readonly kind: 'done'; readonly output: Json };

/** The part of a frame that is stored at each step, and from which it goes on after a crash. */
export interface Position {
  state: string;
  input: Json;
  /** Variables of this scope; those of the enclosing frames are visible too. */
  variables: Record<string, Json>;
  phase: Phase;
  enteredAt: number;
  enteredEvent: number;
  lastEvent: number;
  /** Retries spent in the current state, by the index of the retrier. */
  retries: number[];
}

/** One thread of control in an execution: the machine itself, a Parallel branch or a Map iteration. */
export interface Frame {
  readonly execution: OpenExecution;
  /** Empty for the machine; else the parent's path, `/` and the index among its children. */
  readonly path: string;
  readonly parent?: Frame;
  readonly program: Program;
  readonly index: number;
  readonly position: Position;
  /** Turns false when the frame has ended or was aborted: whatever still arrives for it is dropped. */
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

/** Ends the frames: their timers stop and late results find them dead. */
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
