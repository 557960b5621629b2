import { type NumberedEvent, readEvents } from '../../../shared/domains/pipelines/store/index.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';
import { MAX_TOTAL_PAUSE_MS } from '../../../shared/platform/storage/transact.ts';

/**
 * A writer that reserved a number and crashed leaves a gap; a writer that is delayed by retries fills it within this
 * time.
 */
const GAP_WAIT_MS = MAX_TOTAL_PAUSE_MS + 2_000;

export interface RunPlace {
  workspaceId: string;
  runId: string;
}

/** Reads the events of a run in the order of their numbers, including those that are written late. */
export class EventReader {
  readonly #deps: { table: Table; now(): Date };
  readonly #place: RunPlace;
  #position: number;
  #gapSince: number | undefined;
  /** The number of the last `end` event. */
  #end = 0;
  #readMs = 0;

  constructor(deps: { table: Table; now(): Date }, place: RunPlace, position: number) {
    this.#deps = deps;
    this.#place = place;
    this.#position = position;
  }

  /** The number of the last returned event. */
  get position(): number {
    return this.#position;
  }

  /** Whether events wait behind a gap. */
  get isWaiting(): boolean {
    return this.#gapSince !== undefined;
  }

  /** The duration of the last read. */
  get readMs(): number {
    return this.#readMs;
  }

  /** The events that follow without a gap. */
  async next(): Promise<NumberedEvent[]> {
    const startedAt = this.#deps.now().getTime();
    const found = await readEvents(this.#deps.table, this.#place, this.#position);
    this.#readMs = this.#deps.now().getTime() - startedAt;
    const ready: NumberedEvent[] = [];
    for (const event of found) {
      const isNext = event.seq === this.#position + 1;
      // All events before an `end` were written before it, so a reader that has seen it need not wait for a gap.
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

  /** Skips the events that a later snapshot includes, up to the first gap. */
  async skipToNow(): Promise<void> {
    for (let found = await this.next(); found.length > 0; found = await this.next());
    this.#gapSince = undefined;
  }
}
