import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { forgetCounters, type PermitsInUse, permitsInUse, replaceLeases, type SenderLeases } from './lease-item.ts';
import { isCrowded, type Lease, type PermitKind, replaced, roomFor } from './permit-rules.ts';

/** A permit can be used again for as long as it outlives a request that begins now. */
const REUSED_FOR_MS = 15_000;
/** Requests of one batch ask within moments of each other; one write serves them all. */
const GATHER_MS = 2;
/** What they give back can wait for the next that ends. */
const GATHER_RETURNS_MS = 20;
const MAX_TRIES = 4;
/** Counters of webhooks that have no permits now, before they are swept out of the item. */
const MAX_IDLE_COUNTERS = 20;
const FIRST_PAUSE_MS = 100;

/** The right to have one request under way; belongs to the sender that took it. */
export interface Permit {
  readonly workspaceId: string;
  readonly share: Share;
}

/** What this sender has of one webhook's permits. */
interface Share {
  readonly webhookId: string;
  /** As it was when a permit was last asked for. */
  kind: PermitKind;
  /** Permits that are written down. */
  leased: number;
  /** Those with a request under way. */
  busy: number;
  /** Deliveries that take the next permit which is given back. */
  readonly waiting: Set<() => void>;
  /** Deliveries that want one more written down. */
  asked: Asked[];
  /** Idle ones are to be given back, and the others written down as of the kind that the webhook is now. */
  isToShrink: boolean;
}

interface Asked {
  answer: (isGranted: boolean) => void;
  fail: (error: unknown) => void;
}

interface Options {
  now: () => Date;
  /** The longest that a request and the writing down of its outcome take. */
  requestMs: number;
  /**
   * How long a delivery waits for a permit that another one of the same sender is using, and half of it for one that
   * other senders have: a round through the queue costs more.
   */
  patienceMs: number;
}

