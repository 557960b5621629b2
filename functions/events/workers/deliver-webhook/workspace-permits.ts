import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { freePermits, isCrowded, type Lease, type PermitKind, withReplacedLeases } from './permit-rules.ts';
import { StoredLeases } from './stored-leases.ts';

/** Requests of one batch ask for permits within moments of each other; one write serves all of them. */
const GATHER_MS = 2;
/** Returned permits are less urgent; they wait for more of their kind. */
const GATHER_RETURNS_MS = 20;
const MAX_TRIES = 4;
const FIRST_PAUSE_MS = 100;

/** What this sender holds of one webhook's permits. */
export interface Share {
  readonly webhookId: string;
  /** As of the last request for a permit. */
  kind: PermitKind;
  /** Permits that are stored. */
  leased: number;
  /** Permits whose request is in progress. */
  busy: number;
  /** Deliveries that take the next permit that is returned. */
  readonly waiting: Set<() => void>;
  /** Deliveries that need one more permit stored. */
  requests: PermitRequest[];
  /** Whether to return idle permits, and to store the others under the webhook's current kind. */
  isToShrink: boolean;
}

type Requested = ReadonlyMap<Share, readonly PermitRequest[]>;

interface PermitRequest {
  resolve: (isGranted: boolean) => void;
  reject: (error: unknown) => void;
}

export interface PermitOptions {
  now: () => Date;
  /** The longest time for a request and for storing its outcome. */
  requestMs: number;
  /**
   * How long a delivery waits for a permit that another delivery of this sender uses. It waits half as long for a
   * permit of other senders. Going back through the queue costs more.
   */
  maxWaitMs: number;
}

/** The permits of a workspace that one sender holds, handed from delivery to delivery. */
export class WorkspacePermits {
  readonly #leases: StoredLeases;
  readonly #maxWaitMs: number;
  /** All deliveries of a sender retry together; different senders retry at different times. */
  readonly #jitter = 1 + Math.random();
  readonly #shares = new Map<string, Share>();
  #writing: Promise<void> | undefined;

  constructor(table: Table, { now, ...options }: PermitOptions & { workspaceId: string; sender: string }) {
    this.#leases = new StoredLeases(table, { ...options, now: () => now().getTime() });
    this.#maxWaitMs = options.maxWaitMs;
  }

