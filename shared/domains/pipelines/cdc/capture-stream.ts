import type { ConnectOptions } from '../../../data/connectors/connection/connector.ts';
import type { PostgresSource, PostgresTarget } from '../../../data/connectors/postgres/connection.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { sourceTables } from '../../semantics/models/index.ts';
import { rightsDeps, whyRefused } from '../../semantics/row-rights/index.ts';
import { dataSourceRepository } from '../../warehouse/sources/index.ts';
import { CaptureLoop, errorOf } from './capture-loop.ts';
import { type ChangeLog, changeLog } from './change-log.ts';
import type { ChangeReader } from './change-reader.ts';
import { connectForCapture, targetOf } from './connect.ts';
import { fillUnchangedFrom } from './fill-unchanged.ts';
import { prepareSource } from './prepare-source.ts';
import type { StoredStream } from './record.ts';
import { type StreamRepository, streamRepository } from './repository.ts';
import { dropSlot, flushedLsn, heartbeat, unpublish } from './slot.ts';
import { type CaptureState, type CaptureStates, captureStates, LEASE_MS } from './state.ts';
import { newAlerts } from './stream-alerts.ts';
import { streamCopy } from './stream-copy.ts';
import { describeTable, resolveTypes } from './table-shape.ts';
import { takeSnapshots } from './take-snapshots.ts';
import { guardLog } from './wal-guard.ts';

const HEARTBEAT_MS = 30_000;
/** How soon a long turn notices that the settings of the stream have changed. */
const SETTINGS_CHECK_MS = 5_000;
/** A container that began a turn this recently still follows the stream; no other worker may come between its turns. */
const CONTAINER_TURN_MS = 60_000;
/** If the source is unreachable for this long, the stream is deleted and its slot stays in the source. */
const ABANDON_SLOT_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

/** The dependencies of a capture. */
export interface CaptureContext {
  table: Table;
  objects: ObjectStore;
  secrets: SecretBox;
  options: ConnectOptions;
  /** Opens a reader of the log of a source: one that polls the slot, or one that streams from it. */
  openReader(target: PostgresTarget, slotName: string): Promise<ChangeReader>;
  /** Whether a turn continues until `until` although everything has been captured, because changes may arrive. */
  isContinuous: boolean;
  now(): Date;
  /** Writes to the operator's log. */
  report(message: string, details: object): void;
}

export type TurnOutcome = 'deleted' | 'busy' | 'paused' | 'failed' | 'done' | 'more';

interface Ports {
  streams: StreamRepository;
  states: CaptureStates;
  log: ChangeLog;
}

