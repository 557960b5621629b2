import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { inTransaction } from '../../core/database.ts';
import type { CloudContext } from '../../core/service.ts';
import type { Addresses } from './addresses.ts';
import type { Arrivals } from './arrivals.ts';
import { checkRange, invalidParameter, resourceNotFound } from './errors.ts';
import type { Messages } from './messages.ts';
import { redrivePolicy } from './queue-attributes.ts';
import type { Queue, Queues } from './queues.ts';

export const MOVE_TASKS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS move_tasks (
    id TEXT PRIMARY KEY,
    source_arn TEXT NOT NULL,
    destination_arn TEXT,
    per_second INTEGER,
    status TEXT NOT NULL,
    moved INTEGER NOT NULL,
    to_move INTEGER NOT NULL,
    failure TEXT,
    started_at INTEGER NOT NULL
  ) STRICT;
`;

type Status = 'RUNNING' | 'COMPLETED' | 'CANCELLED' | 'FAILED';

interface MoveTask {
  id: string;
  sourceArn: string;
  destinationArn?: string;
  perSecond?: number;
  status: Status;
  moved: number;
  toMove: number;
  failure?: string;
  startedAt: number;
}

/** Messages per step of an unlimited move. */
const CHUNK = 100;
const TASKS_LISTED = 10;

interface Deps {
  context: CloudContext;
  database: DatabaseSync;
  addresses: Addresses;
  queues: Queues;
  messages: Messages;
  arrivals: Arrivals;
}

/** Moves messages out of dead-letter queues in the background; a task continues after a restart. */
export class MoveTasks {
  readonly #deps: Deps;
  readonly #steps = new Map<string, () => void>();

  constructor(deps: Deps) {
    this.#deps = deps;
    for (const task of this.#all()) if (task.status === 'RUNNING') this.#schedule(task, 0);
  }

  /** Returns the task handle. Throws `ResourceNotFoundException` or `InvalidParameterValue`. */
  start(input: { SourceArn: string; DestinationArn?: string; MaxNumberOfMessagesPerSecond?: number }): string {
    const source = this.#source(input.SourceArn);
    checkRange(
      'MaxNumberOfMessagesPerSecond',
      input.MaxNumberOfMessagesPerSecond,
      1,
      500,
      'Must be between 1 and 500, if provided.',
    );
    if (input.DestinationArn !== undefined && !this.#queue(input.DestinationArn)) {
      throw resourceNotFound("The resource that you specified for the DestinationArn parameter doesn't exist.");
    }
    if (!this.#deps.queues.all().some((queue) => deadLetterTarget(queue) === input.SourceArn)) {
      throw invalidParameter('Source queue must be configured as a Dead Letter Queue.');
    }
    if (this.#all().some((task) => task.sourceArn === input.SourceArn && task.status === 'RUNNING')) {
      throw invalidParameter(
        'There is already a task running. Only one active task is allowed for a source queue arn at a given time.',
      );
    }
    const now = this.#deps.context.clock.now();
    const task: MoveTask = {
      id: randomUUID(),
      sourceArn: input.SourceArn,
      ...(input.DestinationArn !== undefined && { destinationArn: input.DestinationArn }),
      ...(input.MaxNumberOfMessagesPerSecond !== undefined && { perSecond: input.MaxNumberOfMessagesPerSecond }),
      status: 'RUNNING',
      moved: 0,
      toMove: this.#deps.messages.counts(source.id, now).visible,
      startedAt: now,
    };
    this.#save(task);
    this.#schedule(task, 0);
    return handleOf(task);
  }

  list(sourceArn: string, max: number): object[] {
    this.#source(sourceArn);
    const tasks = this.#all().filter((task) => task.sourceArn === sourceArn);
    return tasks.slice(0, Math.min(max, TASKS_LISTED)).map((task) => ({
      ...(task.status === 'RUNNING' && { TaskHandle: handleOf(task) }),
      Status: task.status,
      SourceArn: task.sourceArn,
      ...(task.destinationArn !== undefined && { DestinationArn: task.destinationArn }),
      ...(task.perSecond !== undefined && { MaxNumberOfMessagesPerSecond: task.perSecond }),
      ApproximateNumberOfMessagesMoved: task.moved,
      ApproximateNumberOfMessagesToMove: task.toMove,
      ...(task.failure !== undefined && { FailureReason: task.failure }),
      StartedTimestamp: task.startedAt,
    }));
  }

  /** Returns the number of moved messages. Throws `ResourceNotFoundException` or `InvalidParameterValue`. */
  cancel(handle: string): number {
    const { taskId, sourceArn } = readHandle(handle);
    this.#source(sourceArn);
    const task = this.#all().find(({ id, status }) => id === taskId && status === 'RUNNING');
    if (!task) throw resourceNotFound('Task does not exist.');
    this.#end(task, 'CANCELLED');
    return task.moved;
  }

  close(): void {
    for (const cancel of this.#steps.values()) cancel();
    this.#steps.clear();
  }

  #schedule(task: MoveTask, delayMs: number): void {
    const { clock } = this.#deps.context;
    this.#steps.set(
      task.id,
      clock.schedule(clock.now() + delayMs, () => this.#step(task)),
    );
  }

  /** Moves the next messages, or a single one if the rate is limited. */
  #step(task: MoveTask): void {
    const source = this.#queue(task.sourceArn);
    const moved = source && this.#moveNext(task, source);
    if (moved === undefined) this.#end(task, 'FAILED', 'AWS.SimpleQueueService.NonExistentQueue');
    else if (moved === 0) this.#end(task, 'COMPLETED');
    else this.#schedule(task, task.perSecond === undefined ? 0 : 1000 / task.perSecond);
  }

  /** The number of moved messages; undefined if a destination queue is gone. */
  #moveNext(task: MoveTask, source: Queue): number | undefined {
    const { context, database, messages } = this.#deps;
    const now = context.clock.now();
    const max = Math.min(task.perSecond === undefined ? CHUNK : 1, task.toMove - task.moved);
    if (max === 0) return 0;
    const seqs = source.fifo ? messages.visibleInOrder(source.id, now, max) : messages.visible(source.id, now, max);
    return inTransaction(database, () => {
      const moved = seqs.filter((seq) => this.#move(task, source, seq, now)).length;
      task.moved += moved;
      this.#save(task);
      return moved < seqs.length ? undefined : moved;
    });
  }

  #move(task: MoveTask, source: Queue, seq: number, now: number): boolean {
    const { messages, arrivals } = this.#deps;
    const message = messages.find(seq);
    const destination = this.#queue(task.destinationArn ?? message?.sourceArn ?? '');
    if (!message || !destination) return false;
    messages.insert(destination.id, { ...message, messageId: randomUUID(), sentAt: now, visibleAt: now });
    messages.delete(seq);
    arrivals.ring(destination.id);
    if (source.fifo) arrivals.ring(source.id);
    return true;
  }

  #end(task: MoveTask, status: Status, failure?: string): void {
    this.#steps.get(task.id)?.();
    this.#steps.delete(task.id);
    this.#save({ ...task, status, ...(failure !== undefined && { failure }) });
  }

  #source(arn: string): Queue {
    const queue = this.#queue(arn);
    if (queue) return queue;
    throw resourceNotFound("The resource that you specified for the SourceArn parameter doesn't exist.");
  }

  #queue(arn: string): Queue | undefined {
    return this.#deps.queues.find(this.#deps.addresses.nameInArn(arn) ?? '');
  }

  #save(task: MoveTask): void {
    this.#deps.database
      .prepare('INSERT OR REPLACE INTO move_tasks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        task.id,
        task.sourceArn,
        task.destinationArn ?? null,
        task.perSecond ?? null,
        task.status,
        task.moved,
        task.toMove,
        task.failure ?? null,
        task.startedAt,
      );
  }

  #all(): MoveTask[] {
    const rows = this.#deps.database.prepare('SELECT * FROM move_tasks ORDER BY started_at DESC, rowid DESC').all();
    return rows.map(readTask);
  }
}

function deadLetterTarget(queue: Queue): string | undefined {
  return redrivePolicy(queue.attributes)?.deadLetterTargetArn;
}

function handleOf({ id, sourceArn }: MoveTask): string {
  return Buffer.from(JSON.stringify({ taskId: id, sourceArn })).toString('base64');
}

function readHandle(handle: string): { taskId: string; sourceArn: string } {
  try {
    const { taskId, sourceArn } = JSON.parse(Buffer.from(handle, 'base64').toString('utf8'));
    return { taskId: String(taskId), sourceArn: String(sourceArn) };
  } catch {
    throw invalidParameter('Value for parameter TaskHandle is invalid.');
  }
}

function readTask(row: Record<string, SQLOutputValue>): MoveTask {
  return {
    id: row.id as string,
    sourceArn: row.source_arn as string,
    ...(row.destination_arn !== null && { destinationArn: row.destination_arn as string }),
    ...(row.per_second !== null && { perSecond: row.per_second as number }),
    status: row.status as Status,
    moved: row.moved as number,
    toMove: row.to_move as number,
    ...(row.failure !== null && { failure: row.failure as string }),
    startedAt: row.started_at as number,
  };
}
