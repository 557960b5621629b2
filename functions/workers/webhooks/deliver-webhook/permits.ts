import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { type PermitsInUse, permitsInUse, removeCounters, replaceLeases, type SenderLeases } from './lease-item.ts';
import { freePermits, isCrowded, type Lease, type PermitKind, withReplacedLeases } from './permit-rules.ts';

/** A permit can be reused as long as it outlives a request that starts now. */
const REUSED_FOR_MS = 15_000;
/** Requests of one batch ask for permits within moments of each other; one write serves all of them. */
const GATHER_MS = 2;
/** Returned permits are less urgent; they wait for more of their kind. */
const GATHER_RETURNS_MS = 20;
const MAX_TRIES = 4;
/** Counters at zero before they are removed from the item. */
const MAX_IDLE_COUNTERS = 20;
const FIRST_PAUSE_MS = 100;

/** The right to one request in progress; belongs to the sender that took it. */
export interface Permit {
  readonly workspaceId: string;
  readonly share: Share;
}

/** What this sender holds of one webhook's permits. */
interface Share {
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

interface Options {
  now: () => Date;
  /** The longest time for a request and for storing its outcome. */
  requestMs: number;
  /**
   * How long a delivery waits for a permit that another delivery of this sender uses. It waits half as long for a
   * permit of other senders. Going back through the queue costs more.
   */
  maxWaitMs: number;
}

/**
 * Limits the requests in progress of a webhook and of a workspace. One item per workspace stores the counters and the
 * leases of each sender, so that leases of a crashed sender can be subtracted again. A sender keeps a lease for some
 * seconds unless others may need it, and hands it from one delivery to the next. Steady traffic therefore costs no
 * write per delivery.
 */
export class Permits {
  readonly #table: Table;
  readonly #options: Options;
  readonly #sender = randomBytes(6).toString('base64url');
  readonly #workspaces = new Map<string, WorkspacePermits>();

  constructor(table: Table, options: Options) {
    this.#table = table;
    this.#options = options;
  }

  /** Takes a permit; undefined when none is free. */
  async take(workspaceId: string, webhook: { id: string; kind: PermitKind }): Promise<Permit | undefined> {
    const share = await this.#of(workspaceId).take(webhook);
    return share && { workspaceId, share };
  }

  /** Returns a permit. With `works` the next delivery of the webhook may reuse it. */
  giveBack({ workspaceId, share }: Permit, { works }: { works: boolean }): void {
    this.#of(workspaceId).giveBack(share, works);
  }

  /**
   * Marks the webhook as doubtful because its request seems to hang. The permit then no longer counts among those of
   * proven webhooks.
   */
  markDoubtful({ workspaceId, share }: Permit): void {
    this.#of(workspaceId).markDoubtful(share);
  }

