import type { CloudContext } from '../../core/service.ts';
import type { CapacityMeter } from './capacity.ts';
import type { Catalogue } from './catalogue.ts';
import type { Items } from './items.ts';
import type { Store } from './store.ts';
import type { StreamWriter } from './stream-records.ts';

/** Shared parts of the operations. */
export interface Engine {
  readonly context: CloudContext;
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly items: Items;
  readonly streams: StreamWriter;
  readonly meter: CapacityMeter;
}

/** Runs `work` in one transaction and notifies stream readers after the commit. */
export function commit<T>(engine: Engine, work: () => T): T {
  try {
    const result = engine.store.transaction(work);
    engine.streams.notify();
    return result;
  } catch (error) {
    engine.streams.forget();
    throw error;
  }
}
