import type { SecondaryIndex, TableDefinition } from './table.ts';

/** The requested level of detail (`ReturnConsumedCapacity`). */
export type CapacityDetail = 'INDEXES' | 'TOTAL' | 'NONE';

export function readUnits(sizeBytes: number, consistent: boolean): number {
  const units = Math.max(1, Math.ceil(sizeBytes / 4096));
  return consistent ? units : units / 2;
}

export function writeUnits(sizeBytes: number): number {
  return Math.max(1, Math.ceil(sizeBytes / 1024));
}

/** Read and write units that one request consumed, by table and index. */
export class Consumption {
  #table = 0;
  readonly #indexes = new Map<SecondaryIndex, number>();

  addToTable(units: number): void {
    this.#table += units;
  }

  addToIndex(index: SecondaryIndex, units: number): void {
    this.#indexes.set(index, (this.#indexes.get(index) ?? 0) + units);
  }

  add(other: Consumption): void {
    this.#table += other.#table;
    for (const [index, units] of other.#indexes) this.addToIndex(index, units);
  }

  /** A transaction consumes twice the units of the table, to prepare and to commit; indexes count once. */
  inTransaction(): Consumption {
    const result = new Consumption();
    result.add(this);
    result.addToTable(this.#table);
    return result;
  }

  get total(): number {
    let total = this.#table;
    for (const units of this.#indexes.values()) total += units;
    return total;
  }

  /** `ConsumedCapacity` on the wire; only transactions name `kind`. Undefined for `NONE`. */
  describe(
    table: TableDefinition,
    detail: CapacityDetail | undefined,
    kind?: 'ReadCapacityUnits' | 'WriteCapacityUnits',
  ): Record<string, unknown> | undefined {
    if (detail !== 'TOTAL' && detail !== 'INDEXES') return undefined;
    const units = (value: number) => ({ CapacityUnits: value, ...(kind ? { [kind]: value } : {}) });
    const result: Record<string, unknown> = { TableName: table.name, ...units(this.total) };
    if (detail === 'TOTAL') return result;
    result.Table = units(this.#table);
    for (const [index, value] of this.#indexes) {
      const member = index.scope === 'global' ? 'GlobalSecondaryIndexes' : 'LocalSecondaryIndexes';
      result[member] = { ...(result[member] as object), [index.name]: units(value) };
    }
    return result;
  }
}

/** Running totals by table name, for benchmarks and cost estimates. */
export class CapacityMeter {
  readonly #totals: Record<string, { read: number; write: number }> = {};

  count(table: TableDefinition, kind: 'read' | 'write', units: number): void {
    this.#totals[table.name] ??= { read: 0, write: 0 };
    (this.#totals[table.name] as { read: number; write: number })[kind] += units;
  }

  /** A copy of the totals since the start. */
  totals(): Record<string, { read: number; write: number }> {
    return structuredClone(this.#totals);
  }
}
