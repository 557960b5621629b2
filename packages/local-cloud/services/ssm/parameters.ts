import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

export const PARAMETERS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS parameter_versions (
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    type TEXT NOT NULL,
    value TEXT NOT NULL,
    description TEXT,
    allowed_pattern TEXT,
    tier TEXT NOT NULL,
    modified_at INTEGER NOT NULL,
    PRIMARY KEY (name, version)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS parameter_tags (
    name TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name, key)
  ) STRICT;
`;

export const PARAMETER_TYPES = ['String', 'StringList', 'SecureString'] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];

export interface Parameter {
  name: string;
  version: number;
  type: ParameterType;
  /** As stored: sealed for a SecureString. */
  value: string;
  description?: string;
  allowedPattern?: string;
  tier: string;
  modifiedAt: number;
}

/** Above this number, AWS drops the oldest version. */
const VERSIONS_KEPT = 100;
const LATEST = 'version = (SELECT max(version) FROM parameter_versions AS other WHERE other.name = p.name)';

/** All parameters with their versions and tags, on disk. */
export class Parameters {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** The newest version, or the requested one. */
  find(name: string, version?: number): Parameter | undefined {
    const row =
      version === undefined
        ? this.#database.prepare(`SELECT * FROM parameter_versions AS p WHERE name = ? AND ${LATEST}`).get(name)
        : this.#database.prepare('SELECT * FROM parameter_versions WHERE name = ? AND version = ?').get(name, version);
    return row && readRow(row);
  }

  /** The newest version of each parameter, by name. */
  all(): Parameter[] {
    return this.#database
      .prepare(`SELECT * FROM parameter_versions AS p WHERE ${LATEST} ORDER BY name`)
      .all()
      .map(readRow);
  }

  add(parameter: Parameter): void {
    const { name, version, type, value, description, allowedPattern, tier, modifiedAt } = parameter;
    this.#database
      .prepare('INSERT INTO parameter_versions VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      .run(name, version, type, value, description ?? null, allowedPattern ?? null, tier, modifiedAt);
    this.#database
      .prepare('DELETE FROM parameter_versions WHERE name = ? AND version <= ?')
      .run(name, version - VERSIONS_KEPT);
  }

  /** Returns whether the parameter existed. */
  delete(name: string): boolean {
    this.#database.prepare('DELETE FROM parameter_tags WHERE name = ?').run(name);
    return this.#database.prepare('DELETE FROM parameter_versions WHERE name = ?').run(name).changes > 0;
  }

  tags(name: string): { Key: string; Value: string }[] {
    const rows = this.#database.prepare('SELECT key, value FROM parameter_tags WHERE name = ? ORDER BY key').all(name);
    return rows.map((row) => ({ Key: row.key as string, Value: row.value as string }));
  }

  tag(name: string, tags: { Key: string; Value: string }[]): void {
    const put = this.#database.prepare('INSERT OR REPLACE INTO parameter_tags VALUES (?, ?, ?)');
    for (const { Key, Value } of tags) put.run(name, Key, Value);
  }

  untag(name: string, keys: string[]): void {
    const remove = this.#database.prepare('DELETE FROM parameter_tags WHERE name = ? AND key = ?');
    for (const key of keys) remove.run(name, key);
  }
}

function readRow(row: Record<string, SQLOutputValue>): Parameter {
  return {
    name: row.name as string,
    version: row.version as number,
    type: row.type as ParameterType,
    value: row.value as string,
    ...(row.description !== null && { description: row.description as string }),
    ...(row.allowed_pattern !== null && { allowedPattern: row.allowed_pattern as string }),
    tier: row.tier as string,
    modifiedAt: row.modified_at as number,
  };
}
