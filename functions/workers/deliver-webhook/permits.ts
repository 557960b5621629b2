import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { workspaceKey } from '../../../shared/storage/keys.ts';
import type { Table } from '../../../shared/storage/table.ts';
import { isCrowded, type Permit, withPermit } from './permit-rules.ts';

/** A permit can be used again for as long as it outlives a request that begins now. */
const REUSED_FOR_MS = 15_000;
/** Requests of one batch ask within moments of each other; one write serves them all. */
const GATHER_MS = 2;
const MOST_TRIES = 8;

/** How long a delivery waits for a permit that another one of the same sender is using. */
const LONGEST_WAIT_MS = 4_000;

interface Waiting {
  webhookId: string;
  take: (permit: Permit | undefined) => void;
}

interface Asked {
  permit: Permit;
  answer: (isGranted: boolean) => void;
  fail: (error: unknown) => void;
}

interface Known {
  revision: number;
  inUse: readonly Permit[];
}

/**
 * Bounds the requests under way of a webhook and of a workspace. Permits in use lie in one item per workspace, as leases,
 * never as a count. A permit that was used stays with this sender for some seconds unless others may want it, so that
 * steady traffic costs no write per delivery.
 */
export class Permits {
  readonly #table: Table;
  readonly #now: () => Date;
  readonly #requestMs: number;
  readonly #workspaces = new Map<string, WorkspacePermits>();

  /** `requestMs`: the longest that a request and the writing down of its outcome take. */
  constructor(table: Table, options: { now: () => Date; requestMs: number }) {
    this.#table = table;
    this.#now = options.now;
    this.#requestMs = options.requestMs;
  }

  /** Undefined when there is none to be had now. */
  take(workspaceId: string, webhook: { id: string; isFailing: boolean }): Promise<Permit | undefined> {
    return this.#of(workspaceId).take(webhook);
  }

  /** `works`: the webhook does, so that its next delivery may use the permit again. */
  giveBack(workspaceId: string, permit: Permit, { works }: { works: boolean }): void {
    this.#of(workspaceId).giveBack(permit, works);
  }

  /** Resolves when everything that was given back is written down: a frozen function writes nothing. */
  async settled(): Promise<void> {
    await Promise.all([...this.#workspaces.values()].map((workspace) => workspace.settled()));
  }

  #of(workspaceId: string): WorkspacePermits {
    let workspace = this.#workspaces.get(workspaceId);
    if (!workspace) {
      const key = workspaceKey(workspaceId, 'WEBHOOK-PERMITS', 'IN-USE');
      workspace = new WorkspacePermits(this.#table, key, { now: this.#now, requestMs: this.#requestMs });
      this.#workspaces.set(workspaceId, workspace);
    }
    return workspace;
  }
}

class WorkspacePermits {
  readonly #table: Table;
  readonly #key: { pk: string; sk: string };
  readonly #now: () => number;
  readonly #requestMs: number;
  #idle: Permit[] = [];
  /** Permits of this sender that are in use, by webhook. */
  readonly #busy = new Map<string, number>();
  #waiting: Waiting[] = [];
  #asked: Asked[] = [];
  #returned: Permit[] = [];
  /** What the item is taken to say until a write shows that it says something else. */
  #known: Known | undefined;
  /** What was in use when this sender last looked. */
  #seen: readonly Permit[] = [];
  #writing: Promise<void> | undefined;

  constructor(table: Table, key: { pk: string; sk: string }, options: { now: () => Date; requestMs: number }) {
    this.#table = table;
    this.#key = key;
    this.#now = () => options.now().getTime();
    this.#requestMs = options.requestMs;
  }

  async take(webhook: { id: string; isFailing: boolean }): Promise<Permit | undefined> {
    const permit = this.#kept(webhook) ?? (await this.#ask(webhook)) ?? (await this.#next(webhook));
    if (permit) this.#count(permit, 1);
    return permit;
  }

  giveBack(permit: Permit, works: boolean): void {
    this.#count(permit, -1);
    const { webhookId, until } = permit;
    if (works && !permit.isFailing) {
      const next = this.#waiting.find((waiting) => waiting.webhookId === webhookId);
      if (next && until >= this.#now() + this.#requestMs) {
        this.#waiting = this.#waiting.filter((waiting) => waiting !== next);
        next.take(permit);
        return;
      }
      if (!isCrowded(this.#seen, webhookId)) {
        this.#idle.push(permit);
        return;
      }
    }
    this.#returned.push(permit);
    this.#write();
  }

  #count({ webhookId }: Permit, by: number): void {
    this.#busy.set(webhookId, (this.#busy.get(webhookId) ?? 0) + by);
  }

  /** One that this sender took before and nobody is using. */
  #kept({ id, isFailing }: { id: string; isFailing: boolean }): Permit | undefined {
    const now = this.#now();
    this.#idle = this.#idle.filter(({ until }) => until >= now + this.#requestMs);
    const kept = isFailing ? undefined : this.#idle.find(({ webhookId }) => webhookId === id);
    if (kept) this.#idle = this.#idle.filter((permit) => permit !== kept);
    return kept;
  }

  async #ask({ id: webhookId, isFailing }: { id: string; isFailing: boolean }): Promise<Permit | undefined> {
    const until = this.#now() + this.#requestMs + REUSED_FOR_MS;
    const permit = { id: randomBytes(6).toString('base64url'), webhookId, until, isFailing };
    const isGranted = await new Promise<boolean>((answer, fail) => {
      this.#asked.push({ permit, answer, fail });
      this.#write();
    });
    return isGranted ? permit : undefined;
  }

