import type { Table } from '../../../../shared/platform/storage/table.ts';
import { type PermitsInUse, permitsInUse, removeCounters, replaceLeases, type SenderLeases } from './lease-item.ts';
import type { Lease } from './permit-rules.ts';

/** A permit can be reused as long as it outlives a request that starts now. */
const REUSED_FOR_MS = 15_000;
/** Counters at zero before they are removed from the item. */
const MAX_IDLE_COUNTERS = 20;

/** The leases of one sender as the item of its workspace stores them, and the permits that all senders use. */
export class StoredLeases {
  readonly #table: Table;
  readonly #workspaceId: string;
  readonly #now: () => number;
  readonly #requestMs: number;
  /** As last read; empty at first. */
  #inUse: PermitsInUse = { counters: {}, senders: [] };
  #own: SenderLeases;

  constructor(table: Table, options: { workspaceId: string; sender: string; now: () => number; requestMs: number }) {
    this.#table = table;
    this.#workspaceId = options.workspaceId;
    this.#own = noLeases(options.sender);
    this.#now = options.now;
    this.#requestMs = options.requestMs;
  }

  get counters(): PermitsInUse['counters'] {
    return this.#inUse.counters;
  }

  get own(): readonly Lease[] {
    return this.#own.leases;
  }

  /** Whether the leases outlive a request that starts now. */
  outlivesRequest(): boolean {
    return this.#own.until >= this.#now() + this.#requestMs;
  }

  /**
   * Stores the sender's leases, with a new term if they are `isMore` than before; returns whether the write succeeded.
   */
  async replace(leases: readonly Lease[], isMore: boolean): Promise<boolean> {
    const next: SenderLeases = {
      sender: this.#own.sender,
      version: this.#own.version + 1,
      until: isMore ? this.#now() + this.#requestMs + REUSED_FOR_MS : this.#own.until,
      leases: [...leases],
    };
    const { isReplaced, inUse } = await replaceLeases(this.#table, this.#workspaceId, this.#own, next);
    this.#inUse = inUse;
    // The item is authoritative: another sender may have removed this one, or the response to a write was lost.
    const found = inUse.senders.find(({ sender }) => sender === this.#own.sender);
    this.#own = found ?? noLeases(this.#own.sender);
    return isReplaced;
  }

  /**
   * Whether another try may find free permits: after a fresh read, or after leases of crashed senders were subtracted.
   */
  async mayHaveFreed(isFresh: boolean): Promise<boolean> {
    if (!isFresh) this.#inUse = await permitsInUse(this.#table, this.#workspaceId);
    const isFreed = await this.#subtractCrashed();
    return isFreed || !isFresh;
  }

  /**
   * Subtracts the leases of crashed senders, and removes counters of idle webhooks. Returns whether permits may have
   * become free.
   */
  async #subtractCrashed(): Promise<boolean> {
    const now = this.#now();
    const crashed = this.#inUse.senders.filter(({ sender, until }) => until < now && sender !== this.#own.sender);
    for (const each of crashed) {
      const removed = { ...noLeases(each.sender), until: each.until };
      this.#inUse = (await replaceLeases(this.#table, this.#workspaceId, each, removed)).inUse;
    }
    const idle = Object.entries(this.#inUse.counters).flatMap(([name, count]) => (count === 0 ? [name] : []));
    if (idle.length > MAX_IDLE_COUNTERS) await removeCounters(this.#table, this.#workspaceId, idle);
    return crashed.length > 0;
  }
}

const noLeases = (sender: string): SenderLeases => ({ sender, version: 0, until: 0, leases: [] });
