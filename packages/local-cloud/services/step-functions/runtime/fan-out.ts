import { children, descendants, endFrames, type FanOutPhase, type Frame, type Outcome, stateOf } from '../frame.ts';
import { type Json, sizeBytes } from '../json.ts';
import type { MapState, ParallelState } from '../language/program.ts';
import { failure, StateError } from '../state-error.ts';
import type { Engine } from './engine.ts';
import { evaluate, evaluateCount, evaluationError, PAYLOAD_LIMIT_BYTES, scopeOf } from './scope.ts';

/** AWS's maximum of concurrent iterations of an inline Map. */
const INLINE_MAP_CONCURRENCY = 40;

/**
 * Children still to start, and the number of running ones. Derived from the stored frames, so it survives a restart.
 */
interface Progress {
  readonly waiting: number[];
  running: number;
}

/** Runs the branches of Parallel and the iterations of Map states, each in its own frame. */
export class FanOut {
  readonly #engine: Engine;
  readonly #progress = new WeakMap<FanOutPhase, Progress>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async begin(frame: Frame, state: ParallelState | MapState): Promise<boolean> {
    const phase = state.type === 'Parallel' ? await this.#branches(frame, state) : await this.#items(frame, state);
    const { journal } = this.#engine;
    return this.#engine.commit(frame, () => {
      if (state.type === 'Parallel') journal.event(frame, 'ParallelStateStarted');
      else journal.event(frame, 'MapStateStarted', { mapStateStartedEventDetails: { length: phase.count } });
      frame.position.phase = phase;
      journal.save(frame);
    });
  }

  /** Starts as many waiting children as allowed; settles the state after the last one. */
  async advance(frame: Frame, phase: FanOutPhase): Promise<void> {
    const progress = this.#progressOf(frame, phase);
    const current = () => frame.live && frame.position.phase === phase;
    while (current() && progress.running < phase.concurrency) {
      const index = progress.waiting.shift();
      if (index === undefined) break;
      progress.running += 1;
      try {
        const input = await this.#childInput(frame, phase, index);
        if (!current()) return;
        this.#engine.drive(this.#startChild(frame, index, input));
      } catch (error) {
        if (!(error instanceof StateError)) throw error;
        if (current()) this.#settle(frame, failure(error));
        return;
      }
    }
    if (current() && progress.running === 0 && progress.waiting.length === 0) this.#collect(frame);
  }

  /** Called when a child ended with an output (already committed in the caller's step through `recordFinished`). */
  childFinished(child: Frame): void {
    const parent = child.parent!;
    const { phase } = parent.position;
    if (phase.kind !== 'fanOut') return;
    this.#progressOf(parent, phase).running -= 1;
    this.#engine.background(parent, () => this.advance(parent, phase));
  }

  /** Records a child's end; call inside its last step. */
  recordFinished(child: Frame, output: Json): void {
    this.#iterationEvent(child, 'Succeeded');
    child.position.phase = { kind: 'done', output };
    this.#engine.journal.save(child);
  }

  /** One failed child fails the state and aborts its siblings. */
  childFailed(child: Frame, error: StateError, step: () => void): void {
    const parent = child.parent!;
    if (!child.live || parent.position.phase.kind !== 'fanOut') return;
    this.#settle(parent, failure(error), () => {
      step();
      this.#iterationEvent(child, 'Failed');
      for (const sibling of descendants(parent)) {
        if (sibling === child || !sibling.live || sibling.position.phase.kind === 'done') continue;
        const state = stateOf(sibling);
        if (state.type !== 'Succeed' && state.type !== 'Fail')
          this.#engine.journal.event(sibling, `${state.type}StateAborted`);
        if (sibling.parent === parent) this.#iterationEvent(sibling, 'Aborted');
      }
      parent.position.lastEvent = child.position.lastEvent;
    });
  }

  async #branches(frame: Frame, state: ParallelState): Promise<FanOutPhase> {
    const scope = scopeOf(frame, this.#engine.runtime);
    const branchInput = state.arguments ? await evaluate(frame, state.arguments, scope) : frame.position.input;
    const count = state.branches.length;
    return { kind: 'fanOut', count, concurrency: count, branchInput };
  }

  async #items(frame: Frame, state: MapState): Promise<FanOutPhase> {
    const scope = scopeOf(frame, this.#engine.runtime);
    const items = state.items ? await evaluate(frame, state.items, scope) : frame.position.input;
    if (!Array.isArray(items)) {
      throw evaluationError(frame, `The field 'Items' must be an array, but was ${JSON.stringify(items)}.`, 'Items');
    }
    const asked = state.maxConcurrency
      ? await evaluateCount(frame, 'MaxConcurrency', state.maxConcurrency, scope, 0)
      : 0;
    const concurrency = asked === 0 ? INLINE_MAP_CONCURRENCY : Math.min(asked, INLINE_MAP_CONCURRENCY);
    return { kind: 'fanOut', count: items.length, concurrency, items };
  }

  async #childInput(frame: Frame, phase: FanOutPhase, index: number): Promise<Json> {
    if (!phase.items) return phase.branchInput ?? null;
    const value = phase.items[index] ?? null;
    const { itemSelector } = stateOf(frame) as MapState;
    if (!itemSelector) return value;
    return evaluate(frame, itemSelector, scopeOf(frame, this.#engine.runtime, { item: { index, value } }));
  }

  #startChild(parent: Frame, index: number, input: Json): Frame {
    const { journal } = this.#engine;
    const child = childFrame(parent, index);
    journal.commit(parent.execution, () => {
      this.#iterationEvent(child, 'Started');
      journal.enter(child, child.program.startAt, input);
    });
    parent.execution.frames.set(child.path, child);
    return child;
  }

  #progressOf(frame: Frame, phase: FanOutPhase): Progress {
    let progress = this.#progress.get(phase);
    if (!progress) {
      const started = children(frame);
      const indexes = new Set(started.map((child) => child.index));
      progress = {
        waiting: Array.from({ length: phase.count }, (_, index) => index).filter((index) => !indexes.has(index)),
        running: started.filter((child) => child.position.phase.kind !== 'done').length,
      };
      this.#progress.set(phase, progress);
    }
    return progress;
  }

  #collect(frame: Frame): void {
    const results: Json[] = [];
    for (const child of children(frame)) {
      const { phase } = child.position;
      if (phase.kind === 'done') results[child.index] = phase.output;
    }
    if (sizeBytes(results) > PAYLOAD_LIMIT_BYTES) {
      const cause = `The state/task '${frame.position.state}' returned a result with a size exceeding the maximum number of bytes service limit.`;
      this.#settle(frame, { error: 'States.DataLimitExceeded', cause });
    } else {
      this.#settle(frame, { result: results }, () => {
        frame.position.lastEvent = Math.max(frame.position.lastEvent, ...children(frame).map(lastEventOf));
      });
    }
  }

  #settle(frame: Frame, outcome: Outcome, step: () => void = () => undefined): void {
    const { journal } = this.#engine;
    const below = descendants(frame);
    this.#engine.settle(frame, outcome, () => {
      step();
      journal.event(frame, `${stateOf(frame).type}State${'result' in outcome ? 'Succeeded' : 'Failed'}`);
      journal.removeBelow(frame);
      for (const child of below) this.#engine.abandon(child);
      endFrames(below);
      for (const child of below) frame.execution.frames.delete(child.path);
    });
  }

  #iterationEvent(child: Frame, what: 'Started' | 'Succeeded' | 'Failed' | 'Aborted'): void {
    const state = stateOf(child.parent!);
    if (state.type !== 'Map') return;
    const details = { name: state.name, index: child.index };
    this.#engine.journal.event(child, `MapIteration${what}`, { [`mapIteration${what}EventDetails`]: details });
  }
}

function lastEventOf(frame: Frame): number {
  return frame.position.lastEvent;
}

/** Creates the initial frame of the child at `index`. */
export function childFrame(parent: Frame, index: number): Frame {
  const state = stateOf(parent);
  const program =
    state.type === 'Parallel' ? state.branches[index] : state.type === 'Map' ? state.processor : undefined;
  if (!program) throw new Error(`The state ${state.name} has no child ${index}`);
  return {
    execution: parent.execution,
    path: `${parent.path}/${index}`,
    parent,
    program,
    index,
    position: {
      state: program.startAt,
      input: null,
      variables: {},
      phase: { kind: 'entered' },
      enteredAt: 0,
      enteredEvent: 0,
      lastEvent: parent.position.lastEvent,
      retries: [],
    },
    live: true,
    timers: new Set(),
  };
}
