import { createHash } from 'node:crypto';
import { type Dialect, emit, type SqlParameter, type Typed } from '../../data/expressions/index.ts';
import type { SourcePlace } from '../models/index.ts';
import type { RowCondition } from './policy-condition.ts';
import type { Reader } from './reader.ts';

/** What a reader may see of a source table that a model protects. */
export interface TableRights {
  place: SourcePlace;
  /** Conditions that must all hold for a row to be seen. */
  rows: 'all' | 'none' | readonly RowCondition[];
  /** Columns of the source that the reader may not see. */
  hidden: readonly string[];
  /** All policies of the table, of every model. */
  policies: readonly CheckedPolicy[];
  reader: Reader;
  /** The moment of the read, for policies with TODAY and NOW. */
  at: Date;
}

export interface CheckedPolicy {
  modelId: string;
  policyId: string;
  /** Whether the policy is for the reader. */
  applies: boolean;
  /** Whether it can show rows: it is not stale, and what it reads of the user is known. */
  isUsable: boolean;
}

export interface EmittedRows {
  /** True for the rows that the reader may see. */
  sql: string;
  /** All parameters of the statement so far. */
  params: SqlParameter[];
}

/**
 * Writes the condition for the rows of a table. Dates are those of UTC: a reader could otherwise choose a time zone with more rows.
 */
export function emitRows(
  { rows, reader, at }: Pick<TableRights, 'rows' | 'reader' | 'at'>,
  { dialect, alias, params = [] }: { dialect: Dialect; alias?: string; params?: SqlParameter[] },
): EmittedRows {
  if (rows === 'all' || rows === 'none') return { sql: rows === 'all' ? 'TRUE' : 'FALSE', params };
  const conditions = rows.map(({ tree, columns }) => {
    const emission = emit(tree, {
      dialect,
      columnOf: ({ field }) => ({ ...(alias === undefined ? {} : { table: alias }), ...columns.get(field)! }),
      now: at,
      principal: reader.values,
      params,
    });
    if (emission.kind !== 'sql') throw new Error('a policy that was emitted before cannot be emitted');
    return `(${emission.sql})`;
  });
  return { sql: conditions.join(' AND '), params };
}

/** Equal for readers who see the same rows and columns. */
export function fingerprintOf(rights: readonly TableRights[], dialect: Dialect): string {
  const seen = rights.map((table) => ({
    place: [table.place.schema, table.place.table],
    rows: emitRows(table, { dialect }),
    hidden: table.hidden,
  }));
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex');
}

/** True where any of the conditions is. */
export function anyOf(conditions: readonly RowCondition[]): RowCondition {
  if (conditions.length === 1) return conditions[0]!;
  const operands = conditions.map(({ tree }) => tree);
  const tree: Typed = { kind: 'logic', operator: 'or', operands, type: 'boolean', level: 'row', from: 0, to: 0 };
  return { tree, columns: new Map(conditions.flatMap(({ columns }) => [...columns])) };
}