  async take(webhook: { id: string; kind: PermitKind }): Promise<Share | undefined> {
    const share = this.#shareOf(webhook);
    const askedAt = performance.now();
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
      if (this.#hasIdle(share)) {
        share.busy += 1;
        return share;
      }
      if (await this.#isGranted(share)) return share;
      // A webhook that is not proven waits in the queue, unless another delivery of this sender will return a permit
      // soon.
      if (share.kind === 'failing' || (share.kind === 'doubtful' && share.busy === 0)) return undefined;
      const longest = share.busy > 0 ? this.#maxWaitMs : this.#maxWaitMs / 2;
      const leftMs = longest - (performance.now() - askedAt);
      if (leftMs <= 0) return undefined;
      if (await this.#isPassedOn(share, Math.min(leftMs, pauseMs * this.#jitter))) return share;
    }
  }

  giveBack(share: Share, works: boolean): void {
    const [next] = share.waiting;
    if (works && next && this.#leases.outlivesRequest()) {
      share.waiting.delete(next);
      next();
      return;
    }
    share.busy -= 1;
    if (works && share.kind !== 'failing' && !isCrowded(this.#leases.counters, share)) return;
    share.isToShrink = true;
    this.#write();
  }

  markDoubtful(share: Share): void {
    if (share.kind !== 'proven') return;
    share.kind = 'doubtful';
    share.isToShrink = true;
    this.#write();
  }

  async settled(): Promise<void> {
    await this.#writing;
  }

  /** Whether the object holds no state and can be dropped. */
  isEmpty(): boolean {
    for (const share of this.#shares.values()) {
      if (share.busy === 0 && !this.#hasIdle(share)) this.#shares.delete(share.webhookId);
    }
    return this.#shares.size === 0;
  }

  #shareOf({ id: webhookId, kind }: { id: string; kind: PermitKind }): Share {
    let share = this.#shares.get(webhookId);
    if (!share) {
      const waiting = new Set<() => void>();
      share = { webhookId, kind, leased: 0, busy: 0, waiting, requests: [], isToShrink: false };
      this.#shares.set(webhookId, share);
    }
    share.kind = kind;
    return share;
  }

  #hasIdle(share: Share): boolean {
    return share.leased > share.busy && this.#leases.outlivesRequest();
  }

  /** Resolves to whether one more permit was stored; it counts as busy from then on. */
  #isGranted(share: Share): Promise<boolean> {
    return new Promise((resolve, reject) => {
      share.requests.push({ resolve, reject });
      this.#write();
    });
  }

  /** Resolves to whether another delivery of this sender handed over its permit in time. */
  #isPassedOn(share: Share, milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const take = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        share.waiting.delete(take);
        resolve(false);
      }, milliseconds);
      share.waiting.add(take);
    });
  }

  #write(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#hasRequests() || this.#hasReturns()) {
      await sleep(this.#hasRequests() ? GATHER_MS : GATHER_RETURNS_MS);
      if (!this.#hasRequests()) {
        // If the write fails, the returned permits expire.
        await this.#shrink().catch(() => undefined);
        continue;
      }
      const requested = new Map([...this.#shares.values()].map((share) => [share, share.requests.splice(0)]));
      try {
        const granted = await this.#grow(requested);
        for (const [share, each] of requested) {
          const count = granted.get(share) ?? 0;
          for (const [index, { resolve }] of each.entries()) resolve(index < count);
        }
      } catch (error) {
        for (const { reject } of [...requested.values()].flat()) reject(error);
      }
    }
  }

  /**
   * Stores the requested permits as far as limits allow, and returns how many each share received. Returns idle permits
   * in the same write.
   */
  async #grow(requested: Requested): Promise<Map<Share, number>> {
    let isFresh = false;
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const { granted, wanted } = this.#plan(requested);
      if (granted.size > 0) {
        if (await this.#replace(wanted)) {
          for (const [share, count] of granted) share.busy += count;
          return granted;
        }
      } else if (!(await this.#leases.mayHaveFreed(isFresh))) {
        if (this.#hasReturns()) await this.#shrink();
        return granted;
      }
      isFresh = true;
    }
    return new Map();
  }

  /** Grants what the counters allow, as far as this sender knows them; `wanted` are the permits of each share then. */
  #plan(requested: Requested): { granted: Map<Share, number>; wanted: Map<Share, number> } {
    const retained = this.#retained();
    let counters = withReplacedLeases(this.#leases.counters, this.#leases.own, leasesOf(retained));
    const granted = new Map<Share, number>();
    for (const [share, { length }] of requested) {
      const count = Math.min(length, freePermits(counters, share));
      if (count === 0) continue;
      granted.set(share, count);
      counters = withReplacedLeases(counters, [], [{ webhookId: share.webhookId, kind: share.kind, count }]);
    }
    const wanted = new Map([...retained].map(([share, count]) => [share, count + (granted.get(share) ?? 0)]));
    return { granted, wanted };
  }

  async #shrink(): Promise<void> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) if (await this.#replace(this.#retained())) return;
  }

  /** Per share, the busy permits plus the idle ones that may be reused. */
  #retained(): Map<Share, number> {
    const shares = [...this.#shares.values()];
    return new Map(
      shares.map((share) => {
        const isReused = !share.isToShrink && this.#hasIdle(share) && !isCrowded(this.#leases.counters, share);
        return [share, isReused ? share.leased : share.busy];
      }),
    );
  }

  /** Stores this sender's number of permits per share; returns whether the write succeeded. */
  async #replace(wanted: ReadonlyMap<Share, number>): Promise<boolean> {
    // Before the write: a permit that is being returned must not be taken.
    for (const [share, count] of wanted) {
      share.leased = Math.min(share.leased, count);
      share.isToShrink = false;
    }
    const isMore = [...wanted].some(([share, count]) => count > share.leased);
    const isReplaced = await this.#leases.replace(leasesOf(wanted), isMore);
    if (isReplaced) for (const [share, count] of wanted) share.leased = count;
    return isReplaced;
  }

  #hasRequests(): boolean {
    return [...this.#shares.values()].some(({ requests }) => requests.length > 0);
  }

  #hasReturns(): boolean {
    return [...this.#shares.values()].some(({ isToShrink }) => isToShrink);
  }
}

function leasesOf(counts: ReadonlyMap<Share, number>): Lease[] {
  return [...counts].flatMap(([{ webhookId, kind }, count]) => (count > 0 ? [{ webhookId, kind, count }] : []));
}