  /** Resolves when every returned permit is stored: a frozen function writes nothing. */
  async settled(): Promise<void> {
    await Promise.all([...this.#workspaces.values()].map((workspace) => workspace.settled()));
    for (const [id, workspace] of this.#workspaces) if (workspace.isEmpty()) this.#workspaces.delete(id);
  }

  #of(workspaceId: string): WorkspacePermits {
    let workspace = this.#workspaces.get(workspaceId);
    if (!workspace) {
      workspace = new WorkspacePermits(this.#table, { ...this.#options, workspaceId, sender: this.#sender });
      this.#workspaces.set(workspaceId, workspace);
    }
    return workspace;
  }
}

class WorkspacePermits {
  readonly #table: Table;
  readonly #workspaceId: string;
  readonly #now: () => number;
  readonly #requestMs: number;
  readonly #maxWaitMs: number;
  /** All deliveries of a sender retry together; different senders retry at different times. */
  readonly #jitter = 1 + Math.random();
  readonly #shares = new Map<string, Share>();
  /** Permits in use as last read by this sender; empty at first. */
  #inUse: PermitsInUse = { counters: {}, senders: [] };
  /** The stored leases of this sender. */
  #stored: SenderLeases;
  #writing: Promise<void> | undefined;

  constructor(table: Table, options: Options & { workspaceId: string; sender: string }) {
    this.#table = table;
    this.#workspaceId = options.workspaceId;
    this.#stored = noLeases(options.sender);
    this.#now = () => options.now().getTime();
    this.#requestMs = options.requestMs;
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
    if (works && next && this.#outlivesRequest()) {
      share.waiting.delete(next);
      next();
      return;
    }
    share.busy -= 1;
    if (works && share.kind !== 'failing' && !isCrowded(this.#inUse.counters, share)) return;
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

  /** Whether the leases outlive a request that starts now. */
  #outlivesRequest(): boolean {
    return this.#stored.until >= this.#now() + this.#requestMs;
  }

  #hasIdle(share: Share): boolean {
    return share.leased > share.busy && this.#outlivesRequest();
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
      } else if (!(await this.#mayHaveFreed(isFresh))) {
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
    let counters = withReplacedLeases(this.#inUse.counters, this.#stored.leases, leasesOf(retained));
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

  /** Whether another try may find free permits: after a fresh read, or after leases of crashed senders were subtracted. */
  async #mayHaveFreed(isFresh: boolean): Promise<boolean> {
    if (!isFresh) this.#inUse = await permitsInUse(this.#table, this.#workspaceId);
    const isFreed = await this.#subtractCrashed();
    return isFreed || !isFresh;
  }

  async #shrink(): Promise<void> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) if (await this.#replace(this.#retained())) return;
  }

  /** Per share, the busy permits plus the idle ones that may be reused. */
  #retained(): Map<Share, number> {
    const shares = [...this.#shares.values()];
    return new Map(
      shares.map((share) => {
        const isReused = !share.isToShrink && this.#hasIdle(share) && !isCrowded(this.#inUse.counters, share);
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
    const leases = leasesOf(wanted);
    const isMore = [...wanted].some(([share, count]) => count > share.leased);
    const next: SenderLeases = {
      sender: this.#stored.sender,
      version: this.#stored.version + 1,
      until: isMore ? this.#now() + this.#requestMs + REUSED_FOR_MS : this.#stored.until,
      leases,
    };
    const { isReplaced, inUse } = await replaceLeases(this.#table, this.#workspaceId, this.#stored, next);
    this.#inUse = inUse;
    // The item is authoritative: another sender may have removed this one, or the response to a write was lost.
    const found = inUse.senders.find(({ sender }) => sender === this.#stored.sender);
    this.#stored = found ?? noLeases(this.#stored.sender);
    if (isReplaced) for (const [share, count] of wanted) share.leased = count;
    return isReplaced;
  }

  /**
   * Subtracts the leases of crashed senders, and removes counters of idle webhooks. Returns whether permits may have
   * become free.
   */
  async #subtractCrashed(): Promise<boolean> {
    const now = this.#now();
    const crashed = this.#inUse.senders.filter(({ sender, until }) => until < now && sender !== this.#stored.sender);
    for (const each of crashed) {
      const removed = { ...noLeases(each.sender), until: each.until };
      this.#inUse = (await replaceLeases(this.#table, this.#workspaceId, each, removed)).inUse;
    }
    const idle = Object.entries(this.#inUse.counters).flatMap(([name, count]) => (count === 0 ? [name] : []));
    if (idle.length > MAX_IDLE_COUNTERS) await removeCounters(this.#table, this.#workspaceId, idle);
    return crashed.length > 0;
  }

  #hasRequests(): boolean {
    return [...this.#shares.values()].some(({ requests }) => requests.length > 0);
  }

  #hasReturns(): boolean {
    return [...this.#shares.values()].some(({ isToShrink }) => isToShrink);
  }
}

const noLeases = (sender: string): SenderLeases => ({ sender, version: 0, until: 0, leases: [] });

function leasesOf(counts: ReadonlyMap<Share, number>): Lease[] {
  return [...counts].flatMap(([{ webhookId, kind }, count]) => (count > 0 ? [{ webhookId, kind, count }] : []));
}
