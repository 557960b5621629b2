import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { workspaceKey } from '../../../platform/storage/keys.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import type { Table } from '../../../platform/storage/table.ts';

const HOUR_SECONDS = 60 * 60;

/** Counts what the readers of links do in each clock hour, with an item for each link and hour that ends by itself. */
export class HourlyCount {
  readonly #table: Table;
  readonly #area: string;

  constructor(table: Table, area: string) {
    this.#table = table;
    this.#area = area;
  }

  /**
   * Counts so many more, and returns how many there are with them. Undefined, without counting, if there were more than
   * `max`.
   */
  async add(workspaceId: string, name: string, max: number, more = 1): Promise<number | undefined> {
    if (more > max) return undefined;
    let used: number | undefined;
    const added = this.#update(workspaceId, name, more, 'attribute_not_exists(used) OR used <= :limit', max - more);
    await ifHolds(added.then((count) => (used = count)));
    return used;
  }

  async subtract(workspaceId: string, name: string): Promise<void> {
    await ifHolds(this.#update(workspaceId, name, -1, 'used > :limit', 0));
  }

  /** The counts of this hour by name. */
  async counts(workspaceId: string, names: readonly string[]): Promise<Map<string, number>> {
    const hour = this.#hour();
    const items = await readItems(
      this.#table,
      names.map((name) => this.#key(workspaceId, name, hour)),
    );
    return new Map(items.map(({ sk, used }) => [sk as string, used as number]));
  }

  secondsLeft(): number {
    return this.#hour() + HOUR_SECONDS - this.#now();
  }

  async #update(workspaceId: string, name: string, by: number, condition: string, limit: number): Promise<number> {
    const hour = this.#hour();
    const { Attributes } = await this.#table.db.send(
      new UpdateCommand({
        TableName: this.#table.name,
        Key: this.#key(workspaceId, name, hour),
        UpdateExpression: 'ADD used :by SET expiresAt = :expiresAt',
        ConditionExpression: condition,
        ExpressionAttributeValues: { ':by': by, ':limit': limit, ':expiresAt': hour + 2 * HOUR_SECONDS },
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    return Attributes!.used as number;
  }

  #key(workspaceId: string, name: string, hour: number) {
    return workspaceKey(workspaceId, `${this.#area}#${hour}`, name);
  }

  #hour(): number {
    const now = this.#now();
    return now - (now % HOUR_SECONDS);
  }

  #now(): number {
    return Math.floor(this.#table.now().getTime() / 1000);
  }
}
