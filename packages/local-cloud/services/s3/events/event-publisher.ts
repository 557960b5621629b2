import type { Principal } from '../../../core/access/principal.ts';
import type { EventsPort } from '../../../core/ports.ts';
import type { CloudContext } from '../../../core/service.ts';
import type { EventJournal } from '../store/event-journal.ts';

/** A call to the bus takes at most ten events, as on AWS. */
const BATCH = 10;
const RETRY_MS = 1000;
/** Services publish their own events without permission. */
const CALLER: Principal = { type: 'service', service: 's3.amazonaws.com', sourceArn: '' };

/**
 * Publishes journaled events in order, and removes each only after the bus has accepted it. A crash may repeat events
 * but loses none.
 */
export class EventPublisher {
  readonly #context: CloudContext;
  readonly #journal: EventJournal;
  readonly #events: EventsPort;
  #running: Promise<void> | undefined;
  #again = false;
  #closed = false;
  #cancelRetry: () => void = () => {};

  constructor(context: CloudContext, journal: EventJournal, events: EventsPort) {
    this.#context = context;
    this.#journal = journal;
    this.#events = events;
    // Deferred, because the bus may be created after this service in the same turn.
    setImmediate(() => this.wake());
  }

  /** Publishes the journal's events; returns at once. */
  wake(): void {
    if (this.#closed) return;
    this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelRetry();
    await this.#running;
  }

  async #run(): Promise<void> {
    this.#cancelRetry();
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        for (let batch = this.#next(); batch.length > 0 && !this.#closed; batch = this.#next()) {
          await this.#events.publish(
            batch.map(({ event }) => event),
            CALLER,
          );
          this.#journal.removeThrough(batch.at(-1)!.id);
        }
      }
    } catch (error) {
      this.#context.log(`s3: publishing events failed and will be retried: ${String(error)}`);
      this.#cancelRetry = this.#context.clock.schedule(this.#context.clock.now() + RETRY_MS, () => this.wake());
    }
  }

  #next() {
    return this.#journal.oldest(BATCH);
  }
}
