import { readAdmission, type ShownErrors, viewRunWithSteps } from '../../../shared/domains/pipelines/runs/index.ts';
import {
  type DagStore,
  isOfNextAttempt,
  isOver,
  type NumberedEvent,
  readEvents,
  readSteps,
  runRepository,
  type StoredRun,
} from '../../../shared/domains/pipelines/store/index.ts';
import type { Cursors } from '../../../shared/platform/http/cursor.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';
import { EventReader, type RunPlace } from './event-reader.ts';
import { frame, RETRY_FRAME } from './frames.ts';

const MIN_POLL_MS = 100;
const MAX_POLL_MS = 1_000;
/**
 * A pause is this many times as long as the read before it, up to half a second: hundreds of clients that follow a run
 * leave most of the table's capacity to the run.
 */
const PAUSE_PER_READ = 10;
const MAX_PAUSE_AFTER_READ_MS = 500;
const HEARTBEAT_MS = 10_000;

export interface FollowDeps {
  table: Table;
  dags: Pick<DagStore, 'getMany'>;
  cursors: Cursors;
  now(): Date;
  sleep(ms: number): Promise<void>;
}

export interface Following {
  run: StoredRun;
  /** The last event that the client has received. */
  after: number | undefined;
  /** The time limit of the connection. */
  until: Date;
  /** Sends text; false when the client has disconnected. */
  send(text: string): boolean;
  /** What the client may read of errors; asked for each frame that has one. */
  errors(): ShownErrors;
  /** Whether the client still has access to the run; asked before each heartbeat. */
  hasAccess(): Promise<boolean>;
}

/**
 * Streams a run until it ends: a snapshot for a new client, then every event in order. A returning client gets a new
 * snapshot when the events that it missed have expired, or when no more events will come. The stream ends without a
 * frame when the client loses its access: it learns why when it connects again.
 */
export async function followRun(deps: FollowDeps, following: Following): Promise<void> {
  await new RunFollower(deps, following).follow();
}

class RunFollower {
  readonly #deps: FollowDeps;
  readonly #following: Following;
  readonly #place: RunPlace;
  readonly #reader: EventReader;
  #wasOver: boolean;
  #pollMs = MIN_POLL_MS;
  #heartbeatAt = 0;

  constructor(deps: FollowDeps, following: Following) {
    const { run, after } = following;
    this.#deps = deps;
    this.#following = following;
    this.#place = { workspaceId: run.workspaceId, runId: run.id };
    this.#reader = new EventReader(deps, this.#place, after ?? 0);
    this.#wasOver = isOver(run.status);
  }

  async follow(): Promise<void> {
    const { after, run, send, until } = this.#following;
    send(RETRY_FRAME);
    let events = after === undefined ? [] : await this.#reader.next();
    const isUpToDate = after === run.seq && !this.#wasOver;
    if (events.length === 0 && !isUpToDate && !(await this.#sendSnapshot())) return;
    this.#heartbeatAt = this.#deps.now().getTime() + HEARTBEAT_MS;
    for (; this.#deps.now() < until; events = await this.#reader.next()) {
      if (!(await this.#sendEvents(events))) return;
      // The client has every event but no end: the end has expired, or a fenced worker wrote an event after it.
      const lacksEnd = this.#wasOver && events.length === 0 && !this.#reader.isWaiting;
      if (lacksEnd && !(await this.#sendSnapshot())) return;
      if (!(await this.#sendHeartbeat())) return;
      await this.#pause(events.length > 0);
    }
    send(frame('reconnect', this.#reader.position, {}));
  }

  /** Returns whether more is to come. */
  async #sendSnapshot(): Promise<boolean> {
    const { send } = this.#following;
    this.#wasOver = false;
    await this.#reader.skipToNow();
    const { view, over } = await snapshot(this.#deps, this.#following);
    if (!send(frame('snapshot', this.#reader.position, view))) return false;
    if (over) send(frame('end', this.#reader.position, { status: view.status }));
    return !over;
  }

  /** Returns whether more is to come. */
  async #sendEvents(events: readonly NumberedEvent[]): Promise<boolean> {
    const frames: string[] = [];
    let isEnd = false;
    for (const { type, seq, data } of events) {
      // The end of an attempt that was retried since is not the end of the run.
      if (type === 'end' && (await isRetried(this.#deps, this.#place, seq))) continue;
      frames.push(frame(type, seq, await this.#show(data)));
      isEnd = type === 'end';
      if (isEnd) break;
    }
    // One write: each write on its way through function and gateway costs more than its content.
    if (frames.length > 0 && !this.#following.send(frames.join(''))) return false;
    return !isEnd;
  }

  async #show(data: NumberedEvent['data']): Promise<unknown> {
    const { errors, run } = this.#following;
    if (!('error' in data) || !data.error) return data;
    const [shown] = await errors().inSteps(run, [{ ...data, error: data.error }]);
    return shown;
  }

  /** Returns whether the client is still connected and has access. */
  async #sendHeartbeat(): Promise<boolean> {
    const now = this.#deps.now();
    if (now.getTime() < this.#heartbeatAt) return true;
    this.#heartbeatAt += HEARTBEAT_MS;
    if (!(await this.#following.hasAccess())) return false;
    return this.#following.send(frame('heartbeat', this.#reader.position, { at: now.toISOString() }));
  }

  async #pause(hadEvents: boolean): Promise<void> {
    this.#pollMs = hadEvents ? MIN_POLL_MS : Math.min(this.#pollMs * 1.5, MAX_POLL_MS);
    const afterRead = Math.min(PAUSE_PER_READ * this.#reader.readMs, MAX_PAUSE_AFTER_READ_MS);
    await this.#deps.sleep(Math.max(this.#pollMs, afterRead));
  }
}

async function snapshot(deps: FollowDeps, { run: place, errors }: Following) {
  const { table } = deps;
  const run = (await runRepository(table).get(place.workspaceId, place.id)) ?? place;
  const [steps, admission] = await Promise.all([
    readSteps(table, run.workspaceId, run.id),
    readAdmission(table, run.workspaceId, run.pipelineId),
  ]);
  const shown = errors();
  const view = await shown.inRun(await viewRunWithSteps(deps, run, admission, steps));
  return { view: { ...view, steps: await shown.inSteps(run, view.steps) }, over: isOver(run.status) };
}

/** Whether another attempt follows the `end` event of this number. */
async function isRetried(deps: FollowDeps, place: RunPlace, end: number) {
  return (await readEvents(deps.table, place, end)).some(isOfNextAttempt);
}