/**
 * One turn of a stream's capture: applies requested settings (a slot, tables, a deletion), captures the changes in the
 * log and continues snapshots until `until`. Returns `busy` if another worker has the stream. Every step can crash and
 * be repeated.
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
  if (!stream) return 'deleted';
  const before = await ports.states.get(place);
  if (!context.isContinuous && isInContainer(stream, before, context.now())) return 'busy';
  const state = await ports.states.claim(place, context.now());
  if (!state) return 'busy';
  // The last worker crashed or failed: the files that it stored for the next batch belong to no batch.
  if (before?.leaseUntil || before?.isUntidy) await ports.log.sweep(place, state.seq + 1);
  delete state.isUntidy;
  delete state.streamedAt;
  if (context.isContinuous && !signal?.aborted) state.streamedAt = context.now().toISOString();
  const extension = setInterval(() => {
    ports.states.extendLease(state, context.now()).catch(() => {});
  }, LEASE_MS / 4);
  try {
    return await new Turn(context, ports, stream, state, { until, isEnding: () => signal?.aborted === true }).run();
  } finally {
    clearInterval(extension);
  }
}

const isInContainer = ({ capture, deletedAt }: StoredStream, state: CaptureState | undefined, now: Date): boolean =>
  capture === 'streaming' &&
  deletedAt === undefined &&
  state?.streamedAt !== undefined &&
  now.getTime() - Date.parse(state.streamedAt) < CONTAINER_TURN_MS;

class Turn {
  readonly #context: CaptureContext;
  readonly #ports: Ports;
  readonly #stream: StoredStream;
  readonly #state: CaptureState;
  readonly #until: Date;
  readonly #isEnding: () => boolean;
  #checkedAt: number;

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
    this.#checkedAt = context.now().getTime();
  }

  async run(): Promise<TurnOutcome> {
    const { states } = this.#ports;
    try {
      const outcome = await this.#connected((source, target) =>
        this.#stream.deletedAt ? this.#delete(source) : this.#capture(source, target),
      );
      if (outcome !== 'deleted') await this.#finish(outcome);
      return outcome;
    } catch (error) {
      if (!(error instanceof DataError)) {
        await states.release(this.#state).catch(() => {});
        throw error;
      }
      return this.#failed(error);
    }
  }

  /** Stores an error of the source or of the connection to it; the next turn tries again. */
  async #failed(error: DataError): Promise<TurnOutcome> {
    const { deletedAt } = this.#stream;
    const now = this.#context.now();
    if (deletedAt && now.getTime() - Date.parse(deletedAt) > ABANDON_SLOT_AFTER_MS) {
      this.#context.report('a slot could not be dropped', {
        stream: this.#stream.id,
        slot: this.#stream.slotName,
        error,
      });
      return this.#removeAll();
    }
    this.#state.error = errorOf(error);
    this.#state.isUntidy = true;
    await this.#finish('failed');
    return 'failed';
  }

  async #finish(outcome: TurnOutcome): Promise<void> {
    const { table, now } = this.#context;
    const { leaseUntil: _over, ...state } = this.#state;
    if (outcome !== 'more' || this.#isEnding()) delete state.streamedAt;
    const { items, reported } = newAlerts(table, this.#stream, state, now());
    await this.#ports.states.save({ ...state, reported }, items);
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
    return this.#removeAll();
  }

  /** Removes the stream's record last: until then, every turn repeats the removal. */
  async #removeAll(): Promise<TurnOutcome> {
    const { streams, states, log } = this.#ports;
    await log.remove(this.#stream);
    await states.remove(this.#stream);
    await streams.remove(this.#stream);
    return 'deleted';
  }

  async #capture(source: PostgresSource, target: PostgresTarget): Promise<TurnOutcome> {
    const stream = this.#stream;
    const state = this.#state;
    const { now } = this.#context;
    // Any change of the stream resumes a capture that the log guard has paused.
    if (state.pausedAt !== null && stream.updatedAt > state.pausedAt) state.pausedAt = null;
    if (!(await prepareSource(source, stream, state, (changed) => this.#ports.states.save(changed)))) return 'failed';
    await guardLog(source, stream, state, now());
    if (state.error) return 'failed';
    if (state.pausedAt !== null || !stream.enabled) return 'paused';
    await this.#sendHeartbeat(source);
    if (await this.#isRefused()) return 'failed';

    const reader = await this.#context.openReader(target, stream.slotName);
    try {
      return await this.#captureChanges(source, reader);
    } finally {
      await reader.close();
    }
  }

  /** The source keeps its log meanwhile, within the limit of the stream; the next turn looks again. */
  async #isRefused(): Promise<boolean> {
    const { table, objects, now } = this.#context;
    const copies = { ...rightsDeps(table, now), readTables: sourceTables(table, objects) };
    const message = await whyRefused(copies, streamCopy(this.#stream));
    if (message !== undefined) this.#state.error = { code: 'RLS_COPY', message };
    return message !== undefined;
  }

  async #sendHeartbeat(source: PostgresSource): Promise<void> {
    const now = this.#context.now();
    const last = this.#state.heartbeatAt;
    if (last && now.getTime() - Date.parse(last) < HEARTBEAT_MS) return;
    await heartbeat(source);
    this.#state.heartbeatAt = now.toISOString();
  }

  async #captureChanges(source: PostgresSource, reader: ChangeReader): Promise<TurnOutcome> {
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
        fillUnchanged: fillUnchangedFrom(source),
        shapeOf: async ({ name, columns }) => {
          const { key } = await describeTable(source, name);
          const known = key?.every((column) => columns.some((other) => other.name === column));
          return { columns: await resolveTypes(source, columns), key: known ? key : null };
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
      if (!this.#context.isContinuous && isAll && progress !== 'progress') return progress === 'none' ? 'done' : 'more';
      if (now() >= this.#until || this.#isEnding() || (await this.#isChanged())) return 'more';
      await this.#sendHeartbeat(source);
    }
  }

  /** Whether the settings have changed since the turn began; the next turn applies them. */
  async #isChanged(): Promise<boolean> {
    const { now } = this.#context;
    const { workspaceId, id, updatedAt } = this.#stream;
    if (now().getTime() - this.#checkedAt < SETTINGS_CHECK_MS) return false;
    this.#checkedAt = now().getTime();
    return (await this.#ports.streams.get(workspaceId, id))?.updatedAt !== updatedAt;
  }
}
