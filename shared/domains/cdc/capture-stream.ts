import type { ConnectOptions } from '../../data/connectors/connection/connector.ts';
import type { PostgresSource, PostgresTarget } from '../../data/connectors/postgres/connection.ts';
import type { SecretBox } from '../../platform/crypto/secret-box.ts';
import { DataError } from '../../platform/errors/data-error.ts';
import type { ObjectStore } from '../../platform/objects/object-store.ts';
import type { Table } from '../../platform/storage/table.ts';
import { dataSourceRepository } from '../sources/index.ts';
import { CaptureLoop, errorOf } from './capture-loop.ts';
import { type ChangeLog, changeLog } from './change-log.ts';
import type { ChangeReader } from './change-reader.ts';
import { connectForCapture, targetOf } from './connect.ts';
import { fillFrom } from './fill-unchanged.ts';
import { beginMaintenance } from './maintenance.ts';
import { prepareSource } from './prepare-source.ts';
import type { StoredStream } from './record.ts';
import { type StreamRepository, streamRepository } from './repository.ts';
import { dropSlot, flushedLsn, heartbeat, unpublish } from './slot.ts';
import { type CaptureState, type CaptureStates, captureStates, LEASE_MS } from './state.ts';
import { describeTable, resolved } from './table-shape.ts';
import { takeSnapshots } from './take-snapshots.ts';
import { troublesToTell } from './troubles.ts';
import { guardLog } from './wal-guard.ts';

const HEARTBEAT_MS = 30_000;
/** How soon a turn that lasts notices that something else is asked for. */
const LOOK_AGAIN_MS = 5_000;
/** A container that has begun a turn so recently follows the stream: between two of its turns nobody else is to come in. */
const STREAMED_MS = 60_000;
/** A source that cannot be reached for so long keeps its slot: the stream is let go without it. */
const GIVE_UP_DELETING_MS = 7 * 24 * 60 * 60 * 1000;

/** What captures work with. */
export interface CaptureContext {
  table: Table;
  objects: ObjectStore;
  secrets: SecretBox;
  options: ConnectOptions;
  /** How the log of a source is read: by looking into the slot, or by a stream of it. */
  openReader(target: PostgresTarget, slotName: string): Promise<ChangeReader>;
  /** Whether a turn lasts until its end also when there is nothing more to take over: something may come. */
  stays: boolean;
  now(): Date;
  /** For the operator's log. */
  report(message: string, details: object): void;
}

export type TurnOutcome = 'gone' | 'busy' | 'paused' | 'failed' | 'done' | 'more';

interface Ports {
  streams: StreamRepository;
  states: CaptureStates;
  log: ChangeLog;
}

/**
 * One turn of a stream's capture: does what was asked for (a slot, tables, a deletion), takes over what is there, and goes on with
 * snapshots until `until`. Whoever else is at work on the stream makes it `busy`. Every step may die and be repeated.
 */
export async function captureTurn(
  context: CaptureContext,
  place: { workspaceId: string; id: string },
  until: Date,
  signal?: AbortSignal,
): Promise<TurnOutcome> {
  const ports = {
    streams: streamRepository(context.table),
    states: captureStates(context.table),
    log: changeLog(context.table, context.objects),
  };
  const stream = await ports.streams.get(place.workspaceId, place.id);
  if (!stream) return 'gone';
  const before = await ports.states.get(place);
  if (!context.stays && isStreamed(stream, before, context.now())) return 'busy';
  const state = await ports.states.claim(place, context.now());
  if (!state) return 'busy';
  // Whoever held the stream died or failed at work: what it stored for the batch to come is nobody's.
  if (before?.leaseUntil || before?.isUntidy) await ports.log.sweep(place, state.seq + 1);
  delete state.isUntidy;
  delete state.streamedAt;
  if (!state.isMaintained) await beginMaintenance(context.table, place, context.now());
  state.isMaintained = true;
  if (context.stays && !signal?.aborted) state.streamedAt = context.now().toISOString();
  const holding = setInterval(() => {
    ports.states.prolong(state, context.now()).catch(() => {});
  }, LEASE_MS / 4);
  try {
    return await new Turn(context, ports, stream, state, { until, isEnding: () => signal?.aborted === true }).run();
  } finally {
    clearInterval(holding);
  }
}

const isStreamed = ({ capture, deletedAt }: StoredStream, state: CaptureState | undefined, now: Date): boolean =>
  capture === 'streaming' &&
  deletedAt === undefined &&
  state?.streamedAt !== undefined &&
  now.getTime() - Date.parse(state.streamedAt) < STREAMED_MS;

class Turn {
  readonly #context: CaptureContext;
  readonly #ports: Ports;
  readonly #stream: StoredStream;
  readonly #state: CaptureState;
  readonly #until: Date;
  readonly #isEnding: () => boolean;
  #lookedAt: number;

  constructor(
    context: CaptureContext,
    ports: Ports,
    stream: StoredStream,
    state: CaptureState,
    { until, isEnding }: { until: Date; isEnding: () => boolean },
  ) {
    this.#context = context;
    this.#ports = ports;
    this.#stream = stream;
    this.#state = state;
    this.#until = until;
    this.#isEnding = isEnding;
    this.#lookedAt = context.now().getTime();
  }

