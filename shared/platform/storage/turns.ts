import { randomUUID } from 'node:crypto';
import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type Patience, tries } from '../concurrency/tries.ts';
import { ifHolds } from './if-holds.ts';
import { workspaceKey } from './keys.ts';
import type { Table } from './table.ts';

/**
 * The others go on after this time if a writer has died. A writer that works longer may lose its try to another one.
 */
const TURN_MS = 30_000;
const KEPT_SECONDS = 24 * 60 * 60;

/** What many writers change by optimistic writes, such as `dataset#<id>`. */
export interface TurnsOf {
  workspaceId: string;
  name: string;
}

/**
 * Repeats an optimistic write until it returns a result; undefined if `patience` ends first. Once a writer has lost a
 * try, or finds others that have, it waits for its turn: so hundreds of writers lose a try or two each, instead of
 * keeping each other from writing. A turn decides nothing: the write must hold by its own conditions.
 */
export async function inTurns<T>(
  table: Table,
  of: TurnsOf,
  patience: Patience,
  write: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const turn = new Turn(table, of);
  try {
    for await (const count of tries(patience)) {
      if ((count > 1 || (await turn.isTaken())) && !(await turn.take(patience))) return undefined;
      const done = await write();
      if (done !== undefined) return done;
    }
    return undefined;
  } finally {
    // The turn ends by itself as well.
    await turn.leave().catch(() => undefined);
  }
}

class Turn {
  readonly #table: Table;
  readonly #key: ReturnType<typeof workspaceKey>;
  readonly #holder = randomUUID();
  #isHeld = false;

  constructor(table: Table, { workspaceId, name }: TurnsOf) {
    this.#table = table;
    this.#key = workspaceKey(workspaceId, 'TURN', name);
  }

  /** Whether another writer has its turn. */
  async isTaken(): Promise<boolean> {
    const { name: TableName, db } = this.#table;
    const { Item: item } = await db.send(new GetCommand({ TableName, Key: this.#key }));
    return item !== undefined && item.holder !== this.#holder && item.until > this.#table.now().getTime();
  }

  /** Waits for the turn, or extends it. Returns false if `patience` ends first. */
  async take(patience: Patience): Promise<boolean> {
    for await (const _try of tries(patience)) {
      // A read costs less than a write that fails.
      if (!(await this.isTaken()) && (await this.#tryTake())) return true;
    }
    return false;
  }

  async #tryTake(): Promise<boolean> {
    const now = this.#table.now().getTime();
    const until = now + TURN_MS;
    const put = new PutCommand({
      TableName: this.#table.name,
      Item: {
        ...this.#key,
        entity: 'turn',
        holder: this.#holder,
        until,
        expiresAt: Math.ceil(until / 1000) + KEPT_SECONDS,
      },
      ConditionExpression: 'attribute_not_exists(pk) OR holder = :holder OR #until <= :now',
      ExpressionAttributeNames: { '#until': 'until' },
      ExpressionAttributeValues: { ':holder': this.#holder, ':now': now },
    });
    this.#isHeld = await ifHolds(this.#table.db.send(put));
    return this.#isHeld;
  }

  async leave(): Promise<void> {
    if (!this.#isHeld) return;
    const remove = new DeleteCommand({
      TableName: this.#table.name,
      Key: this.#key,
      ConditionExpression: 'holder = :holder',
      ExpressionAttributeValues: { ':holder': this.#holder },
    });
    await ifHolds(this.#table.db.send(remove));
  }
}