/**
 * Bounds the requests under way of a webhook and of a workspace. What is in use lies in one item per workspace: counters,
 * and the leases of senders, so that those of one that died can be counted back. What a sender has leased stays with it for some seconds unless others may want it,
 * and passes from one delivery to the next: steady traffic costs no write per delivery.
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

  /** Undefined when there is none to be had now. */
  async take(workspaceId: string, webhook: { id: string; kind: PermitKind }): Promise<Permit | undefined> {
    const share = await this.#of(workspaceId).take(webhook);
    return share && { workspaceId, share };
  }

  /** `works`: the webhook does, so that its next delivery may use the permit again. */
  giveBack({ workspaceId, share }: Permit, { works }: { works: boolean }): void {
    this.#of(workspaceId).giveBack(share, works);
  }

  /** The request with the permit hangs, as it seems: it is in nobody's way among those of webhooks that work. */
  doubt({ workspaceId, share }: Permit): void {
    this.#of(workspaceId).doubt(share);
  }

  /** Resolves when everything that was given back is written down: a frozen function writes nothing. */
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
  readonly #patienceMs: number;
  /** Of one sender all ask again together, of several each at a time of its own. */
  readonly #jitter = 1 + Math.random();
  readonly #shares = new Map<string, Share>();
  /** What was in use when this sender last looked; nothing, as far as it knows at first. */
  #seen: PermitsInUse = { counters: {}, senders: [] };
  /** What is written down of this sender. */
  #own: SenderLeases;
  #writing: Promise<void> | undefined;

  constructor(table: Table, options: Options & { workspaceId: string; sender: string }) {
    this.#table = table;
    this.#workspaceId = options.workspaceId;
    this.#own = nothing(options.sender);
    this.#now = () => options.now().getTime();
    this.#requestMs = options.requestMs;
    this.#patienceMs = options.patienceMs;
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
      // One in doubt waits in the queue, and leaves its sender to others, unless it has its turn with this sender anyway.
      if (share.kind === 'failing' || (share.kind === 'doubtful' && share.busy === 0)) return undefined;
      const longest = share.busy > 0 ? this.#patienceMs : this.#patienceMs / 2;
      const leftMs = longest - (performance.now() - askedAt);
      if (leftMs <= 0) return undefined;
      if (await this.#isPassedOn(share, Math.min(leftMs, pauseMs * this.#jitter))) return share;
    }
  }

  giveBack(share: Share, works: boolean): void {
    const [next] = share.waiting;
    if (works && next && this.#isLasting()) {
      share.waiting.delete(next);
      next();
      return;
    }
    share.busy -= 1;
    if (works && share.kind !== 'failing' && !isCrowded(this.#seen.counters, share)) return;
    share.isToShrink = true;
    this.#write();
  }

  doubt(share: Share): void {
    if (share.kind !== 'proven') return;
    share.kind = 'doubtful';
    share.isToShrink = true;
    this.#write();
  }

  async settled(): Promise<void> {
    await this.#writing;
  }

  /** Whether there is nothing to remember. */
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
      share = { webhookId, kind, leased: 0, busy: 0, waiting, asked: [], isToShrink: false };
      this.#shares.set(webhookId, share);
    }
    share.kind = kind;
    return share;
  }

  /** Whether what is leased outlives a request that begins now. */
  #isLasting(): boolean {
    return this.#own.until >= this.#now() + this.#requestMs;
  }

  #hasIdle(share: Share): boolean {
    return share.leased > share.busy && this.#isLasting();
  }

  /** Whether one more was written down; it counts as busy from then on. */
  #isGranted(share: Share): Promise<boolean> {
    return new Promise((answer, fail) => {
      share.asked.push({ answer, fail });
      this.#write();
    });
  }

  /** Whether a delivery of this sender gave its permit to this one in that time. */
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
    while (this.#isAsked() || this.#isReturned()) {
      await sleep(this.#isAsked() ? GATHER_MS : GATHER_RETURNS_MS);
      if (!this.#isAsked()) {
        // What is given back lapses when it cannot be written down.
        await this.#shrink().catch(() => undefined);
        continue;
      }
      const asked = new Map([...this.#shares.values()].map((share) => [share, share.asked.splice(0)]));
      try {
        const granted = await this.#grow(asked);
        for (const [share, each] of asked) {
          const count = granted.get(share) ?? 0;
          for (const [index, { answer }] of each.entries()) answer(index < count);
        }
      } catch (error) {
        for (const { fail } of [...asked.values()].flat()) fail(error);
      }
    }
  }

  /** How many were granted of each share. Gives back besides what is idle and wanted elsewhere. */
  async #grow(asked: ReadonlyMap<Share, readonly Asked[]>): Promise<Map<Share, number>> {
    let isFresh = false;
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const kept = this.#kept();
      let counters = replaced(this.#seen.counters, this.#own.leases, leasesOf(kept));
      const granted = new Map<Share, number>();
      for (const [share, { length }] of asked) {
        const count = Math.min(length, roomFor(counters, share));
        if (count === 0) continue;
        granted.set(share, count);
        counters = replaced(counters, [], [{ webhookId: share.webhookId, kind: share.kind, count }]);
      }
      if (granted.size > 0) {
        const wanted = new Map([...kept].map(([share, count]) => [share, count + (granted.get(share) ?? 0)]));
        if (await this.#replace(wanted)) {
          for (const [share, count] of granted) share.busy += count;
          return granted;
        }
        isFresh = true;
        continue;
      }
      // All are in use, as far as this sender knows.
      if (!isFresh) this.#seen = await permitsInUse(this.#table, this.#workspaceId);
      if (!(await this.#countBack()) && isFresh) {
        if (this.#isReturned()) await this.#shrink();
        return granted;
      }
      isFresh = true;
    }
    return new Map();
  }

  async #shrink(): Promise<void> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) if (await this.#replace(this.#kept())) return;
  }

  /** Of each share what is busy, and what is idle and may be used again. */
  #kept(): Map<Share, number> {
    const shares = [...this.#shares.values()];
    return new Map(
      shares.map((share) => {
        const isKept = !share.isToShrink && this.#hasIdle(share) && !isCrowded(this.#seen.counters, share);
        return [share, isKept ? share.leased : share.busy];
      }),
    );
  }

  /** Whether it is written down that this sender has so many permits of each share. */
  async #replace(wanted: ReadonlyMap<Share, number>): Promise<boolean> {
    // Before the write: what is given back must not be taken meanwhile.
    for (const [share, count] of wanted) {
      share.leased = Math.min(share.leased, count);
      share.isToShrink = false;
    }
    const leases = leasesOf(wanted);
    const isMore = [...wanted].some(([share, count]) => count > share.leased);
    const next: SenderLeases = {
      sender: this.#own.sender,
      version: this.#own.version + 1,
      until: isMore ? this.#now() + this.#requestMs + REUSED_FOR_MS : this.#own.until,
      leases,
    };
    const { isReplaced, inUse } = await replaceLeases(this.#table, this.#workspaceId, this.#own, next);
    this.#seen = inUse;
    // Whoever forgot this sender, or wrote for it while its answer was lost, has left what the item says.
    const found = inUse.senders.find(({ sender }) => sender === this.#own.sender);
    this.#own = found ?? nothing(this.#own.sender);
    if (isReplaced) for (const [share, count] of wanted) share.leased = count;
    return isReplaced;
  }

  /**
   * Counts back what senders had that have died, and forgets counters of webhooks that have nothing. Answers whether there
   * may be more room than before.
   */
  async #countBack(): Promise<boolean> {
    const now = this.#now();
    const dead = this.#seen.senders.filter(({ sender, until }) => until < now && sender !== this.#own.sender);
    for (const each of dead) {
      const gone = { ...nothing(each.sender), until: each.until };
      this.#seen = (await replaceLeases(this.#table, this.#workspaceId, each, gone)).inUse;
    }
    const idle = Object.entries(this.#seen.counters).flatMap(([name, count]) => (count === 0 ? [name] : []));
    if (idle.length > MAX_IDLE_COUNTERS) await forgetCounters(this.#table, this.#workspaceId, idle);
    return dead.length > 0;
  }

  #isAsked(): boolean {
    return [...this.#shares.values()].some(({ asked }) => asked.length > 0);
  }

  #isReturned(): boolean {
    return [...this.#shares.values()].some(({ isToShrink }) => isToShrink);
  }
}

const nothing = (sender: string): SenderLeases => ({ sender, version: 0, until: 0, leases: [] });

function leasesOf(counts: ReadonlyMap<Share, number>): Lease[] {
  return [...counts].flatMap(([{ webhookId, kind }, count]) => (count > 0 ? [{ webhookId, kind, count }] : []));
}