  async run(): Promise<TurnOutcome> {
    const { states } = this.#ports;
    try {
      const outcome = await this.#connected((source, target) =>
        this.#stream.deletedAt ? this.#delete(source) : this.#capture(source, target),
      );
      if (outcome !== 'gone') await this.#rest(outcome);
      return outcome;
    } catch (error) {
      if (!(error instanceof DataError)) {
        await states.release(this.#state).catch(() => {});
        throw error;
      }
      return this.#failed(error);
    }
  }

  /** What stands between us and the source: the next turn tries again. */
  async #failed(error: DataError): Promise<TurnOutcome> {
    const { deletedAt } = this.#stream;
    const now = this.#context.now();
    if (deletedAt && now.getTime() - Date.parse(deletedAt) > GIVE_UP_DELETING_MS) {
      this.#context.report('a slot could not be dropped', {
        stream: this.#stream.id,
        slot: this.#stream.slotName,
        error,
      });
      return this.#forget();
    }
    this.#state.error = errorOf(error);
    this.#state.isUntidy = true;
    await this.#rest('failed');
    return 'failed';
  }

  async #rest(outcome: TurnOutcome): Promise<void> {
    const { table, now } = this.#context;
    const { leaseUntil: _over, ...state } = this.#state;
    if (outcome !== 'more' || this.#isEnding()) delete state.streamedAt;
    const { items, told } = troublesToTell(table, this.#stream, state, now());
    await this.#ports.states.save({ ...state, told }, items);
  }

  async #connected<T>(work: (source: PostgresSource, target: PostgresTarget) => Promise<T>): Promise<T> {
    const { table, secrets, options } = this.#context;
    const stored = await dataSourceRepository(table).get(this.#stream.workspaceId, this.#stream.sourceId);
    const target = await targetOf(secrets, stored);
    const source = await connectForCapture(target, options);
    try {
      return await work(source, target);
    } finally {
      await source.close();
    }
  }

  async #delete(source: PostgresSource): Promise<TurnOutcome> {
    const { slotName } = this.#stream;
    await dropSlot(source, slotName);
    await unpublish(source, slotName);
    return this.#forget();
  }

  /** The record goes last: until then every turn comes here again. */
  async #forget(): Promise<TurnOutcome> {
    const { streams, states, log } = this.#ports;
    await log.remove(this.#stream);
    await states.remove(this.#stream);
    await streams.remove(this.#stream);
    return 'gone';
  }

  async #capture(source: PostgresSource, target: PostgresTarget): Promise<TurnOutcome> {
    const stream = this.#stream;
    const state = this.#state;
    const { now } = this.#context;
    // What somebody changes lets a capture go on that the guard has stopped.
    if (state.pausedAt !== null && stream.updatedAt > state.pausedAt) state.pausedAt = null;
    if (!(await prepareSource(source, stream, state, (changed) => this.#ports.states.save(changed)))) return 'failed';
    await guardLog(source, stream, state, now());
    if (state.error) return 'failed';
    if (state.pausedAt !== null || !stream.enabled) return 'paused';
    await this.#beat(source);

    const reader = await this.#context.openReader(target, stream.slotName);
    try {
      return await this.#takeOver(source, reader);
    } finally {
      await reader.close();
    }
  }

  async #beat(source: PostgresSource): Promise<void> {
    const now = this.#context.now();
    const last = this.#state.heartbeatAt;
    if (last && now.getTime() - Date.parse(last) < HEARTBEAT_MS) return;
    await heartbeat(source);
    this.#state.heartbeatAt = now.toISOString();
  }

  async #takeOver(source: PostgresSource, reader: ChangeReader): Promise<TurnOutcome> {
    const { objects, now } = this.#context;
    const { states, log } = this.#ports;
    const state = this.#state;
    const loop = new CaptureLoop(
      {
        reader,
        states,
        log,
        objects,
        now,
        fillUnchanged: fillFrom(source),
        shapeOf: async ({ name, columns }) => {
          const { key } = await describeTable(source, name);
          const known = key?.every((column) => columns.some((other) => other.name === column));
          return { columns: await resolved(source, columns), key: known ? key : null };
        },
      },
      state,
    );
    for (;;) {
      const begun = now();
      const flushed = await flushedLsn(source);
      const isAll = await loop.drain();
      if (loop.readUpTo >= flushed) state.drainedAt = begun.toISOString();
      const progress = await takeSnapshots({ source, loop, state, caughtUpTo: loop.readUpTo, now });
      if (!this.#context.stays && isAll && progress !== 'progress') return progress === 'none' ? 'done' : 'more';
      if (now() >= this.#until || this.#isEnding() || (await this.#isChanged())) return 'more';
      await this.#beat(source);
    }
  }

  /** Whether something else is asked for than when the turn began, which the next turn does. */
  async #isChanged(): Promise<boolean> {
    const { now } = this.#context;
    const { workspaceId, id, updatedAt } = this.#stream;
    if (now().getTime() - this.#lookedAt < LOOK_AGAIN_MS) return false;
    this.#lookedAt = now().getTime();
    return (await this.#ports.streams.get(workspaceId, id))?.updatedAt !== updatedAt;
  }
}