  /** The next that is given back by a delivery of this sender, if it has any under way to the webhook. */
  async #next({ id: webhookId, isFailing }: { id: string; isFailing: boolean }): Promise<Permit | undefined> {
    if (isFailing || (this.#busy.get(webhookId) ?? 0) === 0) return undefined;
    return new Promise((resolve) => {
      const waiting: Waiting = {
        webhookId,
        take: (permit) => {
          clearTimeout(timer);
          resolve(permit);
        },
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        resolve(undefined);
      }, LONGEST_WAIT_MS);
      this.#waiting.push(waiting);
    });
  }

  async settled(): Promise<void> {
    await this.#writing;
  }

  #write(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#asked.length > 0 || this.#returned.length > 0) {
      await sleep(GATHER_MS);
      const asked = this.#asked.splice(0);
      const returned = new Set(this.#returned.splice(0).map(({ id }) => id));
      try {
        const granted = await this.#change(asked, returned);
        for (const { permit, answer } of asked) answer(granted.has(permit.id));
      } catch (error) {
        // What was given back lapses.
        for (const { fail } of asked) fail(error);
      }
    }
  }

  /** The ids that were granted; none when too many senders write at once. */
  async #change(asked: readonly Asked[], returned: ReadonlySet<string>): Promise<Set<string>> {
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      const known = this.#known ?? (await this.#read());
      const now = this.#now();
      let inUse: readonly Permit[] = known.inUse.filter(({ id, until }) => until > now && !returned.has(id));
      const granted = new Set<string>();
      for (const { permit } of asked) {
        const next = withPermit(inUse, permit);
        inUse = next.inUse;
        if (next.isGranted) granted.add(permit.id);
      }
      this.#seen = inUse;
      this.#known = { revision: known.revision + 1, inUse };
      if (granted.size === 0 && returned.size === 0) {
        // All are in use: that is how it was read, and may be otherwise a moment later.
        this.#known = undefined;
        return granted;
      }
      if (await this.#put(known.revision, this.#known)) return granted;
      this.#known = undefined;
      await sleep(Math.random() * 5 * 2 ** tries);
    }
    return new Set();
  }

  async #read(): Promise<Known> {
    const found = await this.#table.db.send(
      new GetCommand({ TableName: this.#table.name, Key: this.#key, ConsistentRead: true }),
    );
    return (found.Item as Known | undefined) ?? { revision: 0, inUse: [] };
  }

  /** False when another sender was faster, or when our own write is repeated because its answer was lost. */
  async #put(seen: number, { revision, inUse }: Known): Promise<boolean> {
    const item = { ...this.#key, entity: 'webhook-permits', revision, inUse };
    const latest = Math.max(0, ...inUse.map(({ until }) => until));
    try {
      await this.#table.db.send(
        new PutCommand({
          TableName: this.#table.name,
          Item: { ...item, expiresAt: Math.ceil(latest / 1000) + 3600 },
          ConditionExpression: seen === 0 ? 'attribute_not_exists(pk)' : 'revision = :seen',
          ...(seen === 0 ? {} : { ExpressionAttributeValues: { ':seen': seen } }),
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      this.#known = undefined;
      throw error;
    }
  }
}
