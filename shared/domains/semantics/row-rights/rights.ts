import { createHash } from 'node:crypto';
import { quoteIdentifier } from '../../../data/duckdb/quoting.ts';
import { type Dialect, emit, type SqlParameter, type Typed } from '../../../data/expressions/index.ts';
import type { Dataset } from '../../warehouse/datasets/index.ts';
import type { SourcePlace } from '../models/index.ts';
import { matchSql } from './partners.ts';
import type { RowCondition } from './policy-condition.ts';
import type { Reader } from './reader.ts';

/** What a reader may see of a source table that a model protects. */
export interface TableRights {
  place: SourcePlace;
  /** What must hold for a row to be seen: of each model, one of the conditions. */
  rows: 'all' | 'none' | readonly (readonly RowCondition[])[];
  /** The datasets that conditions read besides the table. */
  partners: readonly PartnerDataset[];
  /** Columns of the source that the reader may not see. */
  hidden: readonly string[];
  /** All policies of the table, of every model. */
  policies: readonly CheckedPolicy[];
  reader: Reader;
  /** The moment of the read, for policies with TODAY and NOW. */
  at: Date;
}

export type PartnerDataset = Pick<Dataset, 'id' | 'name' | 'version' | 'columns'>;

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

export interface EmitRowsOptions {
  dialect: Dialect;
  /** What the statement calls the table; its own name by default, where a condition reads other tables. */
  alias?: string;
  params?: SqlParameter[];
  /** What stands in FROM for a table that conditions read besides; its own name by default. */
  nameOf?: (place: SourcePlace) => string;
  /** Leaves out conditions that read other tables, where the rows are those that meet them already. */
  isWithoutPartners?: boolean;
}

/**
 * Writes the condition for the rows of a table. Dates are those of UTC: a reader could otherwise choose a time zone
 * with more rows.
 */
export function emitRows(
  { place, rows, reader, at }: Pick<TableRights, 'place' | 'rows' | 'reader' | 'at'>,
  { params = [], isWithoutPartners = false, ...options }: EmitRowsOptions,
): EmittedRows {
  if (rows === 'none') return { sql: 'FALSE', params };
  const all = rows === 'all' ? [] : rows;
  const groups = isWithoutPartners ? all.filter((group) => !group.some(({ partners }) => partners.length > 0)) : all;
  const conditions = groups.map((group) => groupSql(group, { ...options, table: place.table, reader, at, params }));
  return { sql: conditions.length === 0 ? 'TRUE' : conditions.join(' AND '), params };
}

type Context = EmitRowsOptions & Pick<TableRights, 'reader' | 'at'> & { table: string; params: SqlParameter[] };

function groupSql(group: readonly RowCondition[], context: Context): string {
  const own = group.filter(({ partners }) => partners.length === 0);
  const conditions = own.length === 0 ? [] : [conditionSql(anyOf(own), context)];
  const others = group.filter(({ partners }) => partners.length > 0).map((each) => partnerSql(each, context));
  const [only, ...more] = [...conditions, ...others];
  return more.length === 0 ? `(${only})` : `(${[only, ...more].map((sql) => `(${sql})`).join(' OR ')})`;
}

function conditionSql(
  { tree, columns }: RowCondition,
  { dialect, alias, reader, at, params }: Context,
  partnerNames: readonly string[] = [],
): string {
  const emission = emit(tree, {
    dialect,
    columnOf: ({ field }) => {
      const { partner, ...column } = columns.get(field)!;
      const table = partner === undefined ? alias : partnerNames[partner];
      return { ...(table === undefined ? {} : { table }), ...column };
    },
    now: at,
    principal: reader.values,
    params,
  });
  if (emission.kind !== 'sql') throw new Error('a policy that was emitted before cannot be emitted');
  return emission.sql;
}

/**
 * Whether a row has matches that meet the condition together with it. A row is never repeated by several matches, and
 * one without a match is hidden: what the condition says about it is not known.
 */
function partnerSql(condition: RowCondition, context: Context): string {
  const { partners } = condition;
  const { dialect, table, alias = table, nameOf = defaultName } = context;
  const names = partners.map((_, index) => `#policy_${index + 1}`);
  const tables = partners.map(({ place }, index) => `${nameOf(place)} AS ${quoteIdentifier(names[index]!)}`);
  const matches = partners.map(({ from, near, far }, index) =>
    matchSql({ ...near, table: from === undefined ? alias : names[from]! }, { ...far, table: names[index]! }, dialect),
  );
  const own = conditionSql(condition, { ...context, alias }, names);
  return `EXISTS (SELECT 1 FROM ${tables.join(', ')} WHERE ${[...matches, `(${own})`].join(' AND ')})`;
}

const defaultName = ({ schema, table }: SourcePlace) =>
  (schema === '' ? [table] : [schema, table]).map(quoteIdentifier).join('.');

/**
 * Equal for readers who see the same rows and columns. What a table shows also depends on the rows of those that its
 * policies read, so their versions are a part.
 */
export function fingerprintOf(rights: readonly TableRights[], dialect: Dialect): string {
  const seen = rights.map((table) => ({
    place: [table.place.schema, table.place.table],
    rows: emitRows(table, { dialect }),
    hidden: table.hidden,
    ...(table.partners.length > 0 && { partners: table.partners.map(({ id, version }) => [id, version]) }),
  }));
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex');
}

/** Policies with TODAY or NOW are the same policies tomorrow. */
const ANY_TIME = new Date(0);

/**
 * Equal for readers to whom the same rules apply with the same values, today and later: unlike the fingerprint it
 * depends neither on the time nor on the rows that policies read besides. For what is stored by class, such as states.
 */
export function classOfRights(rights: readonly TableRights[], dialect: Dialect): string {
  const seen = rights.map((table) => ({
    place: [table.place.schema, table.place.table],
    rows: emitRows({ ...table, at: ANY_TIME }, { dialect }),
    hidden: table.hidden,
  }));
  return createHash('sha256').update(JSON.stringify(seen)).digest('base64url');
}

/** True where any of the conditions over a table alone is. */
function anyOf(conditions: readonly RowCondition[]): RowCondition {
  if (conditions.length === 1) return conditions[0]!;
  const operands = conditions.map(({ tree }) => tree);
  const tree: Typed = { kind: 'logic', operator: 'or', operands, type: 'boolean', level: 'row', from: 0, to: 0 };
  return { tree, columns: new Map(conditions.flatMap(({ columns }) => [...columns])), partners: [] };
}
