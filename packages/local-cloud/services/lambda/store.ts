import type { DatabaseSync } from 'node:sqlite';
import { AwsError } from '../../core/aws-error.ts';
import { functionArn, type Place, parseFunctionReference } from './arns.ts';
import type { FunctionRecord, FunctionVersion, Target } from './model.ts';

export const FUNCTIONS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS functions (name TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT;
`;

/** All functions, cached in memory and written through to disk. */
export class FunctionStore {
  readonly #place: Place;
  readonly #database: DatabaseSync;
  readonly #functions = new Map<string, FunctionRecord>();
  #reservations = new Map<string, number>();

  constructor(place: Place, database: DatabaseSync) {
    this.#place = place;
    this.#database = database;
    for (const row of database.prepare('SELECT document FROM functions ORDER BY name').all()) {
      const record = JSON.parse(row.document as string) as FunctionRecord;
      this.#functions.set(record.name, record);
    }
    this.#readReservations();
  }

  /** Reserved concurrency by function name, where set. */
  get reservations(): ReadonlyMap<string, number> {
    return this.#reservations;
  }

  all(): FunctionRecord[] {
    return [...this.#functions.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  find(name: string): FunctionRecord | undefined {
    return this.#functions.get(name);
  }

  /** Throws `ResourceNotFoundException` with Lambda's message. */
  get(name: string, qualifier?: string): FunctionRecord {
    const record = this.#functions.get(name);
    if (!record) throw notFound(functionArn(this.#place, name, qualifier));
    return record;
  }

  save(record: FunctionRecord): void {
    this.#database
      .prepare('INSERT INTO functions VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET document = excluded.document')
      .run(record.name, JSON.stringify(record));
    this.#functions.set(record.name, record);
    this.#readReservations();
  }

  delete(name: string): void {
    this.#database.prepare('DELETE FROM functions WHERE name = ?').run(name);
    this.#functions.delete(name);
    this.#readReservations();
  }

  /** Resolves a reference, through an alias if it names one. Throws `ResourceNotFoundException`. */
  resolve(reference: string, apart?: string): Target {
    const { name, qualifier } = parseFunctionReference(reference, apart);
    const record = this.get(name, qualifier);
    const alias = qualifier === undefined ? undefined : record.aliases[qualifier];
    const version = findVersion(record, alias?.functionVersion ?? qualifier ?? '$LATEST');
    const invokedArn = functionArn(this.#place, name, qualifier);
    if (!version) throw notFound(invokedArn);
    return { record, version, invokedArn, ...(qualifier !== undefined && { qualifier }) };
  }

  #readReservations(): void {
    this.#reservations = new Map();
    for (const { name, reservedConcurrency } of this.#functions.values()) {
      if (reservedConcurrency !== undefined) this.#reservations.set(name, reservedConcurrency);
    }
  }
}

export function findVersion(record: FunctionRecord, version: string): FunctionVersion | undefined {
  return version === '$LATEST' ? record.latest : record.versions.find((published) => published.version === version);
}

export function notFound(arn: string): AwsError {
  return new AwsError('ResourceNotFoundException', `Function not found: ${arn}`, {
    status: 404,
    fields: { Type: 'User' },
  });
}
