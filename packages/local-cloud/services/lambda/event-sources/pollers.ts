import type { SqsPort, StreamsPort } from '../../../core/ports.ts';
import type { CloudContext } from '../../../core/service.ts';
import type { Destinations } from '../asynchronous/destinations.ts';
import type { BatchInvoker } from './batch-invoker.ts';
import type { Mapping, MappingStore } from './mapping.ts';
import type { Poller } from './poller.ts';
import { SqsPoller } from './sqs-poller.ts';
import { StreamPoller } from './stream-poller.ts';

interface Deps {
  context: CloudContext;
  sqs: SqsPort;
  streams: StreamsPort;
  invoker: BatchInvoker;
  mappings: MappingStore;
  destinations: Destinations;
}

/** The pollers of all enabled mappings, at most one per mapping. */
export class Pollers {
  readonly #deps: Deps;
  readonly #pollers = new Map<string, Poller>();
  readonly #stopping = new Map<string, Promise<void>>();
  #closed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Restarts polling from a mapping's stored state, which may have changed or be gone. */
  async restart(uuid: string): Promise<void> {
    const running = this.#pollers.get(uuid);
    this.#pollers.delete(uuid);
    const stopped = Promise.all([this.#stopping.get(uuid), running?.stop()]).then(() => {});
    this.#stopping.set(uuid, stopped);
    await stopped;
    if (this.#stopping.get(uuid) !== stopped) return;
    this.#stopping.delete(uuid);
    const mapping = this.#deps.mappings.all().find((each) => each.uuid === uuid);
    if (mapping?.enabled && !this.#closed) this.#pollers.set(uuid, this.#start(mapping));
  }

  lastResult(uuid: string): string {
    return this.#pollers.get(uuid)?.lastResult ?? 'No records processed';
  }

  /** Stops reading; resolves when calls in flight have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#stopping.values(), ...[...this.#pollers.values()].map((poller) => poller.stop())]);
  }

  #start(mapping: Mapping): Poller {
    const { context, sqs, invoker } = this.#deps;
    return mapping.source === 'sqs'
      ? new SqsPoller(context, sqs, invoker, mapping)
      : new StreamPoller(this.#deps, mapping);
  }
}
