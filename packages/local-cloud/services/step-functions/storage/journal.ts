import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Clock } from '../../../core/clock.ts';
import { inTransaction } from '../../../core/database.ts';
import { type Frame, type OpenExecution, stateOf } from '../frame.ts';
import type { Json } from '../json.ts';
import type { ExecutionStatus } from './execution-store.ts';

/** Maximum events of a history; the last one is the end of the execution. */
export const HISTORY_LIMIT = 25_000;

export class HistoryFull extends Error {}

export interface Ending {
  readonly status: Exclude<ExecutionStatus, 'RUNNING'>;
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}

/**
 * Records executions with one transaction per step, which stores the step's history events and the position to continue
 * from after a crash.
 */
export class Journal {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #insertEvent: StatementSync;
  readonly #saveFrame: StatementSync;
  readonly #removeFrames: StatementSync;
  readonly #removeBelow: StatementSync;
  readonly #insertToken: StatementSync;
  readonly #insertExecution: StatementSync;
  readonly #closeExecution: StatementSync;
  readonly #queueStatus: StatementSync;
  readonly #queuedStatuses: StatementSync;
  readonly #dropStatuses: StatementSync;
  readonly #entered: (execution: OpenExecution) => void;

  /** `entered` is called for each state entry, which AWS bills as a transition. */
  constructor(database: DatabaseSync, clock: Clock, entered: (execution: OpenExecution) => void) {
    this.#database = database;
    this.#clock = clock;
    this.#entered = entered;
    this.#insertEvent = database.prepare('INSERT INTO events (execution, id, body) VALUES (?, ?, ?)');
    this.#saveFrame = database.prepare('INSERT OR REPLACE INTO frames (execution, path, body) VALUES (?, ?, ?)');
    this.#removeFrames = database.prepare('DELETE FROM frames WHERE execution = ?');
    this.#removeBelow = database.prepare('DELETE FROM frames WHERE execution = ? AND path > ? AND path < ?');
    this.#insertExecution = database.prepare(
      "INSERT INTO executions (arn, machine_arn, name, revision, status, input, started_at) VALUES (?, ?, ?, ?, 'RUNNING', ?, ?)",
    );
    this.#closeExecution = database.prepare(
      'UPDATE executions SET status = ?, stopped_at = ?, output = ?, error = ?, cause = ? WHERE id = ?',
    );
    this.#queueStatus = database.prepare('INSERT INTO outbox (body) VALUES (?)');
    this.#queuedStatuses = database.prepare('SELECT id, body FROM outbox ORDER BY id LIMIT 100');
    this.#dropStatuses = database.prepare('DELETE FROM outbox WHERE id <= ?');
    this.#insertToken = database.prepare('INSERT INTO tokens (token, execution, path) VALUES (?, ?, ?)');
  }

  /** Runs one step of an execution as one transaction. */
  commit<T>(execution: OpenExecution, step: () => T): T {
    const before = execution.eventCount;
    try {
      return inTransaction(this.#database, step);
    } catch (error) {
      execution.eventCount = before;
      throw error;
    }
  }

  /** Stores a new execution and returns its id; the caller adds the first event in the same transaction. */
  insertExecution(record: {
    arn: string;
    machineArn: string;
    name: string;
    revision: number;
    input: string;
    startedAt: number;
  }): number {
    const { lastInsertRowid } = this.#insertExecution.run(
      record.arn,
      record.machineArn,
      record.name,
      record.revision,
      record.input,
      record.startedAt,
    );
    return Number(lastInsertRowid);
  }

  transaction<T>(work: () => T): T {
    return inTransaction(this.#database, work);
  }

  /** Appends a history event after the frame's last one. Throws `HistoryFull`. */
  event(frame: Frame, type: string, details: Record<string, unknown> = {}): number {
    const { execution, position } = frame;
    const ends = frame.parent === undefined && type.startsWith('Execution');
    if (execution.eventCount >= HISTORY_LIMIT - 1 && !ends) throw new HistoryFull();
    const id = execution.eventCount + 1;
    const timestamp = this.#clock.now() / 1000;
    const body = { id, type, timestamp, previousEventId: position.lastEvent, ...details };
    this.#insertEvent.run(execution.id, id, JSON.stringify(body));
    execution.eventCount = id;
    position.lastEvent = id;
    return id;
  }

  save(frame: Frame): void {
    this.#saveFrame.run(frame.execution.id, frame.path, JSON.stringify(frame.position));
  }

  /** Moves the frame into a state with the given input. */
  enter(frame: Frame, state: string, input: Json): void {
    const { position } = frame;
    position.state = state;
    position.input = input;
    position.phase = { kind: 'entered' };
    position.retries = [];
    position.enteredAt = this.#clock.now();
    position.enteredEvent = this.event(frame, `${stateOf(frame).type}StateEntered`, {
      stateEnteredEventDetails: { name: state, input: JSON.stringify(input), inputDetails: { truncated: false } },
    });
    this.save(frame);
    this.#entered(frame.execution);
  }

  /** Removes the stored children of a fan-out. */
  removeBelow(frame: Frame): void {
    // '0' is the character after '/', so the range contains exactly the paths below this one.
    this.#removeBelow.run(frame.execution.id, `${frame.path}/`, `${frame.path}0`);
  }

  issueToken(frame: Frame, token: string): void {
    this.#insertToken.run(token, frame.execution.id, frame.path);
  }

  close(execution: OpenExecution, ending: Ending, stoppedAt: number): void {
    this.#removeFrames.run(execution.id);
    this.#closeExecution.run(
      ending.status,
      stoppedAt,
      ending.output ?? null,
      ending.error ?? null,
      ending.cause ?? null,
      execution.id,
    );
  }

  queueStatusEvent(body: string): void {
    this.#queueStatus.run(body);
  }

  queuedStatusEvents(): { id: number; body: string }[] {
    return this.#queuedStatuses.all().map((row) => ({ id: Number(row.id), body: String(row.body) }));
  }

  dropStatusEvents(upTo: number): void {
    this.#dropStatuses.run(upTo);
  }
}
