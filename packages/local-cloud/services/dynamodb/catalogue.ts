import { invalid, notFound } from './errors.ts';
import type { Store } from './store.ts';
import { itemsTable } from './store.ts';
import type { SecondaryIndex, TableDefinition } from './table.ts';

/** The tables, cached in memory and written through to disk. */
export class Catalogue {
  readonly #store: Store;
  readonly #tables = new Map<string, TableDefinition>();

  constructor(store: Store) {
    this.#store = store;
    for (const row of store.all('SELECT definition FROM catalogue')) {
      const table = JSON.parse(row.definition as string) as TableDefinition;
      this.#tables.set(table.name, table);
    }
  }

  /** Tables in order of their names. */
  all(): TableDefinition[] {
    return [...this.#tables.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  find(nameOrArn: string): TableDefinition | undefined {
    return this.#tables.get(tableNameOf(nameOrArn));
  }

  /** Finds the table of an item operation. Throws `ResourceNotFoundException`. */
  table(nameOrArn: string): TableDefinition {
    const table = this.find(nameOrArn);
    if (!table) throw notFound();
    return table;
  }

  /** Finds the table of a management operation, whose error names the table. */
  managed(nameOrArn: string): TableDefinition {
    const table = this.find(nameOrArn);
    if (!table) throw notFound(`Requested resource not found: Table: ${tableNameOf(nameOrArn)} not found`);
    return table;
  }

  save(table: TableDefinition): void {
    this.#store.run('INSERT OR REPLACE INTO catalogue VALUES (?, ?)', table.name, JSON.stringify(table));
    this.#tables.set(table.name, table);
  }

  remove(table: TableDefinition): void {
    this.#store.run('DELETE FROM catalogue WHERE name = ?', table.name);
    this.#tables.delete(table.name);
  }

  /** Exact, whereas AWS updates these figures about every six hours. */
  measure(sqlTable: string): { count: number; bytes: number } {
    const row = this.#store.get(`SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM ${sqlTable}`);
    return { count: Number(row?.count), bytes: Number(row?.bytes) };
  }

  measureItems(table: TableDefinition): { count: number; bytes: number } {
    return this.measure(itemsTable(table));
  }
}

/** The name in `arn:aws:dynamodb:…:table/<name>`, or the text itself. */
export function tableNameOf(nameOrArn: string): string {
  return /^arn:aws[a-z-]*:dynamodb:[^:]*:\d*:table\/([^/]+)$/.exec(nameOrArn)?.[1] ?? nameOrArn;
}

export function findIndex(table: TableDefinition, name: string): SecondaryIndex {
  const index = table.indexes.find((candidate) => candidate.name === name);
  if (!index) throw invalid(`The table does not have the specified index: ${name}`);
  return index;
}
