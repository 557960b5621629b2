import {
  isOfNextAttempt,
  isOver,
  type NumberedEvent,
  readAdmission,
  readEvents,
  readSteps,
  runRepository,
  type StoredRun,
  viewRunWithSteps,
} from '../../shared/domains/pipelines/index.ts';
import type { Cursors } from '../../shared/platform/http/cursor.ts';
import type { Table } from '../../shared/platform/storage/table.ts';
import { LONGEST_PAUSES_MS } from '../../shared/platform/storage/transact.ts';
import { frame, RETRY_FRAME } from './frames.ts';

const QUICKEST_POLL_MS = 100;
const SLOWEST_POLL_MS = 1_000;
/**
 * A pause is so many times as long as the answer before it took, up to half a second: hundreds who watch a run leave to it most of
 * what they share with it, and none of them waits long in line.
 */
const PAUSE_PER_READ = 10;
const LONGEST_COURTESY_MS = 500;
const HEARTBEAT_MS = 10_000;
/** A writer that took a number and died leaves a gap; one that meets others again and again fills it as late as this. */
const GAP_WAIT_MS = LONGEST_PAUSES_MS + 2_000;

export interface FollowDeps {
  table: Table;
  cursors: Cursors;
  now(): Date;
  sleep(ms: number): Promise<void>;
}

export interface Following {
  run: StoredRun;
  /** The client has everything up to this event. */
  after: number | undefined;
  /** When the connection ends whatever happens. */
  until: Date;
  /** Sends text; false when the client is gone. */
  send(text: string): boolean;
}

/**
 * Streams a run until it is over: a snapshot for who comes new, then every event in order. Who comes back and cannot be told
 * what came since, because it has expired or because nothing will come any more, is new.
 */
export async function followRun(deps: FollowDeps, following: Following): Promise<void> {
  const { run, after, send, until } = following;
  const place = { workspaceId: run.workspaceId, runId: run.id };
  const reader = new EventReader(deps, place, after ?? 0);
  send(RETRY_FRAME);
  let events = after === undefined ? [] : await reader.next();
  let wasOver = isOver(run.status);
  /** Answers whether more is to come. */
  const show = async (): Promise<boolean> => {
    wasOver = false;
    await reader.skipToNow();
    const { view, over } = await snapshot(deps, run);
    if (!send(frame('snapshot', reader.position, view))) return false;
    if (over) send(frame('end', reader.position, { status: view.status }));
    return !over;
  };
  if (events.length === 0 && !(after === run.seq && !wasOver) && !(await show())) return;

  let pollMs = QUICKEST_POLL_MS;
  let beatAt = deps.now().getTime() + HEARTBEAT_MS;
  for (; deps.now() < until; events = await reader.next()) {
    const frames: string[] = [];
    let isEnd = false;
    for (const { type, seq, data } of events) {
      // The end of an attempt that was retried since is not the end of the run.
      if (type === 'end' && (await isRetried(deps, place, seq))) continue;
      frames.push(frame(type, seq, data));
      isEnd = type === 'end';
      if (isEnd) break;
    }
    // Together: on its way through functions and gateways a piece costs more than what is in it.
    if (frames.length > 0 && !send(frames.join(''))) return;
    if (isEnd) return;
    // All was there, and no end: it has expired, or a worker that was given up has told something after it.
    if (wasOver && events.length === 0 && !reader.isWaiting && !(await show())) return;
    pollMs = events.length > 0 ? QUICKEST_POLL_MS : Math.min(pollMs * 1.5, SLOWEST_POLL_MS);
    if (deps.now().getTime() >= beatAt) {
      if (!send(frame('heartbeat', reader.position, { at: deps.now().toISOString() }))) return;
      beatAt += HEARTBEAT_MS;
    }
    await deps.sleep(Math.max(pollMs, Math.min(PAUSE_PER_READ * reader.readMs, LONGEST_COURTESY_MS)));
  }
  send(frame('reconnect', reader.position, {}));
}

async function snapshot(deps: FollowDeps, place: StoredRun) {
  const { table } = deps;
  const run = (await runRepository(table).get(place.workspaceId, place.id)) ?? place;
  const [steps, admission] = await Promise.all([
    readSteps(table, run.workspaceId, run.id),
    readAdmission(table, run.workspaceId, run.pipelineId),
  ]);
  return { view: await viewRunWithSteps(deps, run, admission, steps), over: isOver(run.status) };
}

/** Whether another attempt has followed the one that ended with this number. Little else is written after an end. */
async function isRetried(deps: FollowDeps, place: { workspaceId: string; runId: string }, end: number) {
  return (await readEvents(deps.table, place, end)).some(isOfNextAttempt);
}

/** Reads the events of a run in the order of their numbers without losing one that is written late. */
class EventReader {
  readonly #deps: FollowDeps;
  readonly #place: { workspaceId: string; runId: string };
  #position: number;
  #gapSince: number | undefined;
  /** Number of the last end that was seen. */
  #end = 0;
  #readMs = 0;

  constructor(deps: FollowDeps, place: { workspaceId: string; runId: string }, position: number) {
    this.#deps = deps;
    this.#place = place;
    this.#position = position;
  }

  /** Number of the last event that was handed out. */
  get position(): number {
    return this.#position;
  }

  /** Whether there are events behind a gap. */
  get isWaiting(): boolean {
    return this.#gapSince !== undefined;
  }

  /** How long the last answer of the table took. */
  get readMs(): number {
    return this.#readMs;
  }

  /** The events that follow without a gap. */
  async next(): Promise<NumberedEvent[]> {
    const askedAt = this.#deps.now().getTime();
    const found = await readEvents(this.#deps.table, this.#place, this.#position);
    this.#readMs = this.#deps.now().getTime() - askedAt;
    const ready: NumberedEvent[] = [];
    for (const event of found) {
      const isNext = event.seq === this.#position + 1;
      // All that belongs before an end was written before it: who has seen it looks once more, and waits for nothing.
      if (!isNext && event.seq > this.#end && !this.#waitedForGap()) break;
      this.#gapSince = undefined;
      this.#position = event.seq;
      ready.push(event);
    }
    this.#end = found.findLast(({ type }) => type === 'end')?.seq ?? this.#end;
    return ready;
  }

  #waitedForGap(): boolean {
    const now = this.#deps.now().getTime();
    this.#gapSince ??= now;
    return now - this.#gapSince >= GAP_WAIT_MS;
  }

  /** Passes over what a snapshot that is read afterwards will show, up to the first gap. */
  async skipToNow(): Promise<void> {
    for (let found = await this.next(); found.length > 0; found = await this.next());
    this.#gapSince = undefined;
  }
}
