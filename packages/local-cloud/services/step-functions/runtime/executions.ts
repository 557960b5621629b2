import { executionArn } from '../arns.ts';
import type { Frame, OpenExecution, Position } from '../frame.ts';
import { compileMachine } from '../language/compile-machine.ts';
import type { Machine } from '../language/program.ts';
import type { ExecutionRecord, ExecutionStore } from '../storage/execution-store.ts';
import type { Ending, Journal } from '../storage/journal.ts';
import type { MachineStore, RevisionRecord, StateMachineRecord } from '../storage/machine-store.ts';
import { beginExecution, openExecution, rootFrame } from './begin-execution.ts';
import type { Surroundings } from './engine.ts';
import { childFrame } from './fan-out.ts';
import { Interpreter } from './interpreter.ts';
import { type StatusEvents, statusEvent } from './status-events.ts';

/** Starts, resumes and stops executions, and caches the open ones. */
export class Executions {
  readonly interpreter: Interpreter;
  readonly #place: { region: string; accountId: string };
  readonly #journal: Journal;
  readonly #machines: MachineStore;
  readonly #store: ExecutionStore;
  readonly #statusEvents: StatusEvents;
  readonly #log: (message: string) => void;
  readonly #open = new Map<number, OpenExecution>();
  /** Expressions are parsed once per revision. */
  readonly #compiled = new Map<number, Machine>();
  readonly #onEnd: (machineArn: string) => void;

  constructor(parts: {
    surroundings: Surroundings;
    accountId: string;
    machines: MachineStore;
    store: ExecutionStore;
    statusEvents: StatusEvents;
    log: (message: string) => void;
    /** Called after an execution of the machine has closed. */
    onEnd: (machineArn: string) => void;
  }) {
    this.#place = { region: parts.surroundings.region, accountId: parts.accountId };
    this.#journal = parts.surroundings.journal;
    this.#machines = parts.machines;
    this.#store = parts.store;
    this.#statusEvents = parts.statusEvents;
    this.#log = parts.log;
    this.#onEnd = parts.onEnd;
    this.interpreter = new Interpreter(
      parts.surroundings,
      (execution, ending, stoppedAt) => this.#ended(execution, ending, stoppedAt),
      parts.log,
    );
  }

  /** Stores a new execution in its first state and runs it at once. */
  start(machine: StateMachineRecord, name: string, inputText: string): { arn: string; startedAt: number } {
    const { revision } = machine;
    const startedAt = this.interpreter.clock.now();
    const arn = executionArn(this.#place, machine.name, name);
    const execution = this.#journal.transaction(() => {
      const record = { arn, machineArn: machine.arn, name, input: inputText, startedAt };
      const begun = beginExecution(this.#journal, record, revision, this.#machineOf(revision));
      this.#statusEvents.store(statusEvent(begun, 'RUNNING'));
      return begun;
    });
    this.#open.set(execution.id, execution);
    this.interpreter.run(execution);
    return { arn, startedAt };
  }

  /** Resumes every execution that was open when the process ended. */
  resumeAll(): void {
    for (const record of this.#store.open()) {
      try {
        const revision = this.#machines.revision(record.revision);
        const execution = openExecution(record, revision, this.#machineOf(revision));
        execution.eventCount = this.#store.eventCount(record.id);
        for (const { path, position } of this.#store.frames(record.id)) restoreFrame(execution, path, position);
        this.#open.set(execution.id, execution);
        this.interpreter.run(execution);
      } catch (error) {
        this.#log(`${record.arn} cannot be resumed: ${String(error)}`);
      }
    }
  }

  stop(record: ExecutionRecord, reason: { error?: string; cause?: string }): void {
    const execution = this.#open.get(record.id);
    if (execution) this.interpreter.end(execution, { status: 'ABORTED', ...reason });
  }

  /** The frame of a task token, while its execution is open. */
  frameOf(place: { execution: number; path: string }): Frame | undefined {
    return this.#open.get(place.execution)?.frames.get(place.path);
  }

  close(): void {
    for (const execution of this.#open.values()) this.interpreter.release(execution);
    this.#open.clear();
  }

  #ended(execution: OpenExecution, ending: Ending, stoppedAt: number): void {
    this.#statusEvents.store(statusEvent(execution, ending.status, { ...ending, stoppedAt }));
    this.#open.delete(execution.id);
    queueMicrotask(() => this.#onEnd(execution.machineArn));
  }

  #machineOf(revision: RevisionRecord): Machine {
    let machine = this.#compiled.get(revision.id);
    if (!machine) {
      const compiled = compileMachine(revision.definition);
      if (!compiled.machine) throw new Error(compiled.diagnostics.map(({ message }) => message).join('; '));
      machine = compiled.machine;
      this.#compiled.set(revision.id, machine);
    }
    return machine;
  }
}

/** Parents come first, because a parent's state determines what its children run. */
function restoreFrame(execution: OpenExecution, path: string, position: Position): void {
  const parent = path === '' ? undefined : execution.frames.get(path.slice(0, path.lastIndexOf('/')));
  const frame = parent ? childFrame(parent, Number(path.slice(path.lastIndexOf('/') + 1))) : rootFrame(execution);
  Object.assign(frame.position, position);
  execution.frames.set(path, frame);
}
